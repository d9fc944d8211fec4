"""What the modules of an AMQP 1.0 audit share: the state of the connection, and the known octets of a frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..connection_frames import AuditConnection, AuditFrame
from ..finding_log import FindingLog


@dataclass(slots=True)
class AuditSetting:
    """A connection that is audited.

    Attributes:
        notes: Collects the findings.
        is_lossy: Whether frames of it are missing so far, also before the first. Performatives may then be about something
            that was not captured, unless they are about a session that has begun since.
        frame_max: By direction, the largest frame that this side accepts; None before its ``open``.
        channel_max: By direction, the highest channel of that side; None before its ``open``.
        samples: By direction and offset, the beginning of payloads that could not be decoded.
    """

    connection: AuditConnection
    notes: FindingLog
    is_lossy: bool = False
    frame_max: list[int | None] = field(default_factory=lambda: [None, None])
    channel_max: list[int | None] = field(default_factory=lambda: [None, None])
    samples: dict[tuple[int, int], bytes] = field(init=False)

    def __post_init__(self) -> None:
        """Take the samples of undecodable frames from the quarantine."""
        self.is_lossy = not self.connection.is_from_start
        self.samples = self.connection.samples()


def first_octets(frame: AuditFrame) -> bytes:
    """Return the size of a frame as octets; of octets that are not a frame, the sample in the quarantine."""
    if frame.frame_no < 0:
        return bytes((frame.fields or {}).get("sample") or b"")
    return frame.size.to_bytes(4, "big") if frame.type >= 0 else b""
