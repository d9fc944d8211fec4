"""Octets read as one kind of thing of one version: frames, a method, a table, a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from .amqp0.frames import FrameStreamReader as FrameStreamReader0
from .amqp0.payloads import PayloadReader
from .amqp1.frames import FrameStreamReader as FrameStreamReader1
from .amqp1.frames import all_values, message
from .amqp1.values import ValueReader
from .annotation import Annotation, hide, left_over
from .protocol_headers import ProtocolHeaders, wire1

FRAMES, METHOD, HEADER, TABLE, MESSAGE, VALUE = "frames", "method", "header", "table", "message", "value"
# In the order in which they are guessed.
KINDS0 = (FRAMES, METHOD, HEADER, TABLE, VALUE)
KINDS1 = (FRAMES, MESSAGE, VALUE)
KINDS = (FRAMES, METHOD, HEADER, TABLE, MESSAGE, VALUE)


@dataclass(frozen=True, slots=True)
class Reading:
    """Octets as one kind of thing.

    Attributes:
        octets: All of them.
        spec: The specification by which they were read.
        kind: One of ``KINDS``.
        parts: The annotations, in order and without gaps.
    """

    octets: bytes
    spec: spec0.Spec | spec1.Spec
    kind: str
    parts: tuple[Annotation, ...]

    @property
    def errors(self) -> list[Annotation]:
        """The annotations with an error, in order."""
        return [annotation for part in self.parts for annotation in part if annotation.error]

    def without(self, hidden: Sequence[Annotation]) -> Reading:
        """Return the reading without the octets and values of some of its parts, for what must not be shown."""
        return replace(self, parts=tuple(hide(part, hidden) for part in self.parts))


def kinds_of(spec: spec0.Spec | spec1.Spec) -> tuple[str, ...]:
    """Return the kinds of things that a version has."""
    return KINDS0 if isinstance(spec, spec0.Spec) else KINDS1


def read_as(octets: bytes, spec: spec0.Spec | spec1.Spec, kind: str, headers: ProtocolHeaders) -> Reading:
    """Return the octets as a kind of thing that the version has; never raises, whatever the octets."""
    read = _read0 if isinstance(spec, spec0.Spec) else _read1
    parts = read(octets, spec, headers)[kind]()  # type: ignore[arg-type] # each has the spec of its family
    return Reading(octets, spec, kind, tuple(parts))


_Parts = tuple[Annotation, ...]


def _read0(octets: bytes, spec: spec0.Spec, headers: ProtocolHeaders) -> Mapping[str, Callable[[], _Parts]]:
    payloads, end = PayloadReader(octets, spec), len(octets)
    return {
        FRAMES: lambda: tuple(FrameStreamReader0(octets, spec, headers).stream()),
        METHOD: lambda: (payloads.method(0, end),),
        HEADER: lambda: (payloads.header(0, end),),
        TABLE: lambda: _with_rest(payloads.tables.table("table", 0, end), end),
        VALUE: lambda: _with_rest(payloads.tables.value("value", 0, end), end),
    }


def _read1(octets: bytes, spec: spec1.Spec, headers: ProtocolHeaders) -> Mapping[str, Callable[[], _Parts]]:
    values, end = ValueReader(octets, spec), len(octets)
    return {
        FRAMES: lambda: tuple(FrameStreamReader1(octets, spec, wire1(), headers).stream()),
        MESSAGE: lambda: tuple(message(values, 0, end)),
        VALUE: lambda: tuple(all_values(values, 0, end)),
    }


def _with_rest(part: Annotation, end: int) -> _Parts:
    return (part, *left_over(part.end, end, f"the {part.name}"))
