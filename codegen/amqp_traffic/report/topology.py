"""The topology: clients that publish, exchanges, queues, clients that consume."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .clients import ClientIndex
from .lake_rows import LakeRows, is_one_of, summed, with_count

_MOST_FLOWS = 5000
_MOST_NODES = 14  # in a column; the others become one node
# The random part of names that brokers and clients generate; without it they become one node.
_RANDOM_PART = r"(amq\.gen-|amq\.ctag-|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[\w-]*"
_FLOW = ("key", "dir", "kind", "exchange", "queue", "address")
_DEFAULT_EXCHANGE = "(default exchange)"
_UNKNOWN_NAME = "(unknown)"
# The columns of the picture.
PUBLISHERS, EXCHANGES, QUEUES, CONSUMERS = range(4)


@dataclass(frozen=True, slots=True)
class TopologyNode:
    """A box of the picture.

    Attributes:
        column: 0 publishing clients, 1 exchanges, 2 queues and nodes of 1.0, 3 consuming clients.
        place: The distance from the top, between 0 and 1.
        messages: The number of messages that pass it.
    """

    column: int
    name: str
    place: float
    messages: int


@dataclass(frozen=True, slots=True)
class TopologyEdge:
    """Messages from one node to another.

    Attributes:
        messages: The number of messages; 0 for a binding without messages.
    """

    start: TopologyNode
    end: TopologyNode
    messages: int


@dataclass(frozen=True, slots=True)
class Topology:
    """The picture.

    Attributes:
        nodes: The boxes, by column, those with most messages first.
        edges: The lines between them, from left to right.
    """

    nodes: tuple[TopologyNode, ...]
    edges: tuple[TopologyEdge, ...]


def topology(tables: LakeRows, index: ClientIndex, name_of: Callable[[int], str]) -> Topology:
    """Return the topology that the messages and bindings of a lake show.

    Args:
        tables: The lake.
        index: The connections.
        name_of: Returns the name of a client by its key; several clients may have the same name.
    """
    weights: dict[tuple[int, str, str], int] = defaultdict(int)
    for row in _most_frequent(_flows(tables, index), _FLOW):
        for column, start, end in _steps(row, name_of(row["key"])):
            weights[column, start, end] += row["times"]
    for row in _most_frequent(_bindings(tables), ("exchange", "queue")):
        weights[EXCHANGES, row["exchange"] or _DEFAULT_EXCHANGE, row["queue"] or _UNKNOWN_NAME] += 0
    return picture(weights)


def _most_frequent(parts: Iterator[pa.Table], keys: tuple[str, ...]) -> Iterable[Mapping[str, Any]]:
    """Return the most frequent groups, with their ``times``, after the random parts of names are removed."""
    rows = summed(parts, keys, {"times": "sum"})
    if not rows.num_columns:
        return []
    for name in {"queue", "address"}.intersection(keys):
        rows = rows.set_column(keys.index(name), name, _without_random_part(rows[name]))
    order = [("times", "descending"), *((key, "ascending") for key in keys)]
    ranked: list[Mapping[str, Any]] = (
        summed([rows], keys, {"times": "sum"}).sort_by(order).slice(0, _MOST_FLOWS).to_pylist()
    )
    return ranked


def without_random_part(names: Sequence[str]) -> list[str]:
    """Return names of queues with an ellipsis instead of what brokers and clients generate."""
    plain: list[str] = _without_random_part(pa.array(names, pa.string())).to_pylist()
    return plain


def _without_random_part(names: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(names, _RANDOM_PART, r"\1…")


def _flows(tables: LakeRows, index: ClientIndex) -> Iterator[pa.Table]:
    columns = ["conn_id", "dir", "kind", "source", "exchange", "routing_key", "queue_inferred", "address"]
    for group in tables.groups("messages", columns):
        is_own = pc.and_not(is_one_of(group.rows["source"], "wire"), is_one_of(group.rows["kind"], "return"))
        rows = group.rows.filter(is_own)
        exchange = pc.fill_null(rows["exchange"], "")
        addressed = pc.if_else(pc.equal(exchange, ""), rows["routing_key"], pa.scalar(None, pa.string()))
        flows = with_count(
            {
                "key": index.keys(group.capture_id, rows["conn_id"]),
                "dir": rows["dir"],
                "kind": rows["kind"],
                "exchange": exchange,
                "queue": pc.if_else(pc.equal(rows["dir"], 0), addressed, rows["queue_inferred"]),
                "address": rows["address"],
            },
            rows.num_rows,
        )
        yield flows.filter(pc.is_valid(flows["key"]))


def _bindings(tables: LakeRows) -> Iterator[pa.Table]:
    for group in tables.groups("methods", ["method", "exchange", "queue"]):
        rows = group.rows.filter(is_one_of(group.rows["method"], "queue.bind")).drop_columns(["method"])
        yield with_count(dict(zip(rows.column_names, rows.columns, strict=True)), rows.num_rows).drop_null()


def _steps(row: Mapping[str, object], client: str) -> Iterable[tuple[int, str, str]]:
    """Return the route of messages as steps: column, name on the left, name on the right."""
    exchange, queue = str(row["exchange"] or _DEFAULT_EXCHANGE), str(row["queue"] or _UNKNOWN_NAME)
    if row["kind"] == "transfer":
        address = str(row["address"] or _UNKNOWN_NAME)
        if row["dir"]:
            return [(QUEUES, address, client)]
        if address.startswith(("/exchange", "/topic")):
            return [(PUBLISHERS, client, address)]
        return [(PUBLISHERS, client, "(1.0 target)"), (EXCHANGES, "(1.0 target)", address)]
    if row["dir"]:
        return [(EXCHANGES, exchange, queue), (QUEUES, queue, client)]
    if row["exchange"]:
        return [(PUBLISHERS, client, exchange)]
    return [(PUBLISHERS, client, exchange), (EXCHANGES, exchange, queue)]


def picture(weights: Mapping[tuple[int, str, str], int]) -> Topology:
    """Return boxes in four columns; in a column with too many, the smaller ones become one box.

    Args:
        weights: The number of messages by column, name on the left and name on the right.
    """
    seen: list[dict[str, int]] = [defaultdict(int) for _ in range(4)]
    for (column, start, end), times in weights.items():
        seen[column][start] = max(seen[column][start], 0) + times
        seen[column + 1][end] += times if column + 1 == CONSUMERS else 0
    for (column, _, end), times in weights.items():
        if column + 1 < CONSUMERS:  # a node counts at least the messages of its largest incoming edge
            seen[column + 1][end] = max(seen[column + 1][end], times)
    named = [_columns_nodes(column, names) for column, names in enumerate(seen)]
    edges: dict[tuple[TopologyNode, TopologyNode], int] = defaultdict(int)
    for (column, start, end), times in sorted(weights.items()):
        edges[named[column][start], named[column + 1][end]] += times
    nodes = tuple(node for column in named for node in dict.fromkeys(column.values()))
    return Topology(nodes, tuple(TopologyEdge(start, end, times) for (start, end), times in edges.items()))


def _columns_nodes(column: int, names: Mapping[str, int]) -> Mapping[str, TopologyNode]:
    """Return the node of each name in a column."""
    ranked = sorted(names, key=lambda name: (-names[name], name))
    alone = ranked if len(ranked) <= _MOST_NODES else ranked[: _MOST_NODES - 1]
    rest = ranked[len(alone) :]
    count = len(alone) + bool(rest)
    nodes = {
        name: TopologyNode(column, name, (at + 0.5) / count, names[name]) for at, name in enumerate(alone)
    }
    if rest:
        more = TopologyNode(
            column, f"({len(rest):,} more)", (count - 0.5) / count, sum(names[name] for name in rest)
        )
        nodes.update(dict.fromkeys(rest, more))
    return nodes
