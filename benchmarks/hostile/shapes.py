"""All shapes of hostile captures, by name, and files of them."""

from __future__ import annotations

from inspect import isfunction, signature
from pathlib import Path
from random import Random
from types import ModuleType

from . import amqp0, amqp1, packets
from .packets import Shape, cut_to


def _shapes_of(module: ModuleType, prefix: str = "") -> dict[str, Shape]:
    """The functions of a module that take a size and a source of chance."""
    return {
        prefix + name.replace("_", "-"): value
        for name, value in vars(module).items()
        if isfunction(value) and list(signature(value).parameters) == ["size", "random"]
    }


SHAPES: dict[str, Shape] = {
    **_shapes_of(packets),
    **_shapes_of(amqp0, "0-9-1-"),
    **_shapes_of(amqp1, "1.0-"),
}


def make(name: str, size: int) -> bytes:
    """The octets of a small capture: the same for the same name and size."""
    return b"".join(cut_to(SHAPES[name](size, Random(name)), size))


def write(name: str, size: int, path: Path) -> None:
    """Write a capture of this size, or a little more."""
    with path.open("wb") as file:
        for piece in cut_to(SHAPES[name](size, Random(name)), size):
            file.write(piece)
