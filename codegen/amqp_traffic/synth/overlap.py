"""Two packets out of one, which share some octets: as after a retransmission that begins elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from .chance import Chance
from .checksum import checksum, number_of
from .packet import Packet

_IP_HEADER_SIZE = {4: 20, 6: 40}
_PROTOCOL = 6


def overlapping(packets: Iterator[Packet], rate: float, chance: Chance) -> Iterator[Packet]:
    """So many of the packets become two."""
    for packet in packets:
        size = len(packet.payload)
        if size > 2 and chance.draw() < rate:
            end = chance.between(2, size - 1)
            yield part_of(packet, 0, end)
            yield part_of(packet, chance.between(1, end - 1), size)
        else:
            yield packet


def part_of(packet: Packet, start: int, end: int) -> Packet:
    """A packet with these octets of the payload only."""
    version = packet.ip_version
    ip_size = _IP_HEADER_SIZE[version]
    ip, tcp = bytearray(packet.headers[:ip_size]), bytearray(packet.headers[ip_size:])
    payload = packet.payload[start:end]
    length = len(tcp) + len(payload)
    sequence = int.from_bytes(tcp[4:8], "big") + start & 0xFFFFFFFF
    tcp[4:8] = sequence.to_bytes(4, "big")
    if version == 4:
        ip[2:4] = (ip_size + length).to_bytes(2, "big")
        ip[10:12] = b"\0\0"
        ip[10:12] = checksum(number_of(ip)).to_bytes(2, "big")
    else:
        ip[4:6] = length.to_bytes(2, "big")
    addresses = ip[12:20] if version == 4 else ip[8:40]
    tcp[16:18] = b"\0\0"
    total = number_of(addresses) + _PROTOCOL + length + number_of(tcp) + number_of(payload)
    tcp[16:18] = checksum(total).to_bytes(2, "big")
    return packet._replace(offset=packet.offset + start, headers=bytes(ip + tcp), payload=payload)
