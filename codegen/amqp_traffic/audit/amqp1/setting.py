"""What all parts of an audit of a connection of AMQP 1.0 know of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..connection_frames import AuditConnection
from ..finding_log import FindingLog

SIDES = ("client", "server")


@dataclass(slots=True)
class AuditSetting:
    """A connection that is audited.

    Attributes:
        connection: The connection.
        notes: Takes what is found.
        is_lossy: Whether frames of it are missing so far, also before the first. What a side does then may be about
            something that was not captured, unless it is about a session that has begun since.
        frame_max: By direction, the largest frame that this side takes; None before its ``open``.
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
        """Find what the quarantine has of frames that could not be decoded."""
        self.is_lossy = not self.connection.is_from_start
        self.samples = {
            (row["dir"], row["stream_off"]): row["sample"]
            for row in self.connection.quarantined
            if row.get("sample") is not None
        }
