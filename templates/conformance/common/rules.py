"""Drivers of the rules that no machine can derive a test from.

A stub in ``test_rules.py`` is pending until a driver is registered under the path of its rule, in a ``conftest.py``
above this folder or in a module that it imports::

    @rules.implements("queue.declare/default-binding")
    def default_binding(broker: Broker) -> None:
        assert ...

Its parameters name fixtures: ``broker``, the broker under test (``broker.py``), ``peer``, the codec under test, and any
other. A driver returns if the rule is kept and raises if it is not.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

Driver: TypeAlias = Callable[..., object]

DRIVERS: Final[dict[str, Driver]] = {}


def implements(path: str) -> Callable[[Driver], Driver]:
    """Registers the decorated function as the driver of a rule; ValueError if the rule has one already."""

    def register(driver: Driver) -> Driver:
        if path in DRIVERS:
            raise ValueError(f"the rule {path} has a driver already: {DRIVERS[path]!r}")
        DRIVERS[path] = driver
        return driver

    return register
