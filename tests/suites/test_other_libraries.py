"""What docs/conformance-peers.md says of other libraries is what the suites find."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest

from .record_deviations import DOCUMENT, HEAD, SUBJECTS, Subject, explain, run, section

TEXT = DOCUMENT.read_text("utf-8")
AGAIN = "run: python -m tests.suites.record_deviations"


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_every_deviation_is_explained(subject: Subject) -> None:
    try:
        installed = version(subject.distribution)
    except PackageNotFoundError:
        pytest.skip(f"{subject.distribution} is not installed")
    if f"## {subject.name} {installed}, " not in TEXT:
        pytest.skip(f"the page is about another version of {subject.name} than {installed}")
    outcome = run(subject)
    found, unexplained = explain(subject, outcome)
    assert unexplained == {}
    assert [each.why for each, count in found if not count] == []
    assert outcome.passed > 1000
    assert section(subject, outcome) in TEXT, AGAIN


def test_the_page_has_every_library() -> None:
    assert TEXT.startswith(HEAD), AGAIN
    assert [f"## {subject.name} " in TEXT for subject in SUBJECTS] == [True] * len(SUBJECTS)
