"""The octets of frames beside their meaning, as ``amqp-codegen decode`` shows them, without secrets and bodies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from amqp_codegen.api import decode, load, view

from ..frames.amqp0 import frame_format as format0
from ..frames.amqp1 import frame_format as format1
from ..frames.formats import PROTOCOL_HEADER, FrameSpan
from ..schemas import PACKAGE1, PACKAGES1
from .lines import PLAIN, Line

if TYPE_CHECKING:
    from amqp_codegen.api import Annotation, Reading, Specification

# Columns where there is no terminal.
WIDTH = 110
_INDENT = "      "
_PAYLOADS0 = ("body", "payload")
# A message continues in the payload of the next transfer, which begins anywhere in it.
_BODIES1 = ("data", "amqp-sequence", "amqp-value", "payload")
_TRANSFER = "transfer"


def frame_octet_lines(
    frame: FrameSpan, package: str, dialect: str, bodies: bool, is_secret: bool, width: int
) -> Iterator[Line]:
    """Yield the lines of the octets of a frame.

    Args:
        frame: The frame, without secrets.
        package: The generated package of its version; without one, only protocol headers are shown.
        dialect: The dialect of field tables; empty for the version's own.
        bodies: Whether bodies of messages may be shown.
        is_secret: Whether its payload may have a secret that was not found: then only its header is shown.
        width: The columns that there are.
    """
    if frame.type == PROTOCOL_HEADER:
        # Where 1.0 is known, the headers of all versions are.
        yield from octet_lines(decode(frame.payload, specification_of(PACKAGE1)), width)
    elif package in PACKAGES1:
        reading = decode(format1.whole_frame(frame), specification_of(package))
        yield from octet_lines(reading.without(_hidden_sections(reading.parts[0], bodies, is_secret)), width)
    elif package:
        reading = decode(format0.whole_frame(frame), specification_of(package, dialect))
        yield from octet_lines(reading.without(hidden_parts(reading.parts[0], bodies, is_secret)), width)


def octet_lines(reading: Reading, width: int) -> Iterator[Line]:
    """Yield the lines of a reading, indented and without the titles of the columns."""
    for line in islice(view(reading, width=width - len(_INDENT)), 1, None):
        yield [(_INDENT, PLAIN), *line]


def hidden_parts(frame: Annotation, bodies: bool, is_secret: bool) -> list[Annotation]:
    """Return the parts of a 0-x frame that must not be shown."""
    contents = [part for part in frame.children if not part.inline]
    return [part for part in contents if is_secret or (not bodies and part.name in _PAYLOADS0)]


def _hidden_sections(frame: Annotation, bodies: bool, is_secret: bool) -> list[Annotation]:
    """Return the parts of a 1.0 frame that must not be shown.

    Where the rest of a transfer cannot be read, it may be a body.
    """
    contents = [part for part in frame.children if not part.inline]
    if is_secret:
        return contents
    if bodies:
        return []
    return [part for part in contents if part.name in _BODIES1 or _is_unreadable(part, contents[0])]


def _is_unreadable(part: Annotation, performative: Annotation) -> bool:
    is_known = part is performative and part.element is not None and part.name != _TRANSFER
    return part.is_wrong and not is_known


@cache
def specification_of(package: str, dialect: str = "") -> Specification:
    """Return the specification of which a package was generated."""
    return load(package.removeprefix("amqp_").replace("_", "-"), dialect=dialect)
