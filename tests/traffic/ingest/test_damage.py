"""Damaged captures: every octet is accounted for, and what is not in the tables is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.sampling import examples

from ..synth.made_captures import make
from .lake_tables import Ingested, ingested
from .ledger_checks import check_ledgers

SIZE = 40_000
# What is done, which reasons there must be, and whether the tables lack something that the capture should have.
DAMAGES: list[tuple[dict[str, Any], set[str], bool]] = [
    ({"drop": 0.03}, {"seq-gap"}, True),
    ({"skip": 200, "mix": {"0-9-1-rabbitmq": 2, "1.0": 1, "0-8": 1}}, {"mid-stream-head"}, False),
    ({"snaplen": 300}, {"snaplen-cut"}, True),
    ({"reorder": 0.05, "reorder_within": 4}, set(), False),
    ({"duplicate": 0.1, "overlap": 0.1}, set(), False),
    ({"conflict": 0.05}, {"overlap-conflict"}, True),
    ({"flip": 0.1}, set(), True),
    ({"garbage": 3}, {"file-corrupt"}, True),
    ({"garbage": 3, "form": "pcapng"}, {"file-corrupt"}, True),
    ({"truncate": True}, {"file-truncated"}, True),
    ({"truncate": True, "form": "pcapng"}, {"file-truncated"}, True),
    (
        {"drop": 0.02, "duplicate": 0.05, "overlap": 0.05, "conflict": 0.05, "flip": 0.05, "garbage": 2},
        set(),
        True,
    ),
]


def ingest_octets(octets: bytes, folder: Path) -> Ingested:
    """The tables of a capture; their ledgers hold."""
    file = folder / "a"
    file.write_bytes(octets)
    found = ingested([file], folder / "lake")
    check_ledgers(found)
    (row,) = found["captures"]
    assert row["size"] == len(octets)
    return found


@pytest.mark.parametrize(
    ("damage", "reasons", "partial"), DAMAGES, ids=lambda it: str(it) if isinstance(it, dict) else ""
)
def test_synthetic(damage: dict[str, Any], reasons: set[str], partial: bool, tmp_path: Path) -> None:
    made = make(seed=3, size=250_000, **damage)
    found = ingest_octets(made.capture, tmp_path)
    (result,) = found.results
    assert reasons <= set(result.left_out)
    assert result.partial is partial, result.left_out
    assert {row["reason"] for row in found["quarantine"]} <= set(result.left_out)


@pytest.fixture(scope="module", params=["pcap", "pcapng"])
def small(request: pytest.FixtureRequest) -> bytes:
    return make(seed=5, size=SIZE, connections=6, form=request.param, body_size=300).capture


@given(data=st.data())
@examples(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_truncation(small: bytes, data: st.DataObject, tmp_path: Path) -> None:
    found = ingest_octets(small[: data.draw(st.integers(0, len(small) - 1))], tmp_path)
    (row,) = found["captures"]
    assert row["status"] in ("complete", "damaged", "not-a-capture")


@given(places=st.lists(st.tuples(st.integers(0, SIZE), st.integers(0, 7)), min_size=1, max_size=40))
@examples(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_flipped_bits(small: bytes, places: list[tuple[int, int]], tmp_path: Path) -> None:
    octets = bytearray(small)
    for place, bit in places:
        octets[place % len(octets)] ^= 1 << bit
    ingest_octets(bytes(octets), tmp_path)


@given(place=st.integers(0, SIZE), seed=st.binary(min_size=8, max_size=8))
@examples(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_in_the_middle(small: bytes, place: int, seed: bytes, tmp_path: Path) -> None:
    place %= len(small)
    found = ingest_octets(small[:place] + seed * 512 + small[place:], tmp_path)
    assert found.results[0].partial
