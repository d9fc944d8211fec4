"""Results as a table of ratios that says what is wanted and whether it is reached, and as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .harness import NATIVE, PURE, Result

# How a distribution of a peer is called.
DISTRIBUTIONS = {
    "pika": "pika",
    "py-amqp": "amqp",
    "pamqp": "pamqp",
    "proton": "python-qpid-proton",
    "azure": "azure-eventhub",
}


def print_table(results: Sequence[Result], ours: Sequence[str] = (NATIVE, PURE)) -> None:
    """A line for each of our candidates: its time, and how many times as long the others take.

    Args:
        results: What was measured.
        ours: Our candidates; all but the first one are compared as well.
    """
    others = [name for name in _names(results) if name != ours[0]]
    rows = [["", "", "us", *others]]
    rows += [_row(result, name, others) for result in results for name in ours if name in result.microseconds]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for work, candidate, time, *ratios in rows:
        cells = [
            work.ljust(widths[0]),
            candidate.ljust(widths[1]),
            time.rjust(widths[2]),
            *(cell.ljust(width) for cell, width in zip(ratios, widths[3:], strict=True)),
        ]
        print("  ".join(cells).rstrip())


def _names(results: Iterable[Result]) -> list[str]:
    return list(dict.fromkeys(name for result in results for name in result.microseconds))


def _row(result: Result, candidate: str, others: Sequence[str]) -> list[str]:
    name = result.workload.name + (", new strings" if result.workload.strings == "new" else "")
    first = candidate == next(iter(result.microseconds))
    cells = [_cell(result, candidate, other) for other in others]
    return [name if first else "", candidate, f"{result.microseconds[candidate]:.2f}", *cells]


def _cell(result: Result, candidate: str, other: str) -> str:
    if other == candidate or other not in result.microseconds:
        return ""
    ratio = result.ratio(candidate, other)
    least = result.workload.wanted.get(candidate, {}).get(other)
    if least is None:
        return f"{ratio:5.2f}"
    return f"{ratio:5.2f} of {least:g}, {'yes' if ratio >= least else 'NO'}"


def unreached(results: Iterable[Result]) -> list[str]:
    """Every ratio that is wanted and not reached, as a sentence."""
    return [
        f"{result.workload.name} ({result.workload.strings}): {candidate} {ratio:.2f} times {other}, wanted {least:g}"
        for result in results
        for candidate, ratios in result.workload.wanted.items()
        for other, least in ratios.items()
        if candidate in result.microseconds
        if other in result.microseconds
        if (ratio := result.ratio(candidate, other)) < least
    ]


def write_json(results: Iterable[Result], path: Path) -> None:
    """What was measured, for those who draw it."""
    document = {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "machine": f"{platform.system()} {platform.machine()}",
        "versions": {name: found for name, found in map(_versioned, DISTRIBUTIONS) if found},
        "workloads": [_facts(result) for result in results],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n")


def _versioned(name: str) -> tuple[str, str]:
    """A peer and its version, which is empty if it is not installed."""
    try:
        return name, version(DISTRIBUTIONS[name])
    except PackageNotFoundError:
        return name, ""


def _facts(result: Result) -> Mapping[str, Any]:
    workload = result.workload
    return {
        "family": workload.family,
        "name": workload.name,
        "strings": workload.strings,
        "microseconds": {name: round(time, 4) for name, time in result.microseconds.items()},
        "wanted": workload.wanted,
    }
