"""Values of types that only a user's own specification of 1.0 has, on connections whose package is that of 1.0."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0 import Described

from .broker import Broker


def to_described(broker: Broker, value: Any) -> Described:
    """Return a value of one of the user's types as it goes into a field of a performative or a section.

    ``broker.amqp`` has the types: ``to_described(broker, broker.amqp.mine.ColourFilter("red"))``.
    """
    described, _ = amqp.decode(broker.amqp.encode(value))
    if not isinstance(described, Described):
        raise TypeError(f"{value!r} is not of a described type that only the user's own specification has")
    return described


def from_described(broker: Broker, described: Described) -> Any:
    """Return a value that came in a field as one of the user's types, if it is of one."""
    return broker.amqp.decode(amqp.encode(described))[0]
