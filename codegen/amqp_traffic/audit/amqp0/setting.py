"""The state of a 0-x connection that all modules of its audit share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amqp_codegen.support.resources import load_package

from ...dialogue.amqp0.methods import MethodTraits, methods_of
from ..connection_frames import AuditConnection
from ..finding_log import FindingLog

# Where a broker may speak another version than the client asks for.
_PACKAGE_BY_PROTOCOL = {"0-8": "amqp_0_8", "0-9": "amqp_0_9"}


@dataclass(slots=True)
class Agreed:
    """The negotiated limits; 0 stands for no limit, no heartbeats, or unknown.

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
        notes: Collects the findings.
        agreed: The negotiated limits.
        lost: By direction, whether frames of it are missing so far, also before the first.
        package: The generated package; empty if there is none.
        samples: By direction and offset, the beginning of payloads that could not be decoded.
    """

    connection: AuditConnection
    notes: FindingLog
    agreed: Agreed = field(default_factory=Agreed)
    lost: list[bool] = field(default_factory=lambda: [False, False])
    package: str = field(init=False)  # read for each frame, so not a property
    samples: dict[tuple[int, int], bytes] = field(init=False)

    def __post_init__(self) -> None:
        """Take the samples of undecodable frames from the quarantine."""
        self.package = self.connection.package
        self.samples = self.connection.samples()

    @property
    def methods(self) -> Mapping[int, MethodTraits]:
        """The methods of the package, by class id << 16 | method id."""
        return methods_of(self.package)

    @property
    def is_version_certain(self) -> bool:
        """Whether a peer stated the version. If it is only guessed, violations of it prove little."""
        return self.connection.facts.get("dialect_by") in ("header", "answer", "start")

    @property
    def is_version_exact(self) -> bool:
        """Whether arguments may be judged, too: connection.start looks the same in 0-9 and 0-9-1."""
        facts = self.connection.facts
        return self.is_version_certain and (
            facts.get("dialect_by") != "start" or facts.get("protocol") == "0-8"
        )

    @property
    def header(self) -> bytes:
        """The protocol header of the client, if it was captured."""
        return self.connection.facts.get("header_bytes") or b""

    def is_usual_header(self) -> bool:
        """Return whether the client's header is the usual one of the version that it asks for."""
        package = _PACKAGE_BY_PROTOCOL.get(self.connection.facts.get("protocol") or "", self.package)
        usual: bytes = load_package(package).PROTOCOL_HEADER
        return self.header == usual
