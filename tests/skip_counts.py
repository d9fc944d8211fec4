"""What the end of a run tells of skipped tests: how many, for want of what.

A reason begins with ``needs`` and the thing that is missing; what to do follows behind a colon, a comma or a semicolon.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from tools.tally import COUNTS_VARIABLE, named

_OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    stats = terminalreporter.stats
    skipped = Counter(map(_reason, stats.get("skipped", [])))
    if skipped:
        terminalreporter.write_line(named(skipped))
    counts = os.environ.get(COUNTS_VARIABLE)
    # A pytest that a test starts is not one of the runs that are counted.
    if counts and "PYTEST_XDIST_WORKER" not in os.environ and "PYTEST_CURRENT_TEST" not in os.environ:
        outcomes = {outcome: len(stats.get(outcome, [])) for outcome in _OUTCOMES}
        line = json.dumps({"outcomes": outcomes, "skipped": skipped})
        with Path(counts).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return re.split("[:;,]", text.removeprefix("Skipped: "), maxsplit=1)[0].strip()
