"""Captures of legal and of wrong traffic, and what a capture may lack of either: packets, their order, their ends, a side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from struct import pack, unpack_from

import pyarrow as pa
from amqp_traffic.audit.auditor import audit_connection
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.connection_frames import read_trails
from amqp_traffic.audit.finding import client_label
from amqp_traffic.audit.fleet.database import FleetRow, ask_fleet
from amqp_traffic.audit.fleet.facts import READ, facts
from amqp_traffic.audit.rule import AuditSeverity
from amqp_traffic.lake.arrow_types import null_array
from amqp_traffic.schemas import table_columns

from ..pcap_records import Record, records, with_records
from ..synth.made_captures import make
from . import cases_conversation, cases_fleet, cases_frame
from .amqp1.wrong_octets import WRONG
from .audited_methods import Steps, capture_of, slices_of_tables, tables_of

_SERVER_PORT = 5672
_ETHERNET, _IP_HEADER = 14, {4: 20, 6: 40}
# Traffic in which nothing is wrong. A client of 0-10, TLS or HTTP is refused.
_LEGAL = {
    "0-8": 1,
    "0-8-as-9-1": 1,
    "0-9": 1,
    "0-9-1": 2,
    "0-9-1-rabbitmq": 4,
    "1.0": 4,
    "1.0-bare": 1,
    "silent": 1,
}


@dataclass(frozen=True)
class Imperfection:
    """What a capture lacks.

    Attributes:
        loss: The rate of packets that were not captured.
        reorder: The rate of packets that come up to 8 packets late, and the rate of those that come twice.
        snaplen: The most octets captured of a packet; 0 for all.
        side: The only side that was captured: 0 the client, 1 the server; None for both.
    """

    loss: float = 0.0
    reorder: float = 0.0
    snaplen: int = 0
    side: int | None = None

    def of(self, capture: bytes, seed: int) -> bytes:
        """A capture that is otherwise like this one."""
        chance = Random(f"{seed} {self}")
        kept: Iterable[Record] = records(capture)
        if self.side is not None:
            kept = [record for record in kept if _is_from_server(record[1]) == bool(self.side)]
        if self.reorder:
            kept = _late(_late(kept, self.reorder, chance, is_copy=True), self.reorder, chance)
        kept = [record for record in kept if chance.random() >= self.loss]
        return with_records(
            capture, [_cut(record, self.snaplen) for record in kept] if self.snaplen else kept
        )


def _is_from_server(packet: bytes) -> bool:
    start = _ETHERNET + _IP_HEADER[packet[_ETHERNET] >> 4]
    return int.from_bytes(packet[start : start + 2], "big") == _SERVER_PORT


def _late(kept: Iterable[Record], rate: float, chance: Random, *, is_copy: bool = False) -> Iterator[Record]:
    waiting: list[tuple[int, Record]] = []
    for place, record in enumerate(kept):
        yield from (late for due, late in waiting if due <= place)
        waiting = [(due, late) for due, late in waiting if due > place]
        is_late = chance.random() < rate
        if is_late:
            waiting.append((place + 1 + chance.randrange(1, 9), record))
        if is_copy or not is_late:
            yield record
    yield from (late for _, late in waiting)


def _cut(record: Record, snaplen: int) -> Record:
    head, packet = record
    kept = packet[:snaplen]
    return head[:8] + pack("<I", len(kept)) + head[12:], kept


def with_other_clock(capture: bytes, microseconds: int) -> bytes:
    """The same capture, but the packets of the server bear a time that differs by this."""
    changed = []
    for head, packet in records(capture):
        seconds, rest = unpack_from("<II", head)
        if _is_from_server(packet):
            seconds, rest = divmod(seconds * 1_000_000 + rest + microseconds, 1_000_000)
        changed.append((pack("<II", seconds, rest) + head[8:], packet))
    return with_records(capture, changed)


@cache
def legal_traffic(seed: int) -> bytes:
    """Connections of all versions, in which nothing is wrong."""
    return make(seed=seed, size=80_000, mix=_LEGAL, connections=16).capture


@cache
def wrong_traffic() -> bytes:
    """A connection for each rule whose findings are errors, in which just that is wrong."""
    cases: dict[str, Steps] = {
        rule: case.wrong
        for rule, case in {**cases_frame.CASES, **cases_conversation.CASES}.items()
        if RULES[rule].severity is AuditSeverity.ERROR
    }
    (out_of_order,) = cases_fleet.CASES["reply-out-of-order"].wrong
    return capture_of(*cases.values(), out_of_order, *WRONG.values())


def errors_in(capture: bytes) -> set[tuple[str, str]]:
    """The errors that the audit finds, on connections and across them: rule and address of the client."""
    tables = tables_of(capture)
    found = set()
    for connection, frames in read_trails(iter(slices_of_tables(tables))):
        for finding in audit_connection(connection, frames):
            found.add((finding.rule_id, _address(finding.client)))
    for row in ask_fleet(_facts(tables)):
        found.add((row["rule_id"], _address(client_label(row))))
    return {item for item in found if RULES[item[0]].severity is AuditSeverity.ERROR}


def fleet_rows(capture: bytes) -> list[FleetRow]:
    """What the rules across messages and connections find."""
    return ask_fleet(_facts(tables_of(capture)))


def _facts(tables: dict[str, pa.Table]) -> Iterator[tuple[str, pa.Table]]:
    for source, wanted in READ.items():
        if source in tables:
            rows, kinds = tables[source], dict(table_columns(source))
            for name in set(wanted).difference(rows.column_names):
                rows = rows.append_column(name, null_array(rows.num_rows, kinds[name]))
            yield from facts(source, rows.select(list(wanted)))


def _address(client: str) -> str:
    """Without product and user: where packets are missing, they may not be known."""
    return client.rpartition("(")[2].rpartition("@")[2]
