"""Heartbeats as arithmetic: random times against the words of the specification."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, each_package

timer_of: Any = RABBITMQ.HeartbeatTimer
# Whole halves of seconds, so that sums are exact.
times = st.integers(0, 2000).map(lambda number: number / 2)


@given(st.integers(1, 100), times, st.lists(st.tuples(st.sampled_from(["sent", "received"]), times)), times)
@examples(400)
def test_by_the_last_octets(interval: int, start: float, steps: list[tuple[str, float]], now: float) -> None:
    """Only the last octet of each direction counts; times that go back change nothing."""
    timer = timer_of(interval, start)
    for name, time in steps:
        getattr(timer, name)(time)
    last_sent = max([start, *(time for name, time in steps if name == "sent")])
    last_received = max([start, *(time for name, time in steps if name == "received")])
    assert timer.must_send(now) == (now - last_sent >= interval / 2)
    assert timer.is_peer_dead(now) == (now - last_received >= 2 * interval)
    assert timer.must_send(timer.next_send)
    assert timer.is_peer_dead(timer.peer_deadline)
    assert timer.next_event == min(timer.next_send, timer.peer_deadline)


@given(st.integers(1, 20), st.lists(st.sampled_from([0.5, 1.0, 3.0, 7.5]), max_size=60))
@examples(100)
def test_two_peers_that_follow_it_keep_each_other_alive(interval: int, delays: list[float]) -> None:
    """Each sends when it must, up to half an interval late; neither finds the other dead."""
    ours, theirs, now = timer_of(interval, 0.0), timer_of(interval, 0.0), 0.0
    for delay in delays:
        now = min(ours.next_event, theirs.next_event) + min(delay, interval / 2)
        for sender, receiver in ((ours, theirs), (theirs, ours)):
            assert not sender.is_peer_dead(now)
            if sender.must_send(now):
                sender.sent(now)
                receiver.received(now)


@each_package
def test_no_heartbeats(amqp: Any) -> None:
    timer = amqp.HeartbeatTimer(0, 5.0)
    assert (timer.next_send, timer.peer_deadline, timer.next_event) == (inf, inf, inf)
    assert not timer.must_send(1e9)
    assert not timer.is_peer_dead(1e9)


@pytest.mark.parametrize("interval", [-1, float("nan")])
def test_no_interval(interval: float) -> None:
    with pytest.raises(ValueError, match="is not an interval"):
        timer_of(interval, 0.0)
