"""Raw streams: the octets of a direction, in a file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from amqp_traffic.capture.files import CaptureError
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.streams.raw_streams import PIECE_SIZE, is_raw_stream, pair_raw_streams, read_raw_streams

from .. import capture_builder

CLIENT, SERVER = capture_builder.octets(150_000), capture_builder.octets(PIECE_SIZE, 7)


def read(files: dict[Direction, Path]) -> capture_builder.Reading:
    reading = capture_builder.Reading()
    octets = sum(read_raw_streams(files, 1, reading.on_pieces, reading.on_end, reading.quarantine))
    assert octets == len(reading.stream(0)) + len(reading.stream(1))
    assert len(reading.ended) == 1
    return reading


def test_names() -> None:
    names = ["b/one.client.raw", "a.server.raw", "b/one.server.raw", "two.client.raw"]
    assert pair_raw_streams(names) == [
        {Direction.client_to_server: Path(names[0]), Direction.server_to_client: Path(names[2])},
        {Direction.server_to_client: Path(names[1])},
        {Direction.client_to_server: Path(names[3])},
    ]
    assert all(map(is_raw_stream, names))
    assert not is_raw_stream("a.pcap")


@pytest.mark.parametrize("name", ["a.raw", "client.raw", "a.clients.raw"])
def test_name_without_direction(name: str) -> None:
    assert is_raw_stream(name)
    with pytest.raises(CaptureError, match=r"ends in \.client\.raw or \.server\.raw"):
        pair_raw_streams([name])


def test_both_directions(tmp_path: Path) -> None:
    client, server = tmp_path / "a.client.raw", tmp_path / "a.server.raw"
    client.write_bytes(CLIENT)
    server.write_bytes(gzip.compress(SERVER))
    (files,) = pair_raw_streams([client, server])
    reading = read(files)
    assert (reading.stream(0), reading.stream(1)) == (CLIENT, SERVER)
    assert [(it.packet_no, it.packet_offset) for it in reading.pieces[1, 0]] == [
        (1, 0),
        (2, PIECE_SIZE),
        (3, 2 * PIECE_SIZE),
    ]
    assert reading.connections[0].role_by == "file"
    assert reading.quarantine.totals == {}


@pytest.mark.parametrize("direction", Direction)
def test_one_direction(direction: Direction, tmp_path: Path) -> None:
    path = tmp_path / "a.raw"
    path.write_bytes(CLIENT)
    reading = read({direction: path})
    assert (reading.stream(direction), reading.stream(direction.opposite)) == (CLIENT, b"")


def test_damaged_compression(tmp_path: Path) -> None:
    path = tmp_path / "a.client.raw"
    path.write_bytes(gzip.compress(CLIENT)[:-1000])
    reading = read({Direction.client_to_server: path})
    assert CLIENT.startswith(reading.stream(0))
    assert reading.stream(0)
    assert reading.count(Reason.FILE_TRUNCATED) == 1


def test_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.client.raw"
    path.write_bytes(b"")
    assert read({Direction.client_to_server: path}).pieces == {}
