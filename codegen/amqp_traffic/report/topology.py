"""Who publishes to which exchange, which queue is fed by it, and who takes from that queue: as seen on the wire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .gather import CLIENT, OF_CONNECTION, Ask

_MOST_FLOWS = 5000
_MOST_NODES = 14  # in a column; the rest is one node
# Names that brokers and clients make up are one node.
_MADE_UP = r"regexp_replace({}, '(amq\\.gen-|amq\\.ctag-|[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-)[\\w-]*', '$1…')"

_FLOWS = f"""
SELECT {CLIENT} AS key, t.dir, t.kind, coalesce(t.exchange, '') AS exchange,
  {_MADE_UP.format("CASE WHEN t.dir = 0 THEN CASE WHEN t.exchange = '' THEN t.routing_key END ELSE t.queue_inferred END")}
    AS queue,
  {_MADE_UP.format("t.address")} AS address, count(*) AS times
FROM messages t {OF_CONNECTION} WHERE t.kind <> 'return' AND t.source = 'wire'
GROUP BY key, t.dir, t.kind, exchange, queue, address ORDER BY times DESC, key, t.dir, exchange, queue, address
LIMIT {_MOST_FLOWS}
"""
_BINDINGS = f"""
SELECT exchange, {_MADE_UP.format("queue")} AS queue, count(*) AS times FROM methods
WHERE method = 'queue.bind' AND exchange IS NOT NULL AND queue IS NOT NULL
GROUP BY 1, 2 ORDER BY times DESC, exchange, queue LIMIT {_MOST_FLOWS}
"""
_DEFAULT = "(default exchange)"
_SOMEWHERE = "(not told)"
# The columns of the picture.
PUBLISHERS, EXCHANGES, QUEUES, CONSUMERS = range(4)


@dataclass(frozen=True, slots=True)
class TopologyNode:
    """A box of the picture.

    Attributes:
        column: 0 clients that publish, 1 exchanges, 2 queues and nodes of 1.0, 3 clients that take.
        name: What it is called.
        place: From the top, between 0 and 1.
        messages: That it sees.
    """

    column: int
    name: str
    place: float
    messages: int


@dataclass(frozen=True, slots=True)
class TopologyEdge:
    """Messages from one node to another.

    Attributes:
        start: Where from.
        end: Where to.
        messages: How many; 0 for a binding of which no message was seen.
    """

    start: TopologyNode
    end: TopologyNode
    messages: int


@dataclass(frozen=True, slots=True)
class Topology:
    """The picture.

    Attributes:
        nodes: By column, those with most messages first.
        edges: From left to right.
    """

    nodes: tuple[TopologyNode, ...]
    edges: tuple[TopologyEdge, ...]


def topology(ask: Ask, name_of: Callable[[int], str]) -> Topology:
    """What the messages and bindings of a lake say.

    Args:
        ask: The tables.
        name_of: What a client is called, by its key; several may be called the same.
    """
    weights: dict[tuple[int, str, str], int] = defaultdict(int)
    for row in ask(_FLOWS):
        for column, start, end in _steps(row, name_of(row["key"])):
            weights[column, start, end] += row["times"]
    for row in ask(_BINDINGS):
        weights[EXCHANGES, row["exchange"] or _DEFAULT, row["queue"] or _SOMEWHERE] += 0
    return picture(weights)


def _steps(row: Mapping[str, object], client: str) -> Iterable[tuple[int, str, str]]:
    """The way of messages, column by column."""
    exchange, queue = str(row["exchange"] or _DEFAULT), str(row["queue"] or _SOMEWHERE)
    if row["kind"] == "transfer":
        address = str(row["address"] or _SOMEWHERE)
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
    """Boxes in four columns; where there are too many, the smaller ones are one box.

    Args:
        weights: Messages by column, name on the left and name on the right.
    """
    seen: list[dict[str, int]] = [defaultdict(int) for _ in range(4)]
    for (column, start, end), times in weights.items():
        seen[column][start] = max(seen[column][start], 0) + times
        seen[column + 1][end] += times if column + 1 == CONSUMERS else 0
    for (column, _, end), times in weights.items():
        if column + 1 < CONSUMERS:  # what comes in counts only where nothing goes out
            seen[column + 1][end] = max(seen[column + 1][end], times)
    named = [_columns_nodes(column, names) for column, names in enumerate(seen)]
    edges: dict[tuple[TopologyNode, TopologyNode], int] = defaultdict(int)
    for (column, start, end), times in sorted(weights.items()):
        edges[named[column][start], named[column + 1][end]] += times
    nodes = tuple(node for column in named for node in dict.fromkeys(column.values()))
    return Topology(nodes, tuple(TopologyEdge(start, end, times) for (start, end), times in edges.items()))


def _columns_nodes(column: int, names: Mapping[str, int]) -> Mapping[str, TopologyNode]:
    """The node of each name in a column."""
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
