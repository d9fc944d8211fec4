"""Links of 1.0: who has them, to where, and how much credit there is for what is sent."""

from __future__ import annotations

from dataclasses import dataclass

from .gather import CLIENT, Ask

_MOST = 500

# A link is named by both ends; its credit comes from the receiver, on the handle of the end that speaks. The rows of
# the client's attach tell its role, and handles are those that it gave, or that the server gave for the same name.
_QUERY = f"""
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
GROUP BY key, address, l.receives ORDER BY messages DESC, links DESC, address, key LIMIT {_MOST}
"""


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a client to or from one address.

    Attributes:
        key: The client.
        address: Of the node; empty if it is not told.
        receives: Whether the client is the receiver.
        links: How many.
        flows: How often credit was given.
        most_credit: The most that was given at once; None if none was.
        no_credit: How often it was taken away.
        drains: How often the sender was asked to use it up.
        messages: Sent on them.
        octets: Of their bodies.
        unsettled: Messages that nobody settled later; those sent settled are among them.
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
    """At most 500, those with most messages first."""
    return tuple(Links(**row) for row in ask(_QUERY))
