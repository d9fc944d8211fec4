"""Checkpoints of rings that are followed: what is refused, and that nothing is called that is not part of a state."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.ingest import state_pickle
from amqp_traffic.lake.folder import LakeError, create_lake
from amqp_traffic.schemas import TABLES

from .capture_rings import Script, follow, plain_ring, read_tables, tables_of, write
from .lake_tables import assert_same_tables


def _checkpoint(place: Path) -> Path:
    [path] = create_lake(str(place)).files("_checkpoints")
    return place / path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"version": "99.1"},
            r"is a checkpoint of version 99.1, format 5, and this is version .*: go on with that",
        ),
        (
            {"format": 6},
            r"is a checkpoint of version .*, format 6, and this is version .*, format 5: go on with",
        ),
        (
            {"kind": "x"},
            r"is not a checkpoint; delete .*/_checkpoints/cap-\w+ to begin anew with what is left of the",
        ),
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
    path.write_bytes(b"garbage")
    with pytest.raises(LakeError, match="is not a checkpoint"):
        follow(folder, place)
    # The way out that the message names.
    shutil.rmtree(path.parent.parent)
    follow(folder, place)
    assert_same_tables(read_tables(place), tables_of(plain_ring(3, 60_000, 4), tmp_path), tuple(TABLES))


class _Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("called",)


def test_states_call_nothing_of_others() -> None:
    with pytest.raises(pickle.UnpicklingError, match=r"^builtins.print is in no state$"):
        state_pickle.unpickle_state(state_pickle.pickle_state(_Evil()))
    for octets in (
        pickle.dumps(create_lake),  # a function of this program
        pickle.dumps(shutil.rmtree),
        state_pickle.pickle_state([Script().stop]),  # a method that is not a callback
    ):
        with pytest.raises(pickle.UnpicklingError, match=r"is in no state$|is not a callback$"):
            state_pickle.unpickle_state(octets)
