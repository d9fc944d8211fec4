"""Whatever goes wrong in one connection costs no other its rows: it goes to the quarantine, and the rest is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.decode.amqp0.decoder import Decoder as Decoder0
from amqp_traffic.decode.amqp1.decoder import Decoder as Decoder1
from amqp_traffic.frames.conversation import Conversation
from amqp_traffic.frames.framer import Framer
from amqp_traffic.messages.amqp0.assembly import Assembly as Assembly0
from amqp_traffic.messages.amqp1.assembly import Assembly as Assembly1
from amqp_traffic.streams.connection import Stream

from ..synth.made_captures import make
from .lake_tables import Ingested, assert_same, ingested
from .ledger_checks import check_ledgers

TABLES = ("frames", "methods", "performatives", "messages", "exchanges")
NumberOf = Callable[..., int]

# What raises an error, and how to tell the number of the connection from the object and its arguments.
FAULTS: dict[str, tuple[type, str, NumberOf]] = {
    "decoder 0-x": (Decoder0, "read", lambda decoder, decoded, number, *_: number),
    "decoder 1.0": (Decoder1, "read", lambda decoder, decoded, number, *_: number),
    "framer": (Framer, "feed_run", lambda framer, *_: framer._left_out.connection),
    "framer, at a single piece": (Framer, "feed", lambda framer, *_: framer._left_out.connection),
    "framer, at the end": (
        Framer,
        "finish",
        lambda framer, *_: 0 if framer._fault else framer._left_out.connection,
    ),
    "recognition": (Conversation, "_make_framer", lambda it, *_: 0 if it._waiting else it.number),
    "messages 0-x": (Assembly0, "add", lambda assembly, event: event.connection),
    "messages 1.0": (Assembly1, "add", lambda assembly, event: event.connection),
    "messages, at the end": (Assembly0, "finish", lambda assembly: assembly._setting.connection),
    "streams": (Stream, "synchronise", lambda stream, *_: stream.connection.number),
    "streams, at the end": (Stream, "acknowledged_offset", lambda stream, *_: stream.connection.number),
}


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("capture") / "a.pcap"
    order: dict[str, Any] = {
        "mix": {"0-9-1-rabbitmq": 2, "1.0": 1},
        "connections": 6,
        "size": 120_000,
        "drop": 0.002,
    }
    path.write_bytes(make(seed=12, **order).capture)
    return path


@pytest.fixture(scope="module")
def expected(capture: Path, tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingested([capture], tmp_path_factory.mktemp("lake") / "lake")


def victims(expected: Ingested) -> dict[int, str]:
    """A connection of each family: numbers are those of the first packets."""
    rows = sorted(expected["connections"], key=lambda row: row["start_ns"])
    by_family = {row["protocol"] == "1.0": (number, row["conn_id"]) for number, row in enumerate(rows, 1)}
    assert len(by_family) == 2
    return dict(by_family.values())


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("name", FAULTS)
def test_an_error_in_a_connection(
    name: str, after: int, capture: Path, expected: Ingested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is raised from the first or the third time on."""
    owner, method, number_of = FAULTS[name]
    numbers, calls = victims(expected), [0]
    original = getattr(owner, method)

    def raise_or_call(this: Any, *arguments: Any, **more: Any) -> Any:
        if number_of(this, *arguments) in numbers:
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
    check_ledgers(found)
    broken = set(numbers.values())
    rows = [row for row in found["quarantine"] if (row["detail"] or "").startswith("RuntimeError")]
    assert rows
    assert {row["conn_id"] for row in rows} <= broken
    assert {row["reason"] for row in rows} == {"decode-error"}
    assert not any("password" in row["detail"] for row in rows)
    assert all(
        row["file_off"] is not None or row["stream_off"] is not None or not row["length"] for row in rows
    )
    for table in TABLES:
        others = [[row for row in it[table] if row["conn_id"] not in broken] for it in (found, expected)]
        assert others[0] == others[1], table
    assert {row["conn_id"] for row in found["connections"]} >= {
        row["conn_id"] for row in expected["connections"]
    }


def test_frames_at_which_the_decoder_raises_are_in_the_tables(
    capture: Path, expected: Ingested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame is undecoded, and those before and after it are not."""
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


@pytest.mark.parametrize("error", [LedgerError, MemoryError, OSError])
def test_other_errors_end_the_ingest(
    error: type[Exception], capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books, and the machine, are not about one connection."""
    for owner, method in (
        (Decoder0, "read"),
        (Framer, "feed_run"),
        (Assembly0, "add"),
        (Stream, "synchronise"),
    ):
        with monkeypatch.context() as context, pytest.raises(error):
            context.setattr(owner, method, Mock(side_effect=error))
            ingested([capture], tmp_path / "lake")
