"""Deliveries of AMQP 1.0: transfers joined by link, and settled by either end."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_traffic.decode.body_retention import NO_BODIES
from amqp_traffic.dialogue.amqp1 import deliveries, session
from amqp_traffic.messages.amqp1.assembly import Assembly
from amqp_traffic.messages.output import Sink

from tests.growth import lines

from ..performative_script import CLIENT, CONNECTION, RECEIVER, SENDER, SERVER, Result, Talk, message

M = amqp.messaging
ACCEPTED = M.Accepted()


def talk(role: Any = SENDER) -> Talk:
    """A session with one link."""
    said = Talk()
    said.begin()
    said.attach(role=role)
    return said


def test_a_delivery_says_where_it_goes() -> None:
    said = talk()
    first = said.transfer(0, message(b"12345"))
    said.settle(0, state=ACCEPTED)
    row = Result(said).message
    assert (row["conn_id"], row["dir"], row["frame_no"], row["channel"]) == (7, CLIENT, first, 0)
    assert (row["kind"], row["link_name"], row["handle"], row["address"]) == ("transfer", "out", 0, "queue")
    assert (row["delivery_id"], row["delivery_tag_bytes"], row["message_format"]) == (0, b"tag-0", 0)
    assert (row["body_kind"], row["body_size"], row["body_seen"], row["body_frames"]) == ("data", 5, 5, 1)
    assert (row["settle"], row["settle_ns"], row["state"]) == ("ack", 1000 * (first + 1), "accepted")
    assert (row["complete"], row["no_ack"], row["source"], row["lossy_types"]) == (True, False, "wire", False)
    assert row["exchange"] is row["routing_key"] is row["body_sha256"] is row["body_head"] is None


def test_what_the_client_receives_has_the_address_of_the_source() -> None:
    said = talk(RECEIVER)
    said.transfer(0, message(), SERVER)
    said.settle(0, state=ACCEPTED, direction=CLIENT)
    assert Result(said).columns("dir", "address", "settle") == [(SERVER, "queue", "ack")]


def test_the_broker_names_a_node_that_was_made_for_the_client() -> None:
    said = Talk()
    said.begin()
    attach = amqp.performatives.Attach
    said.say(CLIENT, attach("in", 3, RECEIVER, source=M.Source(dynamic=True), target=M.Target(address="me")))
    said.say(
        SERVER, attach("in", 8, SENDER, source=M.Source(address="made-up"), target=M.Target(address="me"))
    )
    said.transfer(0, message(), SERVER, handle=8)
    assert Result(said).columns("address", "handle") == [("made-up", 8)]


def test_a_coordinator_has_no_address() -> None:
    said = Talk()
    said.begin()
    target = amqp.transactions.Coordinator()
    said.say(CLIENT, amqp.performatives.Attach("tx", 0, SENDER, source=M.Source(), target=target))
    said.transfer(0, message(M.AmqpValue(amqp.transactions.Declare())))
    said.settle(0, state=amqp.transactions.Declared(txn_id=b"t"))
    assert Result(said).columns("address", "state", "settle") == [(None, "declared", "ack")]


OUTCOMES = [
    (ACCEPTED, "accepted", "ack"),
    (M.Rejected(error=amqp.performatives.Error("amqp:internal-error", "no")), "rejected", "reject"),
    (M.Released(), "released", "nack"),
    (M.Modified(delivery_failed=True), "modified", "nack"),
    (amqp.transactions.TransactionalState(b"t", ACCEPTED), "transactional-state", "ack"),
    (amqp.transactions.TransactionalState(b"t", M.Released()), "transactional-state", "nack"),
    (amqp.transactions.TransactionalState(b"t"), "transactional-state", "none"),
    (M.Received(0, 0), "received", "none"),
    (None, None, "none"),
]


@pytest.mark.parametrize(("state", "name", "settle"), OUTCOMES, ids=str)
def test_outcomes(state: Any, name: str | None, settle: str) -> None:
    said = talk()
    said.transfer(0, message())
    said.settle(0, state=state)
    assert Result(said).columns("state", "settle", "settle_ns") == [(name, settle, 5000)]


def test_settled_by_the_sender_at_once() -> None:
    said = talk()
    said.transfer(0, message(), settled=True)
    said.settle(0, state=ACCEPTED)  # against the specification, and too late
    assert Result(said).columns("no_ack", "settle", "settle_ns", "state") == [(True, "none", None, None)]


def test_settled_with_a_later_transfer() -> None:
    said, octets = talk(), message(b"x" * 100)
    said.transfer(0, octets[:50], more=True)
    said.transfer(None, octets[50:], settled=True)
    said.settle(0, state=ACCEPTED)
    assert Result(said).columns("no_ack", "settle", "complete") == [(True, "none", True)]


def test_two_steps() -> None:
    """The receiver tells the outcome, the sender settles, then the number may be used again."""
    said = talk()
    said.transfer(0, message())
    told = said.settle(0, state=ACCEPTED, settled=False)
    said.settle(0, state=ACCEPTED, direction=CLIENT, role=SENDER)
    said.settle(0, state=M.Released())
    assert Result(said).columns("state", "settle", "settle_ns") == [("accepted", "ack", 1000 * told)]


def test_a_receiver_that_changes_its_mind() -> None:
    said = talk()
    said.transfer(0, message())
    said.settle(0, state=ACCEPTED, settled=False)
    said.settle(0, state=M.Released())
    assert Result(said).columns("state", "settle", "settle_ns") == [("released", "nack", 6000)]


def test_the_outcome_may_come_before_the_last_transfer() -> None:
    said, octets = talk(), message(b"x" * 100)
    said.transfer(0, octets[:20], more=True)
    said.settle(0, state=M.Rejected())
    last = said.transfer(None, octets[20:])
    row = Result(said).message
    assert (row["settle"], row["body_seen"], row["body_frames"]) == ("reject", 100, 2)
    assert (row["complete"], row["last_ns"], row["settle_ns"]) == (True, 1000 * last, 5000)


def test_ranges_are_of_one_direction() -> None:
    said = talk()
    said.attach(1, "in", RECEIVER)
    for number in range(3):
        said.transfer(number, message())
        said.transfer(number, message(), SERVER, handle=1)
    said.settle(0, 1, ACCEPTED)  # the server has got these
    said.settle(1, 2, M.Released(), direction=CLIENT)
    assert Result(said).columns("dir", "delivery_id", "settle") == [
        (CLIENT, 0, "ack"),
        (SERVER, 0, "none"),
        (CLIENT, 1, "ack"),
        (SERVER, 1, "nack"),
        (CLIENT, 2, "none"),
        (SERVER, 2, "nack"),
    ]


@pytest.mark.parametrize("first", [0, 5, 0xFFFFFFFE, 0xFFFFFFFF, 0x7FFFFFFF])
def test_delivery_ids_count_round(first: int) -> None:
    said = talk()
    numbers = [(first + step) % (1 << 32) for step in range(4)]
    for number in numbers:
        said.transfer(number, message())
    said.settle(numbers[1], numbers[2], ACCEPTED)
    assert [settle for (settle,) in Result(said).columns("settle")] == ["none", "ack", "ack", "none"]


def test_a_state_of_a_transfer_counts_after_what_was_told_before() -> None:
    said, octets = talk(), message(b"x" * 100)
    said.transfer(0, octets[:20], more=True)
    said.settle(0, 70_000, M.Released(), settled=False)
    said.transfer(None, octets[20:60], more=True, state=ACCEPTED)
    said.transfer(None, octets[60:])
    said.settle(0, 70_000, settled=True)
    assert Result(said).columns("state", "settle", "settle_ns") == [("accepted", "nack", 5000)]


@pytest.mark.parametrize("last", [0x7FFFFFFF, 10_000])
def test_a_wide_range(last: int) -> None:
    said = talk()
    for number in (0, 3, 9999, 20_000):
        said.transfer(number, message())
    said.settle(1, last, ACCEPTED)
    wanted = ["none", "ack", "ack", "ack" if last > 20_000 else "none"]
    assert [settle for (settle,) in Result(said).columns("settle")] == wanted


def test_a_range_that_runs_backwards_is_none() -> None:
    said = talk()
    for number in range(3):
        said.transfer(number, message())
    said.settle(2, 0, ACCEPTED)
    assert {settle for (settle,) in Result(said).columns("settle")} == {"none"}


def test_transfers_of_several_links_between_each_other() -> None:
    said, octets = talk(), message(b"x" * 90)
    said.attach(1, "other")
    said.transfer(0, octets[:40], more=True)
    said.transfer(1, octets[:30], handle=1, more=True)
    said.transfer(None, octets[40:70], more=True)
    said.transfer(1, octets[30:], handle=1)  # the id may be repeated
    said.transfer(None, octets[70:])
    found = Result(said).columns("link_name", "delivery_id", "body_size", "body_frames", "complete")
    assert found == [("out", 0, 90, 3, True), ("other", 1, 90, 2, True)]


def test_an_aborted_delivery() -> None:
    said = talk()
    said.transfer(0, message(b"x" * 100)[:50], more=True)
    said.transfer(None, aborted=True, more=True)
    said.transfer(1, message())
    assert Result(said).columns("state", "settle", "complete", "body_size") == [
        ("aborted", "none", False, None),
        (None, "none", True, 4),
    ]


def test_a_delivery_whose_end_was_not_captured() -> None:
    said = talk()
    said.transfer(0, message(b"x" * 100)[:50], more=True)
    said.transfer(1, message())
    assert Result(said).columns("complete", "body_seen", "body_size") == [(False, 45, None), (True, 4, 4)]


def test_a_transfer_that_cannot_be_read_makes_deliveries_doubtful() -> None:
    said, octets = talk(), message([M.Data(b"x" * 10), M.Data(b"x" * 10)])
    said.transfer(0, octets[:15], more=True)
    said.say_nonsense(CLIENT)
    said.transfer(None, octets[15:])
    said.transfer(1, message())
    assert Result(said).columns("complete") == [(False,), (True,)]


def test_the_middle_of_a_delivery_is_passed_over() -> None:
    said = Talk()
    said.transfer(None, b"x" * 10, more=True)
    said.transfer(None, b"x" * 10)
    said.transfer(1, message())
    found = Result(said).columns("delivery_id", "link_name", "address", "complete", "no_ack")
    assert found == [(1, None, None, True, False)]


def test_without_the_beginning_channels_of_the_same_number_are_a_session() -> None:
    said = Talk()
    said.transfer(1, message(), channel=4)
    said.transfer(1, message(), channel=5)
    said.settle(1, state=ACCEPTED, channel=4)
    assert Result(said).columns("channel", "settle") == [(4, "ack"), (5, "none")]


def test_channels_of_a_session_may_differ() -> None:
    said = Talk()
    said.begin(1, 0)
    said.begin(0, 1)
    for channel in (0, 1):
        said.attach(channel=channel)
        said.transfer(0, message(), channel=channel)
    said.settle(0, state=ACCEPTED, channel=1)  # the server's channel of the client's session 0
    assert Result(said).columns("channel", "settle") == [(0, "ack"), (1, "none")]


def test_outcomes_may_still_come_while_one_end_has_detached() -> None:
    said = talk()
    said.transfer(0, message())
    said.transfer(1, message())
    said.say(CLIENT, amqp.performatives.Detach(0, closed=True))
    said.settle(0, state=ACCEPTED)
    said.say(SERVER, amqp.performatives.Detach(0, closed=True))
    said.settle(1, state=ACCEPTED)  # of a link that is no more
    said.attach(name="again")
    said.transfer(2, message())
    assert Result(said).columns("link_name", "settle") == [("out", "ack"), ("out", "none"), ("again", "none")]


def test_a_handle_that_is_used_again() -> None:
    said = talk()
    said.transfer(0, message(b"x" * 50)[:20], more=True)
    said.attach(name="next", address="other")  # the detach was not captured
    said.transfer(1, message())
    assert Result(said).columns("address", "complete") == [("queue", False), ("other", True)]


def test_a_channel_that_is_used_again() -> None:
    said = talk()
    said.transfer(0, message())
    said.begin()
    said.attach()
    said.transfer(0, message())
    said.settle(0, state=ACCEPTED)
    assert Result(said).columns("settle") == [("none",), ("ack",)]


@pytest.mark.parametrize("settled", [False, True])
def test_a_wide_disposition_costs_no_more_where_more_wait(settled: bool) -> None:
    """Of those that it does not settle, that is."""

    def lines_of_last(waiting: int) -> int:
        said, sink = talk(), Sink()
        for number in range(waiting):
            said.transfer(number, message())
        for turn in range(20):
            said.settle(0, 70_000, (ACCEPTED, M.Released())[turn % 2], settled=False)
        said.settle(70_000, 80_000, ACCEPTED, settled=settled)
        assembly = Assembly(CONNECTION, sink, NO_BODIES)
        for event in said.events[:-1]:
            assembly.add(event)
        return lines(assembly.add, said.events[-1])

    assert lines_of_last(1000) - lines_of_last(10) < 100


def test_what_cannot_be_read_costs_no_more_where_more_is_under_way() -> None:
    said = Talk()
    said.begin()
    for handle in range(200):
        said.attach(handle, f"l{handle}")
        said.transfer(handle, message(b"x" * 50)[:20], handle=handle, more=True)
    said.say_nonsense(CLIENT)
    assembly = Assembly(CONNECTION, Sink(), NO_BODIES)
    for event in said.events[:-1]:
        assembly.add(event)
    assert lines(assembly.add, said.events[-1]) < 20


def test_a_link_that_the_other_end_attaches_after_what_cannot_be_read() -> None:
    said = Talk()
    said.begin()
    octets = message(b"x" * 50)
    said.say(CLIENT, amqp.performatives.Attach("out", 0, SENDER))
    said.transfer(0, octets[:20], more=True)
    said.say_nonsense(SERVER)
    said.say(SERVER, amqp.performatives.Attach("out", 0, RECEIVER))
    said.transfer(None, octets[20:])
    said.transfer(1, octets[:20], more=True)
    said.say_nonsense(SERVER)
    said.transfer(None, octets[20:])
    assert Result(said).columns("complete") == [(True,), (False,)]


def test_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "_MOST_DELIVERIES", 3)
    said = talk()
    for number in range(5):
        said.transfer(number, message())
    said.settle(0, 4, ACCEPTED)
    assert [settle for (settle,) in Result(said).columns("settle")] == [*["not-followed"] * 2, *["ack"] * 3]


def test_only_so_many_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_MOST_LINKS", 2)
    said = Talk()
    for handle in range(4):
        said.transfer(handle, message(b"x" * 50)[:20], handle=handle, more=True)
    said.transfer(None, message(b"x" * 50)[20:], handle=0)
    said.transfer(None, message(b"x" * 50)[20:], handle=3)
    assert [complete for (complete,) in Result(said).columns("complete")] == [False, False, False, True]


@pytest.mark.parametrize("again_after", range(0, 14, 3))
def test_the_state_may_be_sent_elsewhere(again_after: int) -> None:
    said, octets = talk(), message(b"x" * 90)
    for number in range(3):
        said.transfer(2 * number, octets[:40], more=True)
        said.transfer(None, octets[40:])
        said.settle(2 * number, state=ACCEPTED)
    whole, parts = Result(said), Result(said, again_after=again_after)
    assert (parts.messages, parts.exchanges, parts.facts) == (whole.messages, whole.exchanges, whole.facts)
