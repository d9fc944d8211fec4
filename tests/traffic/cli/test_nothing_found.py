"""Captures without a frame of AMQP: what is there is said, and that is no success."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command_calls import call

from ..capture import tunnels
from ..capture_builder import Captured, Conversation, captured, exported_pdu, pcap
from ..synth.made_captures import make

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

MQTT = bytes.fromhex("101000044d5154540402003c00044d5954")
OLD_MQTT = bytes.fromhex("101200064d51497364700302003c00044d5954")
STREAM = bytes.fromhex("0000001000110001000000010000000100056b657931")
HELLO = (
    bytes.fromhex("16030100330100002f0303") + bytes(range(32)) + bytes.fromhex("00000213010100000400170000")
)


def packets(*octets: bytes, link_type: int = 1) -> bytes:
    return pcap([Captured(packet) for packet in octets], link_type=link_type)


def talk(data: bytes, port: int = 5672) -> bytes:
    conversation = Conversation(server=("10.0.0.2", port)).open()
    return pcap(captured((conversation.send(0, data) if data else conversation).close().packets))


CASES: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (packets, "there is no packet in it"),
    "IPsec": (
        lambda: packets(*[tunnels.udp(4500, b"x" * 50)] * 98, *[tunnels.ethernet(0x0806, bytes(28))] * 3),
        "98 packets: UDP to port 4500, IPsec, encrypted: capture where it is decrypted; 3 packets: ethertype 0x0806, ARP",
    ),
    "another tunnel": (lambda: packets(tunnels.udp(9999, b"x")), "1 packet: UDP to port 9999"),
    "ESP": (
        lambda: packets(tunnels.ipv4(50, bytes(40)), tunnels.ipv6(50, bytes(40))),
        "2 packets: protocol of IP 50, IPsec, encrypted: capture where it is decrypted",
    ),
    "link type": (lambda: packets(bytes(30), link_type=147), "1 packet: link type 147, which is not read"),
    "fragments": (
        lambda: packets(tunnels.frame(b"\x45\x00\x00\x28\x00\x00\x20\x00\x40\x06" + bytes(30))),
        "1 packet: packets are fragments of IP, which are not put together",
    ),
    "MQTT": (lambda: talk(MQTT, 1883), "1 connection: MQTT 3.1.1, to port 1883"),
    "MQTT, of old": (lambda: talk(OLD_MQTT, 1883), "1 connection: MQTT 3.1, to port 1883"),
    "streams": (lambda: talk(STREAM, 5552), "1 connection: RabbitMQ's protocol of streams, to port 5552"),
    "STOMP": (lambda: talk(b"CONNECT\nhost:/\n\n\0", 61613), "1 connection: stomp, to port 61613"),
    "HTTP": (lambda: talk(b"GET / HTTP/1.1\r\n\r\n", 15672), "1 connection: http, to port 15672"),
    "TLS": (
        lambda: talk(HELLO, 5671),
        "1 connection: TLS without keys: docs/traffic-tls.md tells how to read it, to port 5671",
    ),
    "silence": (lambda: talk(b""), "1 connection: without data, to port 5672"),
    "exported": (
        lambda: packets(exported_pdu(Conversation().packet(0, b"?" * 20)), link_type=252),
        "1 connection: other, to port 5672",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_there_is_said(name: str, tmp_path: Path) -> None:
    make_capture, says = CASES[name]
    path = tmp_path / "a.pcap"
    path.write_bytes(make_capture())
    done = call("traffic", "ingest", path, "--out", tmp_path / "lake", "--engine", "local")
    assert done.code == 2
    (line,) = done.err
    assert line.startswith("a-") and line.partition(": ")[2] == f"no frame of AMQP: {says}"
    shown = call("traffic", "show", path)
    assert shown.code == 2
    assert f"!! no frame of AMQP: {says}" in shown.out


def test_an_empty_capture_among_others_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "empty.pcap").write_bytes(packets())
    (tmp_path / "full.pcap").write_bytes(
        make(seed=1, size=20_000, mix={"0-9-1-rabbitmq": 1}, connections=1).capture
    )
    done = call("traffic", "ingest", tmp_path, "--out", tmp_path / "lake", "--engine", "local")
    assert done.code == 0
    (line,) = done.err
    assert line.startswith("empty-") and line.endswith("no frame of AMQP: there is no packet in it")


def test_a_connection_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=1, size=20_000, mix={"0-9-1-rabbitmq": 1}, connections=1).capture)
    shown = call("traffic", "show", path, "--connection", "7")
    assert shown.code == 2
    assert shown.out == ["!! there is no connection 7"]


def test_raw_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.client.raw"
    path.write_bytes(b"GET / HTTP/1.1\r\n\r\n")
    done = call("traffic", "ingest", path, "--out", tmp_path / "lake", "--engine", "local")
    assert done.code == 2
    assert done.err[-1].endswith("no frame of AMQP: what is in the raw streams is not AMQP")
