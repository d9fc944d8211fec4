"""The labels against the reader of captures: what they call intact, it finds, octet for octet."""

from __future__ import annotations

import pytest
from amqp_traffic.capture.stream_data import StreamPiece

from ..capture_builder import Reading, read
from .made_captures import Made, make, plain


def streams_of(made: Made) -> dict[tuple[int, int], list[tuple[int, bytes]]]:
    """What was read of each stream: offsets as in the labels, and octets."""
    reading: Reading = read(made.capture, server_ports=[5672])
    found = {}
    for connection in reading.ended:
        for direction, stream in enumerate(connection.streams):
            label, shift = _label(made, connection, direction, stream.first_sequence)
            pieces: list[StreamPiece] = reading.pieces.get((connection.number, direction), [])
            octets = [(piece.offset + shift, piece.data) for piece in pieces if piece.data]
            found.setdefault((label["connection"], direction), []).extend(octets)
    return found


def _label(made: Made, connection, direction: int, first_sequence: int):
    """The label of a connection, and where in its stream reading began: within a few million octets of the SYN."""
    for label in made.connections:
        shift = (first_sequence - label["sequences"][direction] - 1) % 2**32
        if label["client"] == list(connection.client) and shift < 10_000_000:
            return label, shift
    raise AssertionError(f"no label for {connection}")


@pytest.fixture(scope="module")
def sent() -> dict[tuple[int, int], bytes]:
    """The streams as they were sent."""
    found = {}
    for stream, pieces in streams_of(plain()).items():
        assert [offset for offset, _ in pieces[:1]] in ([], [0])
        found[stream] = b"".join(octets for _, octets in pieces)
    return found


def test_whole_streams_are_read(sent) -> None:
    lengths = {stream: label["octets"] for stream, label in plain().streams.items()}
    assert {stream: len(octets) for stream, octets in sent.items()} == lengths


DAMAGES = [
    {"drop": 0.02},
    {"skip": 250},
    {"snaplen": 300},
    {"reorder": 0.05, "reorder_within": 4},
    {"duplicate": 0.1, "overlap": 0.1},
    {"drop": 0.02, "duplicate": 0.05, "overlap": 0.05, "conflict": 0.05},
    {"garbage": 4, "flip": 0.02},
    {"garbage": 4, "form": "pcapng"},
    {"truncate": True},
]


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_intact_frames_are_read_and_others_are_not(damage: dict, sent) -> None:
    made = make(**damage)
    read_octets: dict[tuple[int, int], dict[int, int]] = {stream: {} for stream in sent}
    for stream, pieces in streams_of(made).items():
        for offset, octets in pieces:
            read_octets[stream] |= zip(range(offset, offset + len(octets)), octets, strict=True)
    missed = 0
    for label in made.of("frame", "header", "tail", "foreign"):
        stream, start = (label["connection"], label["direction"]), label["offset"]
        place = range(start, start + label["size"])
        is_read = [read_octets[stream].get(at) for at in place] == list(
            sent[stream][place.start : place.stop]
        )
        assert label["intact"] or not is_read
        missed += label["intact"] and not is_read
    assert missed <= 0.005 * made.summary.frames
