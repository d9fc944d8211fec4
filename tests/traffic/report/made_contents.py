"""The contents of a report, made up: as many clients as wanted, with findings, and nasty texts in names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from amqp_traffic.audit.finding import AuditFinding, finding_id
from amqp_traffic.audit.rules.catalogue import RULES
from amqp_traffic.report.contents import ReportContents, gather_contents

NASTY = "</script><b>\"quotes\" & 'owned' {{ 7 * 7 }} \u2028 <!-- \u202e"
START = 1_700_000_000_000_000_000
SECOND = 10**9
CAPTURE = "monday-0a1b2c3d"
FILE = "the week's.pcap"
USED = (
    "transient-queue",
    "global-qos",
    *(name for name in RULES if name not in ("transient-queue", "global-qos")),
)


def conn_id(client: int, number: int = 0) -> str:
    return f"{client * 100 + number:016x}"


def findings(clients: int) -> Iterator[AuditFinding]:
    """Two for each client but every third, which has none."""
    for client in range(clients):
        for number in (client % 2, 2 + client % 30):
            if client % 3 == 2:
                continue
            rule = RULES[USED[number]]
            yield AuditFinding(
                finding_id(rule.id, CAPTURE, conn_id(client), 1, 7), rule.id, rule.severity.value, "0-9-1", rule.source,
                CAPTURE, conn_id(client), "who", 1, 0, 7, 400, 0, 12 + client, 4096, START + client * 10**6, 3,
                f"queue.declare {NASTY}", "0100010000000c003200 0a".replace(" ", ""), START,
            )  # fmt: skip


def made(clients: int, audited: bool = True) -> ReportContents:
    """A report of so many clients."""

    def ask(query: str) -> list[Mapping[str, Any]]:
        return next(rows for mark, rows in answers.items() if mark in query)

    every = range(clients)
    answers: dict[str, list[Mapping[str, Any]]] = {
        "FROM captures\n": [
            {"first_ns": START, "last_ns": START + 60 * SECOND, "connections": clients},
            {"first_ns": None, "last_ns": None, "connections": 0},
        ],
        "FROM captures t": [
            {
                "capture_id": CAPTURE, "file_no": 0, "file": FILE, "format": "pcap", "compression": None, "size": 10**9,
                "packets": 10**6, "first_ns": START, "last_ns": START + 60 * SECOND, "status": "complete",
                "bytes_skipped": 0,
            }
        ],
        "client_wire": [
            {f"{side}_{kind}": number for side in ("client", "server")
             for kind, number in zip(("wire", "framed", "gap", "skipped", "tail", "dup"), (100, 90, 5, 3, 2, 7), strict=True)}
        ],
        "any_value(c.platform)": [
            {
                "key": client, "product": f"library {client % 7}" if client else NASTY, "version": "1.0",
                "connection_name": f"service-{client}" if client % 2 else None, "user": f"user-{client % 50}",
                "vhost": "/", "client_ip": f"10.0.{client // 250}.{client % 250}", "protocol": "0-9-1",
                "platform": "Python", "connections": 2, "frames": 10_000 - client, "bytes_sent": 5000,
                "bytes_received": 6000, "closed_by_error": 0, "closed_uncleanly": 1, "first_ns": START,
                "last_ns": START + 50 * SECOND,
            }
            for client in every
        ],
        "row_number()": [
            {
                "key": client, "conn_id": conn_id(client, number), "start_ns": START + number * SECOND,
                "end_ns": START + (number + 20) * SECOND, "start_mode": "syn", "end_mode": "fin", "close_code": 200,
                "close_condition": None, "frames": 100,
            }
            for client in every for number in range(2)
        ],
        "collect_list": [
            {"key": client, "event": event, "parts": [{"part": part, "times": 5 + part} for part in range(9)]}
            for client in every for event in ("publish", "deliver", "ack")
        ],
        "GROUP BY event, part\n": [
            {"event": event, "part": part, "times": 50} for event in ("publish", "deliver", "owed", "ack", "open", "close")
            for part in range(0, 180, 2)
        ],
        "percentile_approx": [
            {"key": client, "kind": kind, "times": 10, "percentiles": [10**6, 2 * 10**6, (3 + client) * 10**6],
             "most": 10**9}
            for client in every for kind in ("reply", "confirm", "ack")
        ],
        "FROM frames": [{"what": "others", "power": power, "times": 10 + power} for power in range(3, 17)],
        "body_size IS NOT NULL": [
            {"what": "published", "power": power, "times": 9, "octets": 900, "most": 1 << power} for power in range(20)
        ],
        "AS frame_max": [{"frame_max": 131072, "connections": clients}],
        "t.queue_inferred": [
            {"key": client, "dir": direction, "kind": kind, "exchange": f"events-{client % 5}",
             "queue": f"queue-{client % 40}" if direction else None, "address": None, "times": 10 + client}
            for client in every for direction, kind in ((0, "publish"), (1, "deliver"))
        ],
        "'queue.bind'": [{"exchange": "events-0", "queue": "never", "times": 1}],
        "WITH ends": [
            {"key": client, "address": "/queues/q", "receives": False, "links": 1, "flows": 3, "most_credit": 100,
             "no_credit": 0, "drains": 0, "messages": 7, "octets": 70, "unsettled": 0}
            for client in every[:3]
        ],
        "FROM quarantine": [
            {"capture_id": CAPTURE, "stage": "decode", "reason": "bad-utf8", "times": 2, "octets": 20, "connections": 1,
             "first": {"file_no": 0, "pkt_no": 9, "detail": NASTY, "conn_id": conn_id(1)}}
        ],
        "SELECT c.capture_id, c.conn_id": [
            {"capture_id": CAPTURE, "conn_id": conn_id(client), "key": client} for client in every
        ],
    }  # fmt: skip
    return gather_contents(ask, findings(clients) if audited else None)
