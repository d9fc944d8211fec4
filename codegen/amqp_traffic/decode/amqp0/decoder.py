"""The decoder of frames of the 0-x family: methods, content headers, bodies and others."""

from __future__ import annotations

from struct import Struct
from typing import Any

from amqp_codegen.support.resources import load_module

from ...capture.faults import FATAL
from ...capture.quarantine import Quarantine
from ...frames.amqp0.frame_format import CONNECTION_CLASS, method_key
from ...frames.formats import OVERHEAD0, PROTOCOL_HEADER, FrameSpan
from ...secret_names import may_have_secret
from ...variant_redaction import redacted_row, redacting
from ..decoded import Decoded, FrameKind, RowsOfKind, UndecodedFrame, quarantine_frame
from ..events import BODY, HEADER, join_content_run

_METHOD, _HEADER, _BODY = 1, 2, 3
_HEADER_HEAD = Struct(">HHQ")  # class, weight and size of the body
_LARGEST = (1 << 63) - 1  # of a column
# The properties of a content header and its misfits, where they cannot be read.
_NO_PROPERTIES = (None,) * 15
CONTENT_HEADER = "content-header"
CONTENT_BODY, _UNKNOWN = FrameKind("content-body"), FrameKind(None)
# The methods whose contents become messages.
_WITH_CONTENT = frozenset(map(method_key, ("BasicPublish", "BasicReturn", "BasicDeliver", "BasicGetOk")))
# Frames without own rows and events. Types 4 to 7 exist in 0-8 and 0-9 only, and are not used in practice.
OTHERS = {
    PROTOCOL_HEADER: FrameKind("protocol-header"),
    4: FrameKind("oob-method"),
    5: FrameKind("oob-header"),
    6: FrameKind("oob-body"),
    7: FrameKind("trace"),
    8: FrameKind("heartbeat"),
}


class Decoder:
    """Decodes frames of one package and dialect."""

    def __init__(self, quarantine: Quarantine, package: str, dialect: str, bodies: bool) -> None:
        """Load a generated package; its name is empty if there are only protocol headers.

        ``dialect`` is that of field tables, empty for the package's own. With ``bodies``, events have the octets of bodies.
        """
        self._quarantine = quarantine
        self._bodies = bodies
        # First octets, class and method, to: reader, kind, key, and rows.
        self._methods: dict[bytes, tuple[Any, FrameKind, int, RowsOfKind]] = {}
        # The same for content headers, which have no own rows.
        self._headers: dict[bytes, tuple[Any, FrameKind]] = {}
        self._package = package
        self._tables: Any = None
        if not package:
            return
        options: dict[str, Any] = {"lenient": True, **({"dialect": dialect} if dialect else {})}
        columns = load_module(package, "columns")
        # Used for their row readers, and for what these refuse; they collect no rows.
        self._method_columns: Any = columns.MethodColumns(**options)
        self._header_columns: Any = columns.HeaderColumns(**options)
        self._tables = self._method_columns.tables
        for class_id, gathered in self._header_columns.gathered.items():
            kind = FrameKind(CONTENT_HEADER, class_id << 16)
            read = redacting(gathered.read, gathered.kind.columns)
            self._headers[class_id.to_bytes(2, "big")] = read, kind
        self._begin()

    def _begin(self) -> None:
        if not self._package:
            return
        for key, gathered in self._method_columns.gathered.items():
            kind = FrameKind(gathered.kind.name, key)
            rows = RowsOfKind(kind, gathered.kind.columns)
            read = redacting(gathered.read, gathered.kind.columns)
            self._methods[key.to_bytes(4, "big")] = read, kind, key, rows

    def take(self, decoded: Decoded) -> None:
        """Move the rows of methods to ``decoded``."""
        decoded.methods += [rows for *_, rows in self._methods.values() if rows.rows]
        self._begin()

    def cut(self, index: int) -> None:
        """Remove the rows from the frame with this index in ``Decoded.spans`` on."""
        for *_, rows in self._methods.values():
            rows.cut(index)

    def read(
        self, decoded: Decoded, connection: int, direction: int, first: int, frames: list[FrameSpan]
    ) -> int:
        """Decode frames of one direction (0 from the client, 1 from the server); ``first`` is the number of the first.

        Add rows and events to ``decoded``. Return the number of frames that could not be decoded.
        """
        events = decoded.events
        add_span, add_kind, add_event = decoded.spans.append, decoded.kinds.append, events.append
        methods, headers, tables, bodies = self._methods, self._headers, self._tables, self._bodies
        with_content = () if bodies else _WITH_CONTENT
        place = len(decoded.kinds) - first
        row: Any
        bad = 0
        # The index of the method of the current content, -1 without one; octets of bodies that are still to come.
        begin = left = -1
        for frame_no, frame in enumerate(frames, first):
            offset, size, frame_type, channel, payload, packet_no, packet_offset, ns = frame
            add_span((offset, size, frame_type, channel, packet_no, packet_offset, ns))
            try:
                if frame_type == _BODY:
                    event, row, kind = BODY, None, CONTENT_BODY
                    if bodies:
                        row = payload
                        decoded.octets += size
                elif frame_type == _METHOD:
                    read, kind, event, found = methods[payload[:4]]
                    row = read(payload, 4, len(payload), tables)
                    found.rows.append(row)
                    found.frames.append(frame_no + place)
                elif frame_type == _HEADER:
                    event = HEADER
                    read, kind = headers[payload[:2]]
                    row = read(payload, 0, len(payload), tables)
                else:
                    add_kind(OTHERS.get(frame_type, _UNKNOWN))
                    begin = -1
                    continue
            except FATAL:
                raise
            except Exception as fault:  # no frame, whatever is in it, may stop the reader
                refused = self._read_refused(frame, fault)
                if isinstance(refused, Exception):
                    bad += 1
                    begin = -1
                    self._add_undecodable(decoded, connection, direction, frame_no, frame, refused)
                    continue
                row = refused
                if frame_type == _METHOD:
                    _, kind, event, found = methods[payload[:4]]
                    found.rows.append(row)
                    found.frames.append(frame_no + place)
                else:
                    event, (_, kind) = HEADER, headers[payload[:2]]
            add_kind(kind)
            add_event((connection, frame_no, direction, channel, event, row, size - OVERHEAD0, offset, ns))
            if event in with_content:
                begin, left = len(events) - 1, -1
            elif begin >= 0:
                if channel != events[begin][3]:
                    begin = -1
                elif event == HEADER and left < 0 and row[1] is not None:
                    left = row[1]
                elif event == BODY and left >= size - OVERHEAD0:
                    left -= size - OVERHEAD0
                else:
                    begin = -1
                if begin >= 0 and not left:
                    join_content_run(events, begin)
                    begin = -1
        return bad

    def _read_refused(self, frame: FrameSpan, fault: Exception) -> tuple[Any, ...] | Exception:
        """Return the row of a method or content header that its fast reader refused, or why there is none."""
        try:
            return redacted_row(self.read_refused(frame.type, frame.payload, fault))
        except FATAL:
            raise
        except Exception as error:
            return error

    def read_refused(self, frame_type: int, payload: bytes, fault: Exception) -> tuple[Any, ...]:
        """Return the row of a method or content header that its fast reader refused, secrets included.

        ``frame_type`` and ``payload`` are those of its frame; ``fault`` is what the reader raised.

        Raises:
            Exception: What is wrong with it, of any class.
        """
        if not self._package:
            raise fault
        row: tuple[Any, ...]
        if frame_type == _METHOD:
            row = self._method_columns.read_refused(_key_of(payload) or 0, payload, fault)
        else:
            row = self._header_columns.read_refused(payload, fault)
        return row

    def _add_undecodable(
        self,
        decoded: Decoded,
        connection: int,
        direction: int,
        frame_no: int,
        frame: FrameSpan,
        error: Exception,
    ) -> None:
        """Add a method or content header that cannot be decoded."""
        offset, size, frame_type, channel, payload, _, _, ns = frame
        place = len(decoded.kinds)
        kind, reason, raw = self._leave_out(connection, direction, frame, error)
        row = None
        if frame_type == _METHOD:
            event = -1 if kind.key is None else kind.key
            decoded.undecoded_methods.append((place, kind.name, raw))
            decoded.octets += size
        else:
            event, row = HEADER, bare_header_row(payload)
        decoded.errors[place] = reason
        decoded.kinds.append(kind)
        decoded.events.append(
            (connection, frame_no, direction, channel, event, row, size - OVERHEAD0, offset, ns)
        )

    def leave_out(self, connection: int, direction: int, frame: FrameSpan) -> UndecodedFrame:
        """Put a method or content header that cannot be decoded into the quarantine, and return what is known of it."""
        return self._leave_out(connection, direction, frame, self._diagnose(frame.type, frame.payload))

    def _leave_out(
        self, connection: int, direction: int, frame: FrameSpan, error: Exception
    ) -> UndecodedFrame:
        payload = frame.payload
        # A method of class connection with a flipped bit may look like another one, but is on channel 0.
        is_about_connection = not frame.channel or payload.startswith(CONNECTION_CLASS)
        is_secret = is_about_connection or may_have_secret(payload)
        kind = self._kind_of(frame.type, payload)
        reason = quarantine_frame(self._quarantine, frame, connection, direction, error, kind.name, is_secret)
        return UndecodedFrame(kind, reason, None if is_secret else payload)

    def _kind_of(self, frame_type: int, payload: bytes) -> FrameKind:
        """Return the kind of a frame that cannot be decoded."""
        octets = payload[: 4 if frame_type == _METHOD else 2]
        if frame_type == _METHOD:
            found = self._methods.get(octets)
            return FrameKind(None, _key_of(payload)) if found is None else found[1]
        return FrameKind(CONTENT_HEADER, int.from_bytes(octets, "big") << 16 if len(octets) == 2 else None)

    def _diagnose(self, frame_type: int, payload: bytes) -> Exception:
        """Return the error, by decoding again with the checks of the package."""
        try:
            if frame_type == _METHOD:
                self._method_columns.append(_key_of(payload) or 0, payload)
            else:
                self._header_columns.append(payload)
        except Exception as error:
            return error
        return ValueError("nothing")


def _key_of(payload: bytes) -> int | None:
    """Return class id << 16 | method id of a method; None if these are cut off."""
    return int.from_bytes(payload[:4], "big") if len(payload) > 3 else None


def bare_header_row(payload: bytes) -> tuple[Any, ...] | None:
    """Return the row of a content header whose properties cannot be read: its class and the size of the body.

    None if these are cut off.
    """
    if len(payload) < _HEADER_HEAD.size:
        return None
    class_id, _, size = _HEADER_HEAD.unpack_from(payload)
    return class_id, size if size <= _LARGEST else None, *_NO_PROPERTIES
