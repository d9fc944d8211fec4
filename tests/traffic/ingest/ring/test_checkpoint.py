"""Checkpoints of rings that are followed: what is refused, in one line, and that none leads out of the lake."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.ingest.inputs import RingName
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.ring.ring import RingReading
from amqp_traffic.ingest.ring.state_loading import load_state
from amqp_traffic.ingest.ring.state_writing import write_state
from amqp_traffic.lake.folder import LakeError, create_lake
from amqp_traffic.schemas import TABLES

from ..lake_tables import assert_same_tables
from .capture_rings import follow, plain_ring, read_tables, tables_of, write


def _checkpoint(place: Path) -> Path:
    [path] = create_lake(str(place)).files("_checkpoints")
    return place / path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"version": "99.1"},
            r"is a checkpoint of version 99.1, format 8, and this is version .*: go on with that",
        ),
        (
            {"format": 5},
            r"is a checkpoint of version .*, format 5, and this is version .*, format 8: go on with that version; or delete",
        ),
        (
            {"kind": "x"},
            r"is not a checkpoint; delete .*/_checkpoints/cap-\w+ to begin anew with what is left of the",
        ),
        ({"version": "9\n\x1b[2J"}, r"is not a checkpoint; delete .*/_checkpoints/cap-\w+ to begin anew"),
        ({"format": [7]}, r"is not a checkpoint; delete .*/_checkpoints/cap-\w+ to begin anew"),
        ({"sha256": "0"}, r"is damaged; delete .*/_checkpoints/cap-\w+ to begin anew"),
    ],
)
def test_checkpoints_that_are_of_no_use(tmp_path: Path, change: dict[str, object], message: str) -> None:
    folder, place = write(tmp_path / "ring", plain_ring(3, 60_000, 4)), tmp_path / "lake"
    follow(folder, place)
    path, before = _checkpoint(place), read_tables(place)
    line, _, state = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(line), **change}).encode() + b"\n" + state)
    with pytest.raises(LakeError, match=message) as raised:
        follow(folder, place)
    assert "\n" not in str(raised.value)
    assert read_tables(place) == before
    for octets in (b"garbage", b"", b"[" * 100_000, b"\xff", b'["x"]\n'):
        path.write_bytes(octets)
        with pytest.raises(LakeError, match="is not a checkpoint"):
            follow(folder, place)
    # The way out that the message names.
    shutil.rmtree(path.parent.parent)
    follow(folder, place)
    assert_same_tables(read_tables(place), tables_of(plain_ring(3, 60_000, 4), tmp_path), tuple(TABLES))


# --- Checkpoints of somebody else ---


def _forge(path: Path, change: Callable[[RingReading], None] = lambda reading: None, **head: Any) -> None:
    """Change the state in a checkpoint and its head, which then has the digest of what was changed."""
    _, _, packed = path.read_bytes().partition(b"\n")
    reading = load_state(zlib.decompress(packed))
    change(reading)
    _forge_octets(path, write_state(reading), **head)


def _forge_octets(path: Path, state: bytes, **head: Any) -> None:
    packed = zlib.compress(state)
    facts = {**json.loads(path.read_bytes().partition(b"\n")[0]), "size": len(state)}
    facts = {**facts, "sha256": sha256(packed).hexdigest(), **head}
    path.write_bytes(json.dumps(facts).encode() + b"\n" + packed)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A lake with a ring that was followed, beside files that nobody may touch."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/part-0.parquet").write_text("precious")
    follow(write(tmp_path / "ring", plain_ring(3, 60_000, 4)), tmp_path / "lake")
    return tmp_path / "lake"


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_refused(place: Path, message: str) -> None:
    """Whoever follows the ring gets one line; nothing changes, in the lake or beside it."""
    before = _files(place.parent)
    with pytest.raises(LakeError, match=message) as raised:
        follow(place.parent / "ring", place)
    assert "\n" not in str(raised.value)
    assert _files(place.parent) == before


DAMAGED = r"lake/_checkpoints/cap-\w+/capture_id=\S+ is damaged; delete .*/_checkpoints/cap-\w+ to begin anew"
DAMAGED_STATE = r"\.checkpoint is damaged: [^;]+; delete .*/_checkpoints/cap-\w+ to begin anew"


def test_a_checkpoint_that_is_written_again_is_accepted(place: Path) -> None:
    """So what the others change is why they are refused."""
    _forge(_checkpoint(place))
    follow(place.parent / "ring", place)


def _row(path: str) -> Callable[[Path], dict[str, Any]]:
    return lambda checkpoint: {"for_now": [path.replace("ID", checkpoint.parent.name)]}


HEADS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "a file beside the lake": _row("frames/date=2026-11-21/ID/../../../../victim/part-0.parquet"),
    "an absolute path": _row("/frames/date=2026-11-21/ID/part-0.parquet"),
    "a folder that is no table": _row("_staging/date=2026-11-21/ID/part-0.parquet"),
    "the mark of the lake": _row("_lake.json"),
    "a checkpoint": _row("_checkpoints/date=2026-11-21/ID/part-0.parquet"),
    "a file of another capture": _row("frames/date=2026-11-21/capture_id=other/part-0.parquet"),
    "a date with a way out": _row("frames/date=../ID/part-0.parquet"),
    "a newline at the end": _row("frames/date=2026-11-21/ID/part-0.parquet\n"),
    "a path that is no text": lambda path: {"for_now": [7]},
    "paths that are no list": lambda path: {"for_now": {"a": 1}},
    "another capture": lambda path: {"capture_id": "other"},
    "a capture with a way out": lambda path: {"capture_id": "../../../victim"},
    "a capture that is no text": lambda path: {"capture_id": None},
    "no number of files": lambda path: {"files": "2"},
    "a number of files that is a boolean": lambda path: {"files": True},
    "a negative number of files": lambda path: {"files": -1},
    "no size": lambda path: {"size": None},
    "a size below zero": lambda path: {"size": -1},
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_a_forged_head_is_refused(place: Path, head: Callable[[Path], dict[str, Any]]) -> None:
    path = _checkpoint(place)
    _forge(path, **head(path))
    assert_refused(place, DAMAGED)


def test_a_capture_with_a_way_out_in_its_folder_is_refused(place: Path) -> None:
    """The folder says the same as the head, as names of folders escape what paths have."""
    path = _checkpoint(place)
    moved = path.parent.parent / "capture_id=..%2F..%2Fvictim" / path.name
    moved.parent.mkdir()
    path.rename(moved)
    _forge(moved, capture_id="../../victim")
    assert_refused(place, DAMAGED)


STATES: dict[str, Callable[[RingReading], object]] = {
    "a date of files": lambda reading: setattr(reading, "_date", "../../../../victim"),
    "a date of connections": lambda reading: reading._pipeline._names.dates.update({1: "../../../../victim"}),
    "another capture": lambda reading: setattr(reading, "capture_id", "../../../victim"),
    "another number of files": lambda reading: setattr(reading, "files", 7),
    "settings of two lines": lambda reading: setattr(reading, "settings", ReadSettings("1\n2")),  # type: ignore[arg-type]
    "no name of the last file": lambda reading: setattr(reading, "last", None),
    "files that are no set": lambda reading: setattr(reading, "taken", ["a"]),
    "no pipeline": lambda reading: setattr(reading, "_pipeline", reading.settings),
    "no names": lambda reading: delattr(reading._pipeline, "_names"),
    "no attributes": lambda reading: vars(reading).clear(),
}


@pytest.mark.parametrize("change", STATES.values(), ids=STATES.keys())
def test_a_forged_reading_is_refused(place: Path, change: Callable[[RingReading], None]) -> None:
    _forge(_checkpoint(place), change)
    assert_refused(place, DAMAGED_STATE)


DEEP: dict[str, Callable[[RingReading], object]] = {
    "octets that are no number": lambda reading: setattr(reading, "_octets", "x"),
    "a time that is no text": lambda reading: setattr(reading, "last", RingName(7, 1, "cap*.pcap")),  # type: ignore[arg-type]
    "names without a list": lambda reading: setattr(reading._pipeline._names, "conn_ids", 3),
    "streams of another class": lambda reading: setattr(
        reading._pipeline._reader.connections, "_streams", []
    ),
}


@pytest.mark.parametrize("change", DEEP.values(), ids=DEEP.keys())
def test_a_reading_that_cannot_go_on_is_one_line(place: Path, change: Callable[[RingReading], None]) -> None:
    """Not everything in a state is checked before it is used; what it leads to is told all the same."""
    _forge(_checkpoint(place), change)
    assert_refused(
        place,
        r"\.checkpoint cannot be continued: unless somebody has changed it, this is \w+Error \(\w+\.py:\d+\), a fault of"
        r" this program; please report it; delete .*/_checkpoints/cap-\w+ to begin anew",
    )


@pytest.mark.parametrize(
    "state", [write_state([]), write_state(ReadSettings()), b"", b"[[],[],[0],[]]\n", b"garbage"], ids=repr
)
def test_a_state_of_something_else_is_refused(place: Path, state: bytes) -> None:
    _forge_octets(_checkpoint(place), state)
    assert_refused(place, DAMAGED_STATE)


@pytest.mark.parametrize("size", [0, 100, 10_000_000_000])
def test_a_state_of_another_size_is_refused(place: Path, size: int) -> None:
    """No more is unpacked than the head says, and nothing where it says more than any state has."""
    _forge(_checkpoint(place), size=size)
    assert_refused(place, "is damaged(: the state has another size)?; delete")


class _Evil:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.marker),)


@pytest.mark.parametrize("form", [5, 8])
def test_a_pickle_is_not_loaded(place: Path, tmp_path: Path, form: int) -> None:
    """Neither in a checkpoint of the format that had one, nor in one of this format."""
    state = pickle.dumps(_Evil(tmp_path / "marker"))
    _forge_octets(_checkpoint(place), state, format=form)
    assert_refused(
        place, DAMAGED_STATE if form == 8 else r"format 5, and this is version .*, format 8: go on with"
    )
    assert not (tmp_path / "marker").exists()
    pickle.loads(state)  # it would
    assert (tmp_path / "marker").exists()
