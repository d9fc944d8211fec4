"""The contents of a report, made up: as many clients as wanted, with findings, and nasty texts in names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pyarrow as pa
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.finding import AuditFinding, FindingKey
from amqp_traffic.lake.folder import Lake
from amqp_traffic.report.activity import Activities, Activity
from amqp_traffic.report.clients import ClientIndex, ClientTotals, ShownConnection
from amqp_traffic.report.contents import ReportContents
from amqp_traffic.report.findings import found_rules
from amqp_traffic.report.lake_rows import LakeRows, RowGroupRows
from amqp_traffic.report.ledger import Ledger, QuarantineGroup, ReadFile, StreamOctets
from amqp_traffic.report.links import Links
from amqp_traffic.report.measures import Bar, Sizes, Waits
from amqp_traffic.report.priorities import priorities
from amqp_traffic.report.time_span import Pause, TimeSpan
from amqp_traffic.report.topology import EXCHANGES, PUBLISHERS, QUEUES, picture
from pyarrow.fs import LocalFileSystem

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
                FindingKey(rule, CAPTURE, conn_id(client), 1, 7).finding_id, rule.id, rule.severity.value, "0-9-1", rule.source,
                CAPTURE, conn_id(client), "who", 1, 0, 7, 400, 0, 12 + client, 4096, START + client * 10**6, 3,
                f"queue.declare {NASTY}", "0100010000000c003200 0a".replace(" ", ""), START,
            )  # fmt: skip


def made(
    clients: int, audited: bool = True, pauses: tuple[Pause, ...] = (), with_findings: bool = True
) -> ReportContents:
    """A report of so many clients."""
    every = range(clients)
    totals = tuple(client_totals(client) for client in every)
    own = list(findings(clients)) if with_findings else []
    index = MadeIndex()
    return ReportContents(
        span=TimeSpan(START, START + 60 * SECOND, clients, pauses),
        ledger=Ledger(
            (ReadFile(CAPTURE, 0, FILE, "pcap", None, 10**9, 10**6, START, START + 60 * SECOND, "complete", 0),),
            0, 10**9, 10**6, {(CAPTURE, 0): FILE},
            tuple(StreamOctets(side, 100, 90, 5, 3, 2, 7) for side in ("client", "server")),
        ),
        clients=totals,
        connections={
            client: [
                ShownConnection(
                    conn_id(client, number), START + number * SECOND, START + (number + 20) * SECOND, "syn", "200", 100
                )
                for number in range(2)
            ]
            for client in every
        },
        found=found_rules(index, own) if audited else None,
        priorities=priorities(TABLES, index, {total.key: total for total in totals}, own) if audited else None,
        activities=Activities(
            Activity(SECOND // 3, {
                event: dict.fromkeys(range(0, 180, 2), 50)
                for event in ("publish", "deliver", "owed", "ack", "open", "close")
            }),
            {
                client: Activity(SECOND, {
                    event: {part: 5 + part for part in range(9)} for event in ("publish", "deliver", "ack")
                })
                for client in every
            },
        ),
        latencies={
            client: {
                kind: Waits(10, 10**6, 2 * 10**6, (3 + client) * 10**6, 10**9) for kind in ("reply", "confirm", "ack")
            }
            for client in every
        },
        sizes=Sizes(
            tuple(Bar("others", power, 10 + power) for power in range(3, 17)),
            tuple(Bar("published", power, 9) for power in range(20)),
            1 << 19, ((131072, clients),),
        ),
        topology=picture({
            (PUBLISHERS, "who", "events"): 10, (EXCHANGES, "events", NASTY): 10, (EXCHANGES, "events", "never"): 0,
            (QUEUES, NASTY, "taker"): 10,
        }),
        links=tuple(Links(client, "/queues/q", False, 1, 3, 100, 0, 0, 7, 70, 0) for client in every[:3]),
        quarantine=(QuarantineGroup(CAPTURE, "decode", "bad-utf8", 2, 20, 1, 0, 9, NASTY, conn_id(1)),),
    )  # fmt: skip


def client_totals(client: int) -> ClientTotals:
    return ClientTotals(
        key=client, product=f"library {client % 7}" if client else NASTY, version="1.0",
        connection_name=f"service-{client}" if client % 2 else None, user=f"user-{client % 50}", vhost="/",
        client_ip=f"10.0.{client // 250}.{client % 250}", protocol="0-9-1", platform="Python", connections=2,
        frames=10_000 - client, bytes_sent=5000, bytes_received=6000, closed_by_error=0, closed_uncleanly=1,
        first_ns=START, last_ns=START + 50 * SECOND,
    )  # fmt: skip


class MadeIndex(ClientIndex):
    """Of the connections that ``conn_id`` names."""

    def __init__(self) -> None:
        """Read nothing."""

    def keys_of(self, connections: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], int]:
        """The number of the client is in the name."""
        return {(capture, name): int(name, 16) // 100 for capture, name in connections}


class MadeTables(LakeRows):
    """A lake whose methods name a queue."""

    def groups(self, table: str, columns: Sequence[str]) -> Iterator[RowGroupRows]:
        """One row group of methods."""
        if table == "methods":
            names = [conn_id(client) for client in range(0, 100, 2)]
            columns_of = {"conn_id": names, "frame_no": [7] * len(names), "queue": ["orders"] * len(names)}
            yield RowGroupRows(CAPTURE, pa.table({name: columns_of[name] for name in columns}))


NO_LAKE = Lake("nowhere", LocalFileSystem(), "/nowhere")
TABLES = MadeTables(NO_LAKE)
