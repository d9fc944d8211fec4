"""The same values in longer encodings than the encoder would choose."""

from __future__ import annotations

import struct
from collections.abc import Callable

WIDER = {
    0x41: [b"\x56\1"],
    0x42: [b"\x56\0"],
    0x43: [b"\x52\0", b"\x70\0\0\0\0"],
    0x44: [b"\x53\0", b"\x80" + bytes(8)],
    0x45: [b"\xc0\1\0", b"\xd0\0\0\0\4\0\0\0\0"],
}


def widen(octets: bytes, choose: Callable[[int], int]) -> bytes:
    """Write one value, which takes up all the octets, in encodings of which ``choose(number)`` picks one."""
    found, end = _value(octets, 0, choose)
    assert end == len(octets)
    return found


def _value(octets: bytes, position: int, choose: Callable[[int], int]) -> tuple[bytes, int]:
    code = octets[position]
    position += 1
    if code == 0:
        descriptor, position = _value(octets, position, choose)
        value, position = _value(octets, position, choose)
        return b"\0" + descriptor + value, position
    if code >> 4 in (0x4, 0x5, 0x6, 0x7, 0x8, 0x9):
        width = {4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16}[code >> 4]
        data = octets[position : position + width]
        forms = [bytes((code,)) + data, *WIDER.get(code, [])]
        if code in (0x52, 0x53):
            forms.append(b"\x70" + data.rjust(4, b"\0") if code == 0x52 else b"\x80" + data.rjust(8, b"\0"))
        if code in (0x54, 0x55):
            (number,) = struct.unpack(">b", data)
            forms.append(struct.pack(">Bi", 0x71, number) if code == 0x54 else struct.pack(">Bq", 0x81, number))
        return forms[choose(len(forms))], position + width
    size = octets[position] if code >> 4 & 1 == 0 else struct.unpack_from(">I", octets, position)[0]
    width = 1 if code >> 4 & 1 == 0 else 4
    start, end = position + width, position + width + size
    if code >> 4 in (0xA, 0xB):
        data = octets[start:end]
        long = choose(2) == 1 or size > 255
        head = struct.pack(">BI", code | 0x10, size) if long else bytes((code & 0xEF, size))
        return head + data, end
    count = octets[start] if width == 1 else struct.unpack_from(">I", octets, start)[0]
    position = start + width
    if code in (0xC0, 0xD0, 0xC1, 0xD1):
        parts = []
        for _ in range(count):
            part, position = _value(octets, position, choose)
            parts.append(part)
        content = b"".join(parts)
    else:
        content = octets[position:end]
    if choose(2) == 1 or len(content) > 254 or count > 255:
        return struct.pack(">BII", code | 0x10, len(content) + 4, count) + content, end
    return bytes((code & 0xEF, len(content) + 1, count)) + content, end
