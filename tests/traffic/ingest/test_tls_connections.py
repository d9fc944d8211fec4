"""Connections with TLS have the rows of the same connections without, and no key or password is anywhere."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")
pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.streams.tls.key_log import KeyLog

from ..capture_builder import Captured, block, enhanced, interface, section
from ..made_tls import MadeTls, made_wrap
from ..pcap_records import records, with_records
from ..synth.made_captures import make
from ..tls_sessions import TlsSessions
from ..tshark import needs_tshark, run
from ..wrapped_captures import Wrap, plain, proxied, websocket, within, wrapped
from .lake_tables import Ingested, ingested
from .ledger_checks import check_ledgers
from .test_wrapped_connections import MIXED, V2, frames_of

CLIENT, SERVER = Direction
SESSIONS: dict[str, dict[str, Any]] = {
    "1.3 AES-256-GCM": {},
    "1.3 resumed": {"resumes": True},
    "1.3 small records": {"most": 40},
    "1.2 AES-128-GCM": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-AES128-GCM-SHA256"},
    "1.2 AES-256-GCM": {"version": "TLSv1_2", "ciphers": "ECDHE-RSA-AES256-GCM-SHA384", "key": "rsa"},
    "1.2 ChaCha20": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-CHACHA20-POLY1305"},
    "1.2 CBC SHA1": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-AES128-SHA"},
    "1.2 CBC SHA384": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-AES256-SHA384"},
    "1.2 CCM": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-AES128-CCM"},
    "1.2 RSA": {"version": "TLSv1_2", "ciphers": "AES256-SHA256", "key": "rsa"},
    "1.2 resumed": {"version": "TLSv1_2", "ciphers": "ECDHE-ECDSA-AES128-GCM-SHA256", "resumes": True},
}


def read(
    capture: bytes, folder: Path, keys: Path | None = None, suffix: str = "pcap", shares: int = 1
) -> Ingested:
    path = folder / f"a.{suffix}"
    path.write_bytes(capture)
    settings = ReadSettings() if keys is None else ReadSettings(key_log=KeyLog(keys))
    found = ingested([path], folder / "lake", shares, settings)
    check_ledgers(found)
    return found


def bare(size: int = 1400) -> bytes:
    return wrapped(make(seed=31, **MIXED).capture, lambda: plain, size)


def same_rows(found: Ingested, expected: Ingested) -> None:
    assert frames_of(found) == frames_of(expected)
    for table in ("messages", "exchanges", "methods", "performatives"):
        assert len(found[table]) == len(expected[table])
    assert len(found["messages"]) > 5


@pytest.mark.parametrize("name", SESSIONS)
def test_rows_are_those_of_the_plain_connection(name: str, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    sessions = TlsSessions(keys, **SESSIONS[name])
    capture = wrapped(make(seed=31, **MIXED).capture, sessions.wrap)
    found = read(capture, tmp_path, keys)
    same_rows(found, read(bare(), tmp_path))
    assert bool(sessions.resumed) is ("resumed" in name)
    for row in found["connections"]:
        assert row["tls_version"] == name[:3] and row["tls_server_name"] == "broker.example"
        assert row["tls_cipher"].startswith("TLS_") and row["transport"] == "tls" and row["detail"] is None
    assert not found["quarantine"] and not found.results[0].partial


@pytest.mark.parametrize("size", [1400, 11])
@pytest.mark.parametrize(
    "name", ["PROXY, TLS", "TLS, WebSocket", "PROXY, TLS, WebSocket", "TLS, PROXY", "keys change"]
)
def test_tls_and_other_wrappers(name: str, size: int, tmp_path: Path) -> None:
    lines: list[str] = []
    seeds = iter(range(100))

    def make_wrap() -> Wrap:
        seed = next(seeds)
        tls = MadeTls(*(("1.3", 0x1303), ("1.2", 0xC028))[seed % 2], seed, key_log=lines)
        made = made_wrap(tls, between=name == "keys change")
        if "WebSocket" in name:
            made = within(made, websocket())
        if name == "TLS, PROXY":
            return within(made, proxied(V2))
        return within(proxied(V2), made) if "PROXY" in name else made

    capture = wrapped(make(seed=31, **MIXED).capture, make_wrap, size)
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{line}\n" for line in lines))
    found = read(capture, tmp_path, keys)
    same_rows(found, read(bare(size), tmp_path))
    for row in found["connections"]:
        assert row["transport"] == ("tls, websocket" if "WebSocket" in name else "tls")
        assert (row["client_ip"] == "203.0.113.7") is ("PROXY" in name)


def with_secrets(capture: bytes, keys: bytes, where: str, order: str = "<") -> bytes:
    """The packets of a capture as pcapng, with a Decryption Secrets Block."""
    pack_number = {"<": "little", ">": "big"}[order]
    body = (0x544C534B).to_bytes(4, pack_number) + len(keys).to_bytes(4, pack_number) + keys  # type: ignore[arg-type]
    secrets = block(10, body, order)
    packets = [Captured(packet[2], packet[1]) for packet in packets_of(capture)]
    octets = [enhanced(packet, order) for packet in packets]
    place = {"first": 0, "last": len(octets), "middle": len(octets) // 2}[where]
    octets.insert(place, secrets)
    return section(order) + interface(1, order) + b"".join(octets)


def packets_of(capture: bytes) -> Sequence[tuple[int, int, bytes]]:
    read = recognise_capture(capture)
    return [
        (number, packet[4], capture[packet[1] : packet[1] + packet[2]])
        for number, packet in enumerate(read.packets())
    ]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("where", ["first", "middle", "last"])
def test_secrets_in_the_capture(where: str, order: str, tmp_path: Path) -> None:
    """They may come after the packets that need them."""
    keys = tmp_path / "keys"
    capture = wrapped(make(seed=31, **MIXED).capture, TlsSessions(keys).wrap)
    expected = read(bare(), tmp_path)
    with_keys = with_secrets(capture, keys.read_bytes(), where, order)
    same_rows(read(with_keys, tmp_path, suffix="pcapng"), expected)
    same_rows(read(gzip.compress(with_keys), tmp_path, suffix="pcapng.gz", shares=3), expected)


def test_tasks_get_the_keys(tmp_path: Path) -> None:
    """Each share, and those that get their segments by a shuffle."""
    keys = tmp_path / "keys"
    capture = wrapped(make(seed=31, **MIXED).capture, TlsSessions(keys).wrap)
    path = tmp_path / "a.pcap"
    path.write_bytes(capture)
    expected = read(bare(), tmp_path)
    path.write_bytes(capture)
    for shuffle in (False, True):
        settings = ReadSettings(key_log=KeyLog(keys))
        same_rows(ingested([path], tmp_path / "lake", 3, settings, shuffle=shuffle), expected)


def test_without_keys(tmp_path: Path) -> None:
    """All stays as it is; but for what hellos say."""
    sessions = TlsSessions(tmp_path / "keys", "TLSv1_2", "ECDHE-ECDSA-AES128-SHA")
    capture = wrapped(make(seed=31, **MIXED).capture, sessions.wrap, 50)
    others = tmp_path / "other keys"
    others.write_text(f"CLIENT_RANDOM {'ab' * 32} {'cd' * 48}\n")
    for keys in (None, others):
        found = read(capture, tmp_path, keys)
        assert not found["frames"] and not found.results[0].partial
        assert {row["reason"] for row in found["quarantine"]} == {"tls"}
        for row in found["connections"]:
            assert row["protocol"] == "tls" and row["detail"].startswith("TLS 1.2")
            assert (row["tls_version"], row["tls_server_name"]) == ("1.2", "broker.example")
            assert row["tls_cipher"] == "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"
            assert row["transport"] is None
            assert row["client_bytes_skipped"] == row["client_bytes_wire"] > 0


def test_after_the_header_of_tls(tmp_path: Path) -> None:
    """With keys the header is around AMQP, without it is a frame."""
    lines: list[str] = []
    header = b"AMQP\x02\x01\x00\x00"

    def make_wrap() -> Wrap:
        made, is_open = made_wrap(MadeTls("1.3", 0x1301, len(lines), key_log=lines)), False

        def wrap(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
            nonlocal is_open
            before, is_open = [] if is_open else [(CLIENT, header), (SERVER, header)], True
            return [*before, *made(direction, data)]

        return wrap

    order: dict[str, Any] = {"size": 30_000, "mix": {"1.0": 1}, "connections": 1}
    capture = wrapped(make(seed=37, **order).capture, make_wrap)
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{line}\n" for line in lines))
    found, without = read(capture, tmp_path, keys), read(capture, tmp_path)
    same_rows(found, read(wrapped(make(seed=37, **order).capture, lambda: plain), tmp_path))
    assert [row["size"] for row in without["frames"]] == [8, 8]
    for ingested_with in (found, without):
        (row,) = ingested_with["connections"]
        assert row["tls_version"] == "1.3" and row["tls_server_name"] == "broker.example"


def test_keys_that_do_not_fit(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    capture = wrapped(make(seed=31, **MIXED).capture, TlsSessions(keys).wrap)
    lines = [line.split() for line in keys.read_text().splitlines()]
    keys.write_text("".join(f"{line[0]} {line[1]} {line[2][::-1]}\n" for line in lines if len(line) == 3))
    found = read(capture, tmp_path, keys)
    assert not found["frames"] and found.results[0].partial
    assert {row["protocol"] for row in found["connections"]} == {"tls"}
    told = [row for row in found["quarantine"] if row["reason"] == "tls-keys"]
    assert len(told) == len(found["connections"]) and {row["stage"] for row in told} == {"protocol"}


@pytest.mark.parametrize("name", ["1.3 AES-256-GCM", "1.2 ChaCha20", "1.2 CBC SHA1"])
def test_lost_packets(name: str, tmp_path: Path) -> None:
    """Most of what is there is found, and nothing is made up."""
    keys = tmp_path / "keys"
    order: dict[str, Any] = {"size": 600_000, "mix": {"0-9-1-rabbitmq": 1, "1.0": 1}, "connections": 4}
    whole = wrapped(make(seed=32, **order).capture, TlsSessions(keys, **SESSIONS[name]).wrap, 500)
    chance = Random(3)
    every = list(records(whole))
    kept = [record for at, record in enumerate(every) if at < 100 or chance.random() > 0.01]
    intact, damaged = read(whole, tmp_path, keys), read(with_records(whole, kept), tmp_path, keys)
    assert len(damaged["frames"]) > 0.8 * len(intact["frames"])
    assert {row["name"] for row in damaged["frames"]} <= {row["name"] for row in intact["frames"]}


def test_no_secret_is_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither keys nor passwords are in files of the lake."""
    keys = tmp_path / "keys"
    capture = wrapped(make(seed=31, **MIXED).capture, TlsSessions(keys).wrap)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    read(with_secrets(capture, keys.read_bytes(), "first"), tmp_path, suffix="pcapng")
    (tmp_path / "a.pcapng").unlink()
    secrets = {line.split()[2] for line in keys.read_text().splitlines() if len(line.split()) == 3}
    octets = b"".join(path.read_bytes() for path in (tmp_path / "lake").rglob("*") if path.is_file())
    assert octets and len(secrets) > 8
    for secret in secrets:
        assert secret.encode() not in octets and bytes.fromhex(secret) not in octets
        assert secret not in repr(KeyLog(keys)) and secret not in repr(ReadSettings(key_log=KeyLog(keys)))


@needs_tshark
@pytest.mark.parametrize(
    "name", sorted(SESSIONS.keys() - {"1.3 small records"})
)  # of which tshark reads none
def test_frames_are_those_of_tshark(name: str, tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    order: dict[str, Any] = {"size": 100_000, "mix": {"0-9-1-rabbitmq": 1}, "connections": 3}
    capture = wrapped(make(seed=34, **order).capture, TlsSessions(keys, **SESSIONS[name]).wrap)
    found = read(capture, tmp_path, keys)
    same_as_tshark(found, tmp_path / "a.pcap", keys)


@needs_tshark
@pytest.mark.parametrize(
    ("version", "suite"), [("1.2", 0xC030), ("1.2", 0xC027), ("1.3", 0x1303), ("1.3", 0x1302)]
)
def test_frames_are_those_of_tshark_where_keys_change(version: str, suite: int, tmp_path: Path) -> None:
    """Negotiated again, or with updated keys."""
    lines: list[str] = []
    seeds = iter(range(100))
    order: dict[str, Any] = {"size": 100_000, "mix": {"0-9-1-rabbitmq": 1}, "connections": 3}
    capture = wrapped(
        make(seed=34, **order).capture,
        lambda: made_wrap(MadeTls(version, suite, next(seeds), key_log=lines), between=True),
    )
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{line}\n" for line in lines))
    same_as_tshark(read(capture, tmp_path, keys), tmp_path / "a.pcap", keys)


def same_as_tshark(found: Ingested, file: Path, keys: Path) -> None:
    """The types of all frames of 0-9-1 are those that tshark reads."""
    decode = ("-d", "tcp.port==5672,tls", "-d", "tls.port==5672,amqp", "-o", f"tls.keylog_file:{keys}")
    text = run(file, *decode, "-Y", "amqp.type", "-T", "fields", "-e", "amqp.type")
    theirs = sorted(int(kind) for kind in text.replace(",", "\n").split())
    ours = sorted(row["type"] for row in found["frames"] if row["name"] != "protocol-header")
    assert ours == theirs and len(ours) > 100
