"""The class basic: priorities, and the order of messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ...amqp0.broker import Broker
from ...engine.registry import rule
from ...engine.run_result import Violation

_LEVEL_COUNT = 10
_MESSAGE_COUNT = 40
_TRANSIENT, _PERSISTENT = 1, 2


def _order_of_priorities(broker: Broker, priorities: Iterable[int]) -> list[int]:
    """Publish messages of these priorities to a queue, then fetch them; return the priorities as they come."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    count = 0
    for priority in priorities:
        channel.publish(queue, b"by priority", broker.amqp.BasicProperties(priority=priority))
        count += 1
    return [channel.fetch(queue).properties.priority for _ in range(count)]


@rule({"0-9-1": "basic/06", "0-8": "basic/04"})
def two_levels(broker: Broker) -> None:
    """Publish five messages with priority 0 and then one with priority 9: the last one comes first."""
    order = _order_of_priorities(broker, (0, 0, 0, 0, 0, 9))
    if order[0] != 9:
        raise Violation(f"expected the message with priority 9 first, got the order {order}")


@rule({"0-9-1": "basic/07"})
def ten_levels(broker: Broker) -> None:
    """Publish ten messages, with priority 0 up to 9: there are ten levels if they come in reverse order."""
    order = _order_of_priorities(broker, range(_LEVEL_COUNT))
    levels = 1 + sum(before > after for before, after in pairwise(order))
    if levels != _LEVEL_COUNT:
        raise Violation(f"expected {_LEVEL_COUNT} levels of priority, got {levels}: the order {order}")


@rule({"0-9-1": "basic/08", "0-8": "basic/05"})
def order_is_kept(broker: Broker) -> None:
    """Publish forty messages of one priority to a durable queue, every other one persistent: their order is kept."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("durable"), durable=True, exclusive=False)
    for number in range(_MESSAGE_COUNT):
        mode = _PERSISTENT if number % 2 else _TRANSIENT
        properties = broker.amqp.BasicProperties(priority=0, delivery_mode=mode)
        channel.publish(queue, str(number).encode(), properties)
    order = [int(channel.fetch(queue).body) for _ in range(_MESSAGE_COUNT)]
    if order != list(range(_MESSAGE_COUNT)):
        raise Violation(f"expected the messages as they were published, got the order {order}")
