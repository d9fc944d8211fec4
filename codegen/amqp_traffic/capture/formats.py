"""Capture files of either format, pcap or pcapng: recognition, and their packets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import pcap, pcapng
from .files import Buffer, CaptureError
from .ledgers import FileLedger
from .packets import Packet
from .pcap import PcapHeader
from .pcapng import PcapngSection
from .quarantine import Quarantine, Quarantined, Reason


@dataclass(slots=True)
class Capture:
    """A capture file that is being read.

    Attributes:
        buffer: The octets of the file.
        format: ``pcap`` or ``pcapng``.
        ledger: Where the octets went; complete when all packets are read.
        quarantine: What is left out.
        header: The file header of a pcap file.
        section: The current section of a pcapng file.
    """

    buffer: Buffer
    format: str
    ledger: FileLedger
    quarantine: Quarantine
    header: PcapHeader | None
    section: PcapngSection

    def packets(self) -> Iterator[Packet]:
        """Read all packets. May be called once."""
        if self.header is None:
            return pcapng.read_pcapng_packets(self.buffer, self.section, self.ledger, self.quarantine)
        return pcap.read_pcap_packets(self.buffer, self.header, self.ledger, self.quarantine)


def recognise_capture(buffer: Buffer, quarantine: Quarantine | None = None, damage: str = "") -> Capture:
    """Recognise the format of a capture file.

    Args:
        buffer: The file, uncompressed.
        quarantine: Collects what is left out; by default a new one.
        damage: Why the end of the file could not be uncompressed, see ``CaptureFile``.

    Raises:
        CaptureError: It is neither pcap nor pcapng.
    """
    size = len(buffer)
    ledger = FileLedger(size)
    quarantine = Quarantine() if quarantine is None else quarantine
    if damage:
        place = Quarantined(Reason.FILE_TRUNCATED, 0, packet_offset=size, detail=damage)
        quarantine.add(place)
    header = pcap.read_header(buffer)
    if header is not None:
        return Capture(buffer, "pcap", ledger, quarantine, header, PcapngSection(header.byte_order))
    byte_order = pcapng.byte_order_of(buffer)
    if byte_order:
        return Capture(buffer, "pcapng", ledger, quarantine, None, PcapngSection(byte_order))
    if not buffer:
        raise CaptureError("the file is empty")
    begins = bytes(buffer[:8]).hex(" ")
    raise CaptureError(
        f"neither pcap nor pcapng: the file begins with {begins}; raw streams are read by name"
    )
