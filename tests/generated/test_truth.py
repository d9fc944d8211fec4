"""What has a length is not false for being empty: ``if tracker`` asks whether there is a tracker."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .amqp0.packages import NAMES

PACKAGES = (*NAMES, "amqp_1_0")
# How to make an empty object of each class that has a length and is not a value of the protocol.
EMPTY: dict[str, Callable[[Any], Any]] = {
    "ColumnBatch": lambda kind: kind({}, ()),
    "ConfirmTracker": lambda kind: kind(channel=1),
    "HeaderColumns": lambda kind: kind(),
    "MessageColumns": lambda kind: kind(),
    "MethodColumns": lambda kind: kind(),
    "NumberAllocator": lambda kind: kind(1, 5),
    "PerformativeColumns": lambda kind: kind(),
    "UnsettledDeliveries": lambda kind: kind(),
}
# Values of the protocol are false when empty, as the lists and mappings of Python.
PLAIN = (str, tuple, bytes, int, dict)
VALUES = {"Array", "Map", "RawTable", "Repeated", "SelfWritingTable"}


def classes_with_a_length(package: str) -> Iterator[type[Any]]:
    """The classes of all modules of a package that say how long they are."""
    parent = importlib.import_module(package)
    seen: set[type[Any]] = set()
    for found in pkgutil.walk_packages(parent.__path__, f"{package}."):
        for kind in vars(importlib.import_module(found.name)).values():
            own = inspect.isclass(kind) and kind.__module__.startswith(f"{package}.")
            if own and any("__len__" in vars(base) for base in kind.__mro__) and not issubclass(kind, PLAIN):
                seen.add(kind)
    yield from sorted(seen, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("package", PACKAGES)
def test_what_counts_is_true_when_empty(package: str) -> None:
    kinds = list(classes_with_a_length(package))
    names = {kind.__name__ for kind in kinds}
    assert "NumberAllocator" in names
    for kind in kinds:
        if kind.__name__ in VALUES:
            continue
        empty = EMPTY[kind.__name__](kind)
        assert len(empty) == 0, kind
        assert bool(empty) is True, kind


@pytest.mark.parametrize("package", PACKAGES)
def test_what_has_no_length_is_true(package: str) -> None:
    amqp = importlib.import_module(package)
    made = [
        getattr(amqp, name)()
        for name in ("ContentAssembler", "TransferAssembler", "FrameDecoder", "DeliveryIds", "ReplyTracker")
        if hasattr(amqp, name)
    ]
    assert len(made) > 1
    assert all(made)
