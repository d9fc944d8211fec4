"""The rules across messages, connections and clients, in Spark's SQL over the tables of a lake.

Each query gives ``FLEET_COLUMNS``: a row for each finding, with the first frame it is about. What is counted by channel is
counted in one go over a table, and then asked in ``CASE``s.
"""

from __future__ import annotations

from collections.abc import Mapping

FLEET_COLUMNS = ("rule_id", "capture_id", "conn_id", "channel", "frame_no", "occurrences", "evidence")

_SECOND = 1_000_000_000
_MINUTE = 60 * _SECOND

# Whether nothing of a connection is missing: else what seems not to be there was perhaps not captured.
_WHOLE = """(c.start_mode = 'syn'
    AND coalesce(c.client_bytes_gap, 0) + coalesce(c.client_bytes_skipped, 0) = 0
    AND coalesce(c.server_bytes_gap, 0) + coalesce(c.server_bytes_skipped, 0) = 0)"""

_BY_CHANNEL = """
SELECT capture_id, conn_id, channel,
  bool_or(method = 'channel.open') AS is_opened,
  bool_or(method IN ('confirm.select', 'tx.select')) AS is_safe,
  bool_or(method = 'basic.qos' AND prefetch_count > 0) AS is_limited,
  count_if(method = 'basic.get') AS gets,
  count_if(method = 'basic.get-empty') AS empties,
  min(CASE WHEN method = 'basic.get' THEN frame_no END) AS first_get,
  count_if(method = 'basic.consume' AND no_ack) AS no_ack_consumers,
  min(CASE WHEN method = 'basic.consume' AND no_ack THEN frame_no END) AS first_no_ack,
  count_if(method = 'basic.consume' AND NOT no_ack) AS consumers,
  min(CASE WHEN method = 'basic.consume' AND NOT no_ack THEN frame_no END) AS first_consumer
FROM methods
WHERE method IN ('channel.open', 'confirm.select', 'tx.select', 'basic.qos', 'basic.get', 'basic.get-empty',
  'basic.consume')
GROUP BY capture_id, conn_id, channel
"""

_CHANNELS = f"""
SELECT rule_id, capture_id, conn_id, channel, frame_no, occurrences, evidence
FROM ({_BY_CHANNEL})
LATERAL VIEW inline(array(
  named_struct('rule_id', 'polling-with-get', 'frame_no', first_get,
    'occurrences', CASE WHEN gets > 100 AND 2 * empties > gets THEN gets ELSE 0 END,
    'evidence', concat(gets, ' basic.get, of which ', empties, ' came back empty')),
  named_struct('rule_id', 'no-ack-consumer', 'frame_no', first_no_ack, 'occurrences', no_ack_consumers,
    'evidence', 'basic.consume with no-ack=1'),
  named_struct('rule_id', 'prefetch-unlimited', 'frame_no', first_consumer,
    'occurrences', CASE WHEN is_opened AND NOT is_limited THEN consumers ELSE 0 END,
    'evidence', 'basic.consume with no-ack=0, and no prefetch-count on the channel')
)) AS rule_id, frame_no, occurrences, evidence
WHERE occurrences > 0
"""

# p95 of waiting times, in nanoseconds; null if there are less than 20.
_P95 = "CASE WHEN count({0}) >= 20 THEN percentile_approx({0}, 0.95, 1000) END"


def _first(condition: str) -> str:
    return f"min(CASE WHEN {condition} THEN frame_no END)"


_UNROUTABLE = "kind = 'return' AND reply_code = 312"
_UNSAFE = "kind = 'publish' AND delivery_mode = 2 AND confirm IS NULL"
_REFUSED = "kind = 'publish' AND confirm = 'nack'"
_MISSING = f"kind = 'publish' AND confirm = 'none' AND is_whole AND end_ns - m.first_ns > {10 * _SECOND}"
_LARGE = "body_size > 1048576"
_BACK = "kind IN ('deliver', 'get-ok') AND redelivered"
_CONFIRM_WAIT = "(CASE WHEN kind = 'publish' AND confirm IN ('ack', 'nack') THEN confirm_ns - m.last_ns END)"
_ACK_WAIT = "(CASE WHEN kind IN ('deliver', 'get-ok') AND settle <> 'none' THEN settle_ns - m.last_ns END)"

_MESSAGES_BY_CHANNEL = f"""
SELECT m.capture_id, m.conn_id, m.channel,
  count_if({_UNROUTABLE}) AS unroutable, {_first(_UNROUTABLE)} AS first_unroutable,
  min_by(concat('basic.return 312 of exchange ', chr(39), exchange, chr(39), ' and routing key ', chr(39),
    substr(routing_key, 1, 80), chr(39)), frame_no) FILTER (WHERE {_UNROUTABLE}) AS unroutable_text,
  count_if({_UNSAFE}) AS unsafe, {_first(_UNSAFE)} AS first_unsafe,
  count_if({_REFUSED}) AS refused, {_first(_REFUSED)} AS first_refused,
  count_if({_MISSING}) AS missing, {_first(_MISSING)} AS first_missing,
  count_if({_LARGE}) AS large, {_first(_LARGE)} AS first_large, max(body_size) AS largest,
  count_if({_BACK}) AS back, {_first(_BACK)} AS first_back,
  count_if(kind IN ('deliver', 'get-ok')) AS delivered,
  {_P95.format(_CONFIRM_WAIT)} AS confirm_p95, {_first(f"{_CONFIRM_WAIT} > {_SECOND}")} AS first_slow_confirm,
  {_P95.format(_ACK_WAIT)} AS ack_p95, {_first(f"{_ACK_WAIT} > {30 * _SECOND}")} AS first_slow_ack
FROM messages m
JOIN (SELECT capture_id, conn_id, end_ns, {_WHOLE} AS is_whole FROM connections c) k
  ON k.capture_id = m.capture_id AND k.conn_id = m.conn_id
WHERE m.source = 'wire'
GROUP BY m.capture_id, m.conn_id, m.channel
"""

_MESSAGES = f"""
SELECT rule_id, capture_id, conn_id, channel, frame_no, occurrences, evidence
FROM (
  SELECT g.*, coalesce(s.is_opened AND NOT s.is_safe, false) AS is_unsafe
  FROM ({_MESSAGES_BY_CHANNEL}) g
  LEFT JOIN ({_BY_CHANNEL}) s
    ON s.capture_id = g.capture_id AND s.conn_id = g.conn_id AND s.channel = g.channel
)
LATERAL VIEW inline(array(
  named_struct('rule_id', 'unroutable-publish', 'frame_no', first_unroutable, 'occurrences', unroutable,
    'evidence', unroutable_text),
  named_struct('rule_id', 'published-unconfirmed', 'frame_no', first_unsafe,
    'occurrences', CASE WHEN is_unsafe THEN unsafe ELSE 0 END,
    'evidence', 'basic.publish with delivery-mode 2, without confirm.select'),
  named_struct('rule_id', 'confirm-refused', 'frame_no', first_refused, 'occurrences', refused,
    'evidence', 'basic.nack from the server'),
  named_struct('rule_id', 'confirm-missing', 'frame_no', first_missing, 'occurrences', missing,
    'evidence', 'basic.publish, and neither basic.ack nor basic.nack'),
  named_struct('rule_id', 'large-message', 'frame_no', first_large, 'occurrences', large,
    'evidence', concat('a body of ', largest, ' octets')),
  named_struct('rule_id', 'requeue-loop', 'frame_no', first_back,
    'occurrences', CASE WHEN back > 100 AND 2 * back > delivered THEN back ELSE 0 END,
    'evidence', concat(back, ' of ', delivered, ' deliveries are redelivered')),
  named_struct('rule_id', 'slow-confirm', 'frame_no', first_slow_confirm,
    'occurrences', CASE WHEN confirm_p95 > {_SECOND} THEN 1L ELSE 0L END,
    'evidence', concat('confirms have a p95 of ', confirm_p95 DIV 1000000, ' ms')),
  named_struct('rule_id', 'slow-ack', 'frame_no', first_slow_ack,
    'occurrences', CASE WHEN ack_p95 > {30 * _SECOND} THEN 1L ELSE 0L END,
    'evidence', concat('acknowledgements have a p95 of ', ack_p95 DIV 1000000, ' ms'))
)) AS rule_id, frame_no, occurrences, evidence
WHERE occurrences > 0
"""

_EXCHANGES = f"""
SELECT rule_id, capture_id, conn_id, channel, frame_no, occurrences, evidence
FROM (
  SELECT e.capture_id, e.conn_id, e.channel,
    count_if(is_late) AS late, min(CASE WHEN is_late THEN request_frame_no END) AS first_late,
    min_by(name, request_frame_no) FILTER (WHERE is_late) AS late_name,
    count_if(is_turned) AS turned, min(CASE WHEN is_turned THEN reply_frame_no END) AS first_turned,
    min_by(reply_name, reply_frame_no) FILTER (WHERE is_turned) AS turned_name,
    {_P95.format("latency_ns")} AS p95, min(CASE WHEN latency_ns > {5 * _SECOND} THEN request_frame_no END) AS first_slow
  FROM (
    SELECT x.*,
      {_WHOLE} AND outcome = 'unanswered' AND c.end_ns - x.request_ns > {5 * _SECOND} AS is_late,
      {_WHOLE} AND outcome = 'out-of-order' AND x.request_frame_no IS NOT NULL AS is_turned
    FROM exchanges x JOIN connections c ON c.capture_id = x.capture_id AND c.conn_id = x.conn_id
  ) e
  GROUP BY e.capture_id, e.conn_id, e.channel
)
LATERAL VIEW inline(array(
  named_struct('rule_id', 'request-unanswered', 'frame_no', first_late, 'occurrences', late,
    'evidence', concat(late_name, ' without a reply')),
  named_struct('rule_id', 'reply-out-of-order', 'frame_no', first_turned, 'occurrences', turned,
    'evidence', concat(turned_name, ' before the reply to an earlier request')),
  named_struct('rule_id', 'slow-reply', 'frame_no', first_slow,
    'occurrences', CASE WHEN p95 > {5 * _SECOND} THEN 1L ELSE 0L END,
    'evidence', concat('replies have a p95 of ', p95 DIV 1000000, ' ms'))
)) AS rule_id, frame_no, occurrences, evidence
WHERE occurrences > 0
"""

# More than 100 of a kind within a minute on a connection: the 100 before are not older than that.
_CHURN = f"""
SELECT rule_id, capture_id, conn_id, CAST(NULL AS int) AS channel, min(frame_no) AS frame_no,
  count(*) AS occurrences, concat('more than 100 ', min(method), ' within a minute') AS evidence
FROM (
  SELECT *, ns - lag(ns, 100) OVER (PARTITION BY capture_id, conn_id, rule_id ORDER BY frame_no) AS within
  FROM (
    SELECT capture_id, conn_id, frame_no, ns, method,
      CASE method WHEN 'channel.close' THEN 'channel-churn' ELSE 'queue-churn' END AS rule_id
    FROM methods
    WHERE dir = 0 AND (method = 'channel.close' OR (method = 'queue.declare' AND NOT passive))
  )
)
WHERE within <= {_MINUTE}
GROUP BY rule_id, capture_id, conn_id
"""

_WHO = "capture_id, client_ip, product, version, `user`, vhost"

_CLIENTS = f"""
SELECT rule_id, capture_id, min_by(conn_id, start_ns) AS conn_id, CAST(NULL AS int) AS channel,
  CAST(NULL AS bigint) AS frame_no, count(*) AS occurrences, min(evidence) AS evidence
FROM (
  SELECT *, 'connection-churn' AS rule_id, 'more than 60 connections within a minute' AS evidence,
    start_ns - lag(start_ns, 60) OVER (PARTITION BY {_WHO} ORDER BY start_ns, conn_id) AS within
  FROM connections WHERE package IS NOT NULL
  UNION ALL
  SELECT *, 'reconnect-storm' AS rule_id,
    'more than 20 connections within a minute, each without a clean end' AS evidence,
    start_ns - lag(start_ns, 20) OVER (PARTITION BY {_WHO} ORDER BY start_ns, conn_id) AS within
  FROM connections
  WHERE package IS NOT NULL AND end_mode IN ('fin', 'rst') AND close_condition IS NULL
    AND (close_code IS NULL OR close_code >= 300)
    AND (package <> 'amqp_1_0' OR close_by IS NULL)
)
WHERE within <= {_MINUTE}
GROUP BY rule_id, {_WHO}
"""

_VERSIONS = """
SELECT 'client-versions-differ' AS rule_id, capture_id, min_by(conn_id, start_ns) AS conn_id,
  CAST(NULL AS int) AS channel, CAST(NULL AS bigint) AS frame_no, count(*) AS occurrences,
  concat(product, ' ', array_join(slice(sort_array(collect_set(version)), 1, 8), ', ')) AS evidence
FROM connections
WHERE product IS NOT NULL AND version IS NOT NULL
GROUP BY capture_id, product
HAVING count(DISTINCT version) > 1
"""

_IDLE = f"""
SELECT 'idle-connection' AS rule_id, c.capture_id, c.conn_id, CAST(NULL AS int) AS channel,
  CAST(NULL AS bigint) AS frame_no, 1L AS occurrences,
  concat('nothing on any channel in ', (c.end_ns - c.start_ns) DIV {_SECOND}, ' seconds') AS evidence
FROM connections c
LEFT ANTI JOIN (
  SELECT DISTINCT capture_id, conn_id FROM methods WHERE channel > 0 OR method IS NULL
  UNION
  SELECT DISTINCT capture_id, conn_id FROM performatives WHERE performative NOT IN ('open', 'close')
) u ON u.capture_id = c.capture_id AND u.conn_id = c.conn_id
WHERE c.package IS NOT NULL AND c.end_ns - c.start_ns > {_MINUTE} AND {_WHOLE}
"""


def _declared(rule: str, kind: str, settings: str) -> str:
    """Declarations of one thing that differ, with no deletion between them.

    What is exclusive or deleted by itself counts only as long as the connection that declared it is there.

    Args:
        rule: The rule.
        kind: ``queue`` or ``exchange``.
        settings: What is compared, as an expression.
    """
    return f"""
SELECT '{rule}' AS rule_id, capture_id, conn_id, channel, frame_no, 1L AS occurrences,
  concat('{kind} ', chr(39), substr(name, 1, 80), chr(39), ' with ', settings, ', before with ', before) AS evidence
FROM (
  SELECT *, lag(settings) OVER w AS before, lag(is_passing) OVER w AS was_passing, lag(end_ns) OVER w AS lived_until
  FROM (
    SELECT m.capture_id, m.conn_id, m.channel, m.frame_no, m.ns, m.{kind} AS name, c.server_ip, c.server_port, c.vhost,
      c.end_ns, CASE WHEN m.method = '{kind}.declare' THEN {settings} END AS settings,
      coalesce(m.exclusive, false) OR coalesce(m.auto_delete, false) AS is_passing
    FROM methods m JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id
    WHERE m.dir = 0 AND m.{kind} <> '' AND ((m.method = '{kind}.declare' AND NOT m.passive) OR m.method = '{kind}.delete')
  )
  WINDOW w AS (PARTITION BY capture_id, server_ip, server_port, vhost, name ORDER BY ns, conn_id, frame_no)
)
WHERE settings <> before AND (NOT was_passing OR lived_until >= ns)
"""


_QUEUE_SETTINGS = """concat('durable=', int(m.durable), ' exclusive=', int(m.exclusive), ' auto-delete=',
        int(m.auto_delete), ' arguments=', coalesce(to_json(m.arguments), '{}'))"""
_EXCHANGE_SETTINGS = """concat('type=', m.type, ' durable=', int(m.durable), ' auto-delete=',
        coalesce(int(m.auto_delete), 0), ' internal=', coalesce(int(m.internal), 0), ' arguments=',
        coalesce(to_json(m.arguments), '{}'))"""

# By what they go over.
QUERIES: Mapping[str, str] = {
    "channels": _CHANNELS,
    "messages": _MESSAGES,
    "exchanges": _EXCHANGES,
    "churn": _CHURN,
    "clients": _CLIENTS,
    "versions": _VERSIONS,
    "idle": _IDLE,
    "queues": _declared("queue-declared-differently", "queue", _QUEUE_SETTINGS),
    "exchange-declarations": _declared("exchange-declared-differently", "exchange", _EXCHANGE_SETTINGS),
}
