"""Views over the tables, as plain data and SQL of Spark.

There is a view for each method and performative, whose columns come from the generated packages; for each comparison of
versions; and for questions about every capture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from amqp_codegen.support.resources import load_module

from ..schemas import BEFORE_FIELDS, PACKAGE1, PACKAGES0, Columns
from .question_views import QUESTION_VIEWS
from .specification.version_views import COMPARISONS, comparison_columns, comparison_sql

_CLIENTS = """
SELECT product, version, platform, `user`, vhost, protocol,
  count(*) AS connections,
  sum(client_frames) AS client_frames,
  sum(server_frames) AS server_frames,
  sum(client_bytes_wire) AS client_bytes,
  sum(server_bytes_wire) AS server_bytes,
  count_if(close_code IS NOT NULL OR close_condition IS NOT NULL) AS closed_by_amqp,
  min(start_ts) AS first_seen
FROM connections
GROUP BY product, version, platform, `user`, vhost, protocol
"""

_LATENCIES = """
SELECT e.name, c.product AS client_product, count(*) AS requests,
  count_if(e.outcome NOT IN ('ok', 'not-followed')) AS not_ok,
  percentile_approx(e.latency_ns, 0.5) AS p50_ns,
  percentile_approx(e.latency_ns, 0.95) AS p95_ns,
  percentile_approx(e.latency_ns, 0.99) AS p99_ns,
  max(e.latency_ns) AS max_ns
FROM exchanges e LEFT JOIN connections c ON c.capture_id = e.capture_id AND c.conn_id = e.conn_id
GROUP BY e.name, c.product
"""

_FLOWS = """
SELECT kind, exchange, routing_key, queue_inferred, address, count(*) AS messages,
  sum(body_size) AS body_bytes,
  count_if(settle IN ('reject', 'nack')) AS refused,
  count_if(redelivered) AS redelivered,
  count_if(NOT complete) AS incomplete,
  percentile_approx(confirm_ns - last_ns, 0.95) AS confirm_p95_ns,
  percentile_approx(settle_ns - last_ns, 0.95) AS settle_p95_ns
FROM messages
GROUP BY kind, exchange, routing_key, queue_inferred, address
"""

_LEDGER = """
SELECT date, capture_id, conn_id, dir, bytes_wire, bytes_framed, bytes_gap, bytes_skipped, bytes_tail,
  bytes_wrapped,
  bytes_wire - bytes_framed - bytes_gap - bytes_skipped - bytes_tail - coalesce(bytes_wrapped, 0) AS difference
FROM connections
LATERAL VIEW inline(array(
  named_struct('dir', 0, 'bytes_wire', client_bytes_wire, 'bytes_framed', client_bytes_framed,
    'bytes_gap', client_bytes_gap, 'bytes_skipped', client_bytes_skipped, 'bytes_tail', client_bytes_tail,
    'bytes_wrapped', client_bytes_wrapped),
  named_struct('dir', 1, 'bytes_wire', server_bytes_wire, 'bytes_framed', server_bytes_framed,
    'bytes_gap', server_bytes_gap, 'bytes_skipped', server_bytes_skipped, 'bytes_tail', server_bytes_tail,
    'bytes_wrapped', server_bytes_wrapped)
)) sides AS dir, bytes_wire, bytes_framed, bytes_gap, bytes_skipped, bytes_tail, bytes_wrapped
"""

_LOSSES = """
SELECT capture_id, stage, reason, count(*) AS times, sum(length) AS bytes,
  count(DISTINCT conn_id) AS connections, min(ns) AS first_ns
FROM quarantine
GROUP BY capture_id, stage, reason
"""

_DEPARTURES = """
SELECT c.product, c.version, c.`user`, c.vhost, m.method,
  CASE WHEN s.name IS NULL THEN 'unknown' ELSE 'deprecated' END AS why,
  count(*) AS times
FROM methods m
JOIN connections c ON c.capture_id = m.capture_id AND c.conn_id = m.conn_id
LEFT JOIN spec_methods s ON s.name = m.method AND s.version = '0-9-1-rabbitmq'
WHERE m.dir = 0 AND m.method IS NOT NULL AND (s.name IS NULL OR s.deprecated)
GROUP BY c.product, c.version, c.`user`, c.vhost, m.method, s.name
"""

HANDY: tuple[tuple[str, tuple[str, ...], str, str], ...] = tuple(
    (name, tuple(columns.split()), query.strip(), doc)
    for name, columns, query, doc in (
        (
            "v_clients",
            "product version platform user vhost protocol connections client_frames server_frames client_bytes"
            " server_bytes closed_by_amqp first_seen",
            _CLIENTS,
            "Which clients there are, and how much they say",
        ),
        (
            "v_latencies",
            "name client_product requests not_ok p50_ns p95_ns p99_ns max_ns",
            _LATENCIES,
            "How long replies take, by request and client library",
        ),
        (
            "v_flows",
            "kind exchange routing_key queue_inferred address messages body_bytes refused redelivered incomplete"
            " confirm_p95_ns settle_p95_ns",
            _FLOWS,
            "Which messages go where, and how long they wait to be confirmed and settled",
        ),
        (
            "v_ledger",
            "date capture_id conn_id dir bytes_wire bytes_framed bytes_gap bytes_skipped bytes_tail bytes_wrapped difference",
            _LEDGER,
            "Where the octets of each direction of each connection are; the difference is 0",
        ),
        (
            "v_losses",
            "capture_id stage reason times bytes connections first_ns",
            _LOSSES,
            "What was left out of each capture, by reason",
        ),
        (
            "v_departures",
            "product version user vhost method why times",
            _DEPARTURES,
            "Which clients call methods that are deprecated, or that 0-9-1 with RabbitMQ's overlay does not have",
        ),
        *QUESTION_VIEWS,
    )
)


# Folders of the lake, and columns of every table of traffic.
PARTITION: Columns = (("date", "date"), ("capture_id", "string"))
_FRAME_COLUMNS: Columns = (*PARTITION, *BEFORE_FIELDS)


@dataclass(frozen=True, slots=True)
class View:
    """A view.

    Attributes:
        sql: The query, over tables only.
        doc: What it shows.
    """

    name: str
    columns: tuple[str, ...]
    sql: str
    doc: str


@cache
def all_views() -> tuple[View, ...]:
    """Return every view."""
    return (*method_views(), *performative_views(), *comparison_views(), *HANDY_VIEWS)


def method_views() -> Iterator[View]:
    """Yield a view for each 0-x method, with its columns of all versions: ``v_basic_publish``."""
    columns_of: dict[str, dict[str, str]] = {}
    for package in PACKAGES0:
        for gathered in load_module(package, "columns").MethodColumns().gathered.values():
            columns_of.setdefault(gathered.kind.name, {}).update(gathered.kind.columns)
    for name, columns in sorted(columns_of.items()):
        yield _kind_view(f"v_{_word(name)}", "methods", "method", name, columns)


def performative_views() -> Iterator[View]:
    """Yield a view for each performative and SASL frame of 1.0: ``v1_transfer``, ``v1_sasl_init``."""
    kinds = load_module(PACKAGE1, "columns").PerformativeColumns().gathered.values()
    for name, columns in sorted((gathered.kind.name, dict(gathered.kind.columns)) for gathered in kinds):
        own = [*columns, "payload_size"] if name == "transfer" else columns
        yield _kind_view(f"v1_{_word(name)}", "performatives", "performative", name, own)


def comparison_views() -> Iterator[View]:
    """Yield the views that compare versions: ``spec_diff_methods``."""
    for comparison in COMPARISONS:
        doc = f"What of {comparison.table} differs between two versions of 0-x"
        yield View(comparison.view, comparison_columns(comparison), comparison_sql(comparison), doc)


HANDY_VIEWS = tuple(View(*view) for view in HANDY)


def _kind_view(view: str, table: str, column: str, name: str, own: Iterable[str]) -> View:
    """Return the view of one kind, without the columns that are always null for it."""
    names = tuple(dict.fromkeys([*(name for name, _ in _FRAME_COLUMNS), *own, "raw", "violations"]))
    listed = ", ".join(f"`{column_name}`" for column_name in names)
    return View(view, names, f"SELECT {listed} FROM {table} WHERE `{column}` = '{name}'", f"Every {name}")


def _word(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")
