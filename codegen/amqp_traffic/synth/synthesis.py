"""Writing a synthetic capture and its labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TypeVar

from .capture_writer import LINK_TYPES
from .chance import Chance
from .connections import SyntheticConnections
from .damage import GARBAGE_SIZE, damaged, garbage_places
from .labels import Labels
from .order import CaptureOrder

Item = TypeVar("Item")


@dataclass(slots=True)
class Summary:
    """What was written.

    Attributes:
        packets: Packets in the file; the last may be cut.
        octets: The size of the file.
        frames: Frames that were sent.
        intact: Frames that are in the file with all their octets.
    """

    packets: int = 0
    octets: int = 0
    frames: int = 0
    intact: int = 0


def synthesise(
    order: CaptureOrder,
    capture: IO[bytes],
    labels: IO[str],
    progress: Callable[[int], None] = lambda octets: None,
) -> Summary:
    """Write a capture and its labels as streams; neither is ever in memory as a whole.

    Args:
        order: The description of the capture.
        capture: Takes the octets of the capture.
        labels: Takes the lines of the labels.
        progress: Called after each packet with the number of octets so far.

    Raises:
        OrderError: The order contradicts itself.
    """
    order.check()
    summary = Summary()
    book = Labels(labels.write, order.damage.horizon)
    book.tell("capture", order.record())
    file_format, link_type = order.file.format(), LINK_TYPES[order.file.link_type]
    link_headers = {version: link_type.header(version, order.file.order) for version in (4, 6)}
    chance, garbage = Chance(f"{order.seed}/file"), garbage_places(order.damage, order.size)
    snaplen = order.file.snaplen
    summary.octets += capture.write(file_format.head())
    packets = damaged(SyntheticConnections(order, book).packets(), order.damage, str(order.seed))
    for packet, is_last in _with_last(packets):
        if garbage and summary.octets >= garbage[-1]:
            garbage.pop()
            summary.octets += capture.write(chance.octets(GARBAGE_SIZE))
        head = link_headers[packet.ip_version] + packet.headers
        record = file_format.record(
            packet.ns, (head + packet.payload)[:snaplen], len(head) + len(packet.payload)
        )
        summary.packets += 1
        if is_last and order.damage.truncate:
            summary.octets += capture.write(record[: chance.between(1, len(record) - 1)])
            break
        summary.octets += capture.write(record)
        if snaplen >= len(head):
            book.captured(packet, min(snaplen - len(head), len(packet.payload)))
        book.settle(packet.number)
        progress(summary.octets)
    else:
        summary.octets += capture.write(file_format.foot())
    book.settle_all()
    summary.frames, summary.intact = book.frames, book.intact
    return summary


def _with_last(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield each item, and whether it is the last one."""
    iterator = iter(items)
    for previous in iterator:
        for item in iterator:
            yield previous, False
            previous = item
        yield previous, True
