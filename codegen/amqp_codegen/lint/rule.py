"""What the catalogue says of a rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How bad a finding is.

    An error stops generation. A warning is a trap for somebody: for a peer, or for who reads the text. A
    note is a matter of taste, or something to know; it never fails a run.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is looked for.

    Attributes:
        id: Its stable kebab-case name, by which it is silenced.
        severity: How bad a finding is.
        purpose: What it finds, and what for: a sentence without a full stop.
        example: Something that it finds.
        hint: What to do about a finding that says nothing of that itself, or empty if each does.
        category: The group it stands in; the catalogue fills it in.
    """

    id: str
    severity: Severity
    purpose: str
    example: str
    hint: str = ""
    category: str = ""
