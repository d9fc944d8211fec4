"""Runs a suite on other libraries and writes what it finds to docs/conformance-peers.md.

    PYTHONPATH=generated python -m tests.suites.record_deviations

Every deviation must be explained in ``adapters/deviations.toml``, and every explanation must fit something.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from amqp_codegen.support import toml

from .suite_runner import checks_of, verdict

ROOT = Path(__file__).resolve().parents[2]
DEVIATIONS = Path(__file__).parent / "adapters" / "deviations.toml"
DOCUMENT = ROOT / "docs" / "conformance-peers.md"


class Subject(NamedTuple):
    """A library, the suite that it is held against, and the module of its adapter."""

    name: str
    distribution: str
    suite: str
    adapter: str


SUBJECTS = [
    Subject("pamqp", "pamqp", "amqp_0_9_1_rabbitmq", "pamqp_peer"),
    Subject("pika", "pika", "amqp_0_9_1_rabbitmq", "pika_peer"),
    Subject("python-qpid-proton", "python-qpid-proton", "amqp_1_0", "proton_peer"),
]


class Outcome(NamedTuple):
    """How the checks of a suite ended: numbers, and name to what went wrong."""

    passed: int
    skipped: int
    deviations: Mapping[str, str]


class Explanation(NamedTuple):
    """Deviations that have one cause: globs of names, a glob of what went wrong, and the cause."""

    checks: Sequence[str]
    outcome: str
    why: str

    def fits(self, name: str, outcome: str) -> bool:
        return fnmatchcase(outcome, self.outcome) and any(fnmatchcase(name, check) for check in self.checks)


def run(subject: Subject) -> Outcome:
    """Every check of the suite; a name is the test and the case with a blank between."""
    numbers: Counter[str] = Counter()
    deviations = {}
    peer = import_module(f"{__package__}.adapters.{subject.adapter}").make_peer()
    for check in checks_of(subject.suite):
        result = verdict(check, peer)
        numbers[result] += 1
        if result not in ("passed", "skipped"):
            deviations[f"{check.name.partition('[')[0]} {check.case.id}"] = result
    return Outcome(numbers["passed"], numbers["skipped"], deviations)


def explanations(subject: Subject) -> list[Explanation]:
    document = toml.loads(DEVIATIONS.read_text("utf-8"))
    return [
        Explanation(each["checks"], each.get("outcome", "*"), each["why"]) for each in document[subject.name]
    ]


def explain(subject: Subject, outcome: Outcome) -> tuple[list[tuple[Explanation, int]], Mapping[str, str]]:
    """Each explanation with how many deviations it is the first to fit, and those that none fits."""
    known = explanations(subject)
    counts = Counter[int]()
    unexplained = {}
    for name, result in outcome.deviations.items():
        place = next((place for place, each in enumerate(known) if each.fits(name, result)), None)
        if place is None:
            unexplained[name] = result
        else:
            counts[place] += 1
    return [(each, counts[place]) for place, each in enumerate(known)], unexplained


HEAD = """# Other libraries under our suites

<!-- Written by `python -m tests.suites.record_deviations`; the explanations are in
     tests/suites/adapters/deviations.toml. -->

The generated suites test any codec, not only ours: the adapters in `tests/suites/adapters/` put other
libraries behind the `Peer` of a suite. This page has what came out. A check that fails is a deviation from what the
specification says, or from what our suite asks of a codec on top of that (an error of its own for wrong octets, say).
Each has been looked at by hand. A check is skipped where a library does not have what it asks for: letters of
one's own choice in field tables, asserts, lossless decoding.
"""


def section(subject: Subject, outcome: Outcome) -> str:
    found, _ = explain(subject, outcome)
    rows = [f"| {count} | {each.why} |" for each, count in found]
    return "\n".join(
        [
            f"\n## {subject.name} {version(subject.distribution)}, suite `{subject.suite}`\n",
            f"{outcome.passed} checks passed, {len(outcome.deviations)} deviate, {outcome.skipped} were skipped.\n",
            "| checks | what deviates |",
            "| ---: | --- |",
            *rows,
            "",
        ]
    )


def main() -> int:
    text = HEAD
    for subject in SUBJECTS:
        outcome = run(subject)
        found, unexplained = explain(subject, outcome)
        for name, result in unexplained.items():
            print(f"{subject.name}: {name}: {result[:150]}", file=sys.stderr)
        for each, count in found:
            if not count:
                print(f"{subject.name}: fits nothing: {each.why}", file=sys.stderr)
        if unexplained:
            return 1
        text += section(subject, outcome)
    DOCUMENT.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
