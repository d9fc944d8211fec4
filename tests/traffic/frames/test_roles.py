"""Who is the client."""

from __future__ import annotations

from struct import pack

import pytest

from .. import capture_builder
from ..capture_builder import ACK, SYN, Conversation, octets, read_packets

HIGH, LOW = ("10.0.0.1", 50001), ("10.0.0.2", 50000)


def method(class_id: int, method_id: int) -> bytes:
    payload = pack(">HH", class_id, method_id) + b"arguments"
    return pack(">BHI", 1, 1, len(payload)) + payload + b"\xce"


def sasl(descriptor: int) -> bytes:
    return pack(">IBBH", 20, 2, 1, 0) + bytes([0, 0x53, descriptor]) + bytes(9)


def roles(conversation: Conversation, **options) -> tuple[tuple[str, int], str]:
    (connection,) = read_packets(conversation.packets, **options).connections
    return connection.client, connection.role_by


@pytest.mark.parametrize(("client", "server"), [(HIGH, LOW), (LOW, HIGH)])
def test_syn(client: tuple[str, int], server: tuple[str, int]) -> None:
    whole = Conversation(client, server).open().send(1, b"first")
    assert roles(whole) == (client, "syn")
    del whole.packets[0]
    assert roles(whole) == (client, "syn")  # by the answer to it


@pytest.mark.parametrize("direction", [0, 1])
def test_port(direction: int) -> None:
    conversation = Conversation(LOW, ("10.0.0.2", 60000)).send(direction, octets(300))
    assert roles(conversation) == (("10.0.0.2", 60000), "lower-port")
    assert roles(conversation, server_ports=[60000]) == (LOW, "port")


def test_syn_knows_better_than_ports() -> None:
    conversation = Conversation(("10.0.0.1", 5672), HIGH).open().send(0, b"x")
    assert roles(conversation) == (("10.0.0.1", 5672), "syn")


@pytest.mark.parametrize(("client", "server"), [(HIGH, LOW), (LOW, HIGH)])
@pytest.mark.parametrize(
    ("direction", "data", "role_by"),
    [
        (0, b"AMQP\x00\x00\x09\x01", "header"),
        (0, method(60, 40), "method"),
        (0, method(10, 31), "method"),
        (1, method(60, 60), "method"),
        (1, method(10, 10), "method"),
        (1, sasl(0x40), "method"),
        (0, sasl(0x41), "method"),
    ],
)
def test_content(
    client: tuple[str, int], server: tuple[str, int], direction: int, data: bytes, role_by: str
) -> None:
    conversation = Conversation(client, server).send(1 - direction, b"anything").send(direction, data)
    assert roles(conversation) == (client, role_by)


@pytest.mark.parametrize(
    "data", [method(60, 80), method(99, 99), sasl(0x50), b"\x01", b"GET / HTTP/1.1", b""]
)
def test_content_that_does_not_tell(data: bytes) -> None:
    """Both sides may send basic.ack."""
    conversation = Conversation(HIGH, LOW).send(1, data + b"").send(1, octets(30))
    assert roles(conversation) == (HIGH, "lower-port")


def test_same_ports() -> None:
    conversation = Conversation(("10.0.0.1", 5672), ("10.0.0.2", 5672)).send(0, octets(30))
    client, role_by = roles(conversation)
    assert client in (conversation.client, conversation.server)
    assert role_by == "lower-port"


def test_flags_that_make_no_sense() -> None:
    for flags in range(256):
        packet = capture_builder.Tcp(5, b"data", 7, flags)
        read_packets([packet, packet])
        read_packets([capture_builder.Tcp(4, b"", 0, SYN), packet, capture_builder.Tcp(9, b"more", 0, ACK)])
