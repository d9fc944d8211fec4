"""The description of a synthetic capture, as the user orders it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .capture_writer import LINK_TYPES, SNAPLEN, CaptureFormat, Pcap, Pcapng
from .damage import Damage
from .mix import DEFAULT_MIX
from .tcp import largest_mss


class OrderError(ValueError):
    """An order that contradicts itself. The message says what to change."""


@dataclass(frozen=True, slots=True)
class FileShape:
    """The format of the capture file.

    Attributes:
        form: ``pcap`` or ``pcapng``.
        byte_order: ``little`` or ``big``.
        time_unit: ``us`` or ``ns``.
        link_type: One of ``LINK_TYPES``.
        snaplen: The most octets captured of a packet.
        packet_block: For pcapng: ``enhanced``, ``obsolete`` or ``simple``.
    """

    form: str = "pcap"
    byte_order: str = "little"
    time_unit: str = "us"
    link_type: str = "ethernet"
    snaplen: int = SNAPLEN
    packet_block: str = "enhanced"

    @property
    def order(self) -> str:
        """The byte order as in ``struct``."""
        return "<" if self.byte_order == "little" else ">"

    def format(self) -> CaptureFormat:
        """Return the format of the file."""
        number = LINK_TYPES[self.link_type].number
        unit = 1 if self.time_unit == "ns" else 1_000
        if self.form == "pcap":
            return Pcap(number, self.order, unit, self.snaplen)
        return Pcapng(number, self.order, unit, self.snaplen, self.packet_block)


@dataclass(frozen=True, slots=True)
class CaptureOrder:
    """Everything that determines a capture. The same order gives the same octets.

    Attributes:
        size: The approximate size of the file, in octets. A short capture may exceed it, because each connection opens and
            closes.
        connections: The number of connections; they share the size.
        mix: The number of connections of each kind, relative to each other.
        contents: The contents of bodies, one of ``bodies.CONTENTS``.
        body_size: The largest usual size of bodies, in octets; one body in 64 is larger.
        ip: ``4``, ``6`` or ``both``.
        mss: The most octets in a TCP segment.
        cut: The rate of writes whose first segment is shorter than it could be, from 0 to 1.
    """

    seed: int
    size: int = 1_000_000
    connections: int = 16
    mix: Mapping[str, int] = field(default_factory=lambda: DEFAULT_MIX)
    contents: str = "text"
    body_size: int = 16_384
    server_port: int = 5672
    ip: str = "4"
    mss: int = 1448
    cut: float = 0.1
    file: FileShape = field(default_factory=FileShape)
    damage: Damage = field(default_factory=Damage)

    def check(self) -> None:
        """Check that the settings fit together.

        Raises:
            OrderError: They do not.
        """
        only = LINK_TYPES[self.file.link_type].ip_version
        if only and self.ip != str(only):
            raise OrderError(f"the link type {self.file.link_type} carries only IPv{only}: give --ip {only}")
        most = largest_mss(6 if self.ip == "6" else 4)
        if self.mss > most:
            raise OrderError(
                f"a segment over IP has at most {most:,} octets, not {self.mss:,}: give a smaller --mss"
            )
        if self.file.form == "pcap" and self.file.packet_block != "enhanced":
            raise OrderError(f"{self.file.packet_block} packet blocks are of pcapng: give --format pcapng")

    def record(self) -> dict[str, Any]:
        """Return all settings, for the labels."""
        return asdict(self) | {"mix": dict(self.mix)}
