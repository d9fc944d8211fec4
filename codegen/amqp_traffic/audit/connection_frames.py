"""What the audit reads of a connection: what is known of it, then its frames in order, with what is in them.

Plain values, without Arrow: auditors can be tried with frames that a test makes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# Frame types of 0-x (0-9-1 document, section 2.3.5).
METHOD, HEADER, BODY, HEARTBEAT = 1, 2, 3, 8
CLIENT, SERVER = 0, 1  # directions: from whom

_NOTHING: Mapping[str, Any] = {}


class AuditFrame(NamedTuple):
    """A frame.

    Attributes:
        frame_no: Its number in the connection, from 0, in the order in which frames of both directions became complete.
        direction: 0 from the client, 1 from the server.
        offset: Where it begins in the stream of its direction.
        file_no, pkt_no, pkt_off: The packet in which it begins.
        ns: When that was captured.
        type: Of the frame; -1 for a protocol header.
        channel: As in the frame.
        size: All its octets.
        class_id, method_id: Of methods; content headers have a class alone.
        name: Of the method or performative, or the kind of frame: ``content-body``, ``heartbeat``, ...; None if unknown.
        err: Why it could not be decoded, a reason of the quarantine; None if it could.
        fields: The arguments of a method, or the fields of a performative, by the names of their columns; variants are
            pairs of octets. None for other frames, and where it could not be decoded.
        message: Columns of the row of ``messages`` that begins with this frame; None if there is none.
    """

    frame_no: int
    direction: int
    offset: int
    file_no: int | None
    pkt_no: int | None
    pkt_off: int | None
    ns: int
    type: int
    channel: int
    size: int
    class_id: int | None = None
    method_id: int | None = None
    name: str | None = None
    err: str | None = None
    fields: Mapping[str, Any] | None = None
    message: Mapping[str, Any] | None = None

    @property
    def key(self) -> int:
        """Of a method: class id << 16 | method id, as generated packages have it."""
        return (self.class_id or 0) << 16 | (self.method_id or 0)


@dataclass(frozen=True, slots=True)
class AuditConnection:
    """What is known of a connection before its first frame.

    Attributes:
        capture_id: The capture.
        conn_id: Its name.
        facts: Columns of ``connections`` that have values.
        quarantined: Columns of the rows of ``quarantine`` about its streams: what could not even be framed.
    """

    capture_id: str
    conn_id: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    quarantined: tuple[Mapping[str, Any], ...] = ()

    @property
    def package(self) -> str:
        """The generated package that decodes its frames; empty if there is none."""
        return self.facts.get("package") or ""

    @property
    def is_from_start(self) -> bool:
        """Whether it was captured from its beginning."""
        return self.facts.get("start_mode") == "syn"

    def is_whole(self, direction: int) -> bool:
        """Whether nothing of a direction is missing or was left out."""
        side = ("client", "server")[direction]
        return self.is_from_start and not (
            self.facts.get(f"{side}_bytes_gap") or self.facts.get(f"{side}_bytes_skipped")
        )


def unread_frame(row: Mapping[str, Any], direction: int) -> AuditFrame:
    """What stands for octets that could not be read as a frame.

    Args:
        row: Columns of ``quarantine``.
        direction: 0 from the client, 1 from the server.
    """
    return AuditFrame(
        -1,
        direction,
        row.get("stream_off") or 0,
        row.get("file_no"),
        row.get("pkt_no"),
        row.get("file_off"),
        row.get("ns") or 0,
        -1,
        0,
        row.get("length") or 0,
        fields={"sample": row.get("sample")},
    )
