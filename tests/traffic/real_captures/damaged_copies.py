"""Copies of a pcap file in which those packets are damaged that have a certain text in them."""

from __future__ import annotations

from struct import pack, pack_into, unpack_from

from ..pcap_records import Record, records, with_records

_TO_PAYLOAD = 14  # Ethernet; IP and TCP say their own lengths


def payload_offset(packet: bytes) -> int:
    """Where the payload of a TCP segment begins."""
    if packet[12:14] == b"\x86\xdd":
        network = _TO_PAYLOAD + 40
    else:
        network = _TO_PAYLOAD + (packet[_TO_PAYLOAD] & 15) * 4
    return network + (packet[network + 12] >> 4) * 4


def damaged(octets: bytes, text: bytes) -> dict[str, bytes]:
    """Damaged copies, by what is wrong with them."""
    all_records = list(records(octets))
    hit = [text in packet for _, packet in all_records]
    assert any(hit)

    def joined(parts: list[Record]) -> bytes:
        return with_records(octets, parts)

    def altered(place: int) -> bytes:
        """One octet of the payload is wrong, counted from its beginning or its end."""
        changed = []
        for (header, packet), is_hit in zip(all_records, hit, strict=True):
            if is_hit:
                start = payload_offset(packet)
                at = start + place if place >= 0 else len(packet) + place
                packet = packet[:at] + bytes([packet[at] ^ 0x21]) + packet[at + 1 :]
            changed.append((header, packet))
        return joined(changed)

    def cut(keep: int) -> list[Record]:
        """Of these packets only what is before the text and so much of it was captured."""
        return [
            (
                (_shorter(header, packet.index(text) + keep), packet[: packet.index(text) + keep])
                if is_hit
                else (header, packet)
            )
            for (header, packet), is_hit in zip(all_records, hit, strict=True)
        ]

    first = hit.index(True)
    before = joined(all_records[:first])
    return {
        "end of frame": altered(-1),
        "type of frame": altered(0),
        "size of frame": altered(5),
        "class": altered(8),
        "method": altered(10),
        "arguments": altered(12),
        "mid-stream": joined(all_records[first:]),
        "begins within": joined(
            [_later(it, text) for it, is_hit in zip(all_records, hit, strict=True) if is_hit]
        ),
        "nothing else": joined([it for it, is_hit in zip(all_records, hit, strict=True) if is_hit]),
        "without them": joined([it for it, is_hit in zip(all_records, hit, strict=True) if not is_hit]),
        "ends within": before + all_records[first][0] + all_records[first][1].partition(text)[0] + text[:-1],
        "cut behind": joined(cut(len(text))),
        "cut within": joined(cut(len(text) - 2)),
        "twice": joined([it for it in all_records for _ in range(2)]),
    }


def _shorter(header: bytes, length: int) -> bytes:
    return header[:8] + pack("<I", length) + header[12:]


def _later(record: Record, text: bytes) -> Record:
    """The packet as if the stream began within the text."""
    header, packet = record
    start, first = payload_offset(packet), packet.index(text) + 1
    is_v6 = packet[12:14] == b"\x86\xdd"
    size, sequence = _TO_PAYLOAD + (4 if is_v6 else 2), _TO_PAYLOAD + (40 if is_v6 else 20) + 4
    changed = bytearray(packet[:start] + packet[first:])
    for at, form, by in ((size, ">H", start - first), (sequence, ">I", first - start)):
        (value,) = unpack_from(form, changed, at)
        pack_into(form, changed, at, value + by & 0xFFFFFFFF)
    length = pack("<II", len(changed), len(changed))
    return header[:8] + length, bytes(changed)
