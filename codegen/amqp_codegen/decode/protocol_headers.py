"""The protocol headers of all versions: eight octets, of which the last four name the version."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..resolve.amqp0.wire import read_wire
from ..resolve.amqp1.wire import read_wire1
from ..support.resources import wire_file
from .annotation import Annotation

PROTOCOL = b"AMQP"
SIZE = 8


class ProtocolHeaders:
    """The known protocol headers.

    Attributes:
        names: The octets of each, and the name of its version or layer.
    """

    def __init__(self, names: Mapping[bytes, str]) -> None:
        self.names = names

    def is_of(self, header: bytes, spec: spec0.Spec | spec1.Spec) -> bool:
        """Return whether octets are a protocol header of a version."""
        if isinstance(spec, spec0.Spec):
            return header in (spec.wire.header, *spec.wire.other_headers)
        return self.names.get(header, "").startswith(spec.version)

    def annotation(self, octets: bytes, position: int) -> Annotation:
        """Return the header that begins here."""
        header = octets[position : position + SIZE]
        stop = position + len(header)
        if len(header) < SIZE:
            error = f"a protocol header has {SIZE} octets, {len(header)} are left"
            return Annotation(position, stop, "protocol header", error=error)
        name = self.names.get(header, "")
        numbers = ".".join(map(str, header[len(PROTOCOL) :]))
        error = "" if name else f"no version that is known here has the header AMQP {numbers}"
        parts = (
            Annotation(position, position + 4, "protocol", value=PROTOCOL.decode(), inline=True),
            Annotation(position + 4, stop, "version", value=numbers, inline=True, error=error),
        )
        return Annotation(
            position, stop, "protocol header", value=f"AMQP {numbers}", meaning=name, children=parts
        )


def known_headers(amqp1: spec1.Spec | None) -> ProtocolHeaders:
    """Return the headers that ``wire.toml`` states.

    Args:
        amqp1: The specification of 1.0, whose constants its headers consist of; None without 1.0.
    """
    names = dict(_headers0())
    if amqp1 is not None:
        for layer, layout in wire1().headers.items():
            values = [_value(amqp1, name) for name in layout.version]
            title = f"{amqp1.version}" if layer == "amqp" else f"{amqp1.version}, layer {layer}"
            names[PROTOCOL + bytes((layout.id, *values))] = title
    return ProtocolHeaders(names)


@cache
def wire1() -> spec1.Wire:
    """Return what ``wire.toml`` states of 1.0; the file is part of the generator."""
    return read_wire1(*wire_file())


@cache
def _headers0() -> Mapping[bytes, str]:
    names: dict[bytes, str] = {}
    for version in read_wire(*wire_file()).versions.values():
        for header in (version.header, *version.other_headers):
            names.setdefault(header, version.name)
    return names


def _value(spec: spec1.Spec, name: str) -> int:
    """Return a constant of the specification; 0 for one that it does not define."""
    definition = spec.definition(name)
    return definition.value if definition and isinstance(definition.value, int) else 0
