"""Exported PDUs (link type 252): payload that Wireshark or tshark took out of its packets, perhaps after decryption.

Each record has tags with the addresses, then the payload. There are no sequence numbers, so the payloads of a flow
are taken to follow each other.
Format: Wireshark's epan/exported_pdu.h.
"""

from __future__ import annotations

from .capture_file import Buffer
from .packet import Packet
from .quarantine import Quarantine, Quarantined, Reason
from .stream import Segment

EXPORTED_PDU = 252
_END, _IPV4_SOURCE, _IPV4_DESTINATION, _IPV6_SOURCE, _IPV6_DESTINATION = 0, 20, 21, 22, 23
_SOURCE_PORT, _DESTINATION_PORT = 25, 26
_FLOW = (
    (_IPV4_SOURCE, _IPV6_SOURCE),
    (_IPV4_DESTINATION, _IPV6_DESTINATION),
    (_SOURCE_PORT,),
    (_DESTINATION_PORT,),
)


class ExportedStreams:
    """Reads exported PDUs; remembers how long each stream is by now."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}

    def read(self, buffer: Buffer, packet: Packet, packet_no: int, quarantine: Quarantine) -> Segment | None:
        """The payload as a segment; None if the record has no addresses and ports, and the quarantine is told."""
        record, position, captured, original, ns, _ = packet
        end = position + captured
        tags: dict[int, bytes] = {}
        while position + 4 <= end:
            tag = int.from_bytes(buffer[position : position + 2], "big")
            length = int.from_bytes(buffer[position + 2 : position + 4], "big")
            position += 4 + length
            if tag == _END:
                break
            tags[tag] = bytes(buffer[position - length : position])
        parts = [next((tags[tag] for tag in choice if tag in tags), b"") for choice in _FLOW]
        flow = parts[0] + parts[1] + parts[2][-2:] + parts[3][-2:]
        if position > end or len(parts[0]) != len(parts[1]) or len(flow) not in (12, 36):
            quarantine.add(
                Quarantined(Reason.BAD_PACKET, captured, packet_no, record, ns, detail="exported PDU")
            )
            return None
        missing = max(0, original - captured)
        sequence = self._lengths.get(flow, 0)
        self._lengths[flow] = sequence + end - position + missing & 0xFFFFFFFF
        return flow, sequence, 0, 0, buffer[position:end], missing, packet_no, record, ns
