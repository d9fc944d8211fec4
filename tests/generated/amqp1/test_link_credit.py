"""Link credit: both ends of a link in any conversation against whole numbers without end, and what is refused."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import BY_NAME, amqp

Attach, Flow = BY_NAME["attach"], BY_NAME["flow"]
LAST = 2**32 - 1
START = st.one_of(st.integers(0, LAST), st.integers(LAST - 10, LAST), st.integers(2**31 - 5, 2**31 + 5))


def attach(count: int | None) -> Any:
    return Attach(name="link", handle=0, role=amqp.performatives.Role.SENDER, initial_delivery_count=count)


def flow(**fields: Any) -> Any:
    return Flow(next_incoming_id=0, incoming_window=1, next_outgoing_id=0, outgoing_window=1, **fields)


class Link:
    """Both ends of a link and what is under way between them; the same in whole numbers.

    Attributes:
        sent: The delivery-count of the sender, given-up credit included.
        room: What it may send.
        seen: The delivery-count as the receiver knows it; None before the attach.
        credit: What the receiver has given and not seen used.
    """

    def __init__(self, start: int) -> None:
        self.sender, self.receiver = amqp.SenderCredit(1, start), amqp.ReceiverCredit(2)
        self.window = amqp.SessionWindow(100)
        self.to_sender: deque[tuple[Any, Any]] = deque()
        self.to_receiver: deque[tuple[Any, Any]] = deque([(attach(start), start)])
        self.first = self.sent = start
        self.seen: int | None = None
        self.room = self.credit = 0

    def step(self, name: str, number: int) -> None:
        getattr(self, name)(number)
        assert self.sender.delivery_count == self.sent % 2**32
        assert self.sender.link_credit == self.room
        assert self.sender.can_send == (self.room > 0)
        assert self.receiver.delivery_count == (None if self.seen is None else self.seen % 2**32)
        assert self.receiver.link_credit == self.credit

    def grant(self, number: int, drain: bool = False) -> None:
        self.credit = number
        self.receiver.grant(number, drain=drain)
        told = self.receiver.flow(self.window)
        assert (told.handle, told.link_credit, told.drain, told.available) == (2, number, drain, None)
        self.to_sender.append((told, (self.seen, number)))

    def drain(self, number: int) -> None:
        self.grant(number, drain=True)

    def send(self, number: int) -> None:
        for _ in range(min(number, self.room)):
            self.sender.sent_delivery()
            self.to_receiver.append((None, None))
            self.sent, self.room = self.sent + 1, self.room - 1
        if not self.room:
            with pytest.raises(ValueError, match="no credit"):
                self.sender.sent_delivery()

    def give_up(self, number: int) -> None:
        assert self.sender.drained() == self.room
        self.sent, self.room = self.sent + self.room, 0
        self.tell(number)

    def tell(self, number: int) -> None:
        self.sender.available = number
        told = self.sender.flow(self.window, echo=True)
        assert (told.handle, told.link_credit, told.available, told.echo) == (1, self.room, number, True)
        self.to_receiver.append((told, (self.sent, number)))

    def take_at_sender(self, number: int) -> None:
        for _ in range(min(number, len(self.to_sender))):
            told, (seen, credit) = self.to_sender.popleft()
            self.sender.received_flow(told)
            self.room = max(0, (self.first if seen is None else seen) + credit - self.sent)
            assert self.sender.drain == told.drain

    def take_at_receiver(self, number: int) -> None:
        for _ in range(min(number, len(self.to_receiver))):
            told, known = self.to_receiver.popleft()
            if told is None:
                available = self.receiver.available
                self.receiver.received_delivery()
                assert self.seen is not None
                self.seen, self.credit = self.seen + 1, max(0, self.credit - 1)
                assert self.receiver.available == max(0, available - 1)
            elif isinstance(told, Attach):
                self.receiver.received_attach(told)
                self.seen = known
            else:
                self.receiver.received_flow(told)
                assert self.seen is not None
                sent, available = known
                self.seen, self.credit = sent, max(0, self.credit - (sent - self.seen))
                assert self.receiver.available == available
            assert self.receiver.is_drained == (self.receiver.drain and not self.credit)


STEPS = ("grant", "drain", "send", "send", "give_up", "tell", "take_at_sender", "take_at_receiver")


@given(start=START, steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9)), max_size=60))
@examples(400)
def test_any_conversation(start: int, steps: list[tuple[str, int]]) -> None:
    link = Link(start)
    for name, number in steps:
        link.step(name, number)


def test_the_largest_credit() -> None:
    link = Link(LAST)
    link.take_at_receiver(1)
    for name, number in (("grant", LAST), ("take_at_sender", 1), ("send", 5), ("grant", LAST)):
        link.step(name, number)
    link.step("take_at_sender", 1)
    assert link.sender.link_credit == LAST - 5
    link.step("take_at_receiver", 9)
    assert (link.receiver.link_credit, link.receiver.delivery_count) == (LAST - 5, 4)


def test_a_flow_without_credit_changes_none() -> None:
    sender = amqp.SenderCredit(0)
    sender.received_flow(flow(link_credit=3))  # the receiver has not seen the attach
    sender.received_flow(flow(drain=True))
    assert (sender.link_credit, sender.drain) == (3, True)


def test_a_sender_that_counts_a_message_when_it_is_complete() -> None:
    """Its flow amid a message has the count of before it; ours counts on from the first transfer."""
    receiver = amqp.ReceiverCredit(0)
    receiver.received_attach(attach(7))
    receiver.grant(1)
    receiver.received_delivery()
    receiver.received_flow(flow(delivery_count=7, link_credit=1))
    assert (receiver.delivery_count, receiver.link_credit) == (8, 0)


def test_what_the_peer_must_not_do() -> None:
    errors = amqp.performatives
    receiver = amqp.ReceiverCredit(0)
    with pytest.raises(amqp.FlowViolation, match="before attach") as caught:
        receiver.received_delivery()
    assert caught.value.condition == errors.AmqpError.ILLEGAL_STATE
    receiver.received_attach(attach(None))
    assert receiver.delivery_count == 0
    with pytest.raises(amqp.FlowViolation, match="credit allows") as caught:
        receiver.received_delivery()
    assert caught.value.condition == errors.LinkError.TRANSFER_LIMIT_EXCEEDED
    assert errors.Detach(0, error=errors.Error(caught.value.condition)).encode()
    sender = amqp.SenderCredit(0, 5)
    for call in (
        lambda: receiver.received_flow(flow(delivery_count=2**31)),
        lambda: sender.received_flow(flow(delivery_count=2**31 + 5, link_credit=1)),
        lambda: sender.received_flow(flow(delivery_count=6, link_credit=1)),  # of a message that was not sent
    ):
        with pytest.raises(amqp.FlowViolation, match="delivery-count") as caught:
            call()
        assert caught.value.condition == errors.AmqpError.INVALID_FIELD


def test_credit_that_is_lowered_is_no_trap() -> None:
    receiver = amqp.ReceiverCredit(0)
    receiver.received_attach(attach(0))
    receiver.grant(3)
    receiver.grant(0)
    for _ in range(3):  # the sender may have sent them before it saw the flow
        receiver.received_delivery()
    with pytest.raises(amqp.FlowViolation):
        receiver.received_delivery()


@pytest.mark.parametrize("credit", [-1, 2**32])
def test_credit_out_of_range(credit: int) -> None:
    with pytest.raises(ValueError, match="a credit of"):
        amqp.ReceiverCredit(0).grant(credit)
