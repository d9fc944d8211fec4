"""What brokers say to messages that were published."""

from __future__ import annotations

import pytest

from .method_script import (
    CONFIRM,
    MICROSECOND,
    OPEN,
    Step,
    client,
    content,
    heartbeat,
    opened,
    play,
    publish,
    server,
)

THREE = [*publish(), *publish(), *publish()]
AFTER = len(CONFIRM) + len(THREE)
RETURN = content(1, "basic.return", reply_code=312, reply_text="", exchange="e", routing_key="k")

CASES: dict[str, tuple[list[Step], list[tuple[str | None, int | None]]]] = {
    "nothing": ([], [("none", None)] * 3),
    "one": ([server("basic.ack", delivery_tag=2)], [("none", None), ("ack", 0), ("none", None)]),
    "multiple": ([server("basic.ack", delivery_tag=2, multiple=True)], [("ack", 0), ("ack", 0), ("none", None)]),
    "0 and multiple is all": ([server("basic.ack", delivery_tag=0, multiple=True)], [("ack", 0)] * 3),
    "in another order": ([server("basic.ack", delivery_tag=3), server("basic.ack", delivery_tag=2, multiple=True)],
                         [("ack", 1), ("ack", 1), ("ack", 0)]),
    "nack": ([server("basic.nack", delivery_tag=1), server("basic.ack", delivery_tag=3, multiple=True)],
             [("nack", 0), ("ack", 1), ("ack", 1)]),
    "the client's ack is none of the broker": ([client("basic.ack", delivery_tag=1)], [("none", None)] * 3),
    "selected again": ([client("confirm.select"), server("basic.ack", delivery_tag=3)],
                       [("none", None), ("none", None), ("ack", 1)]),
    "after the client closes": (
        [client("channel.close", reply_code=200, reply_text=""), server("basic.ack", delivery_tag=1)],
        [("ack", 1), ("none", None), ("none", None)]),
    "after the server closes": (
        [server("channel.close", reply_code=404, reply_text=""), server("basic.ack", delivery_tag=1)],
        [("none", None)] * 3),
    "of the channel before": ([client("channel.open"), server("basic.ack", delivery_tag=1)], [("none", None)] * 3),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_confirms(name: str) -> None:
    steps, expected = CASES[name]
    assert play([*CONFIRM, *THREE, *steps]).pick("confirm", "confirm_ns") == [
        (outcome, None if step is None else (AFTER + step) * MICROSECOND) for outcome, step in expected
    ]


def test_nothing_is_confirmed_before_it_is_selected() -> None:
    steps = [
        *publish(),
        client("confirm.select"),
        *publish(),
        server("confirm.select-ok"),
        server("basic.ack", delivery_tag=1),
    ]
    assert play([*OPEN, *steps]).pick("confirm") == [None, "ack"]


def test_channels_count_on_their_own() -> None:
    steps = [
        *publish(),
        *opened(2),
        client("confirm.select", 2),
        *publish(channel=2),
        *publish(channel=2),
        server("basic.ack", 2, delivery_tag=1),
        server("basic.nack", 1, delivery_tag=1),
    ]
    assert play([*CONFIRM, *steps]).pick("channel", "confirm") == [(1, "nack"), (2, "ack"), (2, "none")]


def test_a_returned_message_is_confirmed_like_others() -> None:
    rows = play([*CONFIRM, *publish(mandatory=True), *RETURN, server("basic.ack", delivery_tag=1)])
    assert rows.pick("kind", "confirm") == [("publish", "ack"), ("return", None)]


def test_a_message_without_its_content_counts() -> None:
    rows = play([*CONFIRM, publish()[0], *publish(), server("basic.ack", delivery_tag=2)])
    assert rows.pick("complete", "confirm") == [(False, "none"), (True, "ack")]


def test_after_octets_of_the_client_were_lost_nobody_knows_the_numbers() -> None:
    steps = [*publish(), (0, 100), *publish(), server("basic.ack", delivery_tag=2, multiple=True)]
    assert play([*CONFIRM, *steps]).pick("confirm") == ["ack", None]


def test_octets_of_the_broker_may_be_lost() -> None:
    steps = [*publish(), (1, 21), *publish(), server("basic.ack", delivery_tag=2)]
    assert play([*CONFIRM, *steps]).pick("confirm") == ["none", "ack"]


def test_heartbeats_are_no_loss() -> None:
    beats = [heartbeat(1), heartbeat(0), heartbeat(0)]
    steps = [
        *beats,
        *publish(),
        *beats,
        *publish(),
        *beats,
        server("basic.ack", delivery_tag=2, multiple=True),
    ]
    assert play([*CONFIRM, *steps]).pick("confirm") == ["ack", "ack"]


@pytest.mark.parametrize("lost", [8, 16, 80])
def test_what_is_as_long_as_heartbeats_is_a_loss_if_there_were_none(lost: int) -> None:
    steps = [*publish(), (0, lost), *publish(), server("basic.ack", delivery_tag=2, multiple=True)]
    assert play([*CONFIRM, *steps]).pick("confirm") == ["ack", None]
