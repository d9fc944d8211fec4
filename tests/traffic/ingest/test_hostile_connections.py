"""Whatever goes wrong in one connection costs no other its rows: it goes to the quarantine, and the rest is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.decode.amqp0.decoder import Decoder as Decoder0
from amqp_traffic.decode.amqp1.decoder import Decoder as Decoder1
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.frames.framer import Framer
from amqp_traffic.ingest.tables import numbering, pipeline, row_conversion, staging
from amqp_traffic.messages.amqp0.assembly import Assembly as Assembly0
from amqp_traffic.messages.amqp1.assembly import Assembly as Assembly1
from amqp_traffic.messages.output import ConnectionFacts
from amqp_traffic.schemas import table_columns
from amqp_traffic.streams.connection import Stream

from ..synth.made_captures import make
from .lake_tables import Ingested, Rows, assert_same, ingested
from .ledger_checks import check_ledgers

METHODS = ("methods", "performatives")
BAD = ("client_bad_frames", "server_bad_frames")
TABLES = ("frames", "methods", "performatives", "messages", "exchanges")
NumbersOf = Callable[..., set[int]]


def numbers_of_rows(table: str, rows: list[tuple[Any, ...]], *_: Any) -> set[int]:
    """The connections of rows of a table; those of ``connections`` itself never fail."""
    place = [name for name, _ in table_columns(table)].index("conn_id")
    return {row[place] for row in rows} if table != "connections" else set()


# What raises an error, and how to tell the numbers of the connections from the object and its arguments.
FAULTS: dict[str, tuple[Any, str, NumbersOf]] = {
    "decoder 0-x": (Decoder0, "read", lambda decoder, decoded, number, *_: {number}),
    "decoder 1.0": (Decoder1, "read", lambda decoder, decoded, number, *_: {number}),
    "framer": (Framer, "feed_run", lambda framer, *_: {framer._left_out.connection}),
    "framer, at a single piece": (Framer, "feed", lambda framer, *_: {framer._left_out.connection}),
    "framer, at the end": (
        Framer,
        "finish",
        lambda framer, *_: set() if framer._fault else {framer._left_out.connection},
    ),
    "recognition": (FramedConversation, "_make_framer", lambda it, *_: set() if it._waiting else {it.number}),
    "messages 0-x": (Assembly0, "add", lambda assembly, event: {event.connection}),
    "messages 1.0": (Assembly1, "add", lambda assembly, event: {event.connection}),
    "messages, at the end": (Assembly0, "finish", lambda assembly: {assembly._setting.connection}),
    "streams": (Stream, "synchronise", lambda stream, *_: {stream.connection.number}),
    "streams, at the end": (Stream, "acknowledged_offset", lambda stream, *_: {stream.connection.number}),
    "ends of connections": (pipeline, "record_of", lambda connection, *_: {connection.number}),
    "frames to Arrow": (row_conversion, "stage", lambda decoded: {run[0] for run in decoded.runs}),
    "methods to Arrow": (staging, "_stage_rows", lambda keys, *_: set(keys["connection"].to_pylist())),
    "rows to Arrow": (row_conversion, "rows_to_arrow", numbers_of_rows),
    "facts of connections": (
        row_conversion,
        "connection_row",
        lambda record, facts, *_: set() if facts == ConnectionFacts() else {record.number},
    ),
}


@pytest.fixture(scope="session")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("capture") / "a.pcap"
    order: dict[str, Any] = {
        "mix": {"0-9-1-rabbitmq": 2, "1.0": 1},
        "connections": 6,
        "size": 80_000,
        "drop": 0.002,
    }
    path.write_bytes(make(seed=12, **order).capture)
    return path


@pytest.fixture(scope="session")
def expected(capture: Path, tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingested([capture], tmp_path_factory.mktemp("lake") / "lake")


def victims(expected: Ingested) -> dict[int, str]:
    """A connection of each family: numbers are those of the first packets."""
    rows = sorted(expected["connections"], key=lambda row: row["start_ns"])
    by_family = {row["protocol"] == "1.0": (number, row["conn_id"]) for number, row in enumerate(rows, 1)}
    assert len(by_family) == 2
    return dict(by_family.values())


def in_order(rows: Rows, is_wanted: Callable[[dict[str, Any]], bool] = lambda row: True) -> list[str]:
    return sorted(repr(row) for row in rows if is_wanted(row))


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("name", FAULTS)
def test_an_error_in_a_connection(
    name: str, after: int, capture: Path, expected: Ingested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is raised from the first or the third time on."""
    owner, method, numbers_of = FAULTS[name]
    numbers, calls = victims(expected), [0]
    original = getattr(owner, method)

    def raise_or_call(this: Any, *arguments: Any, **more: Any) -> Any:
        if not numbers.keys().isdisjoint(numbers_of(this, *arguments)):
            calls[0] += 1
            if calls[0] > after:
                raise RuntimeError("a password, perhaps")
        return original(this, *arguments, **more)

    monkeypatch.setattr(owner, method, raise_or_call)
    found = ingested([capture], tmp_path / "lake")
    monkeypatch.undo()
    if calls[0] <= after:
        assert_same(found, expected)
        return
    broken = set(numbers.values())
    known = {row["conn_id"] for row in found["connections"]}
    assert known >= {row["conn_id"] for row in expected["connections"]} - (
        broken if "ends" in name else set()
    )
    if "ends" not in name:
        check_ledgers(found)
    rows = [row for row in found["quarantine"] if (row["detail"] or "").startswith("RuntimeError")]
    assert rows
    assert {row["conn_id"] for row in rows} <= broken
    assert {row["reason"] for row in rows} == {"decode-error"}
    assert not any("password" in row["detail"] for row in rows)
    assert all(
        row["file_off"] is not None or row["stream_off"] is not None or not row["length"] for row in rows
    )
    for table in TABLES:
        mine, theirs = (
            in_order(it[table], lambda row: row["conn_id"] not in broken) for it in (found, expected)
        )
        assert mine == theirs, table


def test_frames_at_which_the_decoder_raises_are_in_the_tables(
    capture: Path, expected: Ingested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame is undecoded, and those before and after it are not."""
    monkeypatch.setenv("AMQP_PURE", "1")  # C has no decoder that could raise
    read = Decoder0.read
    (number, conn_id), _ = sorted(victims(expected).items(), key=lambda it: it[1] != _of_0_x(expected))

    def raise_at_frame_9(
        this: Decoder0, decoded: Any, connection: int, side: int, first: int, frames: Any
    ) -> int:
        if connection != number or not first <= 9 < first + len(frames):
            return read(this, decoded, connection, side, first, frames)
        bad = read(this, decoded, connection, side, first, frames[: 9 - first])
        decoded.spans.append(frames[9 - first][:4])  # half of the work
        raise RuntimeError(bad)

    monkeypatch.setattr(Decoder0, "read", raise_at_frame_9)
    found = ingested([capture], tmp_path / "lake")
    check_ledgers(found)
    mine, theirs = (
        {row["frame_no"]: row for row in it["frames"] if row["conn_id"] == conn_id}
        for it in (found, expected)
    )
    assert mine.keys() == theirs.keys()
    changed = {number for number, row in mine.items() if row != theirs[number]}
    assert changed == {9}
    assert (mine[9]["status"], mine[9]["err"]) == ("undecoded", "decode-error")
    assert mine[9]["stream_off"] == theirs[9]["stream_off"]


def _of_0_x(expected: Ingested) -> str:
    """The victim that does not speak 1.0."""
    protocols = {row["conn_id"]: row["protocol"] for row in expected["connections"]}
    return next(conn_id for conn_id in victims(expected).values() if protocols[conn_id] != "1.0")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("methods", "queue"),
        ("performatives", "name"),
        ("messages", "routing_key"),
        ("exchanges", "latency_ns"),
        ("connections", "user"),
        ("connections", "product"),
    ],
)
def test_a_value_that_arrow_does_not_take(
    table: str,
    column: str,
    capture: Path,
    expected: Ingested,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows with it are missing, and no others; with three shares, too, whether they read files or get segments."""
    monkeypatch.setenv("AMQP_PURE", "1")  # C makes the arrays itself
    value = next(row[column] for row in expected[table] if row[column] is not None)

    def refuse(values: Any, kind: str) -> Any:
        if value in values:
            raise OverflowError("a password, perhaps")
        return make_array(values, kind)

    make_array = staging.make_array
    monkeypatch.setattr(staging, "make_array", refuse)
    monkeypatch.setattr(numbering, "make_array", refuse)
    found = ingested([capture], tmp_path / "lake")
    check_ledgers(found)
    assert_same(ingested([capture], tmp_path / "lake", 3, shuffle=table == "messages"), found)
    for name in ("methods", "performatives", "messages", "exchanges"):
        assert in_order(found[name]) == in_order(expected[name], lambda row: value not in row.values()), name
    lost = Counter(row["conn_id"] for row in expected["frames"] if row["status"] == "ok")
    lost.subtract(row["conn_id"] for row in found["frames"] if row["status"] == "ok")
    methods = (Counter(row["conn_id"] for name in METHODS for row in it[name]) for it in (expected, found))
    assert +lost == next(methods) - next(methods)
    assert lost.total() or table not in METHODS
    for mine, theirs in zip(
        *(sorted(it["connections"], key=lambda row: row["conn_id"]) for it in (found, expected)), strict=True
    ):
        is_hit = table == "connections" and value in theirs.values()
        assert (mine[column] if is_hit else None) is None
        assert is_hit or {**mine, **dict.fromkeys(BAD)} == {**theirs, **dict.fromkeys(BAD)}


def test_a_record_of_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out alone, and the quarantine says so."""
    log = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8" / "trace-json.log"
    expected = ingested([log], tmp_path / "lake")
    victim = expected["messages"][1]
    make_array = numbering.make_array

    def refuse(values: Any, kind: str) -> Any:
        if victim["correlation_id"] in values:
            raise OverflowError("a password, perhaps")
        return make_array(values, kind)

    monkeypatch.setattr(numbering, "make_array", refuse)
    found = ingested([log], tmp_path / "lake")
    assert in_order(found["messages"]) == in_order(
        expected["messages"], lambda row: row["correlation_id"] != victim["correlation_id"]
    )
    lost = len(expected["messages"]) - len(found["messages"])
    rows = [row for row in found["quarantine"] if "OverflowError" in (row["detail"] or "")]
    assert lost and [row["reason"] for row in rows] == ["trace-record"] * lost


@pytest.mark.parametrize("error", [LedgerError, MemoryError, OSError])
def test_other_errors_end_the_ingest(
    error: type[Exception], capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books, and the machine, are not about one connection."""
    monkeypatch.setenv("AMQP_PURE", "1")  # C calls most of these for damaged streams alone
    for owner, method in (
        (Decoder0, "read"),
        (Framer, "feed_run"),
        (Assembly0, "add"),
        (Stream, "synchronise"),
    ):
        with monkeypatch.context() as context, pytest.raises(error):
            context.setattr(owner, method, Mock(side_effect=error))
            ingested([capture], tmp_path / "lake")
