"""What the audit reads of a lake, in parts that are each worth a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..lake.folder import Lake
from ..tasks.runner import Producer, Row
from .fleet.facts import READ
from .fleet.parts import FleetPart
from .frame_columns import SOURCES
from .row_group import RowGroup, row_groups
from .shares import ROWS_OF_SHARE, TablePart

_WORTH = 1 << 17  # rows


@dataclass(frozen=True, slots=True)
class InOneTask:
    """Producers that are too small for a task each. It is a ``Producer``.

    Attributes:
        producers: They are called one after the other.
    """

    producers: tuple[Producer, ...]

    def __call__(self) -> Iterator[Row]:
        """The rows of all."""
        for producer in self.producers:
            yield from producer()


def count_rows(lake: Lake) -> int:
    """How many rows there are of which the audit takes each."""
    return sum(group.rows for group in row_groups(lake, SOURCES))


def packed(groups: Sequence[RowGroup], make: Callable[[RowGroup], Producer], at_least: int) -> list[Producer]:
    """A producer for each group, those of small ones together.

    Args:
        groups: The groups.
        make: Makes the producer of a group.
        at_least: So many in the end, if there are so many groups.
    """
    worth = min(_WORTH, sum(group.rows for group in groups) // at_least + 1)
    found: list[Producer] = []
    waiting: list[Producer] = []
    rows = 0
    for group in groups:
        waiting.append(make(group))
        rows += group.rows
        if rows >= worth:
            found.append(InOneTask(tuple(waiting)))
            waiting, rows = [], 0
    return [*found, InOneTask(tuple(waiting))] if waiting else found


def capture_numbers(groups: Sequence[RowGroup]) -> dict[str, int]:
    """The numbers of captures, in their order."""
    return {name: number for number, name in enumerate(sorted({group.capture_id for group in groups}))}


def audited_groups(lake: Lake) -> list[RowGroup]:
    """All that the audit reads of a lake."""
    return row_groups(lake, sorted({*SOURCES, *READ}))


def frame_parts_of(audited: Sequence[RowGroup], at_least: int = 1) -> tuple[int, list[Producer]]:
    """Producers of the rows of connections; and how many shares there are.

    Args:
        audited: What ``audited_groups`` gave.
        at_least: So many producers and shares, if there is enough for that.
    """
    groups = [group for group in audited if group.source in SOURCES]
    numbers = capture_numbers(groups)
    shares = max(at_least, sum(group.rows for group in groups) // ROWS_OF_SHARE + 1)

    def make(group: RowGroup) -> TablePart:
        return TablePart(group, numbers[group.capture_id], shares)

    return shares, packed(groups, make, at_least)


def fleet_parts_of(
    audited: Sequence[RowGroup], shares: int, first_share: int, at_least: int = 1
) -> list[Producer]:
    """Producers of the facts that rules across a fleet need.

    Args:
        audited: What ``audited_groups`` gave.
        shares: How many shares captures are dealt to.
        first_share: The number of the first of these.
        at_least: So many producers, if there is enough for that.
    """
    groups = [group for group in audited if group.source in READ]
    numbers = capture_numbers(groups)

    def make(group: RowGroup) -> FleetPart:
        number = numbers[group.capture_id]
        return FleetPart(group, number, first_share + number % shares)

    return packed(groups, make, at_least)
