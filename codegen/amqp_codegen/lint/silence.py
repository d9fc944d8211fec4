"""Silenced findings: by a comment beside the element, or by a project for whole files.

    <!-- lint: disable=mixed-levels,may-not the standard says it so -->

It holds for the element that begins before it on its line, else for the next one, and for everything inside.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from ..model.position import Position
from ..spec.element import Element
from ..spec.wording import did_you_mean, quote
from .catalogue import RULES
from .finding import Finding

_MARK = re.compile(r"\s*lint:\s*(.*)", re.DOTALL)
_ORDER = re.compile(r"disable=([^\s,]+(?:,[^\s,]+)*)(?:\s+(.*\S))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Silence:
    """A wish not to hear of some rules.

    Attributes:
        rules: Their ids.
        reason: Why, in words.
        position: Where the wish stands.
        file: The file it holds for: its name, or, for a whole file, a pattern such as ``specs/*.xml`` that is
            compared with the absolute name from the right.
        lines: The lines it holds for; None for the whole file.
    """

    rules: tuple[str, ...]
    reason: str
    position: Position
    file: str
    lines: range | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether it holds for a finding, whose rule is checked as well."""
        if finding.rule not in self.rules:
            return False
        if self.lines is None:
            return PurePath(os.path.abspath(finding.position.file)).match(self.file)
        return finding.position.file == self.file and finding.position.line in self.lines


def read_silences(root: Element) -> tuple[list[Silence], list[Finding]]:
    """The silences in the comments of a file, given by its root element, and what is wrong with such comments."""
    silences: list[Silence] = []
    findings: list[Finding] = []
    for comment in root.comments:
        mark = _MARK.fullmatch(comment.text)
        if mark is None:
            continue
        order = _ORDER.fullmatch(mark[1])
        if order is None:
            message = f"this comment is not understood: {quote(comment.text.strip())}"
            findings.append(
                Finding("silence-form", message, comment.position, "write lint: disable=rule-id reason")
            )
            continue
        lines = range(comment.first_line, comment.last_line + 1)
        position = comment.position
        silences.append(Silence(tuple(order[1].split(",")), order[2] or "", position, position.file, lines))
    return silences, findings


def check_silences(silences: Iterable[Silence]) -> Iterator[Finding]:
    """Silences of rules that are not in the catalogue, and silences without a reason."""
    for silence in silences:
        for rule in silence.rules:
            if rule not in RULES:
                message = f"there is no rule {quote(rule)} to silence"
                hint = did_you_mean(rule, RULES) or "amqp-codegen lint --list has them all"
                yield Finding("silence-unknown", message, silence.position, hint)
        if not silence.reason:
            message = f"{', '.join(silence.rules)} is silenced without a reason"
            yield Finding("silence-reason", message, silence.position, "say why, behind the ids")


def silenced(
    findings: Sequence[Finding], silences: Sequence[Silence]
) -> tuple[list[Finding], list[Finding], list[Finding]]:
    """Parts findings by silences.

    Returns:
        What is heard, what is not, and findings about comments that silence nothing. A silence of a project may
        be idle: it holds for files that are not linted each time.
    """
    heard: list[Finding] = []
    unheard: list[Finding] = []
    needed: set[tuple[Silence, str]] = set()
    for finding in findings:
        covering = [silence for silence in silences if silence.covers(finding)]
        needed.update((silence, finding.rule) for silence in covering)
        (unheard if covering else heard).append(finding)
    idle = [
        Finding("silence-idle", f"nothing here breaks {rule}", silence.position, "remove what silences it")
        for silence in silences
        for rule in silence.rules
        if silence.lines is not None and rule in RULES and (silence, rule) not in needed
    ]
    return heard, unheard, idle
