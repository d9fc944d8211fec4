"""Annotates a stream of 0-x frames; after a damaged one, looks for the next (0-9-1 section 4.2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.amqp0.spec import Spec
from ...support.wording import counted
from ..annotation import Annotation, cut_off, number
from ..protocol_headers import PROTOCOL, ProtocolHeaders
from .payloads import PayloadReader, body

_HEAD = 7
# How far to look for the next frame: searching to the end after each damaged frame takes quadratic time.
_SEARCHED = 65_536


class FrameStreamReader:
    """Reads protocol headers and frames.

    Args:
        octets: All octets.
        spec: The specification.
        headers: The protocol headers of all versions.
    """

    def __init__(self, octets: bytes, spec: Spec, headers: ProtocolHeaders) -> None:
        self._octets = octets
        self._spec = spec
        self._headers = headers
        self._payloads = PayloadReader(octets, spec)
        self._meanings = {code: meaning for meaning, code in spec.wire.frames.items()}
        self._end = spec.wire.frame_end

    def stream(self) -> Iterator[Annotation]:
        """Yield each header and frame, and what is between them."""
        position, total = 0, len(self._octets)
        while position < total:
            if self._octets.startswith(PROTOCOL, position):
                part = self._headers.annotation(self._octets, position)
            elif total - position < _HEAD:
                part = cut_off("frame", position, total, _HEAD + 1)
            elif self._octets[position] not in self._meanings and not self._ends_well(position):
                part = self._no_frame(position)
            else:
                part = self._frame(position)
            yield part
            position = part.end

    def _frame(self, position: int) -> Annotation:
        code = self._octets[position]
        meaning = self._meanings.get(code, "")
        kind = number(self._octets, position, 1, "type", "octet", meaning)
        if not meaning:
            kind = replace(kind, error=f"{self._spec.version} has no frame type {code}")
        channel = number(self._octets, position + 1, 2, "channel", "short")
        size = number(self._octets, position + 3, 4, "size", "long")
        payload_end, size_error = self._payload_end(position)
        size = replace(size, error=size_error)
        payload = self._payload(meaning, position + _HEAD, payload_end)
        said = f"channel {channel.number}, {counted(payload_end - position - _HEAD, 'octet')}"
        end = self._frame_end(payload_end, bool(size_error))
        parts = (kind, channel, size, *payload, *end)
        name = f"{meaning} frame" if meaning else "frame"
        return Annotation(position, parts[-1].end, name, "frame", meaning=said, children=parts)

    def _payload(self, meaning: str, start: int, end: int) -> tuple[Annotation, ...]:
        if meaning == "method":
            return (self._payloads.method(start, end),)
        if meaning == "header":
            return (self._payloads.header(start, end),)
        if start == end:
            return ()
        if meaning == "heartbeat":
            return (Annotation(start, end, "payload", error="a heartbeat has no payload"),)
        return (body(self._octets, start, end) if meaning == "body" else Annotation(start, end, "payload"),)

    def _frame_end(self, position: int, is_known: bool) -> tuple[Annotation, ...]:
        """Return the last octet; one that is missing because of the size is an error there already."""
        if position >= len(self._octets):
            return () if is_known else (cut_off("frame end", position, position, 1, "octet"),)
        octet = self._octets[position]
        error = "" if octet == self._end else f"the frame must end with {self._end:#04x}, not {octet:#04x}"
        return (
            Annotation(position, position + 1, "frame end", "octet", octet, f"{octet:#04x}", error=error),
        )

    def _payload_end(self, position: int) -> tuple[int, str]:
        """Return where the payload ends, and what is wrong with the size.

        If the octet after the payload does not end the frame, the size may be wrong. An octet that could end it, with
        a frame or nothing after it, is then taken for its end.
        """
        size = int.from_bytes(self._octets[position + 3 : position + _HEAD], "big")
        start, total = position + _HEAD, len(self._octets)
        stop = start + size
        if stop < total and (self._octets[stop] == self._end or self._begins(stop + 1)):
            return stop, ""
        if stop == total and not self._octets.endswith(bytes((self._end,)), start):
            return stop, ""  # only the end octet is missing
        searched = start
        while (found := self._octets.find(self._end, searched, start + _SEARCHED)) >= 0:
            if found + 1 == total or self._begins(found + 1):
                return (
                    found,
                    f"the size is {size:,}, but the frame ends after {counted(found - start, 'octet')}",
                )
            searched = found + 1
        if stop < total:
            return stop, ""
        return (
            total,
            f"the size is {size:,}, but {counted(total - start, 'octet')} follow: the frame is cut off",
        )

    def _begins(self, position: int) -> bool:
        """Return whether a frame or protocol header begins here, as far as can be seen."""
        if self._octets.startswith(PROTOCOL, position):
            return True
        return (
            len(self._octets) - position > _HEAD
            and self._octets[position] in self._meanings
            and self._ends_well(position)
        )

    def _ends_well(self, position: int) -> bool:
        """Return whether an end octet is where the size at this position says."""
        size = int.from_bytes(self._octets[position + 3 : position + _HEAD], "big")
        stop = position + _HEAD + size
        return stop < len(self._octets) and self._octets[stop] == self._end

    def _no_frame(self, position: int) -> Annotation:
        """Return the octets up to where the next frame begins."""
        total = len(self._octets)
        last = min(total, position + _SEARCHED)
        end = next((at for at in range(position + 1, last) if self._begins(at)), last)
        error = f"no frame begins here: {self._octets[position]:#04x} is not a frame type"
        return Annotation(position, end, "not a frame", error=error)
