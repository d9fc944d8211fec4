"""What clients say to messages that they got."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.decode.events import Event
from amqp_traffic.dialogue.amqp0 import settlement
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.schemas import MESSAGES

from .method_script import (
    MICROSECOND,
    OLD,
    OPEN,
    Step,
    client,
    deliver,
    events_of,
    get_ok,
    header,
    named,
    play,
    publish,
    server,
)

THREE = [*deliver(1), *deliver(2), *deliver(3)]
FIRST = len(OPEN)  # the step of the first
AFTER = FIRST + len(THREE)

_NONE = ("none", None)


def _ack(tag: int, name: str = "ack", **fields: Any) -> Step:
    return client(f"basic.{name}", delivery_tag=tag, **fields)


# What follows on the three, and how each is settled: by which step of those that follow.
CASES: dict[str, tuple[list[Step], list[tuple[str, int | None]]]] = {
    "nothing": ([], [_NONE] * 3),
    "one ack": ([_ack(2)], [_NONE, ("ack", 0), _NONE]),
    "all, in another order": ([_ack(tag) for tag in (3, 1, 2)], [("ack", 1), ("ack", 2), ("ack", 0)]),
    "multiple": ([_ack(2, multiple=True)], [("ack", 0), ("ack", 0), _NONE]),
    "multiple, after one of them": ([_ack(1, "reject"), _ack(3, multiple=True)],
                                    [("reject", 0), ("ack", 1), ("ack", 1)]),
    "0 and multiple is all": ([_ack(0, multiple=True)], [("ack", 0)] * 3),
    "0 alone is none": ([_ack(0)], [_NONE] * 3),
    "nack": ([_ack(1, "nack")], [("nack", 0), _NONE, _NONE]),
    "nack, multiple": ([_ack(0, "nack", multiple=True)], [("nack", 0)] * 3),
    "reject": ([_ack(3, "reject")], [_NONE, _NONE, ("reject", 0)]),
    "twice: the first counts": ([_ack(1), _ack(1, "reject")], [("ack", 0), _NONE, _NONE]),
    "a tag that there is not": ([_ack(9)], [_NONE] * 3),
    "on another channel": ([client("channel.open", 2), client("basic.ack", 2, delivery_tag=0, multiple=True)],
                           [_NONE] * 3),
    "the server's ack is none of the client": ([server("basic.ack", delivery_tag=1)], [_NONE] * 3),
    "recovered": ([_ack(1), client("basic.recover", requeue=True), _ack(2)], [("ack", 0), _NONE, _NONE]),
    "recovered, and nobody says so": ([client("basic.recover-async", requeue=True), _ack(2)], [_NONE] * 3),
    "the server closes the channel": ([server("channel.close", reply_code=404, reply_text=""), _ack(1)], [_NONE] * 3),
    "the client closes the connection": ([client("connection.close", 0, reply_code=200, reply_text=""), _ack(1)],
                                         [_NONE] * 3),
    "the channel is opened again": ([client("channel.open"), _ack(1)], [_NONE] * 3),
    "in a transaction: when it is sent": ([client("tx.select"), _ack(1), client("tx.rollback")],
                                          [("ack", 1), _NONE, _NONE]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_settlement(name: str) -> None:
    steps, expected = CASES[name]
    rows = play([*OPEN, *THREE, *steps])
    assert rows.pick("settle", "settle_ns") == [
        (outcome, None if step is None else (AFTER + step) * MICROSECOND) for outcome, step in expected
    ]


def test_tags_start_again() -> None:
    """Without any sign of a new channel."""
    rows = play([*OPEN, *deliver(1), *deliver(2), *deliver(1), _ack(1)])
    assert rows.pick("delivery_tag", "settle") == [(1, "none"), (2, "none"), (1, "ack")]


def test_a_channel_that_is_opened_again() -> None:
    close = [client("channel.close", reply_code=200, reply_text=""), server("channel.close-ok")]
    rows = play([*OPEN, *deliver(1), *close, *OPEN[1:], *deliver(1), _ack(1)])
    assert rows.pick("delivery_tag", "settle") == [(1, "none"), (1, "ack")]


def test_an_ack_before_the_last_frame() -> None:
    parts = deliver(1)
    rows = play([*OPEN, *parts[:2], _ack(1), parts[2]])
    assert rows.pick("settle", "settle_ns", "last_ns", "complete") == [("ack", 5000, 6000, True)]


def test_messages_that_were_got() -> None:
    steps = [
        *(client("basic.get", queue="q"), *get_ok(1)),
        *(client("basic.get", queue="q", no_ack=True), *get_ok(2)),
        _ack(0, multiple=True),
    ]
    assert play([*OPEN, *steps]).pick("no_ack", "settle") == [(False, "ack"), (True, "none")]


def test_an_old_version() -> None:
    steps = [
        header(OLD),
        client("channel.open", package=OLD),
        *deliver(1, package=OLD),
        *deliver(2, package=OLD),
        client("basic.ack", package=OLD, delivery_tag=1),
        client("basic.recover", package=OLD, requeue=False),
        *deliver(2, package=OLD),
        client("basic.reject", package=OLD, delivery_tag=2, requeue=False),
    ]
    assert play(steps).pick("delivery_tag", "settle") == [(1, "ack"), (2, "none"), (2, "reject")]


DECLARED = [client("queue.declare", queue=""), server("queue.declare-ok", queue="amq.gen-1", message_count=0)]
GOT_TAG = server("basic.consume-ok", consumer_tag="c")
_CONSUME = client("basic.consume", queue="q", consumer_tag="c")
_CONSUMED, _CANCEL = [_CONSUME, GOT_TAG], client("basic.cancel", consumer_tag="c")

# What comes before a delivery, and the queue and no-ack that it should have.
CONSUMERS: dict[str, tuple[list[Step], tuple[str | None, bool | None]]] = {
    "the client names the consumer": (_CONSUMED, ("q", False)),
    "the server names the consumer": ([client("basic.consume", queue="q", no_ack=True), GOT_TAG], ("q", True)),
    "it is not told": ([client("basic.consume", queue="q", consumer_tag="c", no_wait=True, no_ack=True)],
                       ("q", True)),
    "the queue declared last": ([*DECLARED, client("basic.consume", queue=""), GOT_TAG], ("amq.gen-1", False)),
    "declared and consumed without waiting": ([DECLARED[0], client("basic.consume", queue=""), DECLARED[1], GOT_TAG],
                                              ("amq.gen-1", False)),
    "declared without a reply": (
        [
            client("queue.declare", queue="mine", no_wait=True),
            client("basic.consume", queue="", consumer_tag="c", no_wait=True),
        ],
        ("mine", False),
    ),
    "nothing was declared": ([client("basic.consume", queue=""), GOT_TAG], (None, False)),
    "another consumer": ([client("basic.consume", queue="q", consumer_tag="d")], (None, None)),
    "it was cancelled": ([*_CONSUMED, _CANCEL, server("basic.cancel-ok", consumer_tag="c")], (None, None)),
    "it is being cancelled": ([*_CONSUMED, _CANCEL], ("q", False)),
    "the name is used again": (
        [*_CONSUMED, client("basic.consume", queue="p", consumer_tag="c", no_ack=True), GOT_TAG], ("p", True)),
    "on another channel": ([client("channel.open", 2), client("basic.consume", 2, queue="q", consumer_tag="c")],
                           (None, None)),
    "of the channel before": ([_CONSUME, client("channel.open")], (None, None)),
}  # fmt: skip


@pytest.mark.parametrize("name", CONSUMERS)
def test_consumers(name: str) -> None:
    steps, expected = CONSUMERS[name]
    assert play([*OPEN, *steps, *deliver(1)]).pick("queue_inferred", "no_ack") == [expected]


@pytest.mark.parametrize(
    ("before", "queue", "expected"), [([], "q", "q"), (DECLARED, "", "amq.gen-1"), ([], "", None)]
)
def test_the_queue_that_is_asked(before: list[Step], queue: str, expected: str | None) -> None:
    rows = play([*OPEN, *before, client("basic.get", queue=queue), *get_ok(1)])
    assert rows.pick("queue_inferred") == [expected]


def test_what_is_not_settled_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is given up, and can be settled no more."""
    most = 1000
    monkeypatch.setattr(settlement, "MOST_OUTSTANDING", most)
    events = events_of([*OPEN, *deliver(1, b"")])
    method, content = events[-2:]
    size = method[6] + content[6] + 16

    def delivery(number: int) -> list[Event]:
        """That of the tag with that number."""
        row = (method[5][0], number, *method[5][2:])
        return [
            (0, 2 * number + place, *event[2:5], row, event[6], event[7] + size * (number - 1), event[8])
            for place, event, row in ((1, method, row), (2, content, content[5]))
        ]

    assemblies = Assemblies(bodies=NO_BODIES)
    assemblies.add(events[:-2])
    for number in range(1, most + 1):
        assemblies.add(delivery(number))
    assert assemblies.take()[0] == []
    assemblies.add(delivery(most + 1))
    (oldest,) = named(MESSAGES, assemblies.take()[0])
    assert (oldest["delivery_tag"], oldest["settle"], oldest["complete"]) == (1, "not-followed", True)
    assemblies.add([events_of([*OPEN, _ack(0, multiple=True)])[-1]])
    settled = named(MESSAGES, assemblies.take()[0])
    assert [row["delivery_tag"] for row in settled] == list(range(2, most + 2))
    assert {row["settle"] for row in settled} == {"ack"}


def test_both_sides_have_their_own_numbers() -> None:
    steps = [client("confirm.select"), *publish(), *deliver(1), server("basic.ack", delivery_tag=1)]
    assert play([*OPEN, *steps]).pick("kind", "settle", "confirm") == [
        ("publish", None, "ack"),
        ("deliver", "none", None),
    ]


def test_direct_replies_settle_nothing() -> None:
    """Their number is always 1, also where the capture does not have the beginning of their consumer."""
    key = "amq.rabbitmq.reply-to.g1h2AA1yZXBseUA5"
    replies = [deliver(1, consumer_tag="r", exchange="", routing_key=key) for _ in range(2)]
    steps = [*deliver(1), *replies[0], *deliver(2), *replies[1]]
    steps += [client("basic.ack", delivery_tag=1), client("basic.ack", delivery_tag=2)]
    rows = Counter(play(steps).pick("routing_key", "no_ack", "settle"))
    assert rows == {("k", None, "ack"): 2, (key, True, "none"): 2}
