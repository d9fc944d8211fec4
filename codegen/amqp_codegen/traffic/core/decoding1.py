"""Decodes the frames of AMQP 1.0: performatives, and empty frames."""

from __future__ import annotations

from typing import Any

from ...packages import load_module
from .decoded import OK, UNDECODED, Decoded, RowsOfKind
from .event import PERFORMATIVE
from .frame_span import PROTOCOL_HEADER, FrameSpan
from .framing1 import PACKAGE
from .poison import put_away
from .quarantine import Quarantine

_AMQP, _SASL = 0, 1
_SHORT = b"\x00\x53"  # how a descriptor begins in the short form
_OPEN = "open"


class Decoder1:
    """Decodes frames of AMQP 1.0."""

    def __init__(self, quarantine: Quarantine) -> None:
        """Begin without rows; what cannot be decoded goes to the quarantine."""
        limits, frames = load_module(PACKAGE, "limits"), load_module(PACKAGE, "frames")
        self._quarantine = quarantine
        self._columns: Any = load_module(PACKAGE, "columns")
        found = limits.make_limits(limits.MAX_DEPTH, limits.MAX_ELEMENTS)
        self._limits: Any = found.deeper or found
        self._variants: Any = load_module(PACKAGE, "variant_reader").variant_state()
        # Name by code, for frames of either type.
        self._names: tuple[dict[int, str], dict[int, str]] = ({}, {})
        for kind, frame_type in frames.FRAME_TYPES.items():
            self._names[frame_type][kind.CODE] = kind.NAME
        self._begin()

    def _begin(self) -> None:
        self._slow = self._columns.PerformativeColumns()
        self._kinds = {
            name: RowsOfKind(name, gathered.kind.columns, gathered.read)
            for name, gathered in self._slow.gathered.items()
        }

    def take(self, decoded: Decoded) -> None:
        """Put the rows of performatives there, and begin again."""
        decoded.performatives += [kind for kind in self._kinds.values() if kind.rows]
        self._begin()

    def read(
        self, decoded: Decoded, connection: int, direction: int, frame_no: int, frames: list[FrameSpan]
    ) -> int:
        """Decode frames of one direction; see ``Decoder0``."""
        rows, events = decoded.frames, decoded.events
        kinds, limits, variants = self._kinds, self._limits, self._variants
        bad = 0
        for frame in frames:
            offset, size, frame_type, channel, payload, packet_no, packet_offset, ns = frame
            if frame_type == PROTOCOL_HEADER or not (payload or frame_type):
                name = "empty" if frame_type == _AMQP else "protocol-header"
            else:
                try:
                    if payload.startswith(_SHORT):
                        name = self._names[frame_type][payload[2]]
                        kind = kinds[name]
                        row, stop = kind.read(payload, 3, limits, variants)
                        if stop > len(payload) or (frame_type == _SASL and stop != len(payload)):
                            raise ValueError("the performative ends elsewhere")
                    else:
                        name, row, stop = self._read_slowly(payload, frame_type)
                        kind = kinds[name]
                except Exception:  # whatever it is: no frame may stop what reads them
                    bad += 1
                    self._put_away(decoded, connection, direction, frame_no, frame)
                    frame_no += 1
                    continue
                rest = payload[stop:]
                decoded.octets += len(rest)
                kind.rows.append(row)
                kind.frames.append(len(rows))
                kind.payload_sizes.append(len(rest))
                found = name, row, rest
                events.append(
                    (connection, frame_no, direction, channel, PERFORMATIVE, found, len(rest), offset, ns)
                )
            rows.append(
                (connection, direction, frame_no, offset, packet_no, packet_offset, ns, frame_type, channel, size,
                 None, name, OK, None)
            )  # fmt: skip
            frame_no += 1
        return bad

    def _read_slowly(self, payload: bytes, frame_type: int) -> tuple[str, tuple[Any, ...], int]:
        """A performative, whatever its descriptor looks like: name, row, and where it ends.

        Raises:
            CodecError: It cannot be decoded.
        """
        stop: int = self._slow.append(payload, frame_type == _SASL)
        for name, gathered in self._slow.gathered.items():
            if gathered.rows:
                gathered.numbers.clear()
                return name, gathered.rows.pop(), stop
        raise AssertionError("a row was added")

    def _put_away(
        self, decoded: Decoded, connection: int, direction: int, frame_no: int, frame: FrameSpan
    ) -> None:
        """A performative cannot be decoded."""
        offset, size, frame_type, channel, payload, packet_no, packet_offset, ns = frame
        name = self._names[frame_type].get(payload[2]) if payload.startswith(_SHORT) else None
        # What a bit has changed in a SASL frame may look like an AMQP frame with a body that nobody knows.
        is_secret = frame_type == _SASL or name in (None, _OPEN)
        try:
            self._read_slowly(payload, frame_type)
            error: Exception = ValueError("nothing")
        except Exception as fault:
            error = fault
        reason = put_away(self._quarantine, frame, connection, direction, error, name, is_secret)
        raw = None if is_secret else payload
        decoded.octets += len(raw or b"")
        decoded.undecoded_performatives.append((len(decoded.frames), name, raw))
        decoded.frames.append(
            (connection, direction, frame_no, offset, packet_no, packet_offset, ns, frame_type, channel, size, None,
             name, UNDECODED, reason.value)
        )  # fmt: skip
        decoded.events.append(
            (connection, frame_no, direction, channel, PERFORMATIVE, None, len(payload), offset, ns)
        )
