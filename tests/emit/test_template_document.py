"""docs/templates.md: its examples come out as it says, and it names all that templates see."""

from __future__ import annotations

import re

import pytest
from amqp_codegen.emit.environment import make_environment
from amqp_codegen.model.amqp0 import layout, spec
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.model.amqp1 import spec as wire1
from amqp_codegen.support.resources import templates_dir
from jinja2 import Environment

from . import template_document
from .template_document import PAGE, PASSAGES, attributes, reachable, with_tables
from .template_examples import render

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLE = re.compile(r"`(\{\{ .*? \}\})`\s+gives\s+`(.*?)`(?=[.\s])", re.DOTALL)


def examples() -> list[tuple[str, str, str]]:
    """Family, template and what it is to give."""
    found = []
    for passage in TEXT.split("<!-- examples: ")[1:]:
        family, _, text = passage.partition(" -->")
        found += [(family, " ".join(match[1].split()), match[2]) for match in EXAMPLE.finditer(text)]
    return found


@pytest.mark.parametrize(("family", "template", "result"), examples(), ids=lambda text: text[:50])
def test_examples(family: str, template: str, result: str) -> None:
    assert render(template, family) == result


def test_every_example_is_found() -> None:
    assert len(examples()) == TEXT.count("}}` gives") > 50


@pytest.mark.parametrize("kind", ["filters", "tests"])
def test_every_filter_and_test_is_named_and_shown(kind: str) -> None:
    own, builtin = getattr(make_environment(templates_dir()), kind), getattr(Environment(), kind)
    names = {name for name in own if own[name] is not builtin.get(name)}
    items = {name: line for line in TEXT.splitlines() if line.startswith("- `") for name in _named(line)}
    assert sorted(name for name in names if name not in items) == []
    word = r"\| {}\b" if kind == "filters" else r'(is|select\(") ?{}\b'
    used = [template for _, template, _ in examples()]
    unused = [name for name in names if not any(re.search(word.format(name), item) for item in used)]
    # What map is given as the name of a filter.
    assert [name for name in sorted(unused) if not any(f'map("{name}"' in item for item in used)] == []


def _named(line: str) -> list[str]:
    return re.findall(r"`(\w+)`", line.partition(":")[0])


def test_every_attribute_is_named_with_its_type() -> None:
    hint = "run python -m tests.emit.template_document with codegen on the path"
    assert with_tables(TEXT) == TEXT, hint


def test_the_tables_are_of_all_that_templates_can_reach() -> None:
    described = {kind for kinds in PASSAGES.values() for kind in kinds}
    assert reachable([spec.Spec, spec1.Spec, wire1.Wire, layout.Layout]) <= described
    names = {name for kind in described for name, _, _ in attributes(kind)}
    assert {"classes", "key", "mask", "constant(name)", "chain", "is_performative", "transitions"} <= names


def test_a_new_attribute_does_not_go_unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of a class is made from it, not from the page."""
    monkeypatch.setattr(spec.Class, "news", property(_news), raising=False)
    assert "| `news` | `int` | Something new. |" in template_document.tables("0-x")
    assert with_tables(TEXT) != TEXT


def _news(self: object) -> int:
    """Something new."""
    return 1


def test_links_within_the_page_lead_somewhere() -> None:
    heads = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", head).strip().lower().replace(" ", "-") for head in heads}
    assert [link for link in re.findall(r"\]\(#([\w-]+)\)", TEXT) if link not in anchors] == []
