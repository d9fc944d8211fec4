"""Whatever is said, rows depend on the events of a connection and their order, and on nothing else."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise
from typing import Any

from amqp_traffic.decode.body_retention import BodyRetention
from amqp_traffic.decode.events import Event
from amqp_traffic.messages.assemblies import Assemblies
from hypothesis import given, settings
from hypothesis import strategies as st

from .method_script import Rows, Step, assemble, events_of, header, play
from .random_conversations import interleaved, story

_BODIES = BodyRetention(True, 10)
_TWO = st.tuples(story(1), story(2)).map(list)


def _whole(steps: list[tuple[int, Step]]) -> list[Step]:
    return [header(), *(step for _, step in steps)]


def _assembled(assemblies: Assemblies, numbers: range) -> dict[int, Any]:
    """All rows and facts by connection, in order."""
    facts = {number: assemblies.finish(number) for number in numbers}
    tables = assemblies.take()
    return {
        number: (*([row for row in rows if row[0] == number] for rows in tables), facts[number])
        for number in numbers
    }


def _at_once(events: list[Event], numbers: range) -> dict[int, Any]:
    assemblies = Assemblies(bodies=_BODIES)
    assemblies.add(events)
    return _assembled(assemblies, numbers)


@settings(deadline=None)
@given(_TWO.flatmap(interleaved), st.data())
def test_batches_and_pickling_make_no_difference(steps: list[tuple[int, Step]], data: st.DataObject) -> None:
    events = events_of(_whole(steps), bodies=True)
    cuts = data.draw(st.lists(st.integers(0, len(events)), max_size=5).map(sorted))
    assemblies = Assemblies(bodies=_BODIES)
    messages, exchanges = [], []
    for start, end in pairwise([0, *cuts, len(events)]):
        assemblies.add(events[start:end])
        rows = assemblies.take()
        messages += rows[0]
        exchanges += rows[1]
        assemblies = pickle.loads(pickle.dumps(assemblies))
    facts = assemblies.finish(0)
    rows = assemblies.take()
    assert (messages + rows[0], exchanges + rows[1], facts) == _at_once(events, range(1))[0]


@settings(deadline=None)
@given(st.lists(_TWO.flatmap(interleaved), min_size=2, max_size=3), st.data())
def test_connections_make_no_difference_to_each_other(
    connections: list[list[tuple[int, Step]]], data: st.DataObject
) -> None:
    item = [events_of(_whole(steps), number, bodies=True) for number, steps in enumerate(connections)]
    mixed = data.draw(interleaved(item))  # type: ignore[arg-type]
    numbers = range(len(item))
    found = _at_once([event for _, event in mixed], numbers)  # type: ignore[misc]
    assert found == {number: _at_once(item[number], range(number, number + 1))[number] for number in numbers}


# What depends on when frames of other channels come.
_PLACES = {"frame_no", "stream_off", "first_ns", "last_ns", "first_ts", "settle_ns", "confirm_ns"}
_PAIRS = ("name", "request_dir", "reply_name", "outcome")


def _on_channel(rows: Rows, channel: int) -> tuple[list[dict[str, Any]], list[tuple[Any, ...]]]:
    ordered = sorted(rows.messages, key=lambda row: row["frame_no"])
    return (
        [
            {name: value for name, value in row.items() if name not in _PLACES}
            for row in ordered
            if row["channel"] == channel
        ],
        [tuple(row[name] for name in _PAIRS) for row in rows.exchanges if row["channel"] == channel],
    )


@settings(deadline=None)
@given(_TWO.flatmap(lambda stories: st.tuples(st.just(stories), interleaved(stories))))
def test_channels_make_no_difference_to_each_other(given: tuple[list[list[Step]], Any]) -> None:
    stories, steps = given
    together = play(_whole(steps), _BODIES)
    for number, steps_of_one in enumerate(stories):
        alone = play([header(), *steps_of_one], _BODIES)
        assert _on_channel(together, number + 1) == _on_channel(alone, number + 1)


@settings(deadline=None)
@given(_TWO.flatmap(interleaved))
def test_each_method_with_content_is_one_message(steps: list[tuple[int, Step]]) -> None:
    """And no request is lost: it is answered, closed or not answered."""
    events = events_of(_whole(steps))
    rows = assemble(events)
    kinds = {0x003C0028: "publish", 0x003C0032: "return", 0x003C003C: "deliver", 0x003C0047: "get-ok"}
    sent = {event[1]: kinds[event[4]] for event in events if event[4] in kinds}
    assert {row["frame_no"]: row["kind"] for row in rows.messages} == sent
    assert len(rows.messages) == len(sent)
    asked = Counter(row["request_frame_no"] for row in rows.exchanges if row["name"])
    assert set(asked.values()) <= {1}
    answered = Counter(
        row["reply_frame_no"] for row in rows.exchanges if row["outcome"] in ("ok", "out-of-order")
    )
    assert set(answered.values()) <= {1}
    for row in rows.messages:
        assert row["complete"] == (row["body_size"] == row["body_seen"])
        assert (row["settle_ns"] is None) == (row["settle"] in (None, "none"))
        assert (row["confirm_ns"] is None) == (row["confirm"] in (None, "none"))


@settings(deadline=None)
@given(_TWO.flatmap(interleaved), st.data())
def test_losses_only_take_away(steps: list[tuple[int, Step]], data: st.DataObject) -> None:
    """What is complete although frames were lost is what it was, and so are confirmations that are known."""
    whole = _whole(steps)
    lost = data.draw(st.sets(st.integers(3, max(len(whole) - 1, 3)), max_size=3))
    damaged: list[Step] = [
        (side, len(octets)) if number in lost and isinstance(octets, bytes) else (side, octets)
        for number, (side, octets) in enumerate(whole)
    ]
    truth = {(row["dir"], row["stream_off"]): row for row in play(whole, _BODIES).messages}
    for row in play(damaged, _BODIES).messages:
        there = truth[row["dir"], row["stream_off"]]
        if row["complete"]:
            assert there["complete"] and there["body_sha256"] == row["body_sha256"]
        assert row["confirm"] in (None, "none", there["confirm"])
