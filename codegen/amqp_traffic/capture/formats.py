"""Capture files of either format, pcap or pcapng: recognition, and their packets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from . import pcap, pcapng
from .files import Buffer, CaptureError
from .ledgers import FileLedger
from .packets import Packet, Skip
from .pcap import PcapHeader
from .pcapng import PcapngSection
from .quarantine import Quarantine, Quarantined, Reason

# A section may have very many; they are told to the scan again after each block that is no packet.
_SCANNED_INTERFACES = 64


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
        return cast("Iterator[Packet]", self._read(None))

    def packets_left_by(self, scan: Any) -> Iterator[Packet | None]:
        """Read the packets that are left to Python, and yield None whenever the scan has read others.

        Args:
            scan: A ``Scan`` of the module in C, see ``native_module.py``.
        """
        buffer, header, section = self.buffer, self.header, self.section

        def skip(position: int, end: int) -> tuple[int, int]:
            found: tuple[int, int]
            with memoryview(buffer) as octets, octets[:end] as there:
                if header is None:
                    plain = tuple(interface.plain for interface in section.interfaces[:_SCANNED_INTERFACES])
                    found = scan.read_pcapng(there, position, section.byte_order == "<", plain)
                else:
                    is_little = header.byte_order == "<"
                    found = scan.read_pcap(there, position, is_little, header.unit, header.link_type)
            return found

        return self._read(skip)

    def _read(self, skip: Skip | None) -> Iterator[Packet | None]:
        if self.header is None:
            return pcapng.read_pcapng_packets(self.buffer, self.section, self.ledger, self.quarantine, skip)
        return pcap.read_pcap_packets(self.buffer, self.header, self.ledger, self.quarantine, skip)


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
    begins = buffer[:8].hex(" ")
    raise CaptureError(
        f"neither pcap nor pcapng: the file begins with {begins}; raw streams are read by name"
    )
