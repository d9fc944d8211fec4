"""The names of the connections of a share, by their numbers."""

from __future__ import annotations

from ..capture.quarantine import Quarantine, Quarantined
from ..messages.connection_rows import ConnectionIds
from ..storage import day_of
from .file_tables import LeftOut


class ConnectionNames:
    """The names of connections, and the dates on which they began.

    Attributes:
        conn_ids: The name of each connection by its number, from 1; None if it has none yet, or has ended.
        dates: The UTC date on which each of them began.
    """

    def __init__(self, capture_id: str) -> None:
        self.conn_ids: list[str | None] = [None]
        self.dates: list[str] = [""]
        self._ids = ConnectionIds(capture_id)
        self._gone: list[int] = []

    def begin(self, number: int, flow: bytes, start_ns: int) -> None:
        """Name a connection; the connections of a flow come in order. ``flow`` may be that of either direction."""
        while len(self.conn_ids) <= number:
            self.conn_ids.append(None)
            self.dates.append("")
        self.conn_ids[number] = self._ids.next(flow)
        self.dates[number] = day_of(start_ns).isoformat()

    def end(self, number: int) -> None:
        """Note that the rows of a connection are written; its name goes with the next ``take_left_out``."""
        self._gone.append(number)

    def take_left_out(self, quarantine: Quarantine) -> list[LeftOut]:
        """Remove and return the rows of a quarantine. What is of connections without a name yet stays."""
        named: list[LeftOut] = []
        others: list[Quarantined] = []
        for item in quarantine.rows:
            conn_id = self._name_of(item.connection)
            if item.connection is None or conn_id is not None:
                named.append(LeftOut(conn_id, item))
            else:
                others.append(item)
        quarantine.rows = others
        for gone in self._gone:
            self.conn_ids[gone], self.dates[gone] = None, ""
        self._gone.clear()
        return named

    def _name_of(self, connection: int | None) -> str | None:
        if connection is None or connection >= len(self.conn_ids):
            return None
        return self.conn_ids[connection]
