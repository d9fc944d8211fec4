"""``amqp-codegen conformance compare``: runs side by side, from their JSON reports."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from amqp_codegen.model.problem import SpecError
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.reports.comparison import RunComparison, compare, comparison_text
from amqp_conformance.reports.forms import json_report
from amqp_conformance.reports.html import comparison_page
from amqp_conformance.reports.saved_run import load_run

from tests.cli.command_calls import call, place, refused

from .made_trials import make_rule

__all__ = ["place"]

NASTY = "</script><b>&\"' 🐇"
PASSED = (Verdict.PASSED, "")


def saved(
    file: Path,
    product: str,
    verdicts: Mapping[str, tuple[Verdict, str]],
    version: str = "1",
    spec: str = "0-9-1",
) -> Path:
    """Write the report of a run with these verdicts and reasons by the names of rules."""
    results = tuple(
        Result(make_rule(f"queue/{name}", "MUST"), verdict, detail)
        for name, (verdict, detail) in verdicts.items()
    )
    run = RunResult("amqp://host:5672/", spec, Identity(product, version), "", results, 1.0)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json_report(run), encoding="utf-8")
    return file


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    one = {
        "same": PASSED,
        "differs": PASSED,
        "why": (Verdict.FAILED, "got channel.close 404"),
        "number": (Verdict.FAILED, "got 3 messages"),
        "only-one": PASSED,
    }
    other = {
        "same": PASSED,
        "differs": (Verdict.DEVIATES, f"got it{NASTY}; known: {NASTY}"),
        "why": (Verdict.FAILED, "got channel.close 540"),
        "number": (Verdict.FAILED, "got 5 messages"),
        "only-other": PASSED,
    }
    return saved(tmp_path / "a.json", "Hare", one), saved(tmp_path / "b.json", "Fox", other)


@pytest.fixture
def comparison(files: tuple[Path, Path]) -> RunComparison:
    return compare([load_run(file) for file in files])


def test_rules_differ_in_verdict_or_cause(comparison: RunComparison) -> None:
    assert [rule.path for rule in comparison.rules] == [
        f"queue/{name}" for name in ("same", "differs", "why", "number", "only-one", "only-other")
    ]
    assert [rule.path for rule in comparison.different] == ["queue/differs"]
    assert [rule.path for rule in comparison.different_in_cause] == ["queue/why"]
    assert [rule.path for rule in comparison.incomplete] == ["queue/only-one", "queue/only-other"]


def test_the_text_has_only_what_differs(comparison: RunComparison, files: tuple[Path, Path]) -> None:
    assert comparison_text(comparison).splitlines() == [
        f"Hare 1, AMQP 0-9-1 ({files[0]}): 3 passed, 2 failed",
        f"Fox 1, AMQP 0-9-1 ({files[1]}): 2 passed, 2 failed, 1 deviates",
        "",
        "1 of 6 rules with different verdicts",
        "  queue/differs [MUST]",
        "    Hare 1: passed",
        f"    Fox 1: deviates: got it{NASTY}; known: {NASTY}",
        "",
        "1 of 6 rules with the same verdict for different reasons",
        "  queue/why [MUST]",
        "    Hare 1: failed: got channel.close 404",
        "    Fox 1: failed: got channel.close 540",
        "2 of 6 rules are not in all runs",
    ]


def test_the_page_is_a_matrix_of_rules_by_brokers(comparison: RunComparison) -> None:
    page = comparison_page(comparison)
    assert NASTY not in page
    assert re.findall(r'<th scope="col">(.*?)</th>', page) == ["rule", "Hare 1", "Fox 1"]
    rows = re.findall(r'<tr id="queue/([^"]+)" data-differs="(\w*)">(.*?)</tr>', page, re.DOTALL)
    cells = {
        name: (differs, [re.sub(r"<[^>]+>", " ", cell).split() for cell in re.findall(r"<td.*?</td>", row)])
        for name, differs, row in rows
    }
    assert len(cells) == len(comparison.rules)
    assert cells["same"] == ("", [["✓", "passed"], ["✓", "passed"]])
    assert cells["differs"][0] == "verdict"
    assert cells["differs"][1][1][:4] == ["≠", "deviates", "got", "it&lt;/script&gt;&lt;b&gt;&amp;&#34;&#39;"]
    assert cells["why"] == (
        "reason",
        [["✗", "failed", "got", "channel.close", "404"], ["✗", "failed", "got", "channel.close", "540"]],
    )
    assert cells["only-other"] == ("", [["not", "in", "this", "run"], ["✓", "passed"]])


def test_an_unexpected_result_is_marked(tmp_path: Path) -> None:
    file = saved(tmp_path / "a.json", "Hare", {"same": PASSED})
    document = json.loads(file.read_text())
    document["rules"][0]["unexpected"] = "passed, a deviation was expected (406)"
    other = tmp_path / "b.json"
    other.write_text(json.dumps(document))
    (rule,) = compare([load_run(file), load_run(other)]).rules
    assert [result.is_unexpected for result in rule.results if result] == [False, True]
    assert [result.detail for result in rule.results if result] == [
        "",
        "passed, a deviation was expected (406)",
    ]


@pytest.mark.parametrize(
    ("others", "names"),
    [
        ({"version": "2"}, ["Hare 1", "Hare 2"]),
        ({"spec": "0-9-1-rabbitmq"}, ["Hare 1, AMQP 0-9-1", "Hare 1, AMQP 0-9-1-rabbitmq"]),
        ({}, ["Hare 1 (a)", "Hare 1 (b)"]),
    ],
)
def test_columns_are_named_by_what_tells_them_apart(
    tmp_path: Path, others: dict[str, str], names: list[str]
) -> None:
    files = [
        saved(tmp_path / "a.json", "Hare", {"same": PASSED}),
        saved(tmp_path / "b.json", "Hare", {"same": PASSED}, **others),
    ]
    assert [column.name for column in compare([load_run(file) for file in files]).runs] == names


def test_columns_of_files_of_one_name_and_of_one_file(tmp_path: Path) -> None:
    one, other = (saved(tmp_path / name / "a.json", "Hare", {"same": PASSED}) for name in "xy")
    runs = [load_run(one), load_run(other)]
    assert [column.name for column in compare(runs).runs] == [f"Hare 1 ({one})", f"Hare 1 ({other})"]
    twice = [column.name for column in compare([runs[0], replace(runs[0])]).runs]
    assert twice == [f"1. Hare 1 ({one})", f"2. Hare 1 ({one})"]


def test_runs_without_a_common_rule_are_refused(tmp_path: Path) -> None:
    files = [
        saved(tmp_path / f"{name}.json", name, {name: PASSED}, spec=spec)
        for name, spec in (("a", "1.0"), ("b", "0-8"))
    ]
    with pytest.raises(SpecError, match=r"no rule in common \(.*a.json: AMQP 1.0, .*b.json: AMQP 0-8\)"):
        compare([load_run(file) for file in files])


def test_the_command(files: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = map(str, files)
    result = call("conformance", "compare", first, second)
    assert result.code == 0
    assert "1 of 6 rules with different verdicts" in result.out
    assert call("conformance", "compare", first, second, "--exit-code").code == 1
    assert call("conformance", "compare", first, first, "--exit-code").code == 0
    page = tmp_path / "page.html"
    assert (
        call("conformance", "compare", first, second, second, "--format", "html", "-o", str(page)).code == 0
    )
    assert page.read_text(encoding="utf-8").count('<th scope="col">') == 4


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("\ud7ff\udcff", "is not JSON"),
        ("[]", "is not the report of a run"),
        ('{"broker": {}}', "is not the report of a run (KeyError: 'product')"),
        (
            '{"broker": {"product": "", "version": ""}, "spec": "1.0", "target": "", "rules": {}}',
            "rules is not a list",
        ),
        (
            '{"broker": {"product": "", "version": ""}, "spec": "1.0", "target": "", "rules": [{"path": 1}]}',
            "path is not text",
        ),
    ],
)
def test_what_is_not_a_report_is_refused(
    files: tuple[Path, Path], tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "wrong.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    error = refused("conformance", "compare", str(files[0]), str(file))
    assert f"{file}: " in "\n".join(error)
    assert says in "\n".join(error)
    assert "--format json" in "\n".join(error)


@pytest.mark.usefixtures("place")
def test_a_file_that_is_not_there_is_refused(files: tuple[Path, Path]) -> None:
    assert "No such file" in "\n".join(refused("conformance", "compare", str(files[0]), "none.json"))
