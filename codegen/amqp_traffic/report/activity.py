"""Events over time: messages published, delivered, settled and confirmed; connections opened and closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .clients import ClientIndex
from .lake_rows import LakeRows, RowGroupRows, is_one_of, summed, with_count
from .time_span import TimeSpan

PARTS = 180  # of the time, in charts of all clients
_MOST_CELLS = 50_000  # of the timelines of all clients together, roughly
# How many of these parts are one in the timeline of a client; the more clients there are, the more.
_MERGED_PARTS = (3, 6, 18)

_COLUMNS = ("conn_id", "dir", "kind", "source", "no_ack", "first_ns", "settle_ns", "confirm_ns")


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of events for each part of the time.

    Attributes:
        step: The length of a part, in nanoseconds.
        times: By event (``publish``, ``deliver``, ``return``, ``ack``, ``confirm``, ``owed``, ``open``, ``close``) and part.
    """

    step: int
    times: Mapping[str, Mapping[int, int]]

    def total(self, event: str) -> int:
        """Return the number of events in all parts."""
        return sum(self.times.get(event, {}).values())


@dataclass(frozen=True, slots=True)
class Activities:
    """The activity of all clients together, and of each by its key."""

    together: Activity
    by_client: Mapping[int, Activity]


def activities(tables: LakeRows, index: ClientIndex, span: TimeSpan, clients: int) -> Activities:
    """Count the events in a lake.

    Args:
        tables: The lake.
        index: The connections.
        span: The time.
        clients: The number of clients.
    """
    step = span.step(PARTS)
    merged = next(
        (parts for parts in _MERGED_PARTS if clients * PARTS // parts <= _MOST_CELLS), _MERGED_PARTS[-1]
    )
    events = (
        _in_parts(span, step, *event)
        for group in tables.groups("messages", _COLUMNS)
        for event in _message_events(group, index)
    )
    counts = summed(events, ["key", "event", "part"], {"times": "sum"})
    connections = summed(
        (_in_parts(span, step, None, event, ns) for event, ns in index.moments()),
        ["event", "part"],
        {"times": "sum"},
    )
    together: dict[str, dict[int, int]] = defaultdict(dict)
    by_client: dict[int, dict[str, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    everything = (
        [counts.select(["event", "part", "times"]), connections] if counts.num_columns else [connections]
    )
    for row in summed(everything, ["event", "part"], {"times": "sum"}).to_pylist():
        together[row["event"]][row["part"]] = row["times"]
    for row in _of_clients(counts, merged):
        by_client[row["key"]][row["event"]][row["part"]] = row["times"]
    return Activities(
        Activity(step, together), {key: Activity(step * merged, times) for key, times in by_client.items()}
    )


def _of_clients(counts: pa.Table, merged: int) -> Iterable[Mapping[str, Any]]:
    """Return the counts of the events that timelines of clients show, with some parts as one."""
    if not counts.num_columns:
        return []
    own = counts.filter(pc.and_(pc.is_valid(counts["key"]), pc.not_equal(counts["event"], "owed")))
    coarse = own.set_column(own.column_names.index("part"), "part", pc.divide(own["part"], merged))
    rows: list[Mapping[str, Any]] = summed([coarse], ["key", "event", "part"], {"times": "sum"}).to_pylist()
    return rows


# An event: the keys of clients (None for all together), its name (one, or one for each row), and its moments.
_Event = tuple["pa.Array | None", "str | pa.Array", "pa.Array"]


def _message_events(group: RowGroupRows, index: ClientIndex) -> Iterator[_Event]:
    """Yield the events of messages: published or delivered, settled by the receiver, or confirmed to the publisher.

    In 1.0 the direction tells which. An acknowledgement is ``owed`` if the sender waits for one.
    """
    rows = group.rows.filter(is_one_of(group.rows["source"], "wire")).combine_chunks()
    keys = index.keys(group.capture_id, rows["conn_id"])
    by_client, is_returned = pc.equal(rows["dir"], 0), is_one_of(rows["kind"], "return")
    sent = pc.if_else(is_returned, "return", pc.if_else(by_client, "publish", "deliver"))
    yield keys, sent, rows["first_ns"]
    yield keys, pc.if_else(by_client, "confirm", "ack"), pc.coalesce(rows["settle_ns"], rows["confirm_ns"])
    wants_ack = pc.and_not(
        pc.invert(is_one_of(rows["kind"], "transfer")), pc.coalesce(rows["no_ack"], pa.scalar(False))
    )
    is_owed = pc.and_(
        pc.and_(pc.invert(by_client), pc.invert(is_returned)),
        pc.or_(pc.is_valid(rows["settle_ns"]), wants_ack),
    )
    yield keys, "owed", pc.if_else(is_owed, rows["first_ns"], pa.scalar(None, pa.int64()))


def _in_parts(
    span: TimeSpan, step: int, keys: pa.Array | None, event: str | pa.Array, ns: pa.Array
) -> pa.Table:
    """Return a row for each event that has a moment: client, event, part of the time."""
    length = len(ns)
    names = pa.repeat(pa.scalar(event), length) if isinstance(event, str) else event
    own = {"key": keys} if keys is not None else {}
    rows = with_count({**own, "event": names, "part": span.parts_of(ns, step)}, length)
    return rows.filter(pc.is_valid(ns))
