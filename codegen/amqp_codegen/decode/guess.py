"""Guesses of which version octets are, and what they are: the reading with the fewest octets after an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from .protocol_headers import PROTOCOL, ProtocolHeaders
from .protocol_headers import SIZE as HEADER_SIZE
from .reading import FRAMES, KINDS, Reading, kinds_of, read_as

_HEAD0 = 7
_HEAD1 = 8


@dataclass(frozen=True, slots=True)
class BestReading:
    """The best reading of some octets.

    Attributes:
        reading: The reading.
        also: Version and kind of the readings that are as good.
    """

    reading: Reading
    also: tuple[tuple[str, str], ...]


def guess(
    octets: bytes,
    specs: Sequence[spec0.Spec | spec1.Spec],
    headers: ProtocolHeaders,
    kind: str = "",
) -> BestReading:
    """Return the best reading.

    Of readings that are equally good, the first kind in ``KINDS`` and then the first specification wins.

    Args:
        octets: The octets.
        specs: The specifications to try; at least one has the kind.
        headers: The protocol headers of all versions.
        kind: The kind, if it is known.
    """
    readings = [
        read_as(octets, spec, form, headers) for spec, form in _candidates(octets, specs, headers, kind)
    ]
    order = {form: place for place, form in enumerate(KINDS)}
    readings.sort(key=lambda reading: order[reading.kind])
    best = min(readings, key=_badness)
    also = [
        (reading.spec.version, reading.kind)
        for reading in readings
        if reading is not best and not reading.errors and not best.errors
    ]
    return BestReading(best, tuple(also))


def _candidates(
    octets: bytes, specs: Sequence[spec0.Spec | spec1.Spec], headers: ProtocolHeaders, kind: str
) -> Iterator[tuple[spec0.Spec | spec1.Spec, str]]:
    """Yield what to try: only frames of one family if the octets look like such."""
    framed: list[spec0.Spec | spec1.Spec] = []
    if kind in ("", FRAMES):
        named = [spec for spec in specs if headers.is_of(octets[:HEADER_SIZE], spec)]
        framed = named or [spec for spec in specs if looks_like_frames(octets, spec)]
    if framed:
        yield from ((spec, FRAMES) for spec in framed)
        return
    for spec in specs:
        for form in kinds_of(spec):
            if kind in ("", form):
                yield spec, form


def looks_like_frames(octets: bytes, spec: spec0.Spec | spec1.Spec) -> bool:
    """Return whether octets begin with a protocol header, or with a frame whose end is where it says.

    A frame of 1.0 whose end is missing is told by the beginning of its body.
    """
    if octets.startswith(PROTOCOL):
        return True
    if isinstance(spec, spec1.Spec):
        size = int.from_bytes(octets[:4], "big")
        if not (size >= _HEAD1 and len(octets) >= _HEAD1 and octets[4] >= 2 and octets[5] <= 1):
            return False
        body = octets[4] * 4
        return body <= size and (size <= len(octets) or _begins_performative(octets[body:]))
    if len(octets) <= _HEAD0 or octets[0] not in spec.wire.frames.values():
        return False
    stop = _HEAD0 + int.from_bytes(octets[3:_HEAD0], "big")
    return stop < len(octets) and octets[stop] == spec.wire.frame_end


def _begins_performative(body: bytes) -> bool:
    """Return whether the body of a frame that is cut off begins with a numeric descriptor, as far as it is there."""
    return body[:1] in (b"", b"\0") and body[1:2] in (b"", b"\x53", b"\x80")


def _badness(reading: Reading) -> tuple[int, int]:
    """Return a measure of how wrong a reading is: the octets after the first error, then the number of errors."""
    errors = reading.errors
    if not errors:
        return 0, 0
    return len(reading.octets) - min(error.start for error in errors) + 1, len(errors)
