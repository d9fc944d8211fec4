"""A row that fails half-way leaves nothing behind, and costs no table: neither in C's columns nor in what is taken of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.decode.amqp1.decoder import Decoder as Decoder1
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.native import tables as native_tables
from amqp_traffic.ingest.native.tables import NativeTables
from amqp_traffic.schemas import table_columns

from tests.fuzz.hostile_captures import M, disposition, session, transfer
from tests.traffic.capture_builder import Conversation, captured, pcap
from tests.traffic.ingest.lake_tables import Rows, ingested


def capture() -> bytes:
    """Three connections; the delivery of the second one has a state."""
    packets = []
    for number in range(3):
        said = Conversation(client=("10.0.0.1", 40_000 + number)).open()
        for direction, octets in enumerate(session()):
            said.send(direction, octets, size=1000)
        said.send(0, transfer(number))
        said.send(1, disposition(number, None, settled=True, state=M.Accepted() if number == 1 else None))
        packets += said.close().packets
    return pcap(captured(packets))


def with_type(wanted: str, kind: str) -> Callable[[str], Any]:
    def changed(table: str) -> Any:
        columns = table_columns(table)
        if table != "messages":
            return columns
        return tuple((name, kind if name == wanted else of_name) for name, of_name in columns)

    return changed


def by_connection(rows: Rows) -> list[list[str]]:
    return [
        [
            repr({name: value for name, value in row.items() if name != "state"})
            for row in rows
            if row["conn_id"] == one
        ]
        for one in sorted({row["conn_id"] for row in rows})
    ]


@pytest.mark.parametrize("kind", ["int64", "bool", "variant"])
def test_a_value_that_its_column_does_not_take(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a recipe of a column were wrong: the columns before it have got their values of the row already."""
    path = tmp_path / "a.pcap"
    path.write_bytes(capture())
    expected = ingested([path], tmp_path / "lake")
    monkeypatch.setattr(native_tables, "table_columns", with_type("state", kind))
    found = ingested([path], tmp_path / "lake")
    (fault,) = found["quarantine"]
    assert "TypeError" in fault["detail"]
    kept = [row for row in expected["messages"] if row["conn_id"] != fault["conn_id"]]
    assert len(kept) == 2 and by_connection(found["messages"]) == by_connection(kept)
    assert len(found["frames"]) == len(expected["frames"])


@pytest.mark.parametrize("pure", ["", "1"])
@pytest.mark.parametrize("error", [MemoryError, OSError])
def test_want_of_memory_makes_no_frame_undecodable(
    error: type[Exception], pure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(capture())

    def fail(*_: Any) -> Any:
        raise error

    monkeypatch.setenv("AMQP_PURE", pure)
    monkeypatch.setattr(Decoder1, "read_row", fail)
    with pytest.raises(error):
        ingested([path], tmp_path / "lake")


def test_no_table_is_lost_for_want_of_memory() -> None:
    memory = pytest.importorskip("_testcapi", reason="this Python has no hooks for its tests")
    tables = NativeTables("capture", ReadSettings(), lambda *_: None, OrderedQuarantine())
    tables.core.add(list(read_segments(recognise_capture(capture()))))
    failed, taken = 0, None
    while taken is None:
        memory.set_nomemory(failed + 1, failed + 2)
        try:
            taken = tables.core.take()
        except MemoryError:
            failed += 1
        finally:
            memory.remove_mem_hooks()
    assert failed > 20
    assert taken["frames"][0] > 0 and taken["messages"][0] == 3
    assert {rows for rows, _ in tables.core.take().values()} == {0}
