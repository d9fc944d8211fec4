"""All shapes of hostile captures, by name, and files of them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from . import amqp0, amqp1, packets
from .packets import Shape, cut_to


def _by_name(prefix: str, shapes: tuple[Shape, ...]) -> dict[str, Shape]:
    return {prefix + shape.__name__.replace("_", "-"): shape for shape in shapes}


SHAPES: dict[str, Shape] = {
    **_by_name("", packets.SHAPES),
    **_by_name("0-9-1-", amqp0.SHAPES),
    **_by_name("1.0-", amqp1.SHAPES),
}


def make(name: str, size: int) -> bytes:
    """The octets of a small capture: the same for the same name and size."""
    return b"".join(cut_to(SHAPES[name](size, Random(name)), size))


def write(name: str, size: int, path: Path) -> None:
    """Write a capture of this size, or a little more."""
    with path.open("wb") as file:
        for piece in cut_to(SHAPES[name](size, Random(name)), size):
            file.write(piece)
