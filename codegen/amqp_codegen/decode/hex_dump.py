"""Octets of hex dumps: xxd, hexdump -C, od -A x -t x1, tcpdump -X, Wireshark and its like; without packet headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from ..support.wording import quote
from .form_error import FormError, lines_with_offsets

_LINE = re.compile(
    r"(?P<indent>\s*)(?:0x)?(?P<offset>[0-9a-fA-F]{4,16})(?P<colon>:?)(?:[ \t]+(?P<rest>\S.*))?\s*"
)
_GROUP = re.compile(r"(?:[0-9a-fA-F]{2})+")
_BITS = re.compile(r"[01]{8}")
_TEXT_COLUMN = re.compile(r"\s[|>].*[|<]\s*$")
_PAIR = 2
_REPEATED = "*"  # xxd -a and hexdump: the lines up to the next are like the one before
_MAX_REPEATED = 1 << 24
# Netty prints frames around its dumps, gdb 0x before each octet and the name of what lies there.
_NETTY = re.compile(r"\s*\|([0-9a-f]{8})\|((?: [0-9a-f]{2})+)\s*\|.*\|\s*")
_DEBUGGER = re.compile(r"\s*0x([0-9a-f]{4,16})(?:\s<[^>]*>)?:((?:\s+0x[0-9a-f]{2})+)\s*")
# Lines without octets around those with octets: borders, and the heads of columns of Netty and PowerShell.
_FURNITURE = re.compile(
    r"\s*(?:[-+|=_ ]{3,}|\|?(?:\s+0?[0-9a-f]){16}\s*\|?|Offset\s+Bytes.*|Label: .*|Path: .*)\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _DumpLine:
    """A line of a dump.

    Attributes:
        offset: As the dump says.
        octets: Its octets, perhaps with some from the column of text.
        bits: The octets if the groups are not hexadecimal but bits, as ``xxd -b`` prints them.
        indent: What is before the offset: Wireshark's follow indents what the other side sends.
        place: Where it begins in the text.
        is_odd: Whether the offset has an odd number of digits, so that it cannot be octets.
        limit: How many octets it has at most if no other line tells: after a colon, blanks end the octets.
    """

    offset: int
    octets: bytes
    bits: bytes
    indent: str
    place: int
    is_odd: bool
    limit: int


def is_dump(text: str) -> bool:
    """Return whether a text has the lines of a hex dump, and no other lines but such as tcpdump prints between them."""
    try:
        return bool(dump_octets(text))
    except FormError:
        return False


def dump_octets(text: str) -> bytes:
    """Return the octets of a hex dump; none if a text is not one.

    Raises:
        FormError: It is one, but for a line.
    """
    lines = [(place, line) for place, line in lines_with_offsets(text) if not _FURNITURE.fullmatch(line)]
    try:
        return _dump_octets(lines, 16) or _dump_octets(lines, 10, is_tried=True)
    except FormError:
        if octets := _dump_octets(lines, 10, is_tried=True):
            return octets
        raise


def _dump_octets(lines: Sequence[tuple[int, str]], base: int, is_tried: bool = False) -> bytes:
    """Return the octets of the lines of a dump whose offsets have a base; what is wrong does not matter if it is tried."""
    parsed = [_parse(line, place, base) for place, line in lines]
    dumped = [line for line in parsed if line is not None]
    if not dumped or not dumped[0].octets or not _begins_well(dumped, lines):
        return b""
    if _strange(lines, parsed):
        if not is_tried:
            _raise_if_nearly(lines, parsed)
        return b""
    rows: list[_DumpLine] = []
    repeats = False
    for (_, line), found in zip(lines, parsed, strict=True):
        repeats = repeats or line.strip() == _REPEATED
        if found is None:
            continue
        if repeats and rows and found.offset:
            rows += _repeated(rows[-1], found.offset)
        repeats = False
        rows.append(found)
    if base == 10 and (None in parsed or not _follow_exactly(rows)):
        return b""
    octets = b""
    for block in _joined(rows):
        if block is None:
            if not is_tried:
                _raise_if_nearly(lines, parsed)
            return b""
        octets += block
    return octets


def _follow_exactly(rows: Sequence[_DumpLine]) -> bool:
    """Return whether each offset is that of the line before and its octets: 10 could be 16 otherwise."""
    return all(after.offset == line.offset + len(line.octets) for line, after in pairwise(rows))


def _begins_well(dumped: Sequence[_DumpLine], lines: Sequence[tuple[int, str]]) -> bool:
    """Return whether a dump begins at 0, or is plainly a part of one: hexadecimal in groups may look like it."""
    if not dumped[0].offset:
        return True
    steps = {after.offset - line.offset for line, after in pairwise(dumped)}
    is_marked = ":" in lines[0][1] or "0x" in lines[0][1] or "|" in lines[0][1]
    return steps in ({8}, {16}) or (is_marked and len(dumped) == 1)


def _strange(lines: Sequence[tuple[int, str]], parsed: Sequence[_DumpLine | None]) -> bool:
    """Return whether there are lines of no dump: before each packet, tcpdump prints one that begins at the margin."""
    others = sum(
        found is None and line.strip() != _REPEATED for (_, line), found in zip(lines, parsed, strict=True)
    )
    packets = sum(found is not None and not found.offset for found in parsed)
    return others > 2 * packets


def _raise_if_nearly(lines: Sequence[tuple[int, str]], parsed: Sequence[_DumpLine | None]) -> None:
    """Raise the error of the first line that does not follow, if most lines are those of a dump."""
    dumped = [line for line in parsed if line is not None]
    if dumped[0].is_odd or len(dumped) * 3 < len(lines) * 2 or len(lines) < 3:
        return
    expected: dict[str, int] = {}
    fitting, wrong = 0, None
    for (place, line), found in zip(lines, parsed, strict=True):
        if found is None:
            wrong = wrong or FormError(place, f"{quote(line.strip())} is not a line of a dump", is_sure=False)
            continue
        after = expected.get(found.indent, found.offset)
        if found.offset not in (0, after) and wrong is None:
            message = (
                f"the line has the offset {found.offset:04x}, but the octets before it end at {after:04x}"
            )
            wrong = FormError(place, message, "a line is missing or damaged", is_sure=False)
        fitting += found.offset == after
        expected[found.indent] = after + len(found.octets) if wrong else found.offset + len(found.octets)
    if wrong is not None and fitting >= 2:
        raise wrong


def _parse(line: str, place: int, base: int) -> _DumpLine | None:
    line = _DEBUGGER.sub(lambda found: f"{found[1]}: {' '.join(found[2].replace('0x', '').split())}", line)
    line = _NETTY.sub(r"\1  \2", line)
    found = _LINE.fullmatch(line)
    if not found or (base == 10 and not found["offset"].isdigit()):
        return None
    rest = _TEXT_COLUMN.sub("", f" {found['rest'] or ''}")
    # After two blanks comes the text; hexdump and Wireshark have two in the middle of the octets as well.
    gap = r"\s{2,}" if found["colon"] else r"\s{3,}"
    groups: list[str] = []
    for group in re.split(gap, rest.strip())[0].split():
        if not _GROUP.fullmatch(group):
            break
        if not found["colon"] and len(group) > _PAIR:
            return None  # hexadecimal in groups, of which the first looks like an offset
        groups.append(group)
    if rest.strip() and not groups:
        return None
    bits = bytes(int(group, 2) for group in groups if _BITS.fullmatch(group))
    bits = bits if len(bits) == len(groups) else b""
    limit = 1 << 16 if found["colon"] else 16
    offset, is_odd = int(found["offset"], base), len(found["offset"]) % 2 == 1
    return _DumpLine(offset, bytes.fromhex("".join(groups)), bits, found["indent"], place, is_odd, limit)


def _repeated(before: _DumpLine, offset: int) -> list[_DumpLine]:
    step = len(before.octets)
    if not step or offset - before.offset > _MAX_REPEATED:
        return []
    return [replace(before, offset=at) for at in range(before.offset + step, offset, step)]


def _joined(rows: Sequence[_DumpLine]) -> Iterator[bytes | None]:
    """Yield the octets of each block, in the order of the text; None if the offsets do not fit.

    A block begins at offset 0. Two sides of a conversation have offsets of their own, and are told by how far they are
    indented; where the side changes, a block begins, too.
    """
    contents: dict[int, bytes] = {}
    restarts: set[int] = set()
    for indent in dict.fromkeys(row.indent for row in rows):
        side = [(place, row) for place, row in enumerate(rows) if row.indent == indent]
        starts = [at for at, (_, row) in enumerate(side) if not row.offset or not at]
        for start, stop in pairwise([*starts, len(side)]):
            block = side[start:stop]
            octets = _contents([row for _, row in block])
            if octets is None:
                yield None
                return
            contents.update((place, content) for (place, _), content in zip(block, octets, strict=True))
            restarts.add(block[0][0])
    number = 0
    blocks: list[tuple[tuple[int, str], bytes]] = []
    for place, row in enumerate(rows):
        number += place in restarts
        blocks.append(((number, row.indent), contents[place]))
    for _, parts in groupby(blocks, key=lambda block: block[0]):
        content = b"".join(octets for _, octets in parts)
        yield without_packet_headers(content) if content else b""


def _contents(block: Sequence[_DumpLine]) -> list[bytes] | None:
    """Return the octets of each of consecutive lines; None if the offsets do not fit.

    The offset of the next line says how many octets a line has: what looks like more is from its text.
    """
    contents: list[bytes] = []
    base = block[0].offset
    sizes = [after.offset - line.offset for line, after in pairwise(block)]
    widest = max([*sizes, block[0].limit])
    expected = base
    for number, line in enumerate(block):
        after = block[number + 1].offset if number + 1 < len(block) else None
        octets = line.octets
        steps = after - line.offset if after is not None else max(sizes, default=0)
        if line.bits and steps == len(block[0].bits if after is None else line.bits):
            octets = line.bits
        size = len(octets) if after is None else after - line.offset
        if line.offset != expected or (after is not None and not 0 < size <= len(octets)):
            return None
        contents.append(octets[: min(size, widest)])
        expected = line.offset + len(contents[-1])
    return contents


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
