"""Octets of hex dumps: xxd, hexdump -C, od, tcpdump -X and Wireshark; with the packets around them taken away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

_LINE = re.compile(r"\s*(?:0x)?(?P<offset>[0-9a-fA-F]{4,16})(?P<colon>:?)(?:[ \t]+(?P<rest>\S.*))?\s*")
_GROUP = re.compile(r"(?:[0-9a-fA-F]{2})+")
_TEXT_COLUMN = re.compile(r"\s[|>].*[|<]\s*$")
_PAIR = 2
_REPEATED = "*"  # xxd -a and hexdump: the lines up to the next are like the one before


@dataclass(frozen=True, slots=True)
class _DumpLine:
    """A line of a dump: its offset, and its octets with perhaps some from the column of text."""

    offset: int
    octets: bytes


def is_dump(text: str) -> bool:
    """Return whether a text has the lines of a hex dump, and no other lines but such as tcpdump prints between them."""
    return bool(dump_octets(text))


def dump_octets(text: str) -> bytes:
    """Return the octets of a hex dump; none if a text is not one."""
    lines = [line for line in text.splitlines() if line.strip()]
    parsed = [_parse(line) for line in lines]
    dumped = [line for line in parsed if line is not None]
    if not dumped or dumped[0].offset or not dumped[0].octets or _strange(lines, parsed):
        return b""
    blocks: list[list[_DumpLine]] = []
    repeats = False
    for line, found in zip(lines, parsed, strict=True):
        repeats = repeats or line.strip() == _REPEATED
        if found is None:
            continue
        if not found.offset:
            blocks.append([])
        if repeats and blocks and blocks[-1]:
            blocks[-1] += _repeated(blocks[-1][-1], found.offset)
        repeats = False
        blocks[-1].append(found)
    octets = [_joined(block) for block in blocks]
    return b"" if None in octets else b"".join(without_packet_headers(each) for each in octets if each)


def _strange(lines: list[str], parsed: list[_DumpLine | None]) -> bool:
    """Return whether there are lines of no dump: before each packet, tcpdump prints one that begins at the margin."""
    others = [
        line for line, found in zip(lines, parsed, strict=True) if found is None and line.strip() != _REPEATED
    ]
    packets = sum(found is not None and not found.offset for found in parsed)
    return len(others) > 2 * packets


def _parse(line: str) -> _DumpLine | None:
    found = _LINE.fullmatch(line)
    if not found:
        return None
    rest = _TEXT_COLUMN.sub("", f" {found['rest'] or ''}")
    # After two blanks comes the text; hexdump and Wireshark have two in the middle of the octets as well.
    gap = r"\s{2,}" if found["colon"] else r"\s{3,}"
    digits: list[str] = []
    for group in re.split(gap, rest.strip())[0].split():
        if not _GROUP.fullmatch(group):
            break
        if not found["colon"] and len(group) > _PAIR:
            return None  # hexadecimal in groups, of which the first looks like an offset
        digits.append(group)
    if rest.strip() and not digits:
        return None
    return _DumpLine(int(found["offset"], 16), bytes.fromhex("".join(digits)))


def _repeated(before: _DumpLine, offset: int) -> list[_DumpLine]:
    step = len(before.octets)
    if not step or offset - before.offset > 1 << 24:
        return []
    return [_DumpLine(at, before.octets) for at in range(before.offset + step, offset, step)]


def _joined(block: list[_DumpLine]) -> bytes | None:
    """Return the octets of consecutive lines; None if the offsets do not fit.

    The offset of the next line says how many octets a line has: what looks like more is from its text.
    """
    octets = b""
    widest = max((after.offset - line.offset for line, after in pairwise(block)), default=16)
    for number, line in enumerate(block):
        after = block[number + 1].offset if number + 1 < len(block) else None
        size = len(line.octets) if after is None else after - line.offset
        if line.offset != len(octets) or (after is not None and not 0 < size <= len(line.octets)):
            return None
        octets += line.octets[: min(size, widest)]
    return octets


_ETHERNET = 14
_TCP = 6


def without_packet_headers(octets: bytes) -> bytes:
    """Return the data of a TCP segment if the octets are an IP packet or an Ethernet frame, else the octets."""
    for start in (0, _ETHERNET):
        data = _tcp_data(octets[start:])
        if data is not None and (start == 0 or octets[12:14] in (b"\x08\x00", b"\x86\xdd")):
            return data
    return octets


def _tcp_data(packet: bytes) -> bytes | None:
    version = packet[0] >> 4 if len(packet) >= 40 else 0
    if version == 4:
        start, protocol, size = (packet[0] & 15) * 4, packet[9], int.from_bytes(packet[2:4], "big")
    elif version == 6:
        start, protocol, size = 40, packet[6], 40 + int.from_bytes(packet[4:6], "big")
    else:
        return None
    if (
        protocol != _TCP
        or start < 20
        or not start + 20 <= size <= len(packet) + 64
        or len(packet) < start + 20
    ):
        return None
    return packet[start + 4 * (packet[start + 12] >> 4) : size]
