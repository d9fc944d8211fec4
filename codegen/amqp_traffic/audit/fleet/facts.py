"""The facts that the rules across a fleet need of a part of a table: counts by channel and rare rows, as small Arrow tables.

Everything is computed by column. ``database`` adds up the counts of all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from .declarations import declarations

# The name of a table of facts, and its rows.
Fact: TypeAlias = "tuple[str, pa.Table]"

SECOND = 1_000_000_000
_MILLISECOND = 1_000_000
_LARGE = 1 << 20  # octets
_NO_ROUTE = 312
# Waits above these limits count as long, in nanoseconds.
SLOW = {"confirm": SECOND, "ack": 30 * SECOND, "reply": 5 * SECOND}

# The tables and columns from which facts are extracted.
READ: Mapping[str, tuple[str, ...]] = {
    "connections": (
        *(
            "conn_id",
            "start_ns",
            "end_ns",
            "start_mode",
            "end_mode",
            "protocol",
            "package",
            "product",
            "version",
        ),
        *("user", "vhost", "client_ip", "client_port", "server_ip", "server_port"),
        *("close_code", "close_condition", "close_by"),
        *("client_bytes_gap", "client_bytes_skipped", "server_bytes_gap", "server_bytes_skipped"),
    ),
    "methods": (
        *("conn_id", "channel", "frame_no", "dir", "ns", "method", "prefetch_count", "no_ack"),
        *(
            "queue",
            "exchange",
            "type",
            "passive",
            "durable",
            "exclusive",
            "auto_delete",
            "internal",
            "arguments",
        ),
    ),
    "performatives": ("conn_id", "performative"),
    "messages": (
        *("conn_id", "channel", "frame_no", "dir", "source", "kind", "reply_code", "exchange", "routing_key"),
        *("queue_inferred", "delivery_mode", "body_size", "complete", "redelivered", "first_ns", "last_ns"),
        *("confirm", "confirm_ns", "settle", "settle_ns"),
    ),
    "exchanges": (
        *("conn_id", "channel", "name", "request_frame_no", "request_ns"),
        *("reply_name", "reply_frame_no", "latency_ns", "outcome"),
    ),
}


def facts(source: str, rows: pa.Table) -> Iterator[Fact]:
    """Yield the facts of some rows.

    Args:
        source: The table, one of ``READ``.
        rows: The columns of ``READ``.
    """
    for name, fact_rows in _FACTS[source](rows):
        if fact_rows.num_rows:
            yield name, fact_rows


def _connections(rows: pa.Table) -> Iterator[Fact]:
    yield "connections", rows


def _methods(rows: pa.Table) -> Iterator[Fact]:
    method = rows["method"]
    used = pc.or_kleene(pc.greater(rows["channel"], 0), pc.is_null(method))
    yield "used", _distinct(rows.filter(used))

    def when(*names: str) -> Any:
        return pc.is_in(method, pa.array(names, pa.string()))

    consumes = when("basic.consume")
    yield from _counts(
        rows,
        {
            "opened": when("channel.open"),
            "safe": when("confirm.select", "tx.select"),
            "limited": pc.and_kleene(when("basic.qos"), pc.greater(rows["prefetch_count"], 0)),
            "get": when("basic.get"),
            "empty": when("basic.get-empty"),
            "no-ack": pc.and_kleene(consumes, rows["no_ack"]),
            "consume": pc.and_kleene(consumes, pc.invert(rows["no_ack"])),
        },
    )
    yield "channels", _channels(rows)
    by_client = rows.filter(pc.equal(rows["dir"], 0))
    closed = by_client.filter(pc.equal(by_client["method"], "channel.close"))
    yield "churn", closed.select(["conn_id", "frame_no", "ns", "method"])
    is_new = pc.and_kleene(pc.equal(by_client["method"], "queue.declare"), pc.invert(by_client["passive"]))
    yield "churn", by_client.filter(is_new).select(["conn_id", "frame_no", "ns", "method"])
    yield "declarations", declarations(by_client)


def _channels(rows: pa.Table) -> pa.Table:
    """Return when each channel was last opened, closed and used, when it last began a consumer, and what opened it."""
    rows = rows.filter(pc.greater(rows["channel"], 0))
    method, nothing = rows["method"], pa.scalar(None, pa.int64())
    moments = {
        name: pc.if_else(pc.equal(method, wanted), rows[column], nothing)
        for name, wanted, column in (
            ("opened_ns", "channel.open", "ns"),
            ("closed_ns", "channel.close", "ns"),
            ("consumed_ns", "basic.consume", "ns"),
            ("opened_by", "channel.open", "frame_no"),
        )
    }
    for name, values in moments.items():
        rows = rows.append_column(name, values)
    return _grouped(rows, {name: (name, "max") for name in moments} | {"used_ns": ("ns", "max")})


def _performatives(rows: pa.Table) -> Iterator[Fact]:
    is_used = pc.invert(pc.is_in(rows["performative"], pa.array(["open", "close"])))
    yield "used", _distinct(rows.filter(pc.and_kleene(is_used, pc.is_valid(rows["performative"]))))


def _messages(rows: pa.Table) -> Iterator[Fact]:
    rows = rows.filter(pc.equal(rows["source"], "wire"))
    kind, confirm = rows["kind"], rows["confirm"]
    is_published = pc.equal(kind, "publish")
    is_delivered = pc.is_in(kind, pa.array(["deliver", "get-ok"]))
    returned = pc.and_kleene(pc.equal(kind, "return"), pc.equal(rows["reply_code"], _NO_ROUTE))
    is_taken = pc.and_kleene(pc.equal(kind, "transfer"), pc.equal(rows["dir"], 1))
    yield from _counts(
        rows,
        {
            "taken": is_taken,
            "given-back": pc.and_kleene(is_taken, pc.equal(rows["settle"], "nack")),
            "unsafe": pc.and_kleene(
                pc.and_kleene(is_published, pc.equal(rows["delivery_mode"], 2)), pc.is_null(confirm)
            ),
            "refused": pc.and_kleene(is_published, pc.equal(confirm, "nack")),
            "back": pc.and_kleene(is_delivered, rows["redelivered"]),
            "delivered": is_delivered,
        },
    )
    yield from _unroutable(rows.filter(returned))
    is_transient = pc.and_kleene(rows["complete"], pc.equal(pc.fill_null(rows["delivery_mode"], 1), 1))
    to_queue = pc.equal(rows["exchange"], "")
    for what, is_one, queue in (
        ("transient", pc.and_kleene(is_published, to_queue), "routing_key"),
        ("transient-taken", pc.and_kleene(is_delivered, pc.invert(to_queue)), "queue_inferred"),
    ):
        some = rows.filter(pc.and_kleene(is_transient, pc.and_kleene(is_one, pc.is_valid(rows[queue]))))
        if some.num_rows:
            yield _text_count(what, some, some[queue], "frame_no")
    large = rows.filter(pc.greater(rows["body_size"], _LARGE))
    yield from _counts(large, {"large": pa.repeat(True, large.num_rows)})
    yield "sizes", _grouped(large, {"most": ("body_size", "max")})
    missing = rows.filter(pc.and_kleene(is_published, pc.equal(confirm, "none")))
    yield "unconfirmed", missing.select(["conn_id", "channel", "frame_no", "first_ns"])
    confirmed = rows.filter(pc.and_kleene(is_published, pc.is_in(confirm, pa.array(["ack", "nack"]))))
    yield from _waits(
        "confirm", confirmed, pc.subtract(confirmed["confirm_ns"], confirmed["last_ns"]), "frame_no"
    )
    settled = rows.filter(pc.and_kleene(is_delivered, pc.is_valid(rows["settle_ns"])))
    yield from _waits("ack", settled, pc.subtract(settled["settle_ns"], settled["last_ns"]), "frame_no")


def _unroutable(rows: pa.Table) -> Iterator[Fact]:
    if rows.num_rows:
        keys = pc.utf8_slice_codeunits(rows["routing_key"], 0, 80)
        parts = ("basic.return 312 of exchange '", rows["exchange"], "' and routing key '", keys, "'")
        yield _text_count("unroutable", rows, pc.binary_join_element_wise(*parts, ""), "frame_no")


def _exchanges(rows: pa.Table) -> Iterator[Fact]:
    outcome, is_asked = rows["outcome"], pc.is_valid(rows["request_frame_no"])
    turned = rows.filter(pc.and_kleene(pc.equal(outcome, "out-of-order"), is_asked))
    if turned.num_rows:
        yield _text_count("turned", turned, turned["reply_name"], "reply_frame_no")
    is_known = pc.or_(pc.is_valid(rows["reply_frame_no"]), pc.equal(outcome, "not-followed"))
    masks = {"unasked": pc.invert(is_asked), "unanswered": pc.and_(is_asked, pc.invert(is_known))}
    yield from _counts(rows, masks, "reply_frame_no")
    unanswered = rows.filter(pc.equal(outcome, "unanswered"))
    yield "unanswered", unanswered.select(["conn_id", "channel", "request_frame_no", "request_ns", "name"])
    yield from _waits("reply", rows, rows["latency_ns"], "request_frame_no")


_FACTS: Mapping[str, Callable[[pa.Table], Iterator[Fact]]] = {
    "connections": _connections,
    "methods": _methods,
    "performatives": _performatives,
    "messages": _messages,
    "exchanges": _exchanges,
}

_CHANNEL = ["conn_id", "channel"]


def _distinct(rows: pa.Table) -> pa.Table:
    return rows.select(["conn_id"]).group_by("conn_id", use_threads=False).aggregate([])


def _counts(rows: pa.Table, masks: Mapping[str, Any], number: str = "frame_no") -> Iterator[Fact]:
    """Yield, for each mask, the number of its rows by channel, and their first frame."""
    for what, mask in masks.items():
        matching = rows.filter(mask)
        if matching.num_rows:
            yield _count(what, matching, number)


def _count(what: str, rows: pa.Table, number: str) -> Fact:
    return _text_count(what, rows, pa.nulls(rows.num_rows, pa.string()), number)


def _text_count(what: str, rows: pa.Table, texts: Any, number: str) -> Fact:
    """Return the number of rows by channel and text, with the first frame."""
    wanted = {"occurrences": ([], "count_all"), "first": (number, "min")}
    return "counts", _grouped(rows.append_column("text", texts), wanted, "text", what=what)


def _waits(what: str, rows: pa.Table, waits: Any, number: str) -> Iterator[Fact]:
    """Yield the number of all waits, the number of long ones, and a histogram of the long ones in milliseconds."""
    rows = rows.select([*_CHANNEL, number]).append_column("_wait", waits)
    rows = rows.filter(pc.is_valid(rows["_wait"]))
    long = rows.filter(pc.greater(rows["_wait"], SLOW[what]))
    if rows.num_rows:
        yield _count(what, rows, number)
    if long.num_rows:
        yield _count(f"slow-{what}", long, number)
        long = long.append_column("ms", pc.divide(long["_wait"], _MILLISECOND))
        yield "waits", _grouped(long, {"occurrences": ([], "count_all")}, "ms", what=what)


def _grouped(rows: pa.Table, wanted: Mapping[str, Any], *keys: str, what: str | None = None) -> pa.Table:
    """Return aggregates of rows by channel and more keys, under new names; ``what`` becomes a column."""
    grouped = rows.group_by([*_CHANNEL, *keys], use_threads=False).aggregate(list(wanted.values()))
    grouped = grouped.rename_columns([*_CHANNEL, *keys, *wanted])
    if what is None:
        return grouped
    return grouped.append_column("what", pa.repeat(pa.scalar(what), grouped.num_rows))
