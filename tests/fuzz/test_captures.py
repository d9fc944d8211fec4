"""Damaged captures: a sample, the same every time; 10,000 of them, drawn anew, in ``make test-all``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[traffic]'")

from amqp_traffic.ingest.sharing import shares
from amqp_traffic.ingest.tables.file_reading import SegmentBatch

from .__main__ import fuzz
from .case import TRAFFIC
from .entries import draw_case, run_case

SAMPLE = 15
PARTS, CASES_EACH = 10, 1000


def test_a_sample() -> None:
    generator = random.Random("damaged captures")
    assert sum(run_case(draw_case(TRAFFIC, "capture", generator)) for _ in range(SAMPLE)) > SAMPLE / 2


@pytest.mark.full
@pytest.mark.parametrize("entry", ["capture", "native"])
@pytest.mark.parametrize("part", range(PARTS))
def test_many(part: int, entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = random.SystemRandom().randrange(2**32)
    generator = random.Random(seed)
    failed = fuzz((draw_case(TRAFFIC, entry, generator) for _ in range(CASES_EACH)), tmp_path)
    assert not failed, f"seed {seed}\n{capsys.readouterr().out}"


def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A share that loses a segment of every batch."""
    batches = shares.ShareReading.batches

    def lose(reading: Any, core: Any) -> Iterator[SegmentBatch]:
        for batch in batches(reading):
            yield batch._replace(segments=batch.segments[:-1])

    monkeypatch.setattr(shares.ShareReading, "batches", lose)
    generator = random.Random(1)
    assert fuzz((draw_case(TRAFFIC, "capture", generator) for _ in range(3)), tmp_path) == 1
    assert "LedgerError" in capsys.readouterr().out
