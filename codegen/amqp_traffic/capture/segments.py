"""TCP segments of a capture file.

Where ``amqp_native_ingest`` is installed, it reads all packets that are plain, and Python those that it leaves. Without it most
packets are alike, too: no VLAN tags, IP without options, no fragment, TCP, captured as a whole. One or two calls of
``unpack_from`` read such a packet. All others go through ``find_tcp``, layer by layer.

Exported PDUs (link type 252) are payloads that Wireshark or tshark took out of packets, perhaps after decryption. Each
record has tags with the addresses, then the payload (Wireshark's epan/exported_pdu.h). There are no sequence numbers, so
the payloads of a flow count as adjacent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

from .files import Buffer
from .formats import Capture
from .layers.links import ETHERNET, LINUX_COOKED, LINUX_COOKED_2
from .layers.walk import find_tcp, tunnel_flags
from .native_module import native_module
from .packets import Packet
from .quarantine import Quarantine, Quarantined, Reason
from .stream_data import Segment

# Called with the flow of a segment and the octets of its payload.
IsWanted: TypeAlias = Callable[[bytes, int], bool]

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
    """Reads exported PDUs, and keeps the length of each stream."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}

    def read(self, buffer: Buffer, packet: Packet, packet_no: int, quarantine: Quarantine) -> Segment | None:
        """Return the payload as a segment; quarantine a record without addresses and ports, and return None."""
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


# Ethertype; version and header length; total length; fragment; protocol; addresses and ports; sequence;
# acknowledgment; TCP header length; flags.
_IPV4_AND_TCP = "BxHxxHxBxx12sIIBB"
# Link type to the layout of a plain packet, and the position of IP in it.
_PLAIN = {
    ETHERNET: (Struct(">12xH" + _IPV4_AND_TCP), 14),
    LINUX_COOKED: (Struct(">14xH" + _IPV4_AND_TCP), 16),
    LINUX_COOKED_2: (Struct(">H18x" + _IPV4_AND_TCP), 20),
}
# Version; payload length; next header; addresses and ports; the rest as above.
_IPV6_AND_TCP = Struct(">B3xHBx36sIIBB")
_NOT_PLAIN = (Struct(">"), 0)


# Segments of a scan in C: as tuples, or given to a core.
_AT_ONCE, _AT_ONCE_IN_CORE = 512, 8192


def read_segments(
    capture: Capture, packets_before: int = 0, is_wanted: IsWanted | None = None
) -> Iterator[Segment]:
    """Read TCP segments, in the order of the file. At the end, ledger and quarantine of the capture are complete.

    Args:
        capture: The file.
        packets_before: The number of packets in the files that this one continues.
        is_wanted: Called for each segment; those for which it is false are counted in the ledger. By default all are wanted.
            The module in C calls no function of Python: it reads only if this is one of its ``FlowBuckets``, or all are wanted.
    """
    module = native_module()
    if module is not None and (is_wanted is None or isinstance(is_wanted, module.FlowBuckets)):
        return chain.from_iterable(
            step.segments for step in scan_segments(capture, packets_before, is_wanted)
        )
    return _read_in_python(capture, packets_before, is_wanted)


class ScanStep(NamedTuple):
    """What a scan in C has read at once.

    Attributes:
        segments: The segments; with a core those that Python has read, which come after all others of the step.
        taken: Number of segments that the core has got in this step.
        octets: Octets of their payloads.
        position: Where the last packet begins in the file.
    """

    segments: list[Segment]
    taken: int
    octets: int
    position: int


def scan_segments(
    capture: Capture, packets_before: int = 0, is_wanted: Any = None, core: Any = None
) -> Iterator[ScanStep]:
    """Read TCP segments with the module in C, which must be there; see ``read_segments``.

    Args:
        capture: The file.
        packets_before: The number of packets in the files that this one continues.
        is_wanted: A ``FlowBuckets`` of the module, or None.
        core: An ``Ingest`` of the module, which gets the segments that Python does not have to read; or None.
    """
    at_once = _AT_ONCE if core is None else _AT_ONCE_IN_CORE
    scan = native_module().Scan(is_wanted, packets_before, at_once, core, tunnel_flags())
    ledger, exported, unwanted = capture.ledger, ExportedStreams(), 0
    for packet in capture.packets_left_by(scan):
        segments = scan.take()
        if packet is not None:
            ledger.link_types.add(packet[5])
            segment = _read_left(capture, packet, scan.note(packet[4]), exported)
            if segment is not None:
                if is_wanted is None or is_wanted(segment[0], len(segment[4])):
                    segments.append(segment)
                else:
                    unwanted += 1
        yield ScanStep(segments, *scan.taken())
    packet_no, ledger.first_ns, ledger.last_ns, scanned, others, octets, link_types = scan.sums()
    ledger.link_types.update(link_types)
    ledger.unwanted += unwanted + scanned
    ledger.packets += packet_no - packets_before
    if others:
        capture.quarantine.count(Reason.NON_TCP, octets, others)


def _read_in_python(capture: Capture, packets_before: int, is_wanted: IsWanted | None) -> Iterator[Segment]:
    buffer = capture.buffer
    packet_no = packets_before
    plain_link_type, unpack, internet, shortest = -1, _NOT_PLAIN[0].unpack_from, 0, 0
    unpack_ipv6 = _IPV6_AND_TCP.unpack_from
    exported = ExportedStreams()
    unwanted = 0
    first_ns, ns = None, 0
    for packet in capture.packets():
        record, position, captured, _, ns, link_type = packet
        packet_no += 1
        if link_type != plain_link_type:
            layout, internet = _PLAIN.get(link_type, _NOT_PLAIN)
            plain_link_type, unpack, shortest = link_type, layout.unpack_from, layout.size
            capture.ledger.link_types.add(link_type)
            if first_ns is None:
                first_ns = ns
        if internet and captured >= shortest:
            ethertype, version, total, fragment, protocol, flow, sequence, acknowledgment, size, flags = (
                unpack(buffer, position)
            )
            if ethertype == 0x0800:
                plain = version == 0x45 and protocol == 6 and not fragment & 0x3FFF
                start = position + internet + 20 + ((size & 0xF0) >> 2)
                end = position + internet + total
            elif ethertype == 0x86DD and captured >= shortest + 20:
                version, total, protocol, flow, sequence, acknowledgment, size, flags = unpack_ipv6(
                    buffer, position + internet
                )
                plain = version >> 4 == 6 and protocol == 6
                start = position + internet + 40 + ((size & 0xF0) >> 2)
                end = position + internet + 40 + total
            else:
                plain, start, end = False, 0, 0
            if plain and size >= 0x50 and start <= end <= position + captured:
                if is_wanted is None or is_wanted(flow, end - start):
                    yield flow, sequence, acknowledgment, flags, buffer[start:end], 0, packet_no, record, ns
                else:
                    unwanted += 1
                continue
        segment = _read_left(capture, packet, packet_no, exported)
        if segment is not None:
            if is_wanted is None or is_wanted(segment[0], len(segment[4])):
                yield segment
            else:
                unwanted += 1
    capture.ledger.unwanted += unwanted
    capture.ledger.packets += packet_no - packets_before
    capture.ledger.first_ns, capture.ledger.last_ns = first_ns or 0, ns


def _read_left(capture: Capture, packet: Packet, packet_no: int, exported: ExportedStreams) -> Segment | None:
    if packet[5] == EXPORTED_PDU:
        return exported.read(capture.buffer, packet, packet_no, capture.quarantine)
    return _read_any(capture, packet, packet_no)


def _read_any(capture: Capture, packet: Packet, packet_no: int) -> Segment | None:
    """Return the segment of any packet; quarantine a packet without one, and return None."""
    record, position, captured, original, ns, link_type = packet
    part = find_tcp(bytes(capture.buffer[position : position + captured]), link_type, original)
    if isinstance(part, Reason):
        _leave_out(capture.quarantine, part, packet, packet_no)
        return None
    data = capture.buffer[position + part.start : position + part.end]
    return (*part[:4], data, part.missing, packet_no, record, ns)


def _leave_out(quarantine: Quarantine, reason: Reason, packet: Packet, packet_no: int) -> None:
    record, _, captured, original, ns, link_type = packet
    if reason is Reason.NON_TCP:
        quarantine.count(reason, captured)
        return
    detail = f"link type {link_type}" if reason is Reason.UNKNOWN_LINK_TYPE else ""
    quarantine.add(Quarantined(reason, max(captured, original), packet_no, record, ns, detail=detail))
