"""Run the suites on other libraries and write docs/conformance-peers.md.

    PYTHONPATH=generated python -m tools.conformance_peers [--check]

Everything on the page is measured, but for the reasons: those are in the file of known deviations of each library, which
must explain every deviation and nothing else. A library that is not installed keeps its part of the page. ``--check``
changes nothing and tells whether the page is current.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance.amqp_1_0.deviations import KnownDeviations, read_deviations

from tests.suites.suite_runner import GENERATED, checks_of, verdict
from tools import npm

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "conformance-peers.md"
ADAPTERS = "tests/suites/adapters"
RHEA = "examples/vectors_rhea"


@dataclass(frozen=True)
class Subject:
    """A library and the suite that it is held against.

    Attributes:
        name: The name for people.
        distribution: The package that has it.
        suite: The suite.
        adapter: The file that puts it behind the suite; one of JavaScript runs the vectors itself.
        deviations: The file of its known deviations.
    """

    name: str
    distribution: str
    suite: str
    adapter: str
    deviations: str

    def version(self) -> str:
        """Return the version that is installed, or an empty string."""
        if self.adapter.endswith(".js"):
            try:
                modules = npm.installed(ROOT / RHEA / "package.json")
            except npm.NpmError:
                return ""
            package = modules / self.distribution / "package.json"
            return str(json.loads(package.read_text("utf-8"))["version"])
        try:
            return importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return ""


def _subject(name: str, distribution: str, suite: str, adapter: str) -> Subject:
    return Subject(
        name, distribution, suite, f"{ADAPTERS}/{adapter}_peer.py", f"{ADAPTERS}/deviations/{adapter}.toml"
    )


SUBJECTS = (
    _subject("pamqp", "pamqp", "amqp_0_9_1_rabbitmq", "pamqp"),
    _subject("pika", "pika", "amqp_0_9_1_rabbitmq", "pika"),
    _subject("py-amqp", "amqp", "amqp_0_9_1_rabbitmq", "py_amqp"),
    _subject("python-qpid-proton", "python-qpid-proton", "amqp_1_0", "proton"),
    _subject("azure-eventhub", "azure-eventhub", "amqp_1_0", "azure"),
    Subject("rhea", "rhea", "amqp_1_0", f"{RHEA}/run.js", f"{RHEA}/deviations.toml"),
)

# The columns of the first table, and the tests that they count; all others are questions.
COLUMNS = {
    "encoded": ("test_encode", "test_recode"),
    "decoded": ("test_decode",),
    "wrong octets refused": ("test_decoding_is_refused",),
    "cut off refused": ("test_every_prefix_is_refused",),
    "wrong values refused": ("test_encoding_is_refused",),
    "answered": (),
}
LONGER = "legal, but"


@dataclass(frozen=True)
class Measured:
    """How every check of a library ended.

    Attributes:
        outcomes: The outcome by the name of the check: ``passed``, ``skipped``, or what went wrong.
        reasons: Each reason of a deviation with the number of checks that it explains.
        unexplained: The checks that no reason explains.
        stale: The reasons that explain nothing.
    """

    subject: Subject
    outcomes: dict[str, str]
    reasons: dict[str, int]
    unexplained: list[str]
    stale: list[str]


def measure(subject: Subject) -> Measured:
    """Run every check."""
    known = KnownDeviations(read_deviations(ROOT / subject.deviations))
    outcomes: dict[str, str] = {}
    reasons = Counter({entry.why: 0 for entry in known.entries})
    unexplained = []
    run = _run_javascript if subject.adapter.endswith(".js") else _run_python
    for check, outcome in run(subject, known):
        outcomes[check] = outcome
        if outcome not in ("passed", "skipped"):
            reason = known.reason_not_to_run(check) or known.reason(check, outcome)
            reasons[reason] += 1
            if not reason:
                unexplained.append(f"{check}: {outcome[:150]}")
    reasons.pop("", None)
    return Measured(subject, outcomes, dict(reasons), unexplained, known.stale())


def _run_python(subject: Subject, known: KnownDeviations) -> Iterator[tuple[str, str]]:
    module = importlib.import_module(subject.adapter.removesuffix(".py").replace("/", "."))
    peer = module.make_peer()
    for check in checks_of(subject.suite):
        is_run = not known.reason_not_to_run(check.known_as)
        yield check.known_as, verdict(check, peer) if is_run else "not run"


def _run_javascript(subject: Subject, known: KnownDeviations) -> Iterator[tuple[str, str]]:
    modules = npm.installed(ROOT / RHEA / "package.json")
    vectors = GENERATED / "conformance" / subject.suite / "vectors.json"
    done = subprocess.run(
        ["node", str(ROOT / subject.adapter), str(vectors), str(ROOT / subject.deviations), "--list"],
        env={**os.environ, "NODE_PATH": str(modules)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=1800,
        check=True,
    )
    for line in done.stdout.splitlines():
        result = json.loads(line)
        yield result["check"], result["outcome"]


HEAD = """# Other libraries under our suites

<!-- Written by `python -m tools.conformance_peers`. -->

The generated suites test any codec, not only ours. This page has what came out for six libraries: how many checks of each
kind passed, of how many that the library could be asked for, and why the others failed. Each deviation has been looked at
by hand; the reasons are files of known deviations, whose format is in [conformance.md](conformance.md). A deviation is one
from what the specification says, or from what our suites ask of a codec on top of that: an error of its own for wrong
octets, say. *Longer* counts what is legal, but not the shortest or not our choice. *Skipped* is what a library, or its
adapter, does not have: letters of one's own choice in field tables, asserts, lossless decoding, types of the specification.
The runner of rhea, an example in JavaScript, tries nothing but values.
"""


def table_row(measured: Measured, version: str) -> str:
    """Return the row of a library: passed of tried, by kind."""
    tests = {test: column for column, names in COLUMNS.items() for test in names}
    tried, passed = Counter[str](), Counter[str]()
    for check, outcome in measured.outcomes.items():
        column = tests.get(check.partition(" ")[0], "answered")
        tried[column] += outcome != "skipped"
        passed[column] += outcome == "passed"
    cells = [f"{passed[column]} of {tried[column]}" if tried[column] else "" for column in COLUMNS]
    longer = sum(outcome.startswith(LONGER) for outcome in measured.outcomes.values())
    skipped = sum(outcome == "skipped" for outcome in measured.outcomes.values())
    name = measured.subject.name
    return f"| {' | '.join([f'[{name}](#{name})', version, *cells, str(longer), str(skipped)])} |"


def section(measured: Measured) -> str:
    """Return what is said of the deviations of a library."""
    subject = measured.subject
    reasons = sorted(measured.reasons.items(), key=lambda reason: -reason[1])
    used = f"Suite `{subject.suite}`, adapter `{subject.adapter}`, reasons `{subject.deviations}`."
    rows = [f"| {count} | {why} |" for why, count in reasons]
    head = [f"## {subject.name}", "", used, "", "| checks | what deviates |", "| ---: | --- |"]
    return "\n".join([*head, *rows, ""])


def page(rows: Iterable[str], sections: Iterable[str]) -> str:
    """Return the page."""
    names = ["library", "version", *COLUMNS, "longer", "skipped"]
    rules = f"| --- | --- |{' ---: |' * (len(COLUMNS) + 2)}"
    return "\n".join([HEAD, f"| {' | '.join(names)} |", rules, *rows, "", *sections])


def old_part(text: str, name: str) -> tuple[str, str]:
    """Return row and section of a library on the page as it is."""
    row = next(line for line in text.splitlines() if line.startswith(f"| [{name}]("))
    start = text.index(f"## {name}\n")
    end = text.find("\n## ", start)
    return row, text[start:] if end < 0 else text[start:end]


def main(arguments: list[str]) -> int:
    """Write the page, or check it; 1 if a deviation is not explained, a reason is stale, or the page is not current."""
    text = DOCUMENT.read_text("utf-8")
    rows, sections, problems = [], [], []
    for subject in SUBJECTS:
        version = subject.version()
        if not version:
            print(f"{subject.name} is not installed: its part of the page stays as it is", file=sys.stderr)
            row, part = old_part(text, subject.name)
        else:
            measured = measure(subject)
            problems += [f"{subject.name}: not explained: {check}" for check in measured.unexplained]
            problems += [f"{subject.name}: occurs no more: {reason}" for reason in measured.stale]
            row, part = table_row(measured, version), section(measured)
        rows.append(row)
        sections.append(part)
    made = page(rows, sections)
    if "--check" not in arguments and not problems:
        DOCUMENT.write_text(made, "utf-8")
    elif made != text:
        problems.append(f"{DOCUMENT.name} is not what is measured: run python -m tools.conformance_peers")
    print("\n".join(problems), end="\n" if problems else "", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
