"""What the numbers of splits mean, now that it is known which connections there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..capture.quarantine import Quarantined
from ..ingest.numbering import Numbering
from ..messages.connection_rows import connection_id, endpoints
from ..storage import day_of
from .read_splits import FilesRead
from .stitching import ConnectionPart, StitchPlan


class SplitNumbers:
    """Numbers of connections, frames, octets and packets in all splits of a capture.

    Attributes:
        conn_ids: The names of connections, by their numbers in the capture, from 1.
        dates: When they began.
        packets_before: Of each file, how many packets are in those before it.
    """

    def __init__(self, capture_id: str, plan: StitchPlan, read: FilesRead) -> None:
        """Look at all connections.

        Args:
            capture_id: Of the capture.
            plan: Its connections.
            read: Its splits.
        """
        self.conn_ids: list[str | None] = [None]
        self.dates = [""]
        self.packets_before = read.packets_before
        self._packet_base = plan.packet_base
        self._results = read.results
        self._parts: list[dict[int, tuple[int, ConnectionPart]]] = [{} for _ in read.results]
        self._added: list[Quarantined] = []
        for number, it in enumerate(plan.connections, 1):
            assert it.record.number == number
            self.conn_ids.append(connection_id(capture_id, endpoints(it.flow), it.ordinal))
            self.dates.append(day_of(it.record.start_ns).isoformat())
            self._added += it.quarantine
            for part in it.parts:
                if isinstance(part, ConnectionPart):
                    self._parts[part.split][part.number] = number, part

    def parts(self, split: int) -> dict[int, tuple[int, ConnectionPart]]:
        """Number in the split to number in the capture, and what comes before the split."""
        return self._parts[split]

    def numbering(self, split: int) -> Numbering:
        """What the numbers of a split mean."""
        parts = self._parts[split]
        size = max(parts, default=0) + 1
        conn_ids: list[str | None] = [None] * size
        dates = [""] * size
        frames_before = [0] * size
        offsets_before = [(0, 0)] * size
        for local, (number, part) in parts.items():
            conn_ids[local], dates[local] = self.conn_ids[number], self.dates[number]
            frames_before[local], offsets_before[local] = part.frame_base, part.offset_base
        file_no = self._results[split].order.file_no
        before = self.packets_before[file_no] - self._packet_base[split]
        return Numbering(
            conn_ids,
            dates,
            "",
            frames_before,
            file_no=file_no,
            packets_before=(before,),
            offsets_before=offsets_before,
        )

    def of_connections(self) -> Iterator[Quarantined]:
        """What is left out of connections, with the numbers of the capture."""
        yield from self._added
        for split, result in enumerate(self._results):
            for item in result.quarantine.rows:
                found = self._parts[split].get(item.connection) if item.connection is not None else None
                if found is not None:
                    number, part = found
                    yield self._moved(item, number, part, split)

    def _moved(self, item: Quarantined, number: int, part: ConnectionPart, split: int) -> Quarantined:
        offset = item.stream_offset
        if offset is not None and item.direction is not None:
            offset += part.offset_base[item.direction]
        packet_no = item.packet_no + self._packet_base[split] if item.packet_no else 0
        return replace(item, connection=number, stream_offset=offset, packet_no=packet_no)
