"""What a synthetic capture shall be like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .capture_writer import SNAPLEN, CaptureFormat, Pcap, Pcapng
from .damage import Damage
from .link_headers import LINK_TYPES
from .mix import DEFAULT_MIX
from .tcp import largest_mss


class OrderError(ValueError):
    """An order that contradicts itself. The message says what to change."""


@dataclass(frozen=True, slots=True)
class FileShape:
    """The capture file.

    Attributes:
        form: ``pcap`` or ``pcapng``.
        byte_order: ``little`` or ``big``.
        time_unit: ``us`` or ``ns``.
        link_type: One of ``LINK_TYPES``.
        snaplen: How much of each packet is captured at most, in octets.
        packet_block: Of pcapng: ``enhanced``, ``obsolete`` or ``simple``.
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
        """Who writes the file."""
        number = LINK_TYPES[self.link_type].number
        unit = 1 if self.time_unit == "ns" else 1_000
        if self.form == "pcap":
            return Pcap(number, self.order, unit, self.snaplen)
        return Pcapng(number, self.order, unit, self.snaplen, self.packet_block)


@dataclass(frozen=True, slots=True)
class CaptureOrder:
    """All that determines a capture. The same order gives the same octets.

    Attributes:
        seed: What happens.
        size: About how large the file becomes, in octets. A short one may be larger: each connection says hello and
            goodbye.
        connections: How many there are; they share the size.
        mix: How many connections of each kind, relative to each other.
        contents: What bodies consist of, one of ``bodies.CONTENTS``.
        body_size: How large bodies are usually at most, in octets; one in 64 is larger than a frame.
        server_port: Where the broker listens.
        ip: ``4``, ``6`` or ``both``.
        mss: The most octets in a TCP segment.
        cut: How often what is said at once is cut where it need not be, from 0 to 1.
        file: The capture file.
        damage: What goes wrong.
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
        """Checks what goes together.

        Raises:
            OrderError: Something does not.
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
        """All of it, for the labels."""
        return asdict(self) | {"mix": dict(self.mix)}
