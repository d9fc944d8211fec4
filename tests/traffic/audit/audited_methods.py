"""Connections of 0-x written down step by step, and what the audit finds in them.

A step is a direction and octets, or a number of seconds that pass, or ``FIN`` or ``RST``, after which nothing comes. The
octets go the whole way of a capture: packets, streams, frames, rows of tables, the trail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

import pyarrow as pa
from amqp_traffic.audit.auditor import audit_connection
from amqp_traffic.audit.connection_columns import SOURCES
from amqp_traffic.audit.connection_frames import read_trails
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.audit.shares import slices
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.tables.file_reading import SegmentBatch
from amqp_traffic.ingest.tables.file_tables import write_left_out
from amqp_traffic.ingest.tables.pipeline import TablePipeline
from amqp_traffic.synth.capture_writer import ethernet
from amqp_traffic.tasks.runner import Row

from .. import capture_builder
from ..messages.method_script import Step, client, header, server

FIN, RST = "fin", "rst"
# Steps, FIN, RST, seconds to wait.
Steps: TypeAlias = "Sequence[Any]"

_SECOND = 1_000_000_000
_BETWEEN = 1_000_000
FIRST_PORT = 40_000
PROPERTIES = {"product": "tests", "version": "1"}


def handshake(
    *,
    start: dict[str, Any] | None = None,
    start_ok: dict[str, Any] | None = None,
    tune: dict[str, Any] | None = None,
    tune_ok: dict[str, Any] | None = None,
    opening: dict[str, Any] | None = None,
) -> list[Step]:
    """A connection is opened; what is given is otherwise than usual."""
    limits = {"channel_max": 100, "frame_max": 131_072, "heartbeat": 60}
    return [
        header(),
        server(
            "connection.start",
            0,
            **{
                "version_major": 0,
                "version_minor": 9,
                "server_properties": {"product": "RabbitMQ", "version": "3"},
                "mechanisms": b"PLAIN AMQPLAIN",
                "locales": b"en_US",
                **(start or {}),
            },
        ),
        client(
            "connection.start-ok",
            0,
            **{
                "client_properties": PROPERTIES,
                "mechanism": "PLAIN",
                "response": b"\0guest\0secret",
                "locale": "en_US",
                **(start_ok or {}),
            },
        ),
        server("connection.tune", 0, **{**limits, **(tune or {})}),
        client("connection.tune-ok", 0, **{**limits, **(tune_ok or {})}),
        client("connection.open", 0, **{"virtual_host": "/", **(opening or {})}),
        server("connection.open-ok", 0),
    ]


OPEN = [client("channel.open"), server("channel.open-ok")]
BYE = [
    client("connection.close", 0, reply_code=200, reply_text="bye", class_id=0, method_id=0),
    server("connection.close-ok", 0),
    FIN,
]
READY = [*handshake(), *OPEN]


def ready(*steps: Any) -> Steps:
    """On an open channel these steps happen; then the connection is closed as it should be."""
    return [*READY, *flat(steps), *BYE]


def ended(*steps: Any) -> Steps:
    """The same without the end."""
    return [*READY, *flat(steps)]


def flat(steps: Iterable[Any]) -> list[Any]:
    """Steps, where lists of steps may be among them."""
    return [item for step in steps for item in (flat(step) if isinstance(step, list) else [step])]


def frame(kind: int, channel: int, payload: bytes, end: int = 0xCE, direction: int = 0) -> Step:
    """A frame octet by octet."""
    head = bytes([kind]) + channel.to_bytes(2, "big") + len(payload).to_bytes(4, "big")
    return direction, head + payload + bytes([end])


def method(
    class_id: int, method_id: int, arguments: bytes = b"", channel: int = 1, direction: int = 0
) -> Step:
    """A method octet by octet."""
    ids = class_id.to_bytes(2, "big") + method_id.to_bytes(2, "big")
    return frame(1, channel, ids + arguments, direction=direction)


def packets_of(steps: Steps, port: int = FIRST_PORT) -> list[tuple[int, bytes]]:
    """The packets of a connection: when, and the octets of Ethernet."""
    talk = capture_builder.Conversation(client=("10.0.0.1", port)).open()
    now = capture_builder.START_NS
    times = [now] * len(talk.packets)
    for step in steps:
        now += _BETWEEN
        if isinstance(step, (int, float)):
            now += int(step * _SECOND)
        elif step == FIN:
            talk.close()
        elif step == RST:
            talk.packet(0, flags=capture_builder.RST | capture_builder.ACK)
        else:
            direction, octets = step
            talk.send(direction, octets, 1400, ack=False)
        times += [now] * (len(talk.packets) - len(times))
    link = ethernet()(4, "<")
    return [(ns, link + packet.octets()) for ns, packet in zip(times, talk.packets, strict=True)]


def capture_of(*talks: Steps) -> bytes:
    """A capture of connections, one after the other."""
    packets = [item for number, steps in enumerate(talks) for item in packets_of(steps, FIRST_PORT + number)]
    return capture_builder.pcap([capture_builder.Captured(octets, ns) for ns, octets in packets])


def tables_of(capture: bytes) -> dict[str, pa.Table]:
    """The tables of a capture, by name."""
    gathered: dict[str, list[pa.Table]] = {}

    def gather(name: str, date: str, table: pa.Table) -> None:
        gathered.setdefault(name, []).append(table)

    pipeline = TablePipeline("c", ReadSettings(), gather)
    segments = list(read_segments(recognise_capture(capture, Quarantine())))
    pipeline.read(SegmentBatch(0, 0, segments))
    pipeline.finish()
    write_left_out(pipeline.take_left_out(), (0,), "2026-11-21", gather)
    return {name: _rows(tables) for name, tables in gathered.items()}


def slices_of_tables(tables: Mapping[str, pa.Table]) -> list[Row]:
    """The rows of tables in slices, as the audit takes them."""
    found: list[Row] = []
    for source in SOURCES:
        if source in tables:
            found += slices(source, "c", 0, 1, tables[source])
    return sorted(found, key=itemgetter(0, 1, 2))


def _rows(tables: list[pa.Table]) -> pa.Table:
    table = pa.concat_tables([table.unify_dictionaries() for table in tables], promote_options="default")
    return pa.table({name: _plain(table[name]) for name in table.column_names})


def _plain(column: pa.ChunkedArray) -> pa.Array:
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return array


def audit_capture(capture: bytes, target: str | None = None) -> list[AuditFinding]:
    """What the audit finds in a capture."""
    found = []
    for connection, frames in read_trails(iter(slices_of_tables(tables_of(capture)))):
        found += audit_connection(connection, frames, (target,) if target else ())
    return found


def audit(*talks: Steps, target: str | None = None) -> list[AuditFinding]:
    """What the audit finds in connections."""
    return audit_capture(capture_of(*talks), target)


def rules_in(steps: Steps, target: str | None = None) -> set[str]:
    """The rules that are found in a connection."""
    return {item.rule_id for item in audit(steps, target=target)}
