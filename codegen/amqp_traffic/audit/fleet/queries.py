"""The rules across messages, connections and clients, in SQL (of SQLite) over what ``fleet_facts`` found in a capture.

Each query gives ``FLEET_COLUMNS``: a row for each finding, with the first frame it is about.
"""

from __future__ import annotations

from collections.abc import Mapping

from .facts import SECOND, SLOW

FLEET_COLUMNS = ("rule_id", "conn_id", "channel", "frame_no", "occurrences", "evidence")

_MINUTE = 60 * SECOND

# Whether nothing of a connection is missing: else what seems not to be there was perhaps not captured.
_WHOLE = """(c.start_mode = 'syn'
    AND coalesce(c.client_bytes_gap, 0) + coalesce(c.client_bytes_skipped, 0) = 0
    AND coalesce(c.server_bytes_gap, 0) + coalesce(c.server_bytes_skipped, 0) = 0)"""

# Whether none of these is on a channel: replies without a request, and requests without a reply. Packets that were captured
# in another order than they were sent leave both.
_NONE = """NOT EXISTS (
    SELECT 1 FROM counted r WHERE r.conn_id = {0}.conn_id AND r.channel = {0}.channel AND r.what IN ({1}))"""

# What is counted in parts, put together. With one min(), SQLite takes the other columns from the row that has it.
COUNTED = """
CREATE TEMPORARY TABLE counted AS
SELECT conn_id, channel, what, sum(occurrences) AS occurrences, min(first) AS first, text
FROM counts
GROUP BY conn_id, channel, what
"""


def _of(what: str) -> str:
    return f"sum(CASE WHEN what = '{what}' THEN occurrences ELSE 0 END)"


BY_CHANNEL = f"""
CREATE TEMPORARY TABLE by_channel AS
SELECT conn_id, channel, {_of("opened")} > 0 AS is_opened, {_of("safe")} > 0 AS is_safe, {_of("limited")} > 0 AS is_limited,
  {_of("get")} AS gets, {_of("empty")} AS empties, {_of("delivered")} AS delivered
FROM counted
GROUP BY conn_id, channel
"""

_COUNTED = """
SELECT CASE k.what WHEN 'unroutable' THEN 'unroutable-publish' WHEN 'unsafe' THEN 'published-unconfirmed'
    WHEN 'refused' THEN 'confirm-refused' WHEN 'large' THEN 'large-message' WHEN 'back' THEN 'requeue-loop'
    WHEN 'get' THEN 'polling-with-get' WHEN 'no-ack' THEN 'no-ack-consumer' ELSE 'prefetch-unlimited' END AS rule_id,
  k.conn_id, k.channel, k.first AS frame_no, k.occurrences,
  CASE k.what WHEN 'unroutable' THEN k.text
    WHEN 'unsafe' THEN 'basic.publish with delivery-mode 2, without confirm.select'
    WHEN 'refused' THEN 'basic.nack from the server'
    WHEN 'large' THEN 'a body of ' || s.most || ' octets'
    WHEN 'back' THEN k.occurrences || ' of ' || b.delivered || ' deliveries are redelivered'
    WHEN 'get' THEN b.gets || ' basic.get, of which ' || b.empties || ' came back empty'
    WHEN 'no-ack' THEN 'basic.consume with no-ack=1'
    ELSE 'basic.consume with no-ack=0, and no prefetch-count on the channel' END AS evidence
FROM counted k
JOIN by_channel b ON b.conn_id = k.conn_id AND b.channel = k.channel
LEFT JOIN (SELECT conn_id, channel, max(most) AS most FROM sizes GROUP BY conn_id, channel) s
  ON s.conn_id = k.conn_id AND s.channel = k.channel
WHERE CASE k.what WHEN 'unroutable' THEN 1 WHEN 'refused' THEN 1 WHEN 'large' THEN 1 WHEN 'no-ack' THEN 1
  WHEN 'unsafe' THEN b.is_opened AND NOT b.is_safe
  WHEN 'back' THEN k.occurrences > 100 AND 2 * k.occurrences > b.delivered
  WHEN 'get' THEN b.gets > 100 AND 2 * b.empties > b.gets
  WHEN 'consume' THEN b.is_opened AND NOT b.is_limited
  ELSE 0 END
"""

_TURNED = f"""
SELECT 'reply-out-of-order' AS rule_id, k.conn_id, k.channel, k.first AS frame_no, k.occurrences,
  k.text || ' before the reply to an earlier request' AS evidence
FROM counted k JOIN connections c ON c.conn_id = k.conn_id
WHERE k.what = 'turned' AND k.channel > 0 AND {_WHOLE} AND {_NONE.format("k", "'unasked', 'unanswered'")}
"""

_UNCONFIRMED = f"""
SELECT 'confirm-missing' AS rule_id, m.conn_id, m.channel, min(m.frame_no) AS frame_no, count(*) AS occurrences,
  'basic.publish, and neither basic.ack nor basic.nack' AS evidence
FROM unconfirmed m JOIN connections c ON c.conn_id = m.conn_id
WHERE {_WHOLE} AND c.end_ns - m.first_ns > {10 * SECOND}
GROUP BY m.conn_id, m.channel
"""

_UNANSWERED = f"""
SELECT 'request-unanswered' AS rule_id, x.conn_id, x.channel, min(x.request_frame_no) AS frame_no,
  count(*) AS occurrences, x.name || ' without a reply' AS evidence
FROM unanswered x JOIN connections c ON c.conn_id = x.conn_id
WHERE {_WHOLE} AND c.end_ns - x.request_ns > {5 * SECOND} AND {_NONE.format("x", "'unasked'")}
GROUP BY x.conn_id, x.channel
"""


def _waited(rule: str, what: str, told: str) -> str:
    """The p95 of at least 20 times to wait is long. Only those that are long are known one by one."""
    return f"""
SELECT '{rule}' AS rule_id, k.conn_id, k.channel, s.first AS frame_no, 1 AS occurrences,
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


# More than 100 of a kind within a minute on a connection: the 100 before are not older than that.
_CHURN = f"""
SELECT CASE method WHEN 'channel.close' THEN 'channel-churn' ELSE 'queue-churn' END AS rule_id, conn_id,
  NULL AS channel, min(frame_no) AS frame_no, count(*) AS occurrences,
  'more than 100 ' || method || ' within a minute' AS evidence
FROM (
  SELECT *, ns - lag(ns, 100) OVER (PARTITION BY conn_id, method ORDER BY frame_no) AS within
  FROM churn
)
WHERE within <= {_MINUTE}
GROUP BY method, conn_id
"""

_WHO = "client_ip, product, version, user, vhost"

# By what they do; with one min() the connection is that which began first.
_CLIENTS = f"""
SELECT rule_id, conn_id, NULL AS channel, NULL AS frame_no, occurrences, evidence
FROM (
  SELECT rule_id, conn_id, count(*) AS occurrences, evidence, min(start_ns)
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
)
"""

_VERSIONS = """
SELECT 'client-versions-differ' AS rule_id, (
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

_IDLE = f"""
SELECT 'idle-connection' AS rule_id, c.conn_id, NULL AS channel, NULL AS frame_no, 1 AS occurrences,
  'nothing on any channel in ' || ((c.end_ns - c.start_ns) / {SECOND}) || ' seconds' AS evidence
FROM connections c
WHERE c.package IS NOT NULL AND c.end_ns - c.start_ns > {_MINUTE} AND {_WHOLE}
  AND c.conn_id NOT IN (SELECT conn_id FROM used)
"""

# Declarations of one thing that differ, with no deletion between them. What is exclusive or deleted by itself counts only
# as long as the connection that declared it is there.
_DECLARED = """
SELECT kind || '-declared-differently' AS rule_id, conn_id, channel, frame_no, 1 AS occurrences,
  kind || ' ''' || substr(name, 1, 80) || ''' with ' || settings || ', before with ' || before AS evidence
FROM (
  SELECT d.*, lag(d.settings) OVER w AS before, lag(d.is_passing) OVER w AS was_passing, lag(c.end_ns) OVER w AS lived_until
  FROM declarations d JOIN connections c ON c.conn_id = d.conn_id
  WINDOW w AS (PARTITION BY d.kind, c.server_ip, c.server_port, c.vhost, d.name ORDER BY d.ns, d.conn_id, d.frame_no)
)
WHERE settings <> before AND (NOT was_passing OR lived_until >= ns)
"""

# By what they go over.
QUERIES: Mapping[str, str] = {
    "channels": _COUNTED,
    "replies": _TURNED,
    "unconfirmed": _UNCONFIRMED,
    "unanswered": _UNANSWERED,
    "confirms": _waited("slow-confirm", "confirm", "confirms"),
    "acks": _waited("slow-ack", "ack", "acknowledgements"),
    "requests": _waited("slow-reply", "reply", "replies"),
    "churn": _CHURN,
    "clients": _CLIENTS,
    "versions": _VERSIONS,
    "idle": _IDLE,
    "declarations": _DECLARED,
}
assert set(SLOW) == {"confirm", "ack", "reply"}
