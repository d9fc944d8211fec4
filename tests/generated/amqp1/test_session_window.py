"""Session windows: two ends in any conversation against whole numbers without end, and what must be refused."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import BY_NAME, amqp

Begin, Flow = BY_NAME["begin"], BY_NAME["flow"]
LAST = 2**32 - 1
# Near the ends and the half, where numbers wrap around and comparisons turn.
START = st.one_of(st.integers(0, LAST), st.integers(LAST - 10, LAST), st.integers(2**31 - 5, 2**31 + 5))
SIZE = st.one_of(st.integers(0, 6), st.sampled_from([2**31 - 1, 2**31, LAST]))


class End:
    """One end of a session, and the same in whole numbers.

    Attributes:
        sent: The transfers that it has sent, counted from its first id.
        seen: Those that the other end has sent and this end has received, counted from the first id of the other.
        room: What it may still send, as the model has it.
    """

    def __init__(self, size: int, start: int) -> None:
        self.window = amqp.SessionWindow(size, next_outgoing_id=start)
        self.inbox: deque[tuple[Any, Any]] = deque()  # performatives, and what the model knows of each
        self.sent = self.first = start
        self.seen: int | None = None
        self.size = self.left = size
        self.room = 0
        self.other: End

    def send_begin(self) -> None:
        self.other.inbox.append((self.window.begin(), (self.sent, self.left)))

    def send_flow(self) -> None:
        self.left = self.size
        flow = self.window.flow()
        assert flow.next_incoming_id == (None if self.seen is None else self.seen % 2**32)
        assert flow.next_outgoing_id == self.sent % 2**32
        assert flow.incoming_window == self.left
        self.other.inbox.append((flow, (self.seen, self.left, self.sent)))

    def send_transfers(self, count: int) -> None:
        if count > self.room:
            with pytest.raises(ValueError, match="more transfers"):
                self.window.sent_transfer(count)
            count = self.room
        self.window.sent_transfer(count)
        self.sent, self.room = self.sent + count, self.room - count
        self.other.inbox.extend([(None, None)] * count)

    def take(self) -> None:
        performative, known = self.inbox.popleft()
        if performative is None:
            self.window.received_transfer()
            assert self.seen is not None
            self.seen, self.left = self.seen + 1, max(0, self.left - 1)
        elif isinstance(performative, Begin):
            self.window.received_begin(performative)
            self.seen, self.room = known
        else:
            self.window.received_flow(performative)
            seen, left, self.seen = known
            self.room = max(0, (self.first if seen is None else seen) + left - self.sent)

    def check(self) -> None:
        window = self.window
        assert window.next_outgoing_id == self.sent % 2**32
        assert window.next_incoming_id == (None if self.seen is None else self.seen % 2**32)
        assert (window.incoming_window, window.remote_incoming_window) == (self.left, self.room)
        assert window.can_send == (self.room > 0)
        assert window.needs_flow == (self.left < self.size and self.left <= self.size // 2)


@given(
    starts=st.tuples(START, START),
    sizes=st.tuples(SIZE, SIZE),
    early=st.booleans(),
    steps=st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from(["send", "send", "flow", "take", "take", "size"]),
            st.integers(0, 7),
        ),
        max_size=60,
    ),
)
@examples(400)
def test_any_conversation(
    starts: tuple[int, int], sizes: tuple[int, int], early: bool, steps: list[tuple[bool, str, int]]
) -> None:
    ends = [End(size, start) for size, start in zip(sizes, starts, strict=True)]
    first, second = ends
    first.other, second.other = second, first
    first.send_begin()
    if early:
        first.send_flow()  # before the begin of the other end: without next-incoming-id
    second.take()
    second.send_begin()
    first.take()
    for which, step, number in steps:
        end = ends[which]
        if step == "send":
            end.send_transfers(number)
        elif step == "flow":
            end.send_flow()
        elif step == "size":
            end.size = end.window.incoming_size = number
        else:
            for _ in range(min(number, len(end.inbox))):
                end.take()
        for item in ends:
            item.check()


def begun(size: int = 10, theirs: int = 10, next_id: int = 0) -> Any:
    window = amqp.SessionWindow(size)
    begin = Begin(next_outgoing_id=next_id, incoming_window=theirs, outgoing_window=5)
    window.received_begin(begin)
    return window


def flow(next_incoming_id: int | None, incoming_window: int, **fields: Any) -> Any:
    return Flow(
        next_incoming_id=next_incoming_id,
        incoming_window=incoming_window,
        next_outgoing_id=0,
        outgoing_window=9,
        **fields,
    )


def test_begin_and_flow() -> None:
    window = amqp.SessionWindow(7, outgoing_window=8, next_outgoing_id=LAST)
    assert window.begin(3) == Begin(
        remote_channel=3, next_outgoing_id=LAST, incoming_window=7, outgoing_window=8
    )
    assert not window.can_send
    window.received_begin(Begin(next_outgoing_id=5, incoming_window=1, outgoing_window=2))
    window.sent_transfer()
    assert window.flow(echo=True) == Flow(
        next_incoming_id=5, incoming_window=7, next_outgoing_id=0, outgoing_window=8, echo=True
    )
    assert window.remote_outgoing_window == 2
    window.received_transfer()
    assert (window.remote_outgoing_window, window.incoming_window) == (1, 6)
    window.received_flow(flow(None, 4))
    assert (window.remote_incoming_window, window.remote_outgoing_window) == (3, 9)


@pytest.mark.parametrize(
    ("theirs", "seen", "then", "left"),
    [
        (LAST, 0, LAST, LAST - 4),  # the largest window there is, four transfers under way
        (4, 4, 2**31, 2**31),
        (4, 0, 2, 0),  # lowered while they were on their way
        (4, None, 10, 6),
    ],
)
def test_transfers_under_way(theirs: int, seen: int | None, then: int, left: int) -> None:
    window = begun(theirs=theirs)
    window.sent_transfer(4)
    window.received_flow(flow(seen, then))
    assert window.remote_incoming_window == left


def test_what_the_peer_must_not_do() -> None:
    window = amqp.SessionWindow(2)
    with pytest.raises(amqp.FlowViolation, match="before begin") as caught:
        window.received_transfer()
    assert caught.value.condition == amqp.performatives.AmqpError.ILLEGAL_STATE
    window = begun(size=2)
    window.received_transfer()
    window.received_transfer()
    with pytest.raises(amqp.FlowViolation, match="window allows") as caught:
        window.received_transfer()
    assert caught.value.condition == amqp.performatives.SessionError.WINDOW_VIOLATION
    assert str(caught.value) == "more transfers came than the window allows (amqp:session:window-violation)"
    assert amqp.performatives.End(amqp.performatives.Error(caught.value.condition)).encode()
    for seen in (2**31, 1):  # nothing was sent yet
        with pytest.raises(amqp.FlowViolation, match="next-incoming-id") as caught:
            window.received_flow(flow(seen, 5))
        assert caught.value.condition == amqp.performatives.AmqpError.INVALID_FIELD
    assert window.remote_incoming_window == 10


def test_a_window_that_is_lowered_is_no_trap() -> None:
    window = begun(size=5)
    window.incoming_size = 0
    assert window.flow().incoming_window == 0
    for _ in range(5):  # the peer may have sent them before it saw the flow
        window.received_transfer()
    assert not window.needs_flow
    with pytest.raises(amqp.FlowViolation):
        window.received_transfer()
    window.incoming_size = 1
    assert window.needs_flow
    window.flow()
    window.received_transfer()


@pytest.mark.parametrize(
    "arguments", [{"incoming_window": -1}, {"outgoing_window": 2**32}, {"next_outgoing_id": -1}]
)
def test_out_of_range(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="is not 0 to 4294967295"):
        amqp.SessionWindow(**{"incoming_window": 1, **arguments})


def test_a_flow_before_begin_is_a_violation() -> None:
    window = amqp.SessionWindow(1)
    with pytest.raises(amqp.FlowViolation, match="a flow came before begin") as caught:
        window.received_flow(BY_NAME["flow"](incoming_window=5, next_outgoing_id=0, outgoing_window=5))
    assert caught.value.condition == "amqp:illegal-state"
    assert not window.can_send
