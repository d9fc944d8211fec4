"""Connections that are wrapped have the rows of the same connections that are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

from amqp_traffic.capture.stream_data import Direction

from ..pcap_records import records, with_records
from ..synth.made_captures import make
from ..wrapped_captures import Wrap, plain, proxied, websocket, within, wrapped
from .lake_tables import Ingested, ingested
from .ledger_checks import check_ledgers

CLIENT, SERVER = Direction
V1 = b"PROXY TCP4 203.0.113.7 192.0.2.1 56324 5672\r\n"
V2 = b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\xcb\x00\x71\x07\xc0\x00\x02\x01\xdc\x04\x16\x28"
MIXED: dict[str, Any] = {"mix": {"0-9-1-rabbitmq": 2, "1.0": 1, "0-9": 1}, "connections": 4, "size": 60_000}
WRAPS: dict[str, Callable[[], Wrap]] = {
    "PROXY 1": lambda: proxied(V1),
    "PROXY 2": lambda: proxied(V2),
    "WebSocket": websocket,
    "WebSocket, small frames": lambda: websocket(most=50),
    "PROXY 1, WebSocket": lambda: within(proxied(V1), websocket()),
    "PROXY twice": lambda: within(proxied(V2), proxied(V1)),
}


def read(capture: bytes, folder: Path) -> Ingested:
    path = folder / "a.pcap"
    path.write_bytes(capture)
    found = ingested([path], folder / "lake")
    check_ledgers(found)
    return found


def frames_of(found: Ingested) -> list[tuple[Any, ...]]:
    """The frames without their places, those of each connection together."""
    rows = [
        (
            row["conn_id"],
            row["frame_no"],
            row["dir"],
            row["stream_off"],
            row["size"],
            row["name"],
            row["status"],
        )
        for row in found["frames"]
    ]
    first = {row["conn_id"]: row["start_ns"] for row in found["connections"]}
    number = {conn_id: at for at, conn_id in enumerate(sorted(first, key=first.__getitem__))}
    return sorted((number[conn_id], *rest) for conn_id, *rest in rows)


@pytest.mark.parametrize("name", WRAPS)
@pytest.mark.parametrize("size", [1400, 7])
def test_rows_are_those_of_the_plain_connection(name: str, size: int, tmp_path: Path) -> None:
    capture = make(seed=31, **MIXED).capture
    bare = read(wrapped(capture, lambda: plain, size), tmp_path)
    found = read(wrapped(capture, WRAPS[name], size), tmp_path)
    assert frames_of(found) == frames_of(bare)
    for table in ("messages", "exchanges"):
        assert len(found[table]) == len(bare[table]) > 5
    for row in found["connections"]:
        assert row["client_bytes_wrapped"] > 0
        is_proxied, is_websocket = "PROXY" in name, "WebSocket" in name
        assert bool(row["server_bytes_wrapped"]) is is_websocket
        assert row["transport"] == ("websocket" if is_websocket else None)
        assert (row["client_ip"] == "203.0.113.7") is is_proxied
        assert (row["proxy_ip"] is not None) is is_proxied
    for row in bare["connections"]:
        assert row["client_bytes_wrapped"] == 0 and row["proxy_ip"] is None and row["transport"] is None


def test_packets_lost_in_a_websocket(tmp_path: Path) -> None:
    """Most of what is there is found, and nothing is made up."""
    capture = make(seed=32, size=600_000, mix={"0-9-1-rabbitmq": 1, "1.0": 1}, connections=4).capture
    whole = wrapped(capture, websocket, 500)
    chance = Random(3)
    every = list(records(whole))
    kept = [record for at, record in enumerate(every) if at < 100 or chance.random() > 0.01]
    assert len(kept) < len(every)
    intact, damaged = read(whole, tmp_path), read(with_records(whole, kept), tmp_path)
    assert len(damaged["frames"]) > 0.8 * len(intact["frames"])
    names = {row["name"] for row in intact["frames"]}
    assert {row["name"] for row in damaged["frames"]} <= names


@pytest.mark.parametrize(
    "begin",
    [
        b"PROXY TCP4 203.0.113.7 192.0.2.1 56324\r\n",
        b"PROXY TCP4 203.0.113",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        b"GET /" + b"a" * 70_000,
        V2[:12] + b"\x11",
    ],
)
def test_what_only_looks_like_a_wrapper(begin: bytes, tmp_path: Path) -> None:
    def make_wrap() -> Wrap:
        wrap = proxied(begin)
        return lambda direction, data: wrap(direction, data)[:1] if direction is CLIENT else []

    capture = make(seed=33, size=20_000, mix={"0-9-1-rabbitmq": 1}, connections=1).capture
    found = read(wrapped(capture, make_wrap), tmp_path)
    assert not found["frames"]
    (row,) = found["connections"]
    assert row["client_bytes_skipped"] + row["client_bytes_tail"] == row["client_bytes_wire"] > 0


def test_a_proxy_that_only_looks_whether_the_broker_lives(tmp_path: Path) -> None:
    def make_wrap() -> Wrap:
        wrap = proxied(V2)
        return lambda direction, data: wrap(direction, b"")[:1] if direction is CLIENT else []

    capture = make(seed=33, size=20_000, mix={"0-9-1-rabbitmq": 1}, connections=1).capture
    found = read(wrapped(capture, make_wrap), tmp_path)
    (row,) = found["connections"]
    assert row["client_bytes_wrapped"] == row["client_bytes_wire"] == len(V2)
    assert row["protocol"] is None


def test_a_websocket_that_is_refused(tmp_path: Path) -> None:
    def make_wrap() -> Wrap:
        wrap = websocket()

        def refused(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
            return [
                (side, b"HTTP/1.1 403 Forbidden\r\n\r\n" if side is SERVER else octets)
                for side, octets in wrap(direction, data)
            ]

        return refused

    capture = make(seed=33, size=20_000, mix={"0-9-1-rabbitmq": 1}, connections=1).capture
    found = read(wrapped(capture, make_wrap), tmp_path)
    assert not [row for row in found["frames"] if row["dir"] == 1]
    (row,) = found["connections"]
    assert row["server_bytes_skipped"] == row["server_bytes_wire"]
