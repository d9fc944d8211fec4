"""Views that answer common questions about traffic: name, columns, query, purpose. See docs/traffic-questions.md."""

from __future__ import annotations

from ..schemas import PACKAGES1
from .deprecated_uses import USES, Use

# The client, in every view.
_CLIENT = "c.product, c.version, c.`user`, c.vhost, c.client_ip, c.connection_name"
_CLIENT_COLUMNS = "product version user vhost client_ip connection_name"


def _use(use: Use) -> str:
    """Return a use as a struct of SQL."""
    rabbitmq_4 = f"'{use.rabbitmq_4}'" if use.rabbitmq_4 else "CAST(NULL AS string)"
    return (
        f"named_struct('feature', '{use.rule_id}', 'rabbitmq_4', {rabbitmq_4}, "
        f"'is_used', coalesce({use.sql}, false), 'what', {use.what})"
    )


_USES_OF_METHODS = ",\n    ".join(map(_use, USES))
_METHODS = ", ".join(f"'{name}'" for name in sorted({name for use in USES for name in use.methods}))

# Class access (30) is decoded into ``methods`` only for versions that have it, which 0-9-1 does not.
_USES = f"""
SELECT capture_id, conn_id, frame_no, {_CLIENT}, u.feature, u.rabbitmq_4, u.what
FROM (
  SELECT m.capture_id, m.conn_id, m.frame_no, explode(filter(array(
    {_USES_OF_METHODS}
  ), each -> each.is_used)) AS u
  FROM methods m
  WHERE m.dir = 0 AND m.method IN ({_METHODS})
  UNION ALL
  SELECT capture_id, conn_id, frame_no, named_struct('feature', 'access-request', 'rabbitmq_4', CAST(NULL AS string),
    'is_used', true, 'what', coalesce(name, 'access.request'))
  FROM frames WHERE dir = 0 AND type = 1 AND class_id = 30 AND method_id IS NOT NULL
  UNION ALL
  SELECT capture_id, conn_id, CAST(NULL AS bigint), named_struct('feature', 'frame-max-below-8192',
    'rabbitmq_4', 'refused from 4.1 on', 'is_used', true, 'what', concat('frame-max ', client_frame_max))
  FROM connections WHERE client_frame_max BETWEEN 1 AND 8191 AND package NOT IN {PACKAGES1}
  UNION ALL
  SELECT capture_id, conn_id, frame_no, named_struct('feature', 'message-above-16-mib',
    'rabbitmq_4', 'refused unless told otherwise', 'is_used', true, 'what', concat(body_size, ' octets'))
  FROM messages WHERE kind IN ('publish', 'transfer') AND dir = 0 AND body_size > 16777216
  UNION ALL
  SELECT capture_id, conn_id, frame_no, named_struct('feature', 'x-death-published',
    'rabbitmq_4', 'ignored', 'is_used', true, 'what', exchange)
  FROM messages WHERE kind = 'publish' AND dir = 0 AND variant_get(headers, '$["x-death"]', 'string') IS NOT NULL
  UNION ALL
  SELECT capture_id, conn_id, frame_no, named_struct('feature', 'address-of-version-1',
    'rabbitmq_4', 'denied from 4.3 on', 'is_used', true, 'what', address)
  FROM (
    SELECT *, variant_get(CASE WHEN `role` THEN source ELSE target END, '$.address', 'string') AS address
    FROM performatives WHERE performative = 'attach' AND dir = 0
  )
  WHERE address <> '' AND NOT startswith(address, '/queues/') AND NOT startswith(address, '/exchanges/')
    AND NOT startswith(address, '/management')
) JOIN connections c USING (capture_id, conn_id)
"""

_PUBLISHED = f"""
SELECT m.capture_id, m.conn_id, m.frame_no, m.channel, m.first_ts, {_CLIENT}, c.client_frame_max AS frame_max,
  m.exchange, m.routing_key, m.address, coalesce(m.delivery_mode = 2, m.durable, false) AS is_durable, m.body_size,
  m.body_frames, CASE WHEN m.kind = 'publish' THEN m.confirm WHEN m.settle_ns IS NOT NULL THEN m.state END AS answer,
  CASE WHEN m.kind = 'publish' THEN m.confirm_ns ELSE m.settle_ns END - m.last_ns AS wait_ns
FROM messages m JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id
WHERE m.dir = 0 AND m.kind IN ('publish', 'transfer')
"""

_DELIVERED = f"""
SELECT m.capture_id, m.conn_id, m.frame_no, m.channel, m.first_ts, {_CLIENT}, m.kind,
  coalesce(m.queue_inferred, m.address) AS queue, m.exchange, m.routing_key, m.consumer_tag, m.body_size,
  coalesce(m.redelivered, m.delivery_count > 0, false) AS is_redelivered, coalesce(m.no_ack, false) AS is_no_ack,
  CASE WHEN m.kind = 'transfer' THEN m.state ELSE m.settle END AS answer, m.settle_ns - m.last_ns AS wait_ns
FROM messages m JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id
WHERE m.dir = 1 AND m.kind IN ('deliver', 'get-ok', 'transfer')
"""

_HEADERS = f"""
SELECT {_CLIENT}, m.kind, m.exchange, m.routing_key, m.address, h.key AS header,
  regexp_extract(schema_of_variant(h.value), '^[A-Z]+', 0) AS type, h.value
FROM messages m JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id,
LATERAL variant_explode(m.headers) h
"""

_DECLARATIONS = f"""
SELECT m.capture_id, m.conn_id, m.frame_no, m.ns, {_CLIENT}, substring_index(m.method, '.', 1) AS kind,
  CASE m.method WHEN 'queue.declare' THEN m.queue ELSE m.exchange END AS name,
  concat(CASE m.method WHEN 'exchange.declare' THEN concat('type=', m.type, ' ') ELSE '' END,
    'durable=', int(m.durable), CASE WHEN m.exclusive THEN ' exclusive=1' ELSE '' END,
    CASE WHEN m.auto_delete THEN ' auto-delete=1' ELSE '' END, CASE WHEN m.internal THEN ' internal=1' ELSE '' END,
    CASE WHEN coalesce(to_json(m.arguments), '{{}}') = '{{}}' THEN '' ELSE concat(' ', to_json(m.arguments)) END) AS settings
FROM methods m JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id
WHERE m.dir = 0 AND m.method IN ('queue.declare', 'exchange.declare') AND NOT m.passive
"""

# Link names are unique in each direction (1.0 2.6.1); each side has a handle for the link. The receiver grants credit up to a
# delivery count (1.0 2.6.7). The window for later rows is in descending order: in ascending order Spark would scan all later
# rows again for each row.
_OF_LINK = "capture_id, conn_id, link_name, sender"
_LINKS = f"""
WITH ends AS (
  SELECT capture_id, conn_id, channel, dir, handle, any_value(name) AS link_name, any_value(`role`) AS is_receiver,
    any_value(CASE WHEN `role` THEN 1 - dir ELSE dir END) AS sender, max(initial_delivery_count) AS initial,
    any_value(variant_get(source, '$.address', 'string')) AS origin,
    any_value(variant_get(target, '$.address', 'string')) AS destination
  FROM performatives WHERE performative = 'attach' AND handle IS NOT NULL AND name IS NOT NULL AND `role` IS NOT NULL
  GROUP BY capture_id, conn_id, channel, dir, handle
), both AS (
  SELECT {_OF_LINK}, coalesce(max(initial), 0) AS initial,
    CASE sender WHEN 0 THEN coalesce(max(destination), max(origin)) ELSE coalesce(max(origin), max(destination)) END AS address
  FROM ends GROUP BY {_OF_LINK}
), happened AS (
  SELECT capture_id, conn_id, e.link_name, e.sender, f.ns, f.frame_no, f.link_credit AS credit,
    f.link_credit + f.delivery_count AS up_to
  FROM performatives f JOIN ends e USING (capture_id, conn_id, channel, dir, handle)
  WHERE f.performative = 'flow' AND f.link_credit IS NOT NULL AND e.is_receiver
  UNION ALL
  SELECT capture_id, conn_id, link_name, CAST(dir AS int), last_ns, frame_no, CAST(NULL AS bigint), CAST(NULL AS bigint)
  FROM messages WHERE kind = 'transfer' AND link_name IS NOT NULL
), counted AS (
  SELECT {_OF_LINK}, ns, credit, initial + count_if(credit IS NULL) OVER w AS sent,
    last_value(CASE WHEN credit IS NOT NULL THEN coalesce(up_to, initial + credit) END, true) OVER w AS allowed,
    min(CASE WHEN credit > 0 THEN ns END) OVER w_after AS next_credit_ns
  FROM happened JOIN both USING ({_OF_LINK})
  WINDOW w AS (PARTITION BY {_OF_LINK} ORDER BY frame_no ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
    w_after AS (PARTITION BY {_OF_LINK} ORDER BY frame_no DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), added AS (
  SELECT {_OF_LINK}, count_if(credit IS NOT NULL) AS flows, max(credit) AS most_credit,
    count_if(credit IS NULL) AS messages, count_if(credit IS NULL AND sent = allowed) AS ran_out,
    sum(CASE WHEN credit IS NULL AND sent = allowed THEN next_credit_ns - ns END) AS without_credit_ns
  FROM counted GROUP BY {_OF_LINK}
)
SELECT capture_id, conn_id, {_CLIENT}, link_name, CASE sender WHEN 0 THEN 'sends' ELSE 'receives' END AS client_role,
  address, coalesce(flows, 0) AS flows, most_credit, coalesce(messages, 0) AS messages, coalesce(ran_out, 0) AS ran_out,
  without_credit_ns
FROM both LEFT JOIN added USING ({_OF_LINK}) JOIN connections c USING (capture_id, conn_id)
"""

_ABOUT_MESSAGES = f"capture_id conn_id frame_no channel first_ts {_CLIENT_COLUMNS}"

QUESTION_VIEWS: tuple[tuple[str, str, str, str], ...] = (
    (
        "v_uses",
        f"capture_id conn_id frame_no {_CLIENT_COLUMNS} feature rabbitmq_4 what",
        _USES,
        "Every use of what is deprecated or refused, as the audit calls it, and what RabbitMQ 4 does about it; null if it takes it",
    ),
    (
        "v_published",
        f"{_ABOUT_MESSAGES} frame_max exchange routing_key address is_durable body_size body_frames answer wait_ns",
        _PUBLISHED,
        "Every message from a client, the answer to it (a confirm, or an outcome of 1.0), and how long that took",
    ),
    (
        "v_delivered",
        f"{_ABOUT_MESSAGES} kind queue exchange routing_key consumer_tag body_size is_redelivered is_no_ack answer wait_ns",
        _DELIVERED,
        "Every message to a client, its queue, the answer (`ack`, `reject`, an outcome of 1.0 ...), and how long that took",
    ),
    (
        "v_headers",
        f"{_CLIENT_COLUMNS} kind exchange routing_key address header type value",
        _HEADERS,
        "Every header of every message, and its type",
    ),
    (
        "v_declarations",
        f"capture_id conn_id frame_no ns {_CLIENT_COLUMNS} kind name settings",
        _DECLARATIONS,
        "Every declaration of a queue or an exchange, its settings as a text that can be compared",
    ),
    (
        "v_links",
        f"capture_id conn_id {_CLIENT_COLUMNS} link_name client_role address flows most_credit messages ran_out without_credit_ns",
        _LINKS,
        "Every link of 1.0: how often its credit was used up, and how long the sender then had none",
    ),
)
