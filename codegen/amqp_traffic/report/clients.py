"""The clients: who they are, their connections, frames and octets, and the connections in their timelines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..lake.arrow_types import table_schema
from .lake_rows import LakeRows, summed, with_count

MOST_CLIENTS = 5000

# Connections that agree in these columns count as one client. Null differs from the empty text.
CLIENT_FACTS = ("product", "version", "connection_name", "user", "vhost", "client_ip", "protocol")
_COLUMNS = (
    *("conn_id", *CLIENT_FACTS, "platform", "package", "start_ns", "end_ns", "start_mode", "end_mode"),
    *("close_code", "close_condition", "close_by", "client_frames", "server_frames"),
    *("client_bytes_wire", "server_bytes_wire"),
)
_NULL = "\0"


@dataclass(frozen=True, slots=True)
class ClientTotals:
    """A client: connections with the same product, version, name, user and address.

    Attributes:
        key: A number for the client, the same in all sections.
        product: As in ``connections``, like the attributes that follow; None if the capture does not tell.
        connections: The number of its connections.
        frames: Frames in both directions.
        bytes_sent: Octets from the client.
        bytes_received: Octets to the client.
        closed_by_error: Connections that ended with an error of either side.
        closed_uncleanly: Connections that ended without a close.
        first_ns: The beginning of the first connection, in nanoseconds since 1970.
        last_ns: The end of the last connection.
    """

    key: int
    product: str | None
    version: str | None
    connection_name: str | None
    user: str | None
    vhost: str | None
    client_ip: str | None
    protocol: str | None
    platform: str | None
    connections: int
    frames: int
    bytes_sent: int
    bytes_received: int
    closed_by_error: int
    closed_uncleanly: int
    first_ns: int
    last_ns: int

    @property
    def library(self) -> str:
        """The product and its version; the protocol if the client names no product."""
        known = " ".join(filter(None, (self.product, self.version)))
        return known or f"unknown ({self.protocol or 'no protocol header'})"

    @property
    def label(self) -> str:
        """A short name: ``pika 1.3.2 guest@10.0.0.1``."""
        who = f"{self.user}@{self.client_ip}" if self.user else self.client_ip or "?"
        return f"{self.connection_name or self.library} {who}"


class ClientIndex:
    """The connections of a lake, each with the key of its client."""

    def __init__(self, tables: LakeRows) -> None:
        """Read the connections."""
        parts = [
            group.rows.append_column(
                "capture_id", pa.repeat(pa.scalar(group.capture_id), group.rows.num_rows)
            )
            for group in tables.groups("connections", _COLUMNS)
        ]
        rows = pa.concat_tables(parts).combine_chunks() if parts else _no_connections()
        self._rows = rows.append_column("key", _keys(rows))
        self._by_capture: dict[str, tuple[pa.Array, pa.Array]] = {}
        for capture_id in pc.unique(rows["capture_id"]).to_pylist():
            own = self._rows.filter(pc.equal(self._rows["capture_id"], capture_id)).combine_chunks()
            self._by_capture[capture_id] = (_array(own["conn_id"]), _array(own["key"]))

    def keys(self, capture_id: str, conn_ids: pa.Array) -> pa.Array:
        """Return the keys of the clients of connections of a capture; null for connections that are not known."""
        known, keys = self._by_capture.get(capture_id, (pa.array([], pa.string()), pa.array([], pa.int64())))
        return keys.take(pc.index_in(conn_ids, value_set=known))

    def keys_of(self, connections: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], int]:
        """Return the keys of the clients of connections, each given by its capture and its name, if they are known."""
        by_capture: dict[str, list[str]] = defaultdict(list)
        for capture_id, conn_id in dict.fromkeys(connections):
            by_capture[capture_id].append(conn_id)
        return {
            (capture_id, conn_id): key
            for capture_id, own in by_capture.items()
            for conn_id, key in zip(
                own, self.keys(capture_id, pa.array(own, pa.string())).to_pylist(), strict=True
            )
            if key is not None
        }

    def totals(self) -> list[ClientTotals]:
        """Return all clients, those with most frames first."""
        rows = self._rows
        is_error = pc.or_(
            pc.greater_equal(pc.coalesce(rows["close_code"], 0), 300), pc.is_valid(rows["close_condition"])
        )
        is_unclean = pc.and_(
            pc.and_(_has_end(rows), pc.is_valid(rows["package"])),
            pc.is_null(rows["close_by"]),
        )
        frames = pc.add(pc.coalesce(rows["client_frames"], 0), pc.coalesce(rows["server_frames"], 0))
        counts = with_count(
            {
                **{name: rows[name] for name in ("key", *CLIENT_FACTS, "platform")},
                "frames": frames,
                "bytes_sent": pc.coalesce(rows["client_bytes_wire"], 0),
                "bytes_received": pc.coalesce(rows["server_bytes_wire"], 0),
                "closed_by_error": pc.cast(is_error, pa.int64()),
                "closed_uncleanly": pc.cast(pc.coalesce(is_unclean, False), pa.int64()),
                "first_ns": rows["start_ns"],
                "last_ns": rows["end_ns"],
            },
            rows.num_rows,
        )
        numbers = ("frames", "bytes_sent", "bytes_received", "closed_by_error", "closed_uncleanly", "times")
        functions = {
            **dict.fromkeys((*CLIENT_FACTS, "platform"), "first"),
            **dict.fromkeys(numbers, "sum"),
            "first_ns": "min",
            "last_ns": "max",
        }
        totals = [
            ClientTotals(connections=row.pop("times"), **row)
            for row in summed([counts], ["key"], functions).to_pylist()
        ]
        return sorted(totals, key=lambda client: (-client.frames, client.first_ns, client.key))

    def shown_connections(self, clients: int) -> Mapping[int, list[ShownConnection]]:
        """Return the first connections of each client, by its key.

        Args:
            clients: The number of clients; the more there are, the fewer connections of each are returned.
        """
        most = max(
            _LEAST_CONNECTIONS_PER_CLIENT,
            min(_MOST_CONNECTIONS_PER_CLIENT, _MOST_CONNECTIONS_PER_PAGE // max(clients, 1)),
        )
        order = [(name, "ascending") for name in ("key", "start_ns", "conn_id")]
        rows = self._rows.sort_by(order)
        first = _first_of_each(rows["key"].to_pylist(), most)
        by_client: dict[int, list[ShownConnection]] = defaultdict(list)
        for row in rows.take(pa.array(first, pa.int64())).to_pylist():
            end = str(row["close_condition"] or row["close_code"] or row["end_mode"])
            count = (row["client_frames"] or 0) + (row["server_frames"] or 0)
            by_client[row["key"]].append(
                ShownConnection(row["conn_id"], row["start_ns"], row["end_ns"], row["start_mode"], end, count)
            )
        return by_client

    def moments(self) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """Yield the events ``open`` and ``close`` with their moments, of connections that begin and end in a capture."""
        rows = self._rows
        yield "open", rows.filter(pc.equal(rows["start_mode"], "syn"))["start_ns"]
        yield "close", rows.filter(_has_end(rows))["end_ns"]


_MOST_CONNECTIONS_PER_PAGE = 10000
_MOST_CONNECTIONS_PER_CLIENT, _LEAST_CONNECTIONS_PER_CLIENT = 40, 2


@dataclass(frozen=True, slots=True)
class ShownConnection:
    """A connection in a timeline: columns of ``connections``.

    Attributes:
        end: The error that ended it, or the way in which it ended.
        frames: Frames in both directions.
    """

    conn_id: str
    start_ns: int
    end_ns: int
    start_mode: str
    end: str
    frames: int


def _has_end(rows: pa.Table) -> pa.ChunkedArray:
    """Return whether the end of each connection was captured."""
    return pc.is_in(rows["end_mode"], pa.array(["fin", "rst"]))


def _keys(rows: pa.Table) -> pa.Array:
    """Return a number for the client of each connection: that of its facts, in the order in which they first occur."""
    facts: list[Any] = []
    for name in CLIENT_FACTS:
        text = pc.fill_null(rows[name], _NULL)
        facts += [
            pc.cast(pc.binary_length(text), pa.string()),
            text,
        ]  # with its length no text can pass for two
    joined = _array(pc.binary_join_element_wise(*facts, " "))
    return pc.cast(joined.dictionary_encode().indices, pa.int64())


def _array(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _first_of_each(sorted_keys: list[int], most: int) -> list[int]:
    """Return the places of the first ``most`` of each key."""
    places: list[int] = []
    for _, same in groupby(enumerate(sorted_keys), itemgetter(1)):
        places += [place for place, _ in islice(same, most)]
    return places


def _no_connections() -> pa.Table:
    schema = pa.schema([table_schema("connections").field(name) for name in _COLUMNS])
    return schema.append(pa.field("capture_id", pa.string())).empty_table()
