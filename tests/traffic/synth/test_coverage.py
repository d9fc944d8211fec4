"""Which octets are captured: stretches against sets of octets."""

from __future__ import annotations

from amqp_traffic.synth.coverage import Coverage, Spans
from hypothesis import given
from hypothesis import strategies as st

STRETCH = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda it: (it[0], it[0] + it[1]))


@given(st.lists(STRETCH, max_size=12), STRETCH)
def test_stretches_are_sets_of_octets(added: list[tuple[int, int]], asked: tuple[int, int]) -> None:
    spans, octets = Spans(), set()
    for start, end in added:
        spans.add(start, end)
        octets |= set(range(start, end))
    assert spans.octets == len(octets)
    wanted = set(range(*asked))
    assert spans.contain(*asked) == (wanted <= octets)
    assert spans.touch(*asked) == bool(wanted & octets)
    assert all(end < start for end, start in zip(spans.ends, spans.starts[1:], strict=False))


@given(st.lists(STRETCH, max_size=12), st.integers(0, 80), STRETCH)
def test_what_is_forgotten_is_still_counted(
    added: list[tuple[int, int]], before: int, asked: tuple[int, int]
) -> None:
    kept, forgetful = Spans(), Spans()
    for start, end in added:
        kept.add(start, end)
        forgetful.add(start, end)
    forgetful.forget(before)
    assert forgetful.octets == kept.octets
    assert all(end > before for end in forgetful.ends)
    if asked[0] >= before:
        assert forgetful.contain(*asked) == kept.contain(*asked)


def test_altered_octets_are_captured_but_not_intact() -> None:
    coverage = Coverage()
    coverage.add(10, 30)
    coverage.alter(20)
    assert coverage.is_intact(12, 20)
    assert coverage.is_intact(21, 30)
    assert not coverage.is_intact(12, 21)
    assert not coverage.is_intact(20, 21)
    assert not coverage.is_intact(5, 12)
    assert (coverage.captured.octets, coverage.altered.octets, coverage.begins) == (20, 1, 10)
