"""The time that a report covers, without the pauses in which nothing was captured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import pyarrow as pa
import pyarrow.compute as pc

from .lake_rows import LakeRows, summed

_BINS = 1000  # in which pauses are looked for
_LEAST_SHARE_OF_PAUSE = 0.1  # of the whole time; a shorter one leaves enough of a chart to the rest
_SHARE_OF_MARGIN = 0.01  # of the time that is left; so much of a pause stays on each of its sides


@dataclass(frozen=True, slots=True)
class Pause:
    """A time in which nothing was captured, in nanoseconds since 1970."""

    start_ns: int
    end_ns: int

    @property
    def length(self) -> int:
        """The length in nanoseconds."""
        return self.end_ns - self.start_ns


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The time from the first packet to the last.

    Attributes:
        first_ns: The first packet, in nanoseconds since 1970.
        last_ns: The last packet, in nanoseconds since 1970.
        connections: The number of connections.
        pauses: What charts leave out, in order.
    """

    first_ns: int
    last_ns: int
    connections: int
    pauses: tuple[Pause, ...] = ()

    @property
    def seconds(self) -> float:
        """The length, never 0: rates are divided by it."""
        return max(self.last_ns - self.first_ns, 1) / 1e9

    @property
    def paused_seconds(self) -> float:
        """The length of all pauses."""
        return sum(pause.length for pause in self.pauses) / 1e9

    @property
    def end_ns(self) -> int:
        """The end of the time in charts: the last packet, if the pauses had not been."""
        return self.last_ns - sum(pause.length for pause in self.pauses)

    def step(self, parts: int) -> int:
        """Return the length of one of ``parts`` equal parts of the time in charts, in nanoseconds."""
        return (self.end_ns - self.first_ns) // parts + 1

    def parts_of(self, ns: pa.Array, step: int) -> pa.Array:
        """Return the part of the time in charts in which each moment is, from 0."""
        shown = ns
        for pause in self.pauses:
            past = pc.subtract(ns, pause.start_ns)
            past = pc.min_element_wise(
                pc.max_element_wise(past, 0, skip_nulls=False), pause.length, skip_nulls=False
            )
            shown = pc.subtract(shown, past)
        return pc.divide(pc.max_element_wise(pc.subtract(shown, self.first_ns), 0, skip_nulls=False), step)


def time_span(tables: LakeRows) -> TimeSpan | None:
    """Return the time span of a lake; None if it is empty."""
    moments, connections = [], 0
    for table, columns in (("connections", ["start_ns", "end_ns"]), ("captures", ["first_ns", "last_ns"])):
        for group in tables.groups(table, columns):
            connections += group.rows.num_rows if table == "connections" else 0
            moments += [pc.drop_null(column) for column in group.rows.columns]
    moments = [column for column in moments if len(column)]
    if not moments:
        return None
    first = min(pc.min(column).as_py() for column in moments)
    last = max(pc.max(column).as_py() for column in moments)
    width = (last - first) // _BINS + 1
    frames = (pc.drop_null(group.rows["ns"]) for group in tables.groups("frames", ["ns"]))
    in_bins = (
        pa.table({"bin": pc.divide(pc.subtract(ns, first), width), "first": ns, "last": ns})
        for ns in chain(moments, frames)
    )
    busy = summed(in_bins, ["bin"], {"first": "min", "last": "max"}).to_pylist()
    return TimeSpan(first, last, connections, find_pauses([(span["first"], span["last"]) for span in busy]))


def find_pauses(busy: Sequence[tuple[int, int]]) -> tuple[Pause, ...]:
    """Return the long pauses between times at which something was captured, in order.

    Args:
        busy: The first and the last moment of each, in order.
    """
    whole = busy[-1][1] - busy[0][0] if busy else 0
    gaps = [(before[1], after[0]) for before, after in pairwise(busy)]
    gaps = [(start, end) for start, end in gaps if end - start >= max(1, whole * _LEAST_SHARE_OF_PAUSE)]
    margin = int((whole - sum(end - start for start, end in gaps)) * _SHARE_OF_MARGIN)
    return tuple(Pause(start + margin, end - margin) for start, end in gaps)
