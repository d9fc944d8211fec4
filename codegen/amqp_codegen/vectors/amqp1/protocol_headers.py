"""Cases of protocol headers: what a connection, or a layer of it, starts with."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.wire1 import HeaderLayout, Wire1
from ..case import Case
from .maker import Maker

KIND = "protocol-header"


def protocol_header_cases(maker: Maker, wire: Wire1) -> Iterator[Case]:
    """The header of each layer, and headers that begin nothing that we know."""
    headers = {name: header_octets(maker, layout) for name, layout in wire.headers.items()}
    known = {name: octets for name, octets in headers.items() if octets is not None}
    for name, octets in known.items():
        yield Case(f"{KIND}/{name}", KIND, KIND, {"layer": name}, octets)
    if not known:
        return
    start = next(iter(known.values()))
    for name, octets in (
        ("id-1", start[:4] + b"\x01" + start[5:]),
        ("id-4", start[:4] + b"\x04" + start[5:]),
        ("next-major", start[:5] + bytes((start[5] + 1,)) + start[6:]),
        ("next-minor", start[:6] + bytes((start[6] + 1,)) + start[7:]),
        ("next-revision", start[:7] + bytes((start[7] + 1,))),
        ("version-0-9-1", b"AMQP\x00\x00\x09\x01"),
        ("other-letters", b"HTTP" + start[4:]),
        ("small-letters", b"amqp" + start[4:]),
    ):
        note = "the header of no layer of this version (2.2)"
        yield Case(f"{KIND}/{name}", KIND, KIND, None, octets, "reject", "unknown", "decode", note=note)


def header_octets(maker: Maker, layout: HeaderLayout) -> bytes | None:
    """The letters AMQP, the id of the layer and the three numbers of its version; None if one of them is not defined."""
    numbers = [layout.id]
    for name in layout.version:
        definition = maker.spec.definition(name)
        if definition is None or not isinstance(definition.value, int) or not 0 <= definition.value <= 255:
            return None
        numbers.append(definition.value)
    return b"AMQP" + bytes(numbers)
