"""Docstrings of generated classes are short: rules are named, and texts of attributes shortened where they must be."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from amqp_codegen.emit.amqp0.docstrings import method_docstring
from amqp_codegen.emit.amqp1.docstrings import composite_docstring
from amqp_codegen.emit.class_docstrings import MOST_LINES, WIDTH, first_sentence, rule_lines
from amqp_codegen.model.amqp0 import spec as spec0
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.resolve.specification import read_specification

GENERATED = Path(__file__).parents[2] / "generated"
SPECS = GENERATED.parent / "specs"


def test_no_class_has_a_longer_docstring() -> None:
    lengths = {
        f"{path.relative_to(GENERATED)}: {node.name}": len((ast.get_docstring(node) or "").splitlines())
        for path in GENERATED.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert len(lengths) > 500
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_few_rules_are_all_named() -> None:
    spec = read_specification((SPECS / "amqp0-9-1.xml",)).spec
    assert isinstance(spec, spec0.Spec)
    method = next(method for method in spec.methods if method.full_name == "basic.qos")
    assert method_docstring(method).endswith(
        "\n\nRules: prefetch-size/01 and prefetch-count/01; see the reference guide."
    )


def test_rules_of_a_long_list_are_named_by_field() -> None:
    spec = read_specification(tuple(sorted((SPECS / "amqp1-0").glob("*.xml")))).spec
    assert isinstance(spec, spec1.Spec)
    header = spec.type("header")
    assert isinstance(header, spec1.Composite)
    lines = composite_docstring(header).split("\n")
    assert " ".join(lines[-2:]) == (
        "Rules: assume-defaults, durable/*, priority/*, ttl/*, first-acquirer/false-promises-nothing and"
        " delivery-count/zero-at-first; see the reference guide."
    )


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], []),
        (["a.b/01"], ["", "Rules: 01; see the reference guide."]),
        (["a.b.c/01", "a.b/x"], ["", "Rules: c/01 and x; see the reference guide."]),
    ],
)
def test_rules_are_named_without_their_owner(paths: list[str], expected: list[str]) -> None:
    assert rule_lines(paths, "a.b") == expected


def test_rules_take_two_lines_at_most() -> None:
    lines = rule_lines([f"a/rule-number-{number}" for number in range(1000)], "a")
    assert len(lines) == 3
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1].endswith("more; see the reference guide.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", "One."),
        ("For example e.g. Paris is one. Two.", "For example e.g. Paris is one."),
        ("No end", "No end"),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, expected: str) -> None:
    assert first_sentence(text) == expected
