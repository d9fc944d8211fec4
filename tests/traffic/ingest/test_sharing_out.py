"""Nobody who reads a part of a file, or writes what was said on some connections, has much more to do than the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.splitting.conversation_tasks import share_out
from amqp_traffic.splitting.file_plan import plan_files

from .capture_rings import plain_ring, write


@given(st.dictionaries(st.integers(0, 31), st.integers(1, 1000), max_size=32), st.integers(1, 40))
def test_shares(weights: dict[int, int], count: int) -> None:
    shares = share_out(weights, count)
    assert sorted(thing for share in shares for thing in share) == sorted(weights)
    assert len(shares) == min(count, len(weights))
    loads = [sum(weights[thing] for thing in share) for share in shares]
    assert loads == sorted(loads, reverse=True)
    assert all(loads)
    if loads:
        assert loads[0] - loads[-1] <= max(weights.values())


@pytest.mark.parametrize(("parts", "size"), [(1, 1.0), (2, 0.9), (2, 0.51), (3, 0.45), (8, 0.13)])
def test_parts_of_a_file(tmp_path: Path, parts: int, size: float) -> None:
    [(name, octets)] = plain_ring(1, 400_000, 5).items()
    place = write(tmp_path / "captures", {name: octets})
    plan = plan_files([place / name], int(len(octets) * size) + 1)
    sizes = [split.end - split.start for split in plan.files[0].splits]
    assert len(sizes) == parts
    assert max(sizes) - min(sizes) < 3 * 1500 + 60  # where packets begin
