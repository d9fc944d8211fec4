"""The report for GitHub Actions: workflow commands that become remarks beside the lines of a pull request."""

from __future__ import annotations

from .catalogue import RULES
from .rule import LintFinding, LintSeverity
from .run import LintOutcome

_COMMANDS = {LintSeverity.ERROR: "error", LintSeverity.WARNING: "warning", LintSeverity.NOTE: "notice"}


def github_report(outcome: LintOutcome) -> str:
    """A workflow command for each finding."""
    return "".join(f"{_command(finding)}\n" for finding in outcome.findings)


def _command(finding: LintFinding) -> str:
    properties = {
        "file": finding.position.file,
        "line": str(finding.position.line),
        "col": str(finding.position.column),
        "title": finding.rule,
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"::{_COMMANDS[RULES[finding.rule].severity]} {listed}::{_text(finding.message + hint)}"


def _text(text: str) -> str:
    """What would end the command, escaped as the runner expects it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The same in a property, where colons and commas would end it, too."""
    return _text(text).replace(":", "%3A").replace(",", "%2C")
