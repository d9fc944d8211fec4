"""What is in captures from which no frame came, in words, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from amqp_codegen.support.wording import counted

from ..capture.files import Buffer, CaptureError, open_capture
from ..capture.formats import Capture, recognise_capture
from ..capture.layers.steps import Layer, Span, TcpPart, number
from ..capture.layers.walk import walk
from ..capture.quarantine import Reason
from ..capture.segments import EXPORTED_PDU
from ..streams.connection import CapturedConnection
from ..streams.raw_streams import is_raw_stream
from .conversation import FramedConversation
from .frame_reader import FrameReader

# That many packets of a file are looked at.
_MOST_PACKETS = 200_000
_MOST_KINDS = 4

_ENCRYPTED = "encrypted: capture where it is decrypted"
_PORTS = {
    53: "DNS",
    443: f"QUIC, {_ENCRYPTED}",
    500: "IPsec's key exchange",
    1194: f"OpenVPN, {_ENCRYPTED}",
    4500: f"IPsec, {_ENCRYPTED}",
    51820: f"WireGuard, {_ENCRYPTED}",
}
_PROTOCOLS = {1: "ICMP", 2: "IGMP", 50: f"IPsec, {_ENCRYPTED}", 58: "ICMP", 89: "OSPF", 132: "SCTP"}
_ETHERTYPES = {0x0806: "ARP", 0x88CC: "LLDP", 0x88E5: f"MACsec, {_ENCRYPTED}"}
_ADVICE = {
    Reason.SNAPLEN_CUT: "packets are cut within their headers: capture with a larger snaplen",
    Reason.IP_FRAGMENT: "packets are fragments of IP, which are not put together",
    Reason.BAD_PACKET: "packets contradict themselves",
}
_TLS = "TLS without keys: docs/traffic-tls.md tells how to read it"


def describe_files(paths: Sequence[Path], server_ports: Iterable[int]) -> str:
    """Return what is in the files of a capture, see ``describe_contents``; raise OSError if one cannot be read."""
    if is_raw_stream(paths[0]):
        return "what is in the raw streams is not AMQP"
    with ExitStack() as stack:
        files = [stack.enter_context(open_capture(path)) for path in paths]
        try:
            return describe_contents([file.buffer for file in files], server_ports)
        except CaptureError:
            return "there is no message in the log"


def describe_contents(buffers: Sequence[Buffer], server_ports: Iterable[int]) -> str:
    """Return what is in files of packets, the most frequent first, for example ``98 packets: UDP to port 53, DNS``.

    Raises:
        CaptureError: A file has no packets.
    """
    found: Counter[str] = Counter()
    connections: Counter[str] = Counter()
    for buffer in buffers:
        found.update(_kinds(recognise_capture(buffer)))
        connections.update(_protocols(recognise_capture(buffer), server_ports))
    parts = [
        f"{counted(times, 'connection')}: {what}" for what, times in connections.most_common(_MOST_KINDS)
    ]
    parts += [f"{counted(times, 'packet')}: {what}" for what, times in found.most_common(_MOST_KINDS)]
    return "; ".join(parts) or "there is no packet in it"


def _kinds(capture: Capture) -> Iterator[str]:
    """Return what the packets without a TCP segment are."""
    for _, position, captured, original, _, link_type in islice(capture.packets(), _MOST_PACKETS):
        if link_type == EXPORTED_PDU:
            continue
        packet = bytes(capture.buffer[position : position + captured])
        layer, span, step = walk(packet, link_type, original)
        if not isinstance(step, TcpPart):
            yield (
                f"link type {link_type}, which is not read"
                if layer is None
                else _kind(packet, layer, span, step)
            )


def _kind(packet: bytes, layer: Layer, span: Span, reason: Reason) -> str:
    if reason in _ADVICE:
        return _ADVICE[reason]
    at = span.position
    match layer:
        case Layer.UDP:
            return _named("UDP to port", number(packet, at + 2), _PORTS)
        case Layer.IP:
            is_4 = packet[at] >> 4 == 4
            return _named("protocol of IP", packet[at + 9] if is_4 else packet[at + 6], _PROTOCOLS)
        case Layer.ETHERTYPE:
            return _named("ethertype", number(packet, at), _ETHERTYPES)
        case _:
            return f"{layer.name} without IP"


def _named(kind: str, value: int, names: dict[int, str]) -> str:
    shown = f"{value:#06x}" if kind == "ethertype" else str(value)
    return f"{kind} {shown}, {names[value]}" if value in names else f"{kind} {shown}"


def _protocols(capture: Capture, server_ports: Iterable[int]) -> Counter[str]:
    """Return what the connections are."""
    found: Counter[str] = Counter()

    def end(connection: CapturedConnection, conversation: FramedConversation) -> None:
        protocol = conversation.protocol
        port = f"to port {connection.server[1]}"
        if protocol is None:
            found[f"without data, {port}"] += 1
        elif protocol.reason is Reason.TLS:
            found[f"{_TLS}, {port}"] += 1
        else:
            found[f"{protocol.detail or protocol.name}, {port}"] += 1

    reader = FrameReader(lambda *_: None, end, server_ports=server_ports)
    for _ in islice(reader.read_packets(capture), _MOST_PACKETS):
        pass
    reader.finish()
    return found
