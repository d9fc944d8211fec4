"""The names of the connections of a share, by their numbers."""

from __future__ import annotations

from ...capture.quarantine import Quarantine, Quarantined
from ...lake.storage import day_of
from ...messages.connection_rows import connection_id
from .file_tables import LeftOut

# Rows are written when so many connections have ended, even if there are few of other tables.
MOST_ENDED = 4096


class ConnectionNames:
    """The names of connections, and the dates on which they began.

    Attributes:
        conn_ids: The name of each connection by its number. One that has not begun or has ended is missing.
        dates: The UTC date on which each of them began.
    """

    def __init__(self, capture_id: str) -> None:
        self.conn_ids: dict[int, str] = {}
        self.dates: dict[int, str] = {}
        self._capture_id = capture_id
        self._gone: list[int] = []
        self._kept = 0  # how many of these were needed when it was looked last

    def begin(self, number: int, flow: bytes, packet_no: int, start_ns: int) -> None:
        """Name a connection. ``flow`` may be that of either direction; ``packet_no`` is 0 for raw streams."""
        self.conn_ids[number] = connection_id(self._capture_id, flow, packet_no or number)
        self.dates[number] = day_of(start_ns).isoformat()

    def end(self, number: int) -> None:
        """Note that the rows of a connection are written; its name goes when nothing in the quarantine needs it."""
        self._gone.append(number)

    def forget(self, quarantine: Quarantine) -> None:
        """Forget the names of connections that have ended, now and then, except for those that rows of a quarantine need."""
        if len(self._gone) <= self._kept + MOST_ENDED:
            return
        needed = {item.connection for item in quarantine.rows}
        gone, self._gone = self._gone, []
        for number in gone:
            if number in needed:
                self._gone.append(number)
            else:
                del self.conn_ids[number], self.dates[number]
        self._kept = len(self._gone)

    def take_left_out(self, quarantine: Quarantine) -> list[LeftOut]:
        """Remove and return the rows of a quarantine. What is of connections without a name yet stays."""
        named: list[LeftOut] = []
        others: list[Quarantined] = []
        for item in quarantine.rows:
            conn_id = None if item.connection is None else self.conn_ids.get(item.connection)
            if item.connection is None or conn_id is not None:
                named.append(LeftOut(conn_id, item))
            else:
                others.append(item)
        quarantine.rows = others
        for gone in self._gone:
            del self.conn_ids[gone], self.dates[gone]
        self._gone.clear()
        self._kept = 0
        return named
