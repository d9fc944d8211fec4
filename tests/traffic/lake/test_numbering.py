"""Numbers of a part of a capture become what tables have."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.decode.decoded import Decoded
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.ingest.tables.numbering import rows_to_arrow
from amqp_traffic.schemas import TABLES, table_columns

from tests.traffic.decode.decoded_frames import CLIENT, METHOD, SERVER, Talk, spans

from .parquet_values import DAY, NEXT_DAY, NUMBERING, final, plain_rows, read, write
from .test_arrow import VALUES

QOS = b"\0\x3c\0\x0a" + bytes(7)


def decoded(*numbers: int, packets: int = 0) -> Decoded:
    """Two frames for each of these connections, in this order."""
    decoding = Decoding(Quarantine())
    for number in numbers:
        frames = spans([(METHOD, QOS), (8, b"")])
        moved = [frame._replace(packet_no=frame.packet_no + packets) for frame in frames]
        decoding.on_frames(Talk(number=number), (CLIENT, SERVER)[number % 2], moved)
    return decoding.take()


def columns(table: str, found: dict[str, Any], *names: str) -> dict[str, list[tuple[Any, ...]]]:
    """These columns of a table, by date."""
    return {
        date: [tuple(row[name] for name in names) for row in plain_rows(rows)]
        for date, rows in found[table].items()
    }


def test_names_dates_and_order() -> None:
    """Connection 4 is left out, 5 began on another day; 6 and 99 are unknown."""
    tables = final(decoded(1, 5, 2, 4, 1, 6, 3, 5, 99))
    key = "conn_id", "frame_no"
    assert columns("frames", tables, *key) == {
        DAY: [("a3", 0), ("a3", 1), ("b2", 0), ("b2", 1), *(("c1", number) for number in range(4))],
        NEXT_DAY: [("d5", number) for number in range(4)],
    }
    assert columns("methods", tables, *key) == {
        DAY: [("a3", 0), ("b2", 0), ("c1", 0), ("c1", 2)],
        NEXT_DAY: [("d5", 0), ("d5", 2)],
    }


def test_nothing_is_left() -> None:
    assert final(decoded(4, 6)) == {"frames": {}, "methods": {}}


@pytest.mark.parametrize(
    ("packets", "before", "expected"),
    [
        (0, (0,), [(0, 10), (0, 11)]),
        (0, (0, 10), [(0, 10), (1, 1)]),  # the next file begins between them
        (0, (0, 10, 10, 10), [(0, 10), (3, 1)]),  # two files are empty
        (0, (0, 5, 11), [(1, 5), (1, 6)]),
        (100, (0, 20, 110, 400), [(1, 90), (2, 1)]),
    ],
)  # fmt: skip
def test_files_and_their_packets(
    packets: int, before: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    numbering = replace(NUMBERING, packets_before=before)
    tables = final(decoded(1, packets=packets), numbering)
    assert columns("frames", tables, "file_no", "pkt_no") == {DAY: expected}


def rows_for(table: str, connection: int | None) -> list[tuple[Any, ...]]:
    """Rows of a table with all values of their types, one after the other, and None."""
    longest = max(map(len, VALUES.values())) + 1
    return [
        tuple(
            connection if name == "conn_id" else [*VALUES[kind], None][number % (len(VALUES[kind]) + 1)]
            for name, kind in table_columns(table)
        )
        for number in range(longest)
    ]


@pytest.mark.parametrize("table", TABLES)
def test_rows_of_every_table_through_parquet(table: str, tmp_path: Path) -> None:
    rows = rows_for(table, 1)
    found = rows_to_arrow(table, rows, NUMBERING)
    assert list(found) == [DAY]
    ((path,),) = write(tmp_path, [(table, DAY, found[DAY])]).values()
    names = [name for name, _ in table_columns(table)]
    moments = {"ts": "ns", "first_ts": "first_ns", "start_ts": "start_ns"}
    for row, read_row in zip(rows, read(table, path), strict=True):
        expected = dict(zip(names, row, strict=True))
        if "conn_id" in expected:
            expected["conn_id"] = "c1"
        for moment, ns in moments.items():
            if moment in expected:
                expected[moment] = None if expected[ns] is None else int(Decimal(expected[ns]) / 1000)
        for name in names:
            assert read_row[name] == expected[name], name


def test_rows_of_left_out_connections_are_dropped() -> None:
    names = [name for name, _ in table_columns("exchanges")]
    rows = [
        tuple({"conn_id": number, "request_frame_no": 1, "reply_frame_no": None}.get(name) for name in names)
        for number in (5, 4, 1, 6, 2)
    ]
    found = {"exchanges": rows_to_arrow("exchanges", rows, NUMBERING)}
    expected = {DAY: [("c1", 1, None), ("b2", 1, None)], NEXT_DAY: [("d5", 1, None)]}
    assert columns("exchanges", found, "conn_id", "request_frame_no", "reply_frame_no") == expected
    assert rows_to_arrow("exchanges", rows[1:2], NUMBERING) == {}
    assert rows_to_arrow("exchanges", [], NUMBERING) == {}


def test_the_quarantine_has_rows_without_connection() -> None:
    """All its rows are of the date of the capture."""
    names = [name for name, _ in table_columns("quarantine")]
    rows = [
        tuple({"conn_id": number, "reason": "tls"}.get(name) for name in names) for number in (None, 5, 4)
    ]
    found = {"quarantine": rows_to_arrow("quarantine", rows, NUMBERING)}
    assert columns("quarantine", found, "conn_id", "reason") == {DAY: [(None, "tls"), ("d5", "tls")]}


def test_captures_are_of_the_date_of_the_capture() -> None:
    found = {"captures": rows_to_arrow("captures", rows_for("captures", None)[:1], NUMBERING)}
    assert columns("captures", found, "file") == {DAY: [("",)]}
