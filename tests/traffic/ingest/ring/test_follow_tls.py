"""Rings with TLS that are followed: keys come late, and are never in the lake, although connections go on from file to file."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.ring.checkpoint import _unpack, checkpoint_name, read_checkpoint
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.schemas import TABLES
from amqp_traffic.streams.tls.key_log import KeyLog

from ...made_tls import MadeTls, made_wrap
from ...synth.made_captures import make
from ...wrapped_captures import Wrap, proxied, websocket, within, wrapped
from ..lake_tables import assert_same_tables, read_tables
from ..test_wrapped_connections import V2
from .capture_rings import follow, ring_of, tables_of, write


def tls_capture(lines: list[str], *, is_wrapped: bool = False) -> bytes:
    seeds = count()

    def make_wrap() -> Wrap:
        seed = next(seeds)
        made = made_wrap(MadeTls(*(("1.3", 0x1301), ("1.2", 0xC027))[seed % 2], seed, key_log=lines), True)
        return within(proxied(V2), within(made, websocket())) if is_wrapped else made

    capture = make(seed=6, size=60_000, connections=4, mix={"0-9-1-rabbitmq": 1, "1.0": 1}).capture
    return wrapped(capture, make_wrap, 500)


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_it_goes_on_after_each_file(is_wrapped: bool, tmp_path: Path) -> None:
    lines: list[str] = []
    ring = ring_of(tls_capture(lines, is_wrapped=is_wrapped), 4)
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{line}\n" for line in lines))
    folder, place = tmp_path / "ring", tmp_path / "lake"
    for number in range(1, len(ring) + 1):
        part = dict(list(ring.items())[:number])
        follow(write(folder, part), place, settings=ReadSettings(key_log=KeyLog(keys)))
        settings = ReadSettings(key_log=KeyLog(keys))
        expected = tables_of(part, tmp_path / str(number), settings)
        assert expected["frames"]
        assert_same_tables(read_tables(place), expected, tuple(TABLES))
        octets = b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file())
        lake = open_lake(str(place))
        name = checkpoint_name(str(folder.resolve()), "cap*.pcap")
        checkpoint = read_checkpoint(lake, name)
        assert checkpoint is not None
        octets += _unpack(checkpoint.state)
        for line in lines:
            secret = line.split()[2]
            assert secret.encode() not in octets and bytes.fromhex(secret) not in octets


def test_keys_that_come_late(tmp_path: Path) -> None:
    """They are written when the ring is followed already."""
    lines: list[str] = []
    ring = ring_of(tls_capture(lines), 3)
    keys = tmp_path / "keys"
    keys.write_text("# nothing yet\n")
    settings = ReadSettings(key_log=KeyLog(keys))
    keys.write_text("# nothing yet\n" + "".join(f"{line}\n" for line in lines))
    place = tmp_path / "lake"
    follow(write(tmp_path / "ring", ring), place, settings=settings)
    assert len(read_tables(place)["frames"]) > 100
