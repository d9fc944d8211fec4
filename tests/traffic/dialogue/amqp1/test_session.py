"""The model of a session: what a performative is about, and what it displaces."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_traffic.dialogue.amqp1.deliveries import Deliveries
from amqp_traffic.dialogue.amqp1.link import RECEIVER, SENDER, Link, LinkDelivery
from amqp_traffic.dialogue.amqp1.performatives import (
    AttachFields,
    BeginFields,
    FlowFields,
    TransferFields,
    from_fields,
)
from amqp_traffic.dialogue.amqp1.session import Session, Sessions
from amqp_traffic.dialogue.amqp1.window import SerialWindow, after, ahead

from tests.growth import lines

CLIENT, SERVER = 0, 1


def begin(**fields: Any) -> BeginFields:
    return from_fields(BeginFields, {"next_outgoing_id": 0, "incoming_window": 10} | fields)


def attach(name: str, handle: int, role: bool = SENDER) -> AttachFields:
    return from_fields(AttachFields, {"name": name, "handle": handle, "role": role})


def test_numbers_count_round() -> None:
    assert after(0xFFFFFFFF, 1) == 0
    assert (ahead(1, 0xFFFFFFFF), ahead(0xFFFFFFFF, 1)) == (2, -2)


def test_the_largest_grant_counts() -> None:
    window = SerialWindow()
    window.grant(None, 2)
    assert not window.has_room
    window.begin(0xFFFFFFFF)
    window.grant(0xFFFFFFFF, 1)
    window.use()
    assert (window.count, window.limit, window.has_room) == (0, 1, True)
    window.use()
    assert not window.has_room


def test_an_answer_finds_its_session_though_the_channel_is_used_again() -> None:
    sessions: Sessions[None] = Sessions()
    asked = sessions.begin(CLIENT, 0, begin())
    other = sessions.begin(SERVER, 7, begin())
    assert asked is not None
    asked.ended[CLIENT] = True
    assert sessions.begin(CLIENT, 0, begin(remote_channel=7)) is other
    assert sessions.begin(SERVER, 8, begin(remote_channel=0)) is asked
    assert sessions.begin(SERVER, 9, begin(remote_channel=0)) is None


def test_an_attach_names_the_links_that_it_displaces() -> None:
    session: Session[None] = Session(1)
    first = session.attach(CLIENT, attach("a", 0)).link
    assert session.attach(SERVER, attach("a", 5, RECEIVER)) == (first, None, None)
    second, same_name, same_handle = session.attach(CLIENT, attach("b", 0))
    assert (same_name, same_handle) == (None, first)
    third, same_name, same_handle = session.attach(CLIENT, attach("a", 1))
    assert (same_name, same_handle) == (first, None)
    assert {first, second, third} == {first, *session.links()}


def test_a_link_keeps_its_handle_until_both_ends_have_detached_it() -> None:
    session: Session[None] = Session(1)
    link = session.attach(CLIENT, attach("a", 0)).link
    session.attach(SERVER, attach("a", 0, RECEIVER))
    assert session.detach(CLIENT, 0) is link is session.link(CLIENT, 0)
    over = [link.is_over]
    session.detach(SERVER, 0)
    assert [*over, link.is_over] == [False, True]
    session.forget(link)
    assert session.link(CLIENT, 0) is session.link(SERVER, 0) is None


def test_a_window_that_is_granted_before_the_other_end_begins() -> None:
    session: Session[None] = Session(1)
    session.begin(CLIENT, begin(incoming_window=1), None)
    session.flow(CLIENT, from_fields(FlowFields, {"incoming_window": 3}))
    session.begin(SERVER, begin(next_outgoing_id=4), None)
    assert session.windows[SERVER].limit == 7


def delivery(link: Link[str], number: int | None) -> LinkDelivery[str]:
    return link.begin_delivery(from_fields(TransferFields, {"handle": 0, "delivery_id": number}), "frame")


def test_a_delivery_is_known_until_both_ends_have_settled_it() -> None:
    link: Link[str] = Link("a", CLIENT)
    deliveries: Deliveries[str] = Deliveries()
    sent = [delivery(link, number) for number in (0xFFFFFFFF, None, 1)]
    assert [deliveries.add(item) for item in sent] == [None] * 3
    assert [item.number for item in sent] == [0xFFFFFFFF, 0, 1]
    assert deliveries.first_open(0xFFFFFFFF, 7) is sent[0]
    assert deliveries.settle(0, 1, RECEIVER)
    assert not deliveries.settle(0, 1, RECEIVER)
    assert deliveries.settle(0, 0, SENDER)
    assert deliveries.all() == [sent[0], sent[2]] == list(link.unsettled.values())
    assert (deliveries.has(1, 5), deliveries.has(2, 5)) == (True, False)


def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amqp_traffic.dialogue.amqp1.deliveries._MOST_DELIVERIES", 2)
    link: Link[str] = Link("a", CLIENT)
    deliveries: Deliveries[str] = Deliveries()
    sent = [delivery(link, number) for number in range(3)]
    assert [deliveries.add(item) for item in sent] == [None, None, (sent[0], None)]
    again = delivery(link, 2)
    assert deliveries.add(again) == (sent[2], None)


def test_what_one_end_has_settled_is_not_looked_through_again() -> None:
    link: Link[str] = Link("a", CLIENT)
    deliveries: Deliveries[str] = Deliveries()
    for number in range(1000):
        deliveries.add(delivery(link, number))
    assert deliveries.settle(0, 70_000, RECEIVER)
    assert lines(lambda _: deliveries.settle(0, 70_000, RECEIVER), None) < 300
    assert not deliveries.settle(0, 70_000, RECEIVER)
    assert deliveries.settle(500, 70_000, SENDER)
    assert [item.number for item in deliveries.all()] == list(range(500))
