"""Decodes the frames of the 0-x family: methods, content headers, bodies and what else there is."""

from __future__ import annotations

from struct import Struct
from typing import Any

from ...packages import load_module
from .decoded import OK, UNDECODED, Decoded, RowsOfKind
from .event import BODY, HEADER
from .frame_span import PROTOCOL_HEADER, FrameSpan
from .poison import put_away
from .quarantine import Quarantine

_METHOD, _HEADER, _BODY = 1, 2, 3
_CONNECTION_CLASS = 10
_KEY = Struct(">I").unpack_from
_CLASS = Struct(">H").unpack_from
_OVERHEAD = 8
_CONTENT_HEADER, _CONTENT_BODY = "content-header", "content-body"
# Frames without rows and events of their own. Types 4 to 7 are in 0-8 and 0-9 only, and nobody sends them.
_OTHERS = {
    PROTOCOL_HEADER: "protocol-header",
    4: "oob-method",
    5: "oob-header",
    6: "oob-body",
    7: "trace",
    8: "heartbeat",
}


class Decoder0:
    """Decodes frames of one package and dialect."""

    def __init__(self, quarantine: Quarantine, package: str, dialect: str, bodies: bool) -> None:
        """Begin without rows.

        Args:
            quarantine: What cannot be decoded goes here.
            package: The generated package; nothing if there are only protocol headers.
            dialect: That of field tables; nothing for that of the package.
            bodies: Whether events have the octets of bodies.
        """
        self._quarantine = quarantine
        self._bodies = bodies
        self._columns: Any = None
        self._tables: Any = None
        self._methods: dict[int, RowsOfKind] = {}
        self._headers: dict[int, Any] = {}  # by class id
        if package:
            options = {"dialect": dialect} if dialect else {}
            self._columns, self._options = load_module(package, "columns"), options
            self._tables = load_module(package, "variant_reader").variant_reader(lenient=True, **options)
            self._headers = {
                class_id: gathered.read
                for class_id, gathered in self._columns.HeaderColumns().gathered.items()
            }
            self._begin()

    def _begin(self) -> None:
        if self._columns is not None:
            self._methods = {
                key: RowsOfKind(gathered.kind.name, gathered.kind.columns, gathered.read)
                for key, gathered in self._columns.MethodColumns().gathered.items()
            }

    def take(self, decoded: Decoded) -> None:
        """Put the rows of methods there, and begin again."""
        decoded.methods += [kind for kind in self._methods.values() if kind.rows]
        self._begin()

    def read(
        self, decoded: Decoded, connection: int, direction: int, frame_no: int, frames: list[FrameSpan]
    ) -> int:
        """Decode frames of one direction.

        Args:
            decoded: Takes rows and events.
            connection: The number of the connection.
            direction: 0 from the client, 1 from the server.
            frame_no: The number of the first frame.
            frames: The frames.

        Returns:
            How many could not be decoded.
        """
        rows, events = decoded.frames, decoded.events
        methods, headers, tables, bodies = self._methods, self._headers, self._tables, self._bodies
        row: Any
        bad = 0
        for frame in frames:
            offset, size, kind, channel, payload, packet_no, packet_offset, ns = frame
            key, name = None, _CONTENT_BODY
            try:
                if kind == _BODY:
                    event, row = BODY, None
                    if bodies:
                        row = payload
                        decoded.octets += size
                elif kind == _METHOD:
                    (event,) = (key,) = _KEY(payload)
                    method = methods[key]
                    row = method.read(payload, 4, len(payload), tables)
                    name = method.name
                    method.rows.append(row)
                    method.frames.append(len(rows))
                elif kind == _HEADER:
                    event, name = HEADER, _CONTENT_HEADER
                    (class_id,) = _CLASS(payload)
                    key = class_id << 16
                    row = headers[class_id](payload, 0, len(payload), tables)
                else:
                    rows.append(
                        (connection, direction, frame_no, offset, packet_no, packet_offset, ns, kind, channel,
                         size, None, _OTHERS.get(kind), OK, None)
                    )  # fmt: skip
                    frame_no += 1
                    continue
            except Exception:  # whatever it is: no frame may stop what reads them
                bad += 1
                self._put_away(decoded, connection, direction, frame_no, frame)
                frame_no += 1
                continue
            rows.append(
                (connection, direction, frame_no, offset, packet_no, packet_offset, ns, kind, channel, size, key,
                 name, OK, None)
            )  # fmt: skip
            events.append(
                (connection, frame_no, direction, channel, event, row, size - _OVERHEAD, offset, ns)
            )
            frame_no += 1
        return bad

    def _put_away(
        self, decoded: Decoded, connection: int, direction: int, frame_no: int, frame: FrameSpan
    ) -> None:
        """A method or content header cannot be decoded."""
        offset, size, kind, channel, payload, packet_no, packet_offset, ns = frame
        # What a bit has changed in a method of class connection may look like any other, but is on channel 0.
        is_secret = not channel or payload.startswith(b"\x00\x0a")
        key: int | None = None
        name: str | None
        if kind == _METHOD:
            if len(payload) >= 4:
                (key,) = _KEY(payload)
            method = self._methods.get(-1 if key is None else key)
            event, name = -1 if key is None else key, None if method is None else method.name
            raw = None if is_secret else payload
            decoded.octets += len(raw or b"")
            decoded.undecoded_methods.append((len(decoded.frames), name, raw))
        else:
            event, name = HEADER, _CONTENT_HEADER
            if len(payload) >= 2:
                key = _CLASS(payload)[0] << 16
        error = self._diagnose(kind, key, payload)
        reason = put_away(self._quarantine, frame, connection, direction, error, name, is_secret)
        decoded.frames.append(
            (connection, direction, frame_no, offset, packet_no, packet_offset, ns, kind, channel, size, key, name,
             UNDECODED, reason.value)
        )  # fmt: skip
        decoded.events.append(
            (connection, frame_no, direction, channel, event, None, size - _OVERHEAD, offset, ns)
        )

    def _diagnose(self, kind: int, key: int | None, payload: bytes) -> Exception:
        """What is wrong; the package knows."""
        try:
            if kind == _METHOD:
                self._columns.MethodColumns(lenient=True, **self._options).append(key or 0, payload)
            else:
                self._columns.HeaderColumns(lenient=True, **self._options).append(payload)
        except Exception as error:
            return error
        return ValueError("nothing")
