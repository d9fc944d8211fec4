"""The decoder of frames of AMQP 1.0: performatives, and empty frames."""

from __future__ import annotations

from typing import Any

from amqp_codegen.support.resources import load_module

from ...capture.faults import FATAL
from ...capture.quarantine import Quarantine
from ...frames.formats import PROTOCOL_HEADER, FrameSpan
from ...schemas import PACKAGE1
from ...secret_names import may_have_secret
from ...variant_redaction import redacted_row, redacting_beginning
from ..decoded import Decoded, FrameKind, RowsOfKind, UndecodedFrame, quarantine_frame
from ..events import PERFORMATIVE

_AMQP, _SASL = 0, 1
_SHORT = b"\x00\x53"  # how a descriptor begins in the short form
_OPEN, _TRANSFER = "open", "transfer"
_LIST8, _LIST32 = 0xC0, 0xD0
_LONGEST_TRANSFER = 64  # octets of a transfer without a message, more or less
_PROTOCOL_HEADER, EMPTY, UNKNOWN = FrameKind("protocol-header"), FrameKind("empty"), FrameKind(None)


class Decoder:
    """Decodes frames of AMQP 1.0.

    Attributes:
        codes: For each frame type, the codes of its performatives by name.
    """

    def __init__(self, quarantine: Quarantine, package: str = PACKAGE1) -> None:
        """Load the package; what cannot be decoded goes to the quarantine."""
        self._quarantine = quarantine
        # Reads what extensions cannot: a filter with a value of another type is any described value to the standard.
        self._standard = None if package == PACKAGE1 else Decoder(quarantine)
        self._columns: Any = load_module(package, "columns")
        self._names: tuple[dict[int, str], dict[int, str]] = ({}, {})
        self.codes: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for performative, frame_type in load_module(package, "frames").FRAME_TYPES.items():
            self._names[frame_type][performative.CODE] = performative.NAME
            self.codes[frame_type][performative.NAME] = performative.CODE
        self._begin()
        self._limits: Any = self._slow.limits.deeper
        self._variants: Any = self._slow.variants

    def _begin(self) -> None:
        self._slow = self._columns.PerformativeColumns()
        # Reader and rows of each performative, by name.
        self._performatives: dict[str, tuple[Any, RowsOfKind]] = {
            name: (
                redacting_beginning(gathered.read, gathered.kind.columns),
                RowsOfKind(FrameKind(name), gathered.kind.columns),
            )
            for name, gathered in self._slow.gathered.items()
        }

    def take(self, decoded: Decoded) -> None:
        """Move the rows of performatives to ``decoded``."""
        decoded.performatives += [rows for _, rows in self._performatives.values() if rows.rows]
        self._begin()

    def cut(self, index: int) -> None:
        """Remove the rows from the frame with this index in ``Decoded.spans`` on."""
        for _, rows in self._performatives.values():
            rows.cut(index)

    def read(
        self, decoded: Decoded, connection: int, direction: int, first: int, frames: list[FrameSpan]
    ) -> int:
        """Decode frames of one direction; see ``amqp0.decoder.Decoder``."""
        add_span, add_kind, add_event = decoded.spans.append, decoded.kinds.append, decoded.events.append
        performatives = self._performatives
        place = len(decoded.kinds) - first
        bad = 0
        for frame_no, frame in enumerate(frames, first):
            offset, wire_size, frame_type, channel, payload, packet_no, packet_offset, ns = frame
            add_span((offset, wire_size, frame_type, channel, packet_no, packet_offset, ns))
            if frame_type == PROTOCOL_HEADER or not (payload or frame_type):
                add_kind(_PROTOCOL_HEADER if frame_type == PROTOCOL_HEADER else EMPTY)
                continue
            try:
                name, row, stop = self.read_row(payload, frame_type)
            except FATAL:
                raise
            except Exception:  # no frame, whatever is in it, may stop the reader
                bad += 1
                self._add_undecodable(decoded, connection, direction, frame_no, frame)
                continue
            _, found = performatives[name]
            rest = payload[stop:]
            size = len(rest)
            decoded.octets += size
            found.rows.append(row)
            found.frames.append(frame_no + place)
            found.payload_sizes.append(size)
            add_kind(found.kind)
            event = name, row, rest
            add_event((connection, frame_no, direction, channel, PERFORMATIVE, event, size, offset, ns))
        return bad

    def read_row(self, payload: bytes, frame_type: int) -> tuple[str, tuple[Any, ...], int]:
        """Return name, row and end of a performative. Raises any exception if it cannot be decoded."""
        try:
            return self._read_row(payload, frame_type)
        except FATAL:
            raise
        except Exception:
            if self._standard is None:
                raise
            return self._standard.read_row(payload, frame_type)

    def _read_row(self, payload: bytes, frame_type: int) -> tuple[str, tuple[Any, ...], int]:
        if not payload.startswith(_SHORT):
            return self._read_slowly(payload, frame_type)
        name = self._names[frame_type][payload[2]]
        row, stop = self._performatives[name][0](payload, 3, self._limits, self._variants)
        if stop > len(payload) or (frame_type == _SASL and stop != len(payload)):
            raise ValueError("the performative ends elsewhere")
        return name, row, stop

    def _read_slowly(self, payload: bytes, frame_type: int) -> tuple[str, tuple[Any, ...], int]:
        """Return name, row and end of a performative with a descriptor of any form.

        Raises:
            CodecError: It cannot be decoded.
        """
        stop: int = self._slow.append(payload, sasl=frame_type == _SASL)
        for name, gathered in self._slow.gathered.items():
            if gathered.rows:
                gathered.numbers.clear()
                return name, redacted_row(gathered.rows.pop()), stop
        raise AssertionError("a row was added")

    def _add_undecodable(
        self, decoded: Decoded, connection: int, direction: int, frame_no: int, frame: FrameSpan
    ) -> None:
        """Add a performative that cannot be decoded."""
        offset, _, _, channel, payload, _, _, ns = frame
        kind, reason, raw = self.leave_out(connection, direction, frame)
        place = len(decoded.kinds)
        decoded.undecoded_performatives.append((place, kind.name, raw))
        decoded.octets += len(payload)
        decoded.errors[place] = reason
        decoded.kinds.append(kind)
        decoded.events.append(
            (connection, frame_no, direction, channel, PERFORMATIVE, None, len(payload), offset, ns)
        )

    def leave_out(self, connection: int, direction: int, frame: FrameSpan) -> UndecodedFrame:
        """Put a performative that cannot be decoded into the quarantine, and return what is known of it."""
        frame_type, payload = frame.type, frame.payload
        code = payload[2] if len(payload) > 2 and payload.startswith(_SHORT) else -1
        name = self._names[frame_type].get(code)
        # A SASL frame with a flipped bit may look like an AMQP frame with an unknown body.
        is_secret = frame_type == _SASL or name in (None, _OPEN) or may_have_secret(payload)
        kept = _without_message(payload) if name == _TRANSFER else payload
        frame = frame if kept is payload else frame._replace(payload=kept)
        try:
            self._read_slowly(payload, frame_type)
            error: Exception = ValueError("nothing")
        except Exception as fault:
            error = fault
        reason = quarantine_frame(self._quarantine, frame, connection, direction, error, name, is_secret)
        kind = UNKNOWN if name is None else self._performatives[name][1].kind
        return UndecodedFrame(kind, reason, None if is_secret else kept)


def _without_message(payload: bytes) -> bytes:
    """Return the octets of a transfer that cannot be decoded without those that may be its message, which may be a secret."""
    constructor = payload[3:4]
    if constructor not in (bytes((_LIST8,)), bytes((_LIST32,))):
        return payload[:_LONGEST_TRANSFER]
    start = 4 + (1 if constructor[0] == _LIST8 else 4)
    end = start + int.from_bytes(payload[4:start], "big")
    return payload[: end if end <= len(payload) else _LONGEST_TRANSFER]
