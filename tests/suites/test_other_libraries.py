"""What docs/conformance-peers.md says of other libraries is what the suites find."""

from __future__ import annotations

import pytest

from tools.conformance_peers import (
    DOCUMENT,
    SUBJECTS,
    Measured,
    Subject,
    measure,
    old_part,
    page,
    section,
    table_row,
)

TEXT = DOCUMENT.read_text("utf-8")
AGAIN = "run: python -m tools.conformance_peers"


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_every_deviation_is_explained(subject: Subject) -> None:
    installed = subject.version()
    if not installed:
        pytest.skip(f"{subject.distribution} is not installed")
    if f"| [{subject.name}](#{subject.name}) | {installed} |" not in TEXT:
        pytest.skip(f"the page is about another version of {subject.name} than {installed}")
    measured = measure(subject)
    assert measured.unexplained == []
    assert measured.stale == []
    assert sum(outcome == "passed" for outcome in measured.outcomes.values()) > 400
    assert (table_row(measured, installed), section(measured)) == old_part(TEXT, subject.name), AGAIN


def test_the_page_is_made_of_its_parts() -> None:
    parts = [old_part(TEXT, subject.name) for subject in SUBJECTS]
    assert page([row for row, _ in parts], [part for _, part in parts]) == TEXT, AGAIN


def test_a_row_counts_what_passed_of_what_was_tried() -> None:
    outcomes = {
        "test_encode a/b": "passed",
        "test_recode a/b": "legal, but longer: 00, not 01",
        "test_decode a/b": "skipped",
        "test_decode a/c": "wrong value: 1, not 2",
        "test_every_prefix_is_refused a/b": "passed",
        "test_reply a/reply": "passed",
    }
    row = table_row(Measured(SUBJECTS[0], outcomes, {}, [], []), "1.2.3")
    assert row == "| [pamqp](#pamqp) | 1.2.3 | 1 of 2 | 0 of 1 |  | 1 of 1 |  | 1 of 1 | 1 | 1 |"
