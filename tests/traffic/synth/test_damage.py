"""Damage: what each stage does, that another stage does not change it, and what the labels say of it."""

from __future__ import annotations

import pytest
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.synth.damage import GARBAGE_SIZE, Damage, damaged
from amqp_traffic.synth.packet import Packet

from .made_captures import make, plain

PACKETS = [
    Packet(
        number, number, 0, Direction.client_to_server, False, 10 * number, b"\x45", bytes([number % 256]) * 10
    )
    for number in range(2000)
]


def numbers(damage: Damage, seed: str = "seed") -> list[int]:
    return [packet.number for packet in damaged(PACKETS, damage, seed)]


def test_nothing_happens_unless_asked_for() -> None:
    assert list(damaged(PACKETS, Damage(), "seed")) == PACKETS


def test_skip() -> None:
    assert numbers(Damage(skip=100)) == list(range(100, 2000))


def test_drop() -> None:
    left = numbers(Damage(drop=0.1))
    assert left == sorted(left)
    assert 1750 < len(left) < 1850
    assert numbers(Damage(drop=1)) == []


@pytest.mark.parametrize("within", [1, 8, 50])
def test_reorder(within: int) -> None:
    found = numbers(Damage(reorder=0.2, reorder_within=within))
    assert sorted(found) == list(range(2000))
    moved = [place - number for place, number in enumerate(found)]
    assert found != sorted(found)
    assert max(moved) <= within


def test_everything_late_is_still_there() -> None:
    assert sorted(numbers(Damage(reorder=1))) == list(range(2000))


def test_duplicate() -> None:
    found = numbers(Damage(duplicate=0.1))
    assert set(found) == set(range(2000))
    assert 2150 < len(found) < 2250


@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_nothing_comes_after_the_horizon(rate: float) -> None:
    damage = Damage(reorder=rate, duplicate=rate, reorder_within=5)
    found = numbers(damage)
    for place, number in enumerate(found):
        assert min(found[place:]) > number - damage.horizon


def test_flip() -> None:
    altered = [it for it in damaged(PACKETS, Damage(flip=0.1), "seed") if it.altered is not None]
    assert 150 < len(altered) < 250
    for packet in altered:
        difference = int.from_bytes(packet.payload, "big") ^ int.from_bytes(
            PACKETS[packet.number].payload, "big"
        )
        assert difference.bit_count() == 1
        place = packet.altered
        assert place is not None
        assert packet.payload[place] != PACKETS[packet.number].payload[place]


def test_a_contrary_copy_comes_right_after_the_first() -> None:
    found = list(damaged(PACKETS, Damage(conflict=0.1), "seed"))
    contrary = [place for place, it in enumerate(found) if it.is_contrary]
    assert 150 < len(contrary) < 250
    for place in contrary:
        assert found[place - 1].number == found[place].number
        assert found[place - 1].payload != found[place].payload


def test_damage_strikes_where_it_did_without_other_damage() -> None:
    alone, together = Damage(flip=0.1), Damage(flip=0.1, conflict=0.5)
    altered = [
        [
            it.number
            for it in damaged(PACKETS, damage, "seed")
            if it.altered is not None and not it.is_contrary
        ]
        for damage in (alone, together)
    ]
    assert altered[0] == altered[1]


# --- What the labels say ---

CAPTURE_DAMAGE = [
    {"drop": 0.05},
    {"skip": 200},
    {"snaplen": 200},
    {"flip": 0.05},
    {"drop": 0.05, "duplicate": 0.1, "reorder": 0.1, "overlap": 0.1, "conflict": 0.05},
]


@pytest.mark.parametrize("fields", CAPTURE_DAMAGE, ids=str)
def test_labels_of_damaged_captures(fields: dict) -> None:
    made = make(**fields)
    assert [it | {"intact": True} for it in made.frames] == plain().frames  # the same was sent
    assert 0 < made.summary.intact < made.summary.frames
    assert made.summary.intact == sum(frame["intact"] for frame in made.frames)


@pytest.mark.parametrize(
    "fields", [{"duplicate": 0.2}, {"reorder": 0.2}, {"overlap": 0.2}, {"conflict": 0.2}, {"garbage": 3}]
)
def test_what_leaves_all_frames_intact(fields: dict) -> None:
    made = make(**fields)
    assert made.frames == plain().frames
    assert made.capture != plain().capture


def test_undamaged_streams_are_captured_from_the_beginning() -> None:
    streams = plain().streams
    assert len(streams) == 32
    for stream in streams.values():
        assert stream["captured"] == stream["octets"]
        assert stream["syn"]
        assert stream["begins"] == (0 if stream["octets"] else None)


def test_frames_make_up_the_streams() -> None:
    ends = dict.fromkeys(plain().streams, 0)
    for label in plain().of("header", "frame", "tail", "foreign"):
        stream = label["connection"], label["direction"]
        assert label["offset"] == ends[stream]
        ends[stream] += label["size"]
    assert ends == {stream: label["octets"] for stream, label in plain().streams.items()}


def test_mid_stream() -> None:
    streams = make(skip=300).streams.values()
    assert any(not stream["syn"] and stream["begins"] for stream in streams)
    assert any(stream["captured"] < stream["octets"] for stream in streams)


def test_truncated_file_ends_within_a_record() -> None:
    made = make(truncate=True)
    assert plain().capture.startswith(made.capture)
    assert len(plain().capture) - 2000 < len(made.capture) < len(plain().capture)


def test_garbage_is_between_records() -> None:
    assert len(make(garbage=3).capture) == len(plain().capture) + 3 * GARBAGE_SIZE


def test_all_is_lost() -> None:
    made = make(drop=1.0)
    assert (made.summary.packets, made.summary.intact) == (0, 0)
    assert len(made.capture) == 24
    assert {stream["begins"] for stream in made.streams.values()} == {None}
