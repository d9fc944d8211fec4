"""The rules across messages, connections and clients: SQL (of SQLite) over the facts of a capture, see ``facts``.

The check of a rule returns its query. The query selects ``FLEET_COLUMNS`` without the rule, with the first frame that a row
is about: a row for each different evidence. Rows about one connection and channel become one finding, except those of
``DECLARATIONS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...schemas import PACKAGES1
from ..rule import ERROR, INFO, WARNING, AuditRule, Told, declared_in
from .facts import SECOND, SLOW

FLEET_COLUMNS = ("rule_id", "conn_id", "channel", "frame_no", "occurrences", "evidence")

_MINUTE = 60 * SECOND

# True if no octets of a connection are missing; ``_WHOLE`` if its beginning is captured, too. Otherwise something that seems to be missing may only not be captured.
_COMPLETE = """(coalesce(c.client_bytes_gap, 0) + coalesce(c.client_bytes_skipped, 0) = 0
    AND coalesce(c.server_bytes_gap, 0) + coalesce(c.server_bytes_skipped, 0) = 0)"""
_WHOLE = f"(c.start_mode = 'syn' AND {_COMPLETE})"

# True if all that the client sent on a connection was captured, from where the capture of it begins.
_NO_GAP = "coalesce(c.client_bytes_gap, 0) + coalesce(c.client_bytes_skipped, 0) = 0"
_CLIENT_WHOLE = f"k.conn_id IN (SELECT c.conn_id FROM connections c WHERE {_NO_GAP})"

# True if a channel has none of these: replies without a request, and requests without a reply. Packets that were captured
# in another order than they were sent leave both.
_NONE = """NOT EXISTS (
    SELECT 1 FROM counted r WHERE r.conn_id = {0}.conn_id AND r.channel = {0}.channel AND r.what IN ({1}))"""

# The counts of all parts, added up.
COUNTED = """
CREATE TEMPORARY TABLE counted AS
SELECT conn_id, channel, what, sum(occurrences) AS occurrences, min(first) AS first, text
FROM counts
GROUP BY conn_id, channel, what, text
"""


def _of(what: str) -> str:
    return f"sum(CASE WHEN what = '{what}' THEN occurrences ELSE 0 END)"


BY_CHANNEL = f"""
CREATE TEMPORARY TABLE by_channel AS
SELECT conn_id, channel, {_of("opened")} > 0 AS is_opened, {_of("safe")} > 0 AS is_safe, {_of("limited")} > 0 AS is_limited,
  {_of("get")} AS gets, {_of("empty")} AS empties, {_of("delivered")} AS delivered, {_of("taken")} AS taken
FROM counted
GROUP BY conn_id, channel
"""

# --- How rules ask ---


def _counted(what: str, condition: str = "true", *, evidence: str) -> str:
    """Return a query for something that was counted by channel, where a condition holds."""
    return f"""
SELECT k.conn_id, k.channel, k.first AS frame_no, k.occurrences, {evidence} AS evidence
FROM counted k
JOIN by_channel b ON b.conn_id = k.conn_id AND b.channel = k.channel
WHERE k.what = '{what}' AND {condition}
"""


def _waited(what: str, told: str) -> str:
    """Return a query for channels with at least 20 waits whose p95 is long. Only long waits are known one by one."""
    return f"""
SELECT k.conn_id, k.channel, s.first AS frame_no, 1 AS occurrences,
  '{told} have a p95 of ' || (
    SELECT min(ms) FROM (
      SELECT w.ms, sum(sum(w.occurrences)) OVER (ORDER BY w.ms) AS up_to
      FROM waits w
      WHERE w.conn_id = k.conn_id AND w.channel = k.channel AND w.what = '{what}'
      GROUP BY w.ms
    )
    WHERE up_to >= (95 * k.occurrences + 99) / 100 - (k.occurrences - s.occurrences)
  ) || ' ms' AS evidence
FROM counted k JOIN counted s ON s.conn_id = k.conn_id AND s.channel = k.channel AND s.what = 'slow-{what}'
WHERE k.what = '{what}' AND k.occurrences >= 20
  AND k.occurrences - s.occurrences < (95 * k.occurrences + 99) / 100
"""


def _churn(method: str) -> str:
    """Return a query for more than 100 uses of a method within a minute on a connection."""
    return f"""
SELECT conn_id, NULL AS channel, min(frame_no) AS frame_no, count(*) AS occurrences,
  'more than 100 {method} within a minute' AS evidence
FROM (
  SELECT *, ns - lag(ns, 100) OVER (PARTITION BY conn_id ORDER BY frame_no) AS within
  FROM churn WHERE method = '{method}'
)
WHERE within <= {_MINUTE}
GROUP BY conn_id
"""


_WHO = "client_ip, product, version, user, vhost"


def _came_back(times: int, condition: str, evidence: str) -> str:
    """Return a query for clients with more than so many connections within a minute.

    With a single min(), SQLite takes the connection that began first.
    """
    return f"""
SELECT conn_id, NULL AS channel, NULL AS frame_no, occurrences, '{evidence}' AS evidence
FROM (
  SELECT conn_id, count(*) AS occurrences, min(start_ns)
  FROM (
    SELECT *, start_ns - lag(start_ns, {times}) OVER (PARTITION BY {_WHO} ORDER BY start_ns, conn_id) AS within
    FROM connections WHERE package IS NOT NULL AND {condition}
  )
  WHERE within <= {_MINUTE}
  GROUP BY {_WHO}
)
"""


def _declared(kind: str) -> str:
    """Return a query for declarations of one name that differ, with no deletion between them.

    An exclusive or auto-delete object counts only as long as the connection that declared it is open. Where the client's
    packets are missing on either connection, a deletion may be among them.
    """
    return f"""
SELECT conn_id, channel, frame_no, 1 AS occurrences,
  '{kind} ''' || substr(name, 1, 80) || ''' with ' || settings || ', before with ' || before AS evidence
FROM (
  SELECT d.*, lag(d.settings) OVER w AS before, lag(d.is_passing) OVER w AS was_passing, lag(c.end_ns) OVER w AS lived_until,
    {_NO_GAP} AND lag({_NO_GAP}) OVER w AS is_whole
  FROM declarations d JOIN connections c ON c.conn_id = d.conn_id
  WHERE d.kind = '{kind}'
  WINDOW w AS (PARTITION BY c.server_ip, c.server_port, c.vhost, d.name ORDER BY d.ns, d.conn_id, d.frame_no)
)
WHERE settings <> before AND is_whole AND (NOT was_passing OR lived_until >= ns)
"""


# --- The rules ---

_topology = partial(AuditRule, category="topology")
_publishing = partial(AuditRule, category="publishing")
_consuming = partial(AuditRule, category="consuming")
_clients = partial(AuditRule, category="clients")


@AuditRule(
    "request-unanswered",
    WARNING,
    category="life",
    source="0-9-1 2.1.2, synchronous methods",
    example="queue.declare, then nothing",
)
def request_unanswered() -> Told:
    """A request that was not answered within 5 seconds, nor before the connection ended."""
    return f"""
SELECT x.conn_id, x.channel, min(x.request_frame_no) AS frame_no, count(*) AS occurrences,
  x.name || ' without a reply' AS evidence
FROM unanswered x JOIN connections c ON c.conn_id = x.conn_id
WHERE {_WHOLE} AND c.end_ns - x.request_ns > {5 * SECOND} AND {_NONE.format("x", "'unasked'")}
GROUP BY x.conn_id, x.channel, x.name
"""


@_topology(
    "queue-declared-differently",
    WARNING,
    source="queue.declare.passive/equivalent",
    example="durable=1 by one client, durable=0 by another",
)
def queue_declared_differently() -> Told:
    """A queue that is declared with different settings: the second declaration is refused."""
    return _declared("queue")


@_topology(
    "exchange-declared-differently",
    WARNING,
    source="exchange.declare.passive/equivalent",
    example="type 'topic' by one client, 'direct' by another",
)
def exchange_declared_differently() -> Told:
    """An exchange that is declared with different settings: the second declaration is refused."""
    return _declared("exchange")


@_topology("queue-churn", INFO, source="RabbitMQ: high churn scenarios", example="a queue for each request")
def queue_churn() -> Told:
    """A connection that declares more than 100 queues in a minute."""
    return _churn("queue.declare")


@_publishing(
    "unroutable-publish",
    WARNING,
    source="basic.return.reply-code, constant no-route",
    example="basic.return 312 NO_ROUTE",
)
def unroutable_publish() -> Told:
    """Messages that were returned because they were routed to no queue."""
    return _counted("unroutable", evidence="k.text")


@_publishing(
    "published-unconfirmed",
    INFO,
    source="RabbitMQ: publisher confirms",
    example="delivery-mode 2 without confirm.select",
)
def published_unconfirmed() -> Told:
    """Persistent messages on a channel without confirms or transactions: the publisher cannot know whether they arrived."""
    evidence = "'basic.publish with delivery-mode 2, without confirm.select'"
    return _counted("unsafe", f"b.is_opened AND NOT b.is_safe AND {_CLIENT_WHOLE}", evidence=evidence)


@_publishing(
    "confirm-missing",
    WARNING,
    source="RabbitMQ: publisher confirms",
    example="confirm.select, basic.publish, and no basic.ack",
)
def confirm_missing() -> Told:
    """Messages that were not confirmed within 10 seconds, nor before the connection ended."""
    return f"""
SELECT m.conn_id, m.channel, min(m.frame_no) AS frame_no, count(*) AS occurrences,
  'basic.publish, and neither basic.ack nor basic.nack' AS evidence
FROM unconfirmed m JOIN connections c ON c.conn_id = m.conn_id
WHERE {_WHOLE} AND c.end_ns - m.first_ns > {10 * SECOND}
GROUP BY m.conn_id, m.channel
"""


@_publishing("confirm-refused", WARNING, source="basic.nack", example="basic.nack from the server")
def confirm_refused() -> Told:
    """Messages that the server refused with basic.nack."""
    return _counted("refused", evidence="'basic.nack from the server'")


@_publishing("slow-confirm", WARNING, source="RabbitMQ: publisher confirms", example="p95 of 3 seconds")
def slow_confirm() -> Told:
    """Confirms with a p95 of more than a second, if there are at least 20."""
    return _waited("confirm", "confirms")


@_publishing(
    "transient-message",
    INFO,
    source="basic.properties.delivery-mode, queue.declare.durable/persistence",
    example="delivery-mode 1 to a queue declared with durable=1",
)
def transient_message() -> Told:
    """Messages without delivery-mode 2 in a durable queue: the queue survives a restart of the broker, and they do not."""
    return " UNION ALL ".join(f"""
SELECT k.conn_id, k.channel, k.first AS frame_no, k.occurrences,
  '{verb} the durable queue ''' || substr(k.text, 1, 80) || ''' without delivery-mode 2' AS evidence
FROM counted k JOIN connections c ON c.conn_id = k.conn_id
WHERE k.what = '{what}' AND {_declares("durable=1 exclusive=0 auto-delete=0")} AND NOT {_declares("durable=0")}
""" for what, verb in (("transient", "basic.publish to"), ("transient-taken", "messages from")))


def _declares(settings: str) -> str:
    """Return a condition: the queue ``k.text`` is declared with these settings on the broker and virtual host of ``c``."""
    return f"""EXISTS (
    SELECT 1 FROM declarations d JOIN connections o ON o.conn_id = d.conn_id
    WHERE d.kind = 'queue' AND d.name = k.text AND d.settings LIKE '{settings}%' AND o.vhost IS c.vhost
      AND o.server_ip = c.server_ip AND o.server_port = c.server_port)"""


@_publishing("large-message", INFO, source="RabbitMQ: max_message_size", example="a body of 5,000,000 octets")
def large_message() -> Told:
    """Messages of more than 1 MiB, which delay the others on their connection."""
    most = "(SELECT max(s.most) FROM sizes s WHERE s.conn_id = k.conn_id AND s.channel = k.channel)"
    return _counted("large", evidence=f"'a body of ' || {most} || ' octets'")


@_consuming("polling-with-get", WARNING, source="basic.get", example="basic.get ten times a second")
def polling_with_get() -> Told:
    """A channel with more than 100 basic.get, more than half of which returned no message."""
    evidence = "b.gets || ' basic.get, of which ' || b.empties || ' came back empty'"
    return _counted("get", "b.gets > 100 AND 2 * b.empties > b.gets", evidence=evidence)


@_consuming(
    "prefetch-unlimited", INFO, source="basic.qos.prefetch-count", example="basic.consume without basic.qos"
)
def prefetch_unlimited() -> Told:
    """A consumer with acknowledgements on a channel without basic.qos: the server sends every message it has."""
    evidence = "'basic.consume with no-ack=0, and no prefetch-count on the channel'"
    return _counted("consume", f"b.is_opened AND NOT b.is_limited AND {_CLIENT_WHOLE}", evidence=evidence)


@_consuming("no-ack-consumer", INFO, source="basic.consume.no-ack", example="basic.consume no-ack=1")
def no_ack_consumer() -> Told:
    """A consumer without acknowledgements: messages that it does not finish processing are lost."""
    return _counted("no-ack", evidence="'basic.consume with no-ack=1'")


@_consuming("slow-ack", INFO, source="basic.ack", example="p95 of 2 minutes")
def slow_ack() -> Told:
    """Acknowledgements with a p95 of more than 30 seconds, if there are at least 20."""
    return _waited("ack", "acknowledgements")


@_consuming(
    "requeue-loop",
    WARNING,
    source="basic.deliver.redelivered, basic.reject.requeue",
    example="basic.nack requeue=1 of each delivery",
)
def requeue_loop() -> Told:
    """A channel with more than 100 redeliveries, which are more than half of all deliveries: messages are requeued again and again."""
    evidence = "k.occurrences || ' of ' || b.delivered || ' deliveries are redelivered'"
    return _counted("back", "k.occurrences > 100 AND 2 * k.occurrences > b.delivered", evidence=evidence)


@AuditRule(
    "release-loop",
    WARNING,
    category="1.0",
    source="1.0 3.4.4, 3.4.5",
    example="a disposition with released for each delivery of the same message",
)
def release_loop() -> Told:
    """A session whose client released or modified more than 100 deliveries, which are more than half of all: messages return to their queue again and again."""
    evidence = "k.occurrences || ' of ' || b.taken || ' deliveries are released or modified'"
    return _counted("given-back", "k.occurrences > 100 AND 2 * k.occurrences > b.taken", evidence=evidence)


@_clients(
    "reconnect-storm",
    WARNING,
    source="RabbitMQ: high churn scenarios",
    example="a connection every second that ends in RST",
)
def reconnect_storm() -> Told:
    """A client that reconnected more than 20 times in a minute, each time without a clean end."""
    is_unclean = f"""end_mode IN ('fin', 'rst') AND close_condition IS NULL
  AND (close_code IS NULL OR close_code >= 300) AND (package NOT IN {PACKAGES1} OR close_by IS NULL)"""
    return _came_back(20, is_unclean, "more than 20 connections within a minute, each without a clean end")


@_clients(
    "connection-churn", INFO, source="RabbitMQ: high churn scenarios", example="a connection for each message"
)
def connection_churn() -> Told:
    """A client that opened more than 60 connections in a minute."""
    return _came_back(60, "true", "more than 60 connections within a minute")


@_clients(
    "channel-churn", WARNING, source="RabbitMQ: high churn scenarios", example="a channel for each message"
)
def channel_churn() -> Told:
    """A connection that opened more than 100 channels in a minute."""
    return _churn("channel.close")


@_clients(
    "channel-leak",
    WARNING,
    source="RabbitMQ: channel leaks",
    example="a channel for each message, never closed",
)
def channel_leak() -> Told:
    """A connection with more than 20 channels that were opened over more than a minute, have no consumer, and were not used in the last minute: they are not closed after use."""
    return f"""
SELECT x.conn_id, NULL AS channel, min(x.opened_by) AS frame_no, count(*) AS occurrences,
  count(*) || ' open channels without a consumer, not used for more than a minute' AS evidence
FROM (
  SELECT h.conn_id, max(h.opened_ns) AS opened_ns, max(h.opened_by) AS opened_by, max(h.closed_ns) AS closed_ns,
    max(h.consumed_ns) AS consumed_ns, max(h.used_ns) AS used_ns
  FROM channels h GROUP BY h.conn_id, h.channel
) x JOIN connections c ON c.conn_id = x.conn_id
WHERE {_COMPLETE} AND c.end_ns - x.used_ns > {_MINUTE}
  AND coalesce(x.closed_ns, 0) < x.opened_ns AND coalesce(x.consumed_ns, 0) < x.opened_ns
GROUP BY x.conn_id
HAVING count(*) > 20 AND max(x.opened_ns) - min(x.opened_ns) > {_MINUTE}
"""


@_clients(
    "idle-connection", INFO, source="RabbitMQ: connections", example="a pool that is larger than needed"
)
def idle_connection() -> Told:
    """A connection of more than a minute that carried only heartbeats."""
    return f"""
SELECT c.conn_id, NULL AS channel, NULL AS frame_no, 1 AS occurrences,
  'nothing on any channel in ' || ((c.end_ns - c.start_ns) / {SECOND}) || ' seconds' AS evidence
FROM connections c
WHERE c.package IS NOT NULL AND c.end_ns - c.start_ns > {_MINUTE} AND {_WHOLE}
  AND c.conn_id NOT IN (SELECT conn_id FROM used)
"""


@_clients(
    "client-versions-differ",
    INFO,
    source="connection.start-ok.client-properties",
    example="pika 1.2.0 and pika 1.3.2",
)
def client_versions_differ() -> Told:
    """A client library that is in use in several versions."""
    return """
SELECT (
    SELECT d.conn_id FROM connections d
    WHERE d.product = c.product AND d.version IS NOT NULL ORDER BY d.start_ns, d.conn_id LIMIT 1
  ) AS conn_id,
  NULL AS channel, NULL AS frame_no, count(*) AS occurrences,
  product || ' ' || (
    SELECT group_concat(version, ', ') FROM (
      SELECT DISTINCT d.version FROM connections d
      WHERE d.product = c.product AND d.version IS NOT NULL ORDER BY d.version LIMIT 8
    )
  ) AS evidence
FROM connections c
WHERE product IS NOT NULL AND version IS NOT NULL
GROUP BY product
HAVING count(DISTINCT version) > 1
"""


@_clients(
    "slow-reply",
    INFO,
    source="0-9-1 2.1.2, synchronous methods",
    example="queue.declare with a p95 of 8 seconds",
)
def slow_reply() -> Told:
    """Replies with a p95 of more than 5 seconds, if there are at least 20."""
    return _waited("reply", "replies")


@_clients(
    "reply-out-of-order",
    ERROR,
    source="0-9-1 2.1.2, synchronous methods",
    example="queue.declare, queue.bind, queue.bind-ok, queue.declare-ok",
)
def reply_out_of_order() -> Told:
    """A reply that comes before the reply to an earlier request on the same channel."""
    return f"""
SELECT k.conn_id, k.channel, k.first AS frame_no, k.occurrences,
  k.text || ' before the reply to an earlier request' AS evidence
FROM counted k JOIN connections c ON c.conn_id = k.conn_id
WHERE k.what = 'turned' AND k.channel > 0 AND {_WHOLE} AND {_NONE.format("k", "'unasked', 'unanswered'")}
"""


# Each row of these is a finding of its own: it is about a queue or an exchange.
DECLARATIONS = frozenset((queue_declared_differently.id, exchange_declared_differently.id))

# The rules and their queries, by id.
FLEET_RULES: Mapping[str, AuditRule] = {rule.id: rule for rule in declared_in(globals())}
QUERIES: Mapping[str, str] = {rule_id: str(rule.check()) for rule_id, rule in FLEET_RULES.items()}
assert set(SLOW) == {"confirm", "ack", "reply"}
