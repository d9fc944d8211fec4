"""The links of 1.0: how much credit their receivers granted, and what was sent."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..variant_values import variant_value
from .clients import ClientIndex
from .lake_rows import LakeRows, is_one_of, summed, with_count

_MOST_LINKS = 500
# A side of a link: each gives the link a handle of its own.
_HANDLE = ("capture_id", "conn_id", "channel", "dir", "handle")
_COUNTS = ("links", "flows", "no_credit", "drains", "messages", "octets", "unsettled")
_NAMED = ("capture_id", "conn_id", "link_name", "dir")


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a client to or from one address.

    Attributes:
        key: The key of the client.
        address: The address of the node; empty if it is not known.
        receives: Whether the client is the receiver.
        links: The number of links.
        flows: How often the receiver granted credit.
        most_credit: The most credit granted at once; None if there was none.
        no_credit: How often the receiver set the credit to 0.
        drains: How often the receiver asked the sender to drain.
        messages: The number of messages.
        octets: Octets of their bodies.
        unsettled: Messages without a later settlement, including those that were sent settled.
    """

    key: int
    address: str
    receives: bool
    links: int
    flows: int
    most_credit: int | None
    no_credit: int
    drains: int
    messages: int
    octets: int
    unsettled: int


def links(tables: LakeRows, index: ClientIndex) -> tuple[Links, ...]:
    """Return the links of 1.0 by client and address: at most 500 rows, those with most messages first."""
    grants = {_key(row, _HANDLE): row for row in summed(_grants(tables), _HANDLE, _GRANT_SUMS).to_pylist()}
    sent = {_key(row, _NAMED): row for row in summed(_sent(tables), _NAMED, _SENT_SUMS).to_pylist()}
    totals: dict[tuple[int, str, bool], Counter[str]] = defaultdict(Counter)
    most_credit: dict[tuple[int, str, bool], int] = {}
    all_links = list(_links(tables))
    keys = index.keys_of((link.capture_id, link.conn_id) for link in all_links)
    for link in all_links:
        key = keys.get((link.capture_id, link.conn_id))
        if key is None:
            continue
        row = key, link.address, link.receives
        totals[row]["links"] += 1
        for grant in filter(None, map(grants.get, link.receiving_handles)):
            totals[row].update({name: grant[name] for name in ("flows", "no_credit", "drains")})
            if grant["most_credit"] is not None:
                most_credit[row] = max(most_credit.get(row, 0), grant["most_credit"])
        of_link = sent.get((link.capture_id, link.conn_id, link.name, int(link.receives)), {})
        totals[row].update({name: of_link.get(name, 0) for name in ("messages", "octets", "unsettled")})
    rows = [
        Links(
            key=row[0],
            address=row[1],
            receives=row[2],
            most_credit=most_credit.get(row),
            **{name: total[name] for name in _COUNTS},
        )
        for row, total in totals.items()
    ]
    return tuple(
        sorted(rows, key=lambda row: (-row.messages, -row.links, row.address, row.key))[:_MOST_LINKS]
    )


@dataclass(frozen=True, slots=True)
class _Link:
    """A link, from the attaches of both of its ends.

    Attributes:
        receiving_handles: The handles of the receiver, whose flows grant the credit.
    """

    capture_id: str
    conn_id: str
    name: str | None
    address: str
    receives: bool
    receiving_handles: tuple[tuple[Any, ...], ...]


def _links(tables: LakeRows) -> Iterator[_Link]:
    """Yield the links. Both ends attach a link under one name, each with a handle of its own."""
    ends: dict[tuple[Any, ...], dict[tuple[Any, ...], Mapping[str, Any]]] = defaultdict(dict)
    columns = ["conn_id", "channel", "dir", "handle", "performative", "name", "role", "source", "target"]
    for group in tables.groups("performatives", columns):
        is_attach = pc.and_(
            is_one_of(group.rows["performative"], "attach"), pc.is_valid(group.rows["handle"])
        )
        for row in group.rows.filter(is_attach).to_pylist():
            row["capture_id"] = group.capture_id
            link = row["capture_id"], row["conn_id"], row["name"]
            ends[link].setdefault(_key(row, _HANDLE), row)
    for (capture_id, conn_id, name), by_handle in ends.items():
        sides = by_handle.values()
        # The client receives if its own role says so, or if that of the server is the sender.
        receives = any(row["role"] is (row["dir"] == 0) for row in sides)
        address = max((_address(row) for row in sides), default="")
        handles = tuple(handle for handle, row in by_handle.items() if row["role"])
        yield _Link(capture_id, conn_id, name, address, receives, handles)


def _address(attach: Mapping[str, Any]) -> str:
    """Return the address of the target, or else of the source; empty if there is none."""
    for name in ("target", "source"):
        variant = attach[name]
        terminus = variant_value((variant["value"], variant["metadata"])) if variant else None
        if isinstance(terminus, dict) and terminus.get("address") is not None:
            return str(terminus["address"])
    return ""


_GRANT_SUMS = {"flows": "sum", "most_credit": "max", "no_credit": "sum", "drains": "sum"}
_SENT_SUMS = {"messages": "sum", "octets": "sum", "unsettled": "sum"}


def _grants(tables: LakeRows) -> Iterator[pa.Table]:
    columns = ["conn_id", "channel", "dir", "handle", "performative", "link_credit", "drain"]
    for group in tables.groups("performatives", columns):
        is_flow = pc.and_(is_one_of(group.rows["performative"], "flow"), pc.is_valid(group.rows["handle"]))
        rows = group.rows.filter(is_flow)
        counted = with_count(
            {
                "capture_id": pa.repeat(pa.scalar(group.capture_id), rows.num_rows),
                **{name: rows[name] for name in _HANDLE[1:]},
                "most_credit": rows["link_credit"],
                "no_credit": _count(pc.equal(rows["link_credit"], 0)),
                "drains": _count(rows["drain"]),
            },
            rows.num_rows,
        )
        yield counted.rename_columns([*counted.column_names[:-1], "flows"])


def _sent(tables: LakeRows) -> Iterator[pa.Table]:
    for group in tables.groups("messages", ["conn_id", "link_name", "dir", "kind", "body_size", "settle_ns"]):
        rows = group.rows.filter(is_one_of(group.rows["kind"], "transfer"))
        counted = with_count(
            {
                "capture_id": pa.repeat(pa.scalar(group.capture_id), rows.num_rows),
                **{name: rows[name] for name in _NAMED[1:]},
                "octets": pc.fill_null(rows["body_size"], 0),
                "unsettled": _count(pc.is_null(rows["settle_ns"])),
            },
            rows.num_rows,
        )
        yield counted.rename_columns([*counted.column_names[:-1], "messages"])


def _count(condition: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.cast(pc.fill_null(condition, False), pa.int64())


def _key(row: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)
