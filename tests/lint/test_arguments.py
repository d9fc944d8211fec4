"""What is wrong with the table of arguments is a finding like others, of each specification that packages are made from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from amqp_codegen import api
from amqp_codegen.lint.reports import REPORTS
from amqp_codegen.resolve.amqp0 import arguments

from tests.resolve.amqp0.bad_arguments import BAD, TEXT

WRONG = TEXT.replace('type = "boolean"', 'type = "bool"', 1)
LINE = WRONG[: WRONG.index('type = "bool"')].count("\n") + 1


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has a text stand in for arguments.toml; what is refused in it, no cache keeps."""

    def give(text: str) -> None:
        monkeypatch.setattr(arguments, "arguments_file", lambda: (text.encode(), "arguments.toml"))
        arguments.built_in_arguments.cache_clear()

    return give


def test_a_finding_has_file_line_and_hint(given: Callable[[str], None]) -> None:
    given(WRONG)
    outcome = api.lint("0-9-1-rabbitmq")
    text = REPORTS["text"](outcome)
    expected = "error: queue.x-single-active-consumer: there is no type 'bool' (did you mean 'boolean'?) [argument-type]"
    assert f"arguments.toml:{LINE}:1: {expected}" in text
    assert not outcome.is_clean and outcome.unread == []


def test_what_is_no_toml_cannot_be_linted(given: Callable[[str], None]) -> None:
    given("version = =")
    outcome = api.lint("0-9-1-rabbitmq")
    assert [(problem.rule_id, str(problem.position)) for problem in outcome.unread] == [
        ("wire-file", "arguments.toml:1:11")
    ]


def test_the_author_of_an_overlay_cannot_mend_it(given: Callable[[str], None], tmp_path: Path) -> None:
    given(WRONG)
    overlay = tmp_path / "mine.xml"
    overlay.write_text('<amqp overlay="0-9-1"></amqp>')
    found = {finding.rule for finding in api.lint("0-9-1-rabbitmq", overlays=[overlay]).findings}
    assert "argument-type" not in found


def test_every_finding_says_what_to_do(given: Callable[[str], None]) -> None:
    for bad in BAD:
        given(bad.edited()[0].decode())
        outcome = api.lint("0-9-1-rabbitmq")
        found = [finding for finding in outcome.findings if finding.rule == bad.rule]
        assert found or [problem.rule_id for problem in outcome.unread] == [bad.rule] == ["wire-file"]
        assert all(finding.hint for finding in found)
