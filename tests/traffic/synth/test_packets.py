"""Packets: checksums, sequence numbers, segments; and the octets of the streams are those of the labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from struct import unpack_from

import pytest
from amqp_traffic.capture.stream_data import Direction
from amqp_traffic.synth.connections import ConnectionSchedule
from amqp_traffic.synth.damage import Damage, damaged
from amqp_traffic.synth.labels import Labels
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.packet import Packet

FIN, SYN, RST = 1, 2, 4


def packets(**fields) -> list[Packet]:
    order = CaptureOrder(3, 150_000, **fields)
    return list(ConnectionSchedule(order, Labels(lambda line: None, 0)).packets())


def ones_complement_sum(octets: bytes) -> int:
    """RFC 1071, word by word."""
    octets += bytes(len(octets) % 2)
    total = 0
    for at in range(0, len(octets), 2):
        total += octets[at] << 8 | octets[at + 1]
        total = (total & 0xFFFF) + (total >> 16)
    return total


@pytest.mark.parametrize("overlap", [0.0, 0.5])
@pytest.mark.parametrize("ip", ["4", "6"])
def test_checksums(ip: str, overlap: float) -> None:
    for packet in damaged(packets(ip=ip)[:600], Damage(overlap=overlap), "seed"):
        if ip == "4":
            head, tcp = packet.headers[:20], packet.headers[20:] + packet.payload
            assert ones_complement_sum(head) == 0xFFFF
            assert unpack_from(">H", head, 2)[0] == 20 + len(tcp)
            pseudo = head[12:20] + bytes((0, 6)) + len(tcp).to_bytes(2, "big")
        else:
            head, tcp = packet.headers[:40], packet.headers[40:] + packet.payload
            assert unpack_from(">H", head, 4)[0] == len(tcp)
            pseudo = head[8:40] + len(tcp).to_bytes(4, "big") + bytes((0, 0, 0, 6))
        assert ones_complement_sum(pseudo + tcp) == 0xFFFF


def test_numbers_and_times_only_grow() -> None:
    made = packets()
    assert [packet.number for packet in made] == list(range(len(made)))
    assert all(one.ns < other.ns for one, other in pairwise(made))


def by_stream(made: list[Packet]) -> Iterator[list[Packet]]:
    for connection in {packet.connection for packet in made}:
        for direction in Direction:
            yield [it for it in made if (it.connection, it.direction) == (connection, direction)]


@pytest.mark.parametrize("mss", [1, 7, 1448, 65483])
def test_segments_follow_each_other(mss: int) -> None:
    size_seen = 0
    for stream in by_stream(packets(mss=mss, connections=3, body_size=300)):
        syn = stream[0]
        assert syn.is_syn and syn.headers[33] & SYN
        (first,) = unpack_from(">I", syn.headers, 24)
        offset = 0
        for packet in stream[1:]:
            assert not packet.is_syn
            assert (
                unpack_from(">I", packet.headers, 24)[0] == (first + 1 + offset) & 0xFFFFFFFF
                or packet is stream[-1]
            )
            assert packet.offset == offset
            offset += len(packet.payload)
            size_seen = max(size_seen, len(packet.payload))
    assert size_seen <= mss
    assert mss > 7 or size_seen == mss


def test_acknowledgments_are_of_what_was_sent() -> None:
    sent: dict[tuple[int, Direction], int] = {}
    for packet in packets():
        sequence, acknowledgment = unpack_from(">II", packet.headers, 24)
        flags = packet.headers[33]
        if flags & 16:
            peer = (packet.connection, packet.direction.opposite)
            assert acknowledgment == sent[peer]
        end = sequence + len(packet.payload) + (1 if flags & (SYN | FIN) else 0)
        sent[packet.connection, packet.direction] = end & 0xFFFFFFFF


def test_ends() -> None:
    last = {packet.connection: packet.headers[33] for packet in packets(connections=48)}
    flags = list(last.values())
    assert any(flag & RST for flag in flags)
    assert any(not flag & (RST | FIN) for flag in flags)


def test_overlapping_segments_say_the_same() -> None:
    made = packets()
    damaged_packets = list(damaged(made, Damage(overlap=0.5), "seed"))
    assert len(damaged_packets) > len(made) + 100
    for stream in by_stream(damaged_packets):
        octets = bytearray()
        for packet in stream:
            assert packet.offset <= len(octets)
            if packet.payload:
                assert packet.payload.startswith(octets[packet.offset :])
                octets[packet.offset :] = packet.payload
        (sent,) = (it for it in by_stream(made) if it[0] == stream[0])
        assert octets == b"".join(packet.payload for packet in sent)


def test_ports_are_used_again() -> None:
    syns = [it for it in packets(connections=100) if it.is_syn and it.direction == Direction.client_to_server]
    flows = [it.headers[12:24] for it in syns]
    assert len(flows) == 100
    assert 80 < len(set(flows)) < 100


def test_both_versions_of_ip() -> None:
    versions = {it.connection: it.ip_version for it in packets(ip="both")}
    assert set(versions.values()) == {4, 6}
