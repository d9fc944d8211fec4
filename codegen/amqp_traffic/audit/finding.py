"""Findings: which rule is broken, by whom and where; and how they are named and worded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

from amqp_codegen.support.wording import visible

from ..capture.stream_data import SIDES
from ..schemas import Columns
from .connection_frames import CLIENT, SERVER, AuditFrame
from .rule import AuditRule

# Rules below error about what the side does that sends the frame.
_CONDUCT = frozenset(
    (
        *(
            "delivery-id-not-next",
            "delivery-not-finished",
            "settled-withdrawn",
            "settled-twice",
            "tail-after-close",
        ),
        *("error-condition-unknown", "next-incoming-id-missing", "idle-time-out-short", "close-code-unknown"),
        *("server-properties-missing", "assert-broken-tolerated", "reserved-not-zero"),
    )
)
MOST_BYTES = 64  # octets of a frame that a finding shows
_MOST_TEXTS = 8  # different evidences that a finding names


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A broken rule and the first place where it is broken: one for each rule, connection and channel.

    Attributes:
        finding_id: 12 hexadecimal digits; the same whenever the same capture is audited.
        severity: Of the rule: ``info``, ``warning`` or ``error``.
        spec: The protocol version: ``0-9-1``, ``1.0``.
        spec_ref: The source: that of the rule, or a more exact one.
        client: Product and version, user and address, see ``client_label``.
        channel: The channel, if it is about one.
        dir: 0 from the client, 1 from the server; None if the finding is not about a frame.
        frame_no: The number of the frame in its connection; None as above.
        stream_off: Where it begins in the stream of its direction.
        file_no: The file of the capture it is in.
        pkt_no: The packet in which it begins, from 1.
        pkt_off: Where the record of that packet begins in the file.
        ns: When that was captured.
        occurrences: How often the rule is broken on this connection and channel.
        evidence: What was found, see ``Evidences``. One line, without control characters.
        bytes_hex: The first octets of the frame, at most 64, as far as they are known; never a secret.
        start_ns: When the connection began.
    """

    finding_id: str
    rule_id: str
    severity: str
    spec: str | None
    spec_ref: str
    capture_id: str
    conn_id: str
    client: str
    channel: int | None
    dir: int | None
    frame_no: int | None
    stream_off: int | None
    file_no: int | None
    pkt_no: int | None
    pkt_off: int | None
    ns: int | None
    occurrences: int
    evidence: str
    bytes_hex: str | None
    start_ns: int | None

    @property
    def order(self) -> tuple[str, int, str, int, str, int]:
        """The sort key: captures, in them connections by their beginning, in these frames."""
        frame_no = -1 if self.frame_no is None else self.frame_no
        channel = -1 if self.channel is None else self.channel
        return self.capture_id, self.start_ns or 0, self.conn_id, frame_no, self.rule_id, channel

    @property
    def culprit(self) -> str:
        """Who has to be corrected: ``client`` or ``server``.

        A frame of the server that breaks the protocol is the server's doing. Other frames of a server only tell what a client
        did, such as a close with an error.
        """
        is_of_server = self.dir == SERVER and (self.severity == "error" or self.rule_id in _CONDUCT)
        return SIDES[SERVER if is_of_server else CLIENT]

    def row(self) -> tuple[Any, ...]:
        """Return the values in the order of ``FINDINGS``."""
        return tuple(getattr(self, name) for name, _ in FINDINGS)


# The columns of findings, in the form of the tables in ``schemas``.
_NARROW = {"channel": "int32", "dir": "int8", "file_no": "int32"}
FINDINGS: Columns = tuple(
    (field.name, _NARROW.get(field.name, "int64" if str(field.type).startswith("int") else "string"))
    for field in fields(AuditFinding)
)


class Evidences:
    """What breaks a rule on a channel: the first different texts, and how often each occurred. Its size is bounded."""

    __slots__ = ("_others", "_times")

    def __init__(self) -> None:
        self._times: dict[str, int] = {}
        self._others = 0

    def add(self, text: str, times: int = 1) -> None:
        """Count a text."""
        if text in self._times or len(self._times) < _MOST_TEXTS:
            self._times[text] = self._times.get(text, 0) + times
        else:
            self._others += times

    @property
    def occurrences(self) -> int:
        """How often the rule is broken."""
        return sum(self._times.values()) + self._others

    def __str__(self) -> str:
        """Return all texts, with counts if there are several."""
        if len(self._times) == 1:
            return visible(*self._times)
        parts = [text if times == 1 else f"{text} ({times:,} times)" for text, times in self._times.items()]
        if self._others:
            parts.append(f"others ({self._others:,} times)")
        return visible("; ".join(parts))


@dataclass(frozen=True, slots=True)
class FindingKey:
    """What a finding is about; its id follows from that."""

    rule: AuditRule
    capture_id: str
    conn_id: str
    channel: int | None
    frame_no: int | None

    @property
    def finding_id(self) -> str:
        """12 hexadecimal digits."""
        parts = (self.rule.id, self.capture_id, self.conn_id, self.channel, self.frame_no)
        text = "\0".join("" if part is None else str(part) for part in parts)
        return sha256(text.encode()).hexdigest()[:12]

    def finding(
        self,
        facts: Mapping[str, Any],
        frame: AuditFrame | None,
        octets: bytes,
        *,
        occurrences: int,
        evidence: str,
        spec_ref: str = "",
    ) -> AuditFinding:
        """Return the finding.

        Args:
            facts: Columns of ``connections``.
            frame: The frame, if it is about one.
            octets: The first octets of the frame, as far as they are known.
            occurrences: How often the rule is broken.
            evidence: What was found.
            spec_ref: The source, if it is more exact than that of the rule.
        """
        return AuditFinding(
            self.finding_id,
            self.rule.id,
            self.rule.severity.value,
            facts.get("protocol"),
            spec_ref or self.rule.source,
            self.capture_id,
            self.conn_id,
            client_label(facts),
            self.channel,
            frame.direction if frame else None,
            self.frame_no,
            frame.offset if frame else None,
            frame.file_no if frame else None,
            frame.pkt_no if frame else None,
            frame.pkt_off if frame else None,
            frame.ns if frame else None,
            occurrences,
            evidence,
            octets[:MOST_BYTES].hex() or None,
            facts.get("start_ns"),
        )


def place_in_words(finding: AuditFinding) -> list[str]:
    """Return channel, frame and side of a finding, as far as known: ``channel 1``, ``frame 7``, ``from the client``."""
    parts = []
    if finding.channel is not None:
        parts.append(f"channel {finding.channel}")
    if finding.frame_no is not None:
        parts.append(f"frame {finding.frame_no}")
    if finding.dir is not None:
        parts.append(f"from the {SIDES[finding.dir]}")
    return parts


def client_label(facts: Mapping[str, Any]) -> str:
    """Return a short description of a client, on one line: ``pika 1.3.2 (guest@10.0.0.1:53412)``.

    Args:
        facts: Columns of ``connections``.
    """
    product = " ".join(filter(None, (facts.get("product"), facts.get("version")))) or "unknown client"
    ip, port = facts.get("client_ip") or "?", facts.get("client_port")
    address = f"{f'[{ip}]' if ':' in ip else ip}:{port}"
    user = facts.get("user")
    return visible(f"{product} ({user}@{address})" if user else f"{product} ({address})")
