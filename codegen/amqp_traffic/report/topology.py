"""The topology: clients that publish, exchanges, queues, clients that consume; and the links of 1.0."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from .queries import CLIENT, OF_CONNECTION, Ask

_MOST_FLOWS = 5000
_MOST_NODES = 14  # in a column; the others become one node
# Replaces the random part of names that brokers and clients generate, so that they become one node.
_WITHOUT_RANDOM_PART = r"regexp_replace({}, '(amq\\.gen-|amq\\.ctag-|[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-)[\\w-]*', '$1…')"

_FLOWS = f"""
SELECT {CLIENT} AS key, t.dir, t.kind, coalesce(t.exchange, '') AS exchange,
  {_WITHOUT_RANDOM_PART.format("CASE WHEN t.dir = 0 THEN CASE WHEN t.exchange = '' THEN t.routing_key END ELSE t.queue_inferred END")}
    AS queue,
  {_WITHOUT_RANDOM_PART.format("t.address")} AS address, count(*) AS times
FROM messages t {OF_CONNECTION} WHERE t.kind <> 'return' AND t.source = 'wire'
GROUP BY key, t.dir, t.kind, exchange, queue, address ORDER BY times DESC, key, t.dir, exchange, queue, address
LIMIT {_MOST_FLOWS}
"""
_BINDINGS = f"""
SELECT exchange, {_WITHOUT_RANDOM_PART.format("queue")} AS queue, count(*) AS times FROM methods
WHERE method = 'queue.bind' AND exchange IS NOT NULL AND queue IS NOT NULL
GROUP BY 1, 2 ORDER BY times DESC, exchange, queue LIMIT {_MOST_FLOWS}
"""
_DEFAULT_EXCHANGE = "(default exchange)"
_UNKNOWN_NAME = "(not told)"
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


def topology(ask: Ask, name_of: Callable[[int], str]) -> Topology:
    """Query the topology that the messages and bindings of a lake show.

    Args:
        ask: Queries the lake.
        name_of: Returns the name of a client by its key; several clients may have the same name.
    """
    weights: dict[tuple[int, str, str], int] = defaultdict(int)
    for row in ask(_FLOWS):
        for column, start, end in _steps(row, name_of(row["key"])):
            weights[column, start, end] += row["times"]
    for row in ask(_BINDINGS):
        weights[EXCHANGES, row["exchange"] or _DEFAULT_EXCHANGE, row["queue"] or _UNKNOWN_NAME] += 0
    return picture(weights)


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


_MOST_LINKS = 500

# Both ends attach a link under one name, each with a handle of its own. Credit comes in the flows of the receiver, with
# the handle that the receiver gave.
_LINKS = f"""
WITH ends AS (
  SELECT capture_id, conn_id, channel, dir, handle, any_value(name) AS name,
    any_value(`role`) AS is_receiver,
    any_value(coalesce(variant_get(target, '$.address', 'string'), variant_get(source, '$.address', 'string')))
      AS address,
    min(snd_settle_mode) AS settle_mode, count(*) AS attaches
  FROM performatives WHERE performative = 'attach' AND handle IS NOT NULL
  GROUP BY capture_id, conn_id, channel, dir, handle
), grants AS (
  SELECT capture_id, conn_id, channel, dir, handle, count(*) AS flows, max(link_credit) AS most_credit,
    count_if(link_credit = 0) AS no_credit, count_if(`drain`) AS drains
  FROM performatives WHERE performative = 'flow' AND handle IS NOT NULL
  GROUP BY capture_id, conn_id, channel, dir, handle
), sent AS (
  SELECT capture_id, conn_id, link_name, dir, count(*) AS messages, coalesce(sum(body_size), 0) AS octets,
    count_if(settle_ns IS NULL) AS unsettled
  FROM messages WHERE kind = 'transfer' GROUP BY capture_id, conn_id, link_name, dir
), links AS (
  SELECT e.capture_id, e.conn_id, e.name, max(e.address) AS address,
    bool_or(CASE WHEN e.dir = 0 THEN e.is_receiver ELSE NOT e.is_receiver END) AS receives,
    max(e.settle_mode) AS settle_mode,
    sum(CASE WHEN e.is_receiver THEN g.flows END) AS flows,
    max(CASE WHEN e.is_receiver THEN g.most_credit END) AS most_credit,
    sum(CASE WHEN e.is_receiver THEN g.no_credit END) AS no_credit,
    sum(CASE WHEN e.is_receiver THEN g.drains END) AS drains
  FROM ends e LEFT JOIN grants g USING (capture_id, conn_id, channel, dir, handle)
  GROUP BY e.capture_id, e.conn_id, e.name
)
SELECT {CLIENT} AS key, coalesce(l.address, '') AS address, l.receives, count(*) AS links,
  coalesce(sum(l.flows), 0) AS flows, max(l.most_credit) AS most_credit, coalesce(sum(l.no_credit), 0) AS no_credit,
  coalesce(sum(l.drains), 0) AS drains, coalesce(sum(s.messages), 0) AS messages,
  coalesce(sum(s.octets), 0) AS octets, coalesce(sum(s.unsettled), 0) AS unsettled
FROM links l JOIN connections c ON c.capture_id = l.capture_id AND c.conn_id = l.conn_id
LEFT JOIN sent s ON s.capture_id = l.capture_id AND s.conn_id = l.conn_id AND s.link_name = l.name
  AND s.dir = CASE WHEN l.receives THEN 1 ELSE 0 END
GROUP BY key, address, l.receives ORDER BY messages DESC, links DESC, address, key LIMIT {_MOST_LINKS}
"""


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


def links(ask: Ask) -> tuple[Links, ...]:
    """Query the links of 1.0 by client and address: at most 500 rows, those with most messages first."""
    return tuple(Links(**row) for row in ask(_LINKS))
