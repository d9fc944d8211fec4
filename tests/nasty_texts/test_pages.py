"""Pages: no element and no attribute comes from a text, nothing of it is run, and all of it can be read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from amqp_codegen.resolve.specification import Specification
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.engine.transcript import Exchange
from amqp_conformance.reports.forms import REPORTS

from tests.cli.command_calls import call
from tests.emit.nasty_specifications import TEXTS
from tests.reference.site_pages import Page, faults, fold, made, pages, search_entries

from .conftest import Corpus, Read
from .test_reports import skeleton

# Characters that HTML or XML cannot hold are shown as something else.
PLAIN = [text for text in TEXTS if not re.search("[\x7f-\x9f\u2028\u2029\ufdd0]", text)]
ACTIVE = {"script", "style", "iframe", "object", "embed", "form", "img", "link", "meta", "base", "svg"}


def shape(page: Page) -> tuple[set[str], set[str], list[str]]:
    """Its elements, the names of their attributes, and how often those that do something are there."""
    active = sorted(name for name in page.elements if name in ACTIVE)
    return set(page.elements), {name for name, _ in page.attributes}, active


def handlers(found: Iterable[Page]) -> set[tuple[str, str]]:
    """The attributes with scripts: those that our own templates write, with nothing of a text in them."""
    return {attribute for page in found for attribute in page.attributes if attribute[0].startswith("on")}


def assert_same_shape(nasty: Page, tame: Page) -> None:
    assert shape(nasty) == shape(tame)
    assert handlers([nasty]) == handlers([tame])
    assert not [address for _, address in nasty.addresses if address.lower().startswith("javascript:")]


# --- The reference guide ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guide(read: Read) -> dict[str, str]:
    return made([read.nasty])


def test_reference(guide: dict[str, str], read: Read) -> None:
    assert list(faults(guide)) == []
    tame = pages(made([read.tame]))
    nasty = pages(guide)
    assert nasty.keys() == tame.keys()
    ours, others = nasty["index.html"], tame["index.html"]
    for name in sorted(ACTIVE):
        assert ours.elements.count(name) == others.elements.count(name), name
    assert {name for name, _ in ours.attributes} == {name for name, _ in others.attributes}
    assert handlers(nasty.values()) == handlers(tame.values())


def test_reference_texts_are_to_be_read_and_found(guide: dict[str, str]) -> None:
    shown = " ".join(page.text for page in pages(guide).values())
    assert [text for text in TEXTS if fold(text) not in shown] == []
    searched = "\n".join(fold(text) for _, _, text, _ in search_entries(guide))
    assert [text for text in TEXTS if fold(text).rstrip(".") not in searched] == []


def test_reference_pictures_are_whole(guide: dict[str, str]) -> None:
    pictures = [
        element for page in guide.values() for element in re.findall(r"<svg\b.*?</svg>", page, re.DOTALL)
    ]
    assert pictures
    for picture in pictures:
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
        assert tags <= {"svg", "g", "rect", "text", "tspan", "path", "line", "title", "desc", "circle", "polygon",
                        "polyline", "defs", "marker", "ellipse", "use", "a"}, tags  # fmt: skip


def test_reference_file_names_are_plain(guide: dict[str, str]) -> None:
    assert all(re.fullmatch(r"[a-z0-9./-]+", path) and ".." not in path for path in guide)


# --- The page of a diff ----------------------------------------------------------------------------


def test_diff_html(corpus: Corpus, tmp_path: Path) -> None:
    def page(new: str) -> Page:
        output = tmp_path / f"{new}.html"
        arguments = (corpus.named("tame"), corpus.named(new), "--format", "html", "-o", output)
        assert call("diff", *arguments).code == 0
        return Page(output.read_text(encoding="utf-8"))

    nasty, tame = page("nasty"), page("other")
    assert_same_shape(nasty, tame)
    assert [text for text in PLAIN if len(text) < 60 and fold(text) not in nasty.text] == []


# --- Reports of the live runner --------------------------------------------------------------------


def run(specification: Specification, texts: list[str]) -> RunResult:
    """A run in which every rule fails in the words of a broker that means harm."""
    rules: list[Any] = list(specification.spec.rules)
    results = tuple(
        Result(
            rule,
            Verdict.FAILED,
            detail=texts[number % len(texts)],
            procedure=texts[number % len(texts)],
            evidence=(
                Exchange("received", 0.5, 1, None, texts[number % len(texts)], texts[number % len(texts)]),
            ),
            surprise=texts[number % len(texts)],
        )
        for number, rule in enumerate(rules)
    )
    identity = Identity(texts[0], texts[1])
    return RunResult(
        "amqp://localhost", specification.spec.version, identity, texts[2], results, 1.0, tuple(texts)
    )


@pytest.fixture(scope="module")
def runs(read: Read) -> tuple[RunResult, RunResult]:
    """A nasty one and a tame one."""
    return run(read.nasty, TEXTS), run(read.tame, [f"text {number}" for number in range(len(TEXTS))])


def test_conformance_html(runs: tuple[RunResult, RunResult]) -> None:
    nasty, tame = (Page(REPORTS["html"](run, True)) for run in runs)
    assert_same_shape(nasty, tame)
    assert [text for text in PLAIN if fold(text) not in nasty.text] == []


def test_conformance_junit(runs: tuple[RunResult, RunResult]) -> None:
    nasty, tame = (skeleton(REPORTS["junit"](run, True)) for run in runs)
    assert nasty == tame


def test_conformance_json(runs: tuple[RunResult, RunResult]) -> None:
    nasty, tame = (json.loads(REPORTS["json"](run, True)) for run in runs)
    assert [rule["detail"] for rule in nasty["rules"]] == [result.detail for result in runs[0].results]
    assert nasty.keys() == tame.keys()


@pytest.mark.parametrize("evidence", [False, True])
def test_conformance_text(runs: tuple[RunResult, RunResult], evidence: bool) -> None:
    assert all(text in REPORTS["text"](runs[0], evidence) for text in ("__import__", "</script>"))
