"""The log in which auditors note what they find on a connection; it becomes findings at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from .connection_frames import AuditConnection, AuditFrame
from .finding import AuditFinding, Evidences, FindingKey
from .frame_order import place_of_packet
from .rule import AuditRule, Evidence

# A broken client may violate a rule on each of 65,535 channels.
_MOST_NOTES_PER_CONNECTION = 4096


@dataclass(slots=True)
class _Note:
    """The first place where a rule is broken on a channel, and all that breaks it."""

    rule: AuditRule
    frame: AuditFrame | None
    channel: int | None
    spec_ref: str
    evidences: Evidences = field(default_factory=Evidences)


class FindingLog:
    """Collects the notes of a connection: one for each rule and channel. Its size is bounded.

    Attributes:
        doubtful: The numbers of frames of which it is not certain what was sent before them; see ``with_doubts``.
        doubted: The channel of the last frame about which a note was left out for that; None after the auditor has taken it.
    """

    def __init__(
        self,
        connection: AuditConnection,
        targets: Collection[str] = (),
        octets_of: Callable[[AuditFrame], bytes] = lambda frame: b"",
    ) -> None:
        """Begin with no notes.

        ``targets`` are those of a migration, of ``rule.TARGETS``: rules only for others are not noted. ``octets_of``
        returns the known first octets of a frame, never a secret.
        """
        self._octets_of = octets_of
        self._connection = connection
        self._targets = targets
        self.doubtful: set[int] = set()
        self.doubted: int | None = None
        self._notes: dict[tuple[str, int | None], _Note] = {}
        self._first: dict[str, _Note] = {}

    def judge(self, rule: AuditRule, frame: AuditFrame | None, *known: Any, spec_ref: str = "") -> None:
        """Check a rule, and note the evidence that it returns.

        ``known`` are the other arguments of the check; the evidence if the rule has no check of its own. ``spec_ref``
        is the source, if it is more exact than that of the rule.
        """
        told = rule.check(frame, *known)
        if isinstance(told, Evidence):
            self.add(rule, frame, told.text, channel=told.channel, spec_ref=spec_ref or told.spec_ref)
        elif told is not None:
            for text in told if isinstance(told, list) else [told]:
                self.add(rule, frame, text, spec_ref=spec_ref)

    def judge_all(self, rules: Iterable[AuditRule], frame: AuditFrame, *known: Any) -> None:
        """Check rules that take the same arguments, and note the evidence that they return."""
        for rule in rules:
            self.judge(rule, frame, *known)

    def add(
        self,
        rule: AuditRule,
        frame: AuditFrame | None,
        evidence: str,
        *,
        channel: int | None = None,
        spec_ref: str = "",
    ) -> None:
        """Note that a rule is broken.

        Args:
            rule: The rule.
            frame: The frame, if it is about one.
            evidence: What was found, in a few words. Never a secret.
            channel: The channel, if it is about one; by default that of the frame unless 0.
            spec_ref: The source, if it is more exact than that of the rule.
        """
        if not rule.applies(self._targets):
            return
        if rule.by_order and self.is_doubtful(frame):
            assert frame is not None
            self.doubted = frame.channel
            return
        if channel is None and frame is not None and frame.channel:
            channel = frame.channel
        rule_id = rule.id
        key = rule_id, channel
        note = self._notes.get(key)
        if note is None and len(self._notes) >= _MOST_NOTES_PER_CONNECTION:
            note = self._first.get(rule_id)
        if note is None:
            note = self._notes[key] = _Note(rule, frame, channel, spec_ref)
            self._first.setdefault(rule_id, note)
        note.evidences.add(evidence)

    def is_doubtful(self, frame: AuditFrame | None) -> bool:
        """Return whether it is not certain what was sent before a frame."""
        return frame is not None and frame.frame_no in self.doubtful

    def withdraw(self, is_doubtful: Callable[[AuditRule], bool], after: tuple[int, int]) -> bool:
        """Withdraw the notes of doubtful rules about frames after a packet.

        Args:
            is_doubtful: Returns whether a rule is doubtful.
            after: The packet, as ``place_of_packet`` returns it.

        Returns:
            Whether any note was withdrawn.
        """
        kept = {
            key: note
            for key, note in self._notes.items()
            if not is_doubtful(note.rule) or note.frame is None or place_of_packet(note.frame) <= after
        }
        is_less = len(kept) < len(self._notes)
        self._notes = kept
        self._first = {note.rule.id: note for note in reversed(kept.values())}
        return is_less

    def has(self, rule: AuditRule, channel: int | None) -> bool:
        """Return whether there is a note of this rule about this channel."""
        return (rule.id, channel) in self._notes

    def findings(self) -> list[AuditFinding]:
        """Return all findings, sorted."""
        return sorted(map(self._finding, self._notes.values()), key=lambda finding: finding.order)

    def _finding(self, note: _Note) -> AuditFinding:
        connection, frame = self._connection, note.frame
        frame_no = None if frame is None or frame.frame_no < 0 else frame.frame_no
        key = FindingKey(note.rule, connection.capture_id, connection.conn_id, note.channel, frame_no)
        return key.finding(
            connection.facts,
            frame,
            self._octets_of(frame) if frame else b"",
            occurrences=note.evidences.occurrences,
            evidence=str(note.evidences),
            spec_ref=note.spec_ref,
        )
