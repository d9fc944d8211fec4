"""Annotates a stream of AMQP 1.0 frames and messages; after a damaged frame, looks for the next (2.3, 3.2, 5.3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.amqp1.spec import Spec, Wire
from ...model.amqp1.types import Composite, Restricted
from ...support.wording import counted
from ..annotation import Annotation, cut_off, left_over, number, unread
from ..protocol_headers import PROTOCOL, ProtocolHeaders
from .values import ValueReader

_HEAD = 8
_WORD = 4
_SEARCHED = 65_536
_SECTION, _DELIVERY_TAG, _MORE = "section", "delivery-tag", "more"


class FrameStreamReader:
    """Reads protocol headers and frames.

    Args:
        octets: All octets.
        spec: The specification.
        wire: The types of frames.
        headers: The protocol headers of all versions.
    """

    def __init__(self, octets: bytes, spec: Spec, wire: Wire, headers: ProtocolHeaders) -> None:
        self._octets = octets
        self._headers = headers
        self._values = ValueReader(octets, spec)
        self._meanings = {code: meaning for meaning, code in wire.frames.items()}

    def stream(self) -> Iterator[Annotation]:
        """Yield each header and frame, and what is between them."""
        position, total = 0, len(self._octets)
        while position < total:
            if self._octets.startswith(PROTOCOL, position):
                part = self._headers.annotation(self._octets, position)
            elif total - position < _HEAD:
                part = cut_off("frame", position, total, _HEAD)
            else:
                part = self._frame(position)
            yield part
            position = part.end

    def _frame(self, position: int) -> Annotation:
        octets = self._octets
        size, stop = self._size(position)
        words, start = self._data_offset(position, stop)
        code = number(octets, position + 5, 1, "type", "ubyte", self._meanings.get(octets[position + 5], ""))
        if not code.meaning:
            code = replace(code, error=f"there is no frame type {code.number}")
        is_sasl = code.meaning == "sasl"
        channel = number(octets, position + 6, 2, "ignored" if is_sasl else "channel", "ushort")
        extended = unread(position + _HEAD, start, "extended header")
        parts = (size, words, code, channel, *extended, *self._body(code.meaning, start, stop))
        where = "" if is_sasl else f"channel {channel.number}, "
        kind = f"{code.meaning.upper()} frame" if code.meaning else "frame"
        said = f"{where}{counted(stop - position, 'octet')}"
        return Annotation(position, stop, kind, "frame", meaning=said, children=parts)

    def _size(self, position: int) -> tuple[Annotation, int]:
        """Return the size of a frame, and where the frame ends; if the size is wrong, where the next seems to begin."""
        size = number(self._octets, position, 4, "size", "uint")
        left = len(self._octets) - position
        if _HEAD <= size.number <= left:
            return size, position + size.number
        error = f"a frame has at least {_HEAD} octets, not {size.number}"
        if size.number > left:
            error = f"the size is {size.number:,}, but there are only {counted(left, 'octet')}: the frame is cut off"
        return replace(size, error=error), self._next_frame(position)

    def _data_offset(self, position: int, stop: int) -> tuple[Annotation, int]:
        """Return the number of words before the body, and where the body begins."""
        words = number(self._octets, position + 4, 1, "doff", "ubyte")
        words = replace(words, meaning=f"{_WORD * words.number} octets")
        start = position + _WORD * words.number
        if start < position + _HEAD:
            error = f"the header has at least {_HEAD // _WORD} words, not {words.number}"
            return replace(words, error=error), position + _HEAD
        if start > stop:
            return replace(words, error=f"the header has {words.number} words, which exceed the frame"), stop
        return words, start

    def _body(self, meaning: str, position: int, end: int) -> tuple[Annotation, ...]:
        if position >= end:
            if meaning == "sasl":
                return (Annotation(end, end, "performative", error="a SASL frame is never empty"),)
            return ()
        if not meaning:
            return (Annotation(position, end, "body"),)
        performative = self._values.value("", position, end)
        kind = performative.element
        if not (
            isinstance(kind, Composite)
            and (kind.is_performative if meaning == "amqp" else kind.is_sasl_frame)
        ):
            name = performative.name or "value"
            error = performative.error
            if not performative.is_wrong:
                error = f"the body of {'a SASL' if meaning == 'sasl' else 'an AMQP'} frame is a performative"
            performative = replace(performative, name=name, error=error)
        rest = performative.end
        if performative.is_wrong and rest >= end:
            return (performative,)
        if meaning == "sasl":
            return (performative, *left_over(rest, end, "the performative"))
        return (performative, *self._payload(performative, rest, end))

    def _payload(self, performative: Annotation, position: int, end: int) -> tuple[Annotation, ...]:
        """Return the payload: the sections of a message, if it is the first of a delivery.

        Only the first transfer of a delivery has a tag; the payload of others begins anywhere in the message.
        """
        if position >= end:
            return ()
        fields = {part.name: part.value for part in performative.children if not part.inline}
        if not isinstance(fields.get(_DELIVERY_TAG), bytes):
            return (Annotation(position, end, "payload", meaning=counted(end - position, "octet")),)
        sections = list(message(self._values, position, end))
        if fields.get(_MORE) is True and sections[-1].is_wrong:
            start = sections[-1].start
            sections[-1] = Annotation(start, end, "payload", meaning="continues in the next transfer")
        return tuple(sections)

    def _next_frame(self, position: int) -> int:
        """Return where the next frame seems to begin; the end if none does."""
        last = min(len(self._octets), position + _SEARCHED)
        return next((at for at in range(position + _HEAD, last) if self._begins(at)), last)

    def _begins(self, position: int) -> bool:
        octets = self._octets
        if octets.startswith(PROTOCOL, position):
            return True
        size = int.from_bytes(octets[position : position + 4], "big")
        if not _HEAD <= size <= len(octets) - position or octets[position + 4] != _HEAD // _WORD:
            return False
        return octets[position + 5] in self._meanings and (size == _HEAD or not octets[position + _HEAD])


def message(values: ValueReader, position: int, end: int) -> Iterator[Annotation]:
    """Yield the sections of a message; what is not a section is an error."""
    while position < end:
        section = values.value("", position, end)
        if not section.name:
            section = replace(section, name="value")
        kind = section.element
        is_section = isinstance(kind, (Composite, Restricted)) and _SECTION in kind.provides
        if not section.error and not is_section:
            section = replace(section, error="a message consists of sections; this is none")
        yield section
        position = section.end


def all_values(values: ValueReader, position: int, end: int) -> Iterator[Annotation]:
    """Yield consecutive values."""
    while position < end:
        value = values.value("", position, end)
        yield value if value.name else replace(value, name="value")
        position = value.end
