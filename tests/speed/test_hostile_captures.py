"""The benchmark of hostile captures: its shapes are what they say, and what exceeds a limit is told. No time is tested."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[traffic]'")

from amqp_traffic.capture.flow_buckets import bucket_of

from benchmarks.hostile.__main__ import Row
from benchmarks.hostile.frame_templates import NAME, NUMBER, named, numbered
from benchmarks.hostile.measuring import C, exponent
from benchmarks.hostile.shapes import SHAPES, make
from tests.traffic.capture_builder import read

SIZE = 20_000


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_the_same_each_time_and_of_any_size(name: str) -> None:
    assert make(name, SIZE) == make(name, SIZE)
    for size in (SIZE, 3 * SIZE):
        assert size <= len(make(name, size)) <= 1.3 * size


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_a_sound_capture(name: str) -> None:
    """Its packets are read; only what they hold is hostile."""
    reading = read(make(name, SIZE))
    assert reading.ledger is not None and not reading.ledger.skipped
    assert reading.ended or name == "interfaces-alone"


def test_connections_of_one_bucket() -> None:
    flows = {stream.flow for item in read(make("one-bucket", SIZE)).ended for stream in item.streams}
    assert len(flows) > 200
    assert len(set(map(bucket_of, flows))) == 1


def test_frames_are_filled_in() -> None:
    assert numbered(b"a" + NUMBER.to_bytes(4, "big") + b"b")(7) == b"a\0\0\0\7b"
    assert named(f"<{NAME}{NAME}>".encode())(255) == b"<n_000000ffn_000000ff>"


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0])
def test_the_power_of_growth_is_found(power: float) -> None:
    sizes = [6, 12, 25, 50]
    found = exponent(sizes, [0.3 * size**power for size in sizes], 0.1)
    assert found == pytest.approx(power)


def test_short_times_tell_no_power() -> None:
    assert exponent([1, 2, 4], [0.001, 0.05, 0.3], 0.1) is None


def test_limits_that_are_exceeded_are_named() -> None:
    assert not Row("gaps", C, 1.0, 1.05, 399.0).exceeded()
    assert not Row("gaps", C, 0.01, None, 100.0).exceeded()
    assert Row("gaps", C, 1.0, 1.52, 812.3).exceeded() == [
        "gaps, C: exponent 1.52, at most 1.1",
        "gaps, C: 812 MB of memory, at most 400",
    ]
