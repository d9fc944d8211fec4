"""What all parts of an audit of a 0-x connection know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amqp_codegen.support.packages import load_package

from ...dialogue.amqp0.methods import MethodTraits, methods_of
from ..connection_frames import AuditConnection
from ..finding_log import FindingLog


@dataclass(slots=True)
class Agreed:
    """What both sides agreed on; 0 stands for no limit, or none, and for what is not known.

    Attributes:
        frame_max: The largest frame, in octets.
        channel_max: The highest channel.
        heartbeat: In seconds.
        is_known: Whether tune-ok was captured.
    """

    frame_max: int = 0
    channel_max: int = 0
    heartbeat: int = 0
    is_known: bool = False


@dataclass(slots=True)
class AuditSetting:
    """A connection that is audited.

    Attributes:
        connection: The connection.
        notes: Takes what is found.
        agreed: What both sides agreed on.
        lost: By direction, whether frames of it are missing so far, also before the first.
        package: The generated package.
        samples: By direction and offset, the beginning of payloads that could not be decoded.
    """

    connection: AuditConnection
    notes: FindingLog
    agreed: Agreed = field(default_factory=Agreed)
    lost: list[bool] = field(default_factory=lambda: [False, False])
    package: str = field(init=False)  # asked for each frame
    samples: dict[tuple[int, int], bytes] = field(init=False)

    def __post_init__(self) -> None:
        """Find what the quarantine has of frames that could not be decoded."""
        self.package = self.connection.package
        self.samples = {
            (row["dir"], row["stream_off"]): row["sample"]
            for row in self.connection.quarantined
            if row.get("sample") is not None
        }

    @property
    def methods(self) -> Mapping[int, MethodTraits]:
        """Its methods, by class id << 16 | method id."""
        return methods_of(self.package)

    @property
    def is_version_certain(self) -> bool:
        """Whether a peer said which version is spoken; else it is guessed, and what does not fit says little."""
        return self.connection.facts.get("dialect_by") in ("header", "answer", "start")

    @property
    def header(self) -> bytes:
        """The protocol header of the client, if it was captured."""
        return self.connection.facts.get("header_bytes") or b""

    def is_usual_header(self) -> bool:
        """Whether the client's header is that of the version which is spoken."""
        usual: bytes = load_package(self.package).PROTOCOL_HEADER
        return self.header == usual
