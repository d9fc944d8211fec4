"""Which frames are kept around a finding."""

from __future__ import annotations

import pytest
from amqp_traffic.explain.window import FindingPlace, Key, Where, Window


def window(
    where: Where, context: int, *, frame_no: int | None = None, offset: int | None = None, ns: int = 0
) -> Window[str]:
    return Window(FindingPlace(where, frame_no, 0, offset, ns, frozenset((0, 1)), context))


def key(number: int, direction: int = 0, channel: int = 1, kind: int = 1, ns: int | None = None) -> Key:
    """Of a frame of ten octets."""
    return Key(number, direction, 10 * number, channel, kind, number if ns is None else ns)


def fill(kept: Window[str], numbers: range) -> tuple[list[str], str | None, list[str]]:
    for number in numbers:
        kept.add(key(number), str(number))
    return list(kept.before), kept.marked, kept.after


def test_a_frame() -> None:
    kept = window(Where.FRAME, 2, frame_no=5)
    assert fill(kept, range(20)) == (["3", "4"], "5", ["6", "7"])
    assert kept.is_done
    assert fill(window(Where.FRAME, 0, frame_no=5), range(20)) == ([], "5", [])
    assert fill(window(Where.FRAME, 3, frame_no=0), range(3)) == ([], "0", ["1", "2"])


def test_octets_that_are_no_frame() -> None:
    """Between the frames of their direction, and by time those of the other one."""
    kept = window(Where.OCTETS, 2, offset=25, ns=3)
    assert fill(kept, range(20)) == (["1", "2"], None, ["3", "4"])
    kept = window(Where.OCTETS, 2, offset=1000, ns=3)
    for number in range(6):
        kept.add(key(number, direction=1), str(number))
    assert (list(kept.before), kept.after) == (["2", "3"], ["4", "5"])


@pytest.mark.parametrize(
    ("where", "before", "after"),
    [(Where.BEGINNING, [], ["0", "1", "2", "3"]), (Where.END, ["16", "17", "18", "19"], [])],
)
def test_both_ends(where: Where, before: list[str], after: list[str]) -> None:
    kept = window(where, 2)
    assert fill(kept, range(20)) == (before, None, after)
    assert kept.is_done == (where is Where.BEGINNING)


def test_other_channels_and_heartbeats() -> None:
    kept = window(Where.FRAME, 5, frame_no=9)
    kept.add(key(0, channel=0), "close")
    kept.add(key(1, channel=0, kind=8), "heartbeat")
    kept.add(key(2, channel=2), "other")
    kept.add(key(3, channel=1, kind=8), "heartbeat on channel 1")
    assert list(kept.before) == ["close", "heartbeat on channel 1"]


def test_what_is_no_frame_does_not_count() -> None:
    kept = window(Where.FRAME, 2, frame_no=5)
    for number in range(20):
        kept.remark(f"gap {number}")
        kept.add(key(number), str(number))
    assert list(kept.before) == ["gap 3", "3", "gap 4", "4", "gap 5"]
    assert kept.after == ["gap 6", "6", "gap 7", "7"]
    many = window(Where.FRAME, 2, frame_no=5)
    for number in range(1000):
        many.remark(f"gap {number}")
    assert len(many.before) < 200 and many.before[-1] == "gap 999"
    nothing = window(Where.FRAME, 0, frame_no=5)
    nothing.remark("gap")
    assert list(nothing.before) == []
