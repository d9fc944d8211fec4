"""The published files, full and stripped, are read without a problem and as what they are."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from amqp_codegen.model.amqp0.raw import RawAssert, RawField, RawMethod, RawRule, RawSpec
from amqp_codegen.reader.xml_tree import read_xml

from tests.published_specs.published_files import published_file
from tests.published_specs.spec_sources import FULL, STRIPPED, STRIPPED_0_9_1, needs_official
from tests.reader.raw_models import load_amqp0
from tests.reader.write_xml import write_xml

pytestmark = needs_official


def load(file: str) -> RawSpec:
    spec, problems = load_amqp0(published_file(file))
    assert problems == []
    return spec


def methods(spec: RawSpec) -> list[RawMethod]:
    return [method for read_class in spec.classes for method in read_class.methods]


def fields(spec: RawSpec) -> list[RawField]:
    """Return the arguments of all methods and the properties of all classes."""
    return [
        *(field for method in methods(spec) for field in method.fields),
        *(field for read_class in spec.classes for field in read_class.fields),
    ]


def rules(spec: RawSpec) -> list[RawRule]:
    owned = [
        *(domain.rules for domain in spec.domains),
        *(read_class.rules for read_class in spec.classes),
        *(method.rules for method in methods(spec)),
        *(field.rules for field in fields(spec)),
    ]
    return list(chain.from_iterable(owned))


def asserts(spec: RawSpec) -> list[RawAssert]:
    owned = [*(domain.asserts for domain in spec.domains), *(field.asserts for field in fields(spec))]
    return list(chain.from_iterable(owned))


def docs(spec: RawSpec) -> list[str]:
    return [
        *(constant.doc for constant in spec.constants),
        *(domain.doc for domain in spec.domains),
        *(read_class.doc for read_class in spec.classes),
        *(method.doc for method in methods(spec)),
        *(field.doc for field in fields(spec)),
    ]


def wire_counts(spec: RawSpec) -> tuple[int, ...]:
    """Count what stripped files have too."""
    class_chassis = [len(read_class.chassis) for read_class in spec.classes]
    method_chassis = [len(method.chassis) for method in methods(spec)]
    return (
        len(spec.domains),
        len(spec.constants),
        len(spec.classes),
        len(methods(spec)),
        sum(method.synchronous for method in methods(spec)),
        sum(method.content for method in methods(spec)),
        sum(len(method.fields) for method in methods(spec)),
        sum(len(read_class.fields) for read_class in spec.classes),
        len(asserts(spec)),
        sum(class_chassis) + sum(method_chassis),
        sum(len(method.responses) for method in methods(spec)),
    )


WIRE = {
    "0-8": (15, 26, 12, 89, 71, 12, 208, 33, 30, 130, 38),
    "0-9": (32, 29, 12, 101, 65, 10, 248, 33, 26, 147, 51),
    "0-9-1": (24, 24, 6, 53, 45, 4, 122, 14, 19, 71, 23),
    "extended": (24, 25, 7, 64, 53, 4, 141, 14, 19, 90, 27),
}


@pytest.mark.parametrize("name", FULL)
def test_full_files_have_their_counts(name: str) -> None:
    assert wire_counts(load(FULL[name])) == WIRE[name]


@pytest.mark.parametrize("name", STRIPPED)
def test_stripped_files_have_the_same_counts_and_no_texts(name: str) -> None:
    spec = load(STRIPPED[name])
    assert wire_counts(spec) == WIRE[name]
    assert rules(spec) == []
    assert not any(docs(spec))


def test_rabbitmqs_stripped_0_9_1_has_two_methods_of_its_own() -> None:
    assert wire_counts(load(STRIPPED_0_9_1))[:5] == (24, 24, 6, 55, 45)


@pytest.mark.parametrize("file", [*FULL.values(), *STRIPPED.values()])
def test_versions(file: str) -> None:
    assert load(file).version == Path(file).parts[0]


@pytest.mark.parametrize(
    ("name", "count", "scenarios", "failures"),
    [("0-9", 199, 96, 28), ("0-9-1", 115, 82, 30), ("extended", 139, 98, 35)],
)
def test_rules_since_0_9(name: str, count: int, scenarios: int, failures: int) -> None:
    found = rules(load(FULL[name]))
    assert len(found) == count
    assert sum(rule.scenario is not None for rule in found) == scenarios
    assert sum(bool(rule.on_failure) for rule in found) == failures
    assert all(rule.name and rule.text and not rule.level and rule.test is None for rule in found)


def test_rules_of_0_8() -> None:
    found = rules(load(FULL["0-8"]))
    assert Counter(rule.level for rule in found) == {"MUST": 52, "SHOULD": 20, "MAY": 11, "": 76}
    assert all(rule.text and not rule.name for rule in found)


def test_tests_of_0_8() -> None:
    spec = load(FULL["0-8"])
    by_kind = Counter(
        (bool(rule.level), len((rule.test or "").split())) for rule in rules(spec) if rule.test is not None
    )
    assert by_kind == {(True, 1): 39, (True, 2): 1, (False, 1): 33}
    assert [method.name for method in methods(spec) if method.test] == ["cancel"]
    assert [field.name for field in fields(spec) if field.test] == ["if empty"]


@pytest.mark.parametrize("name", FULL)
def test_everything_has_a_label_that_has_one(name: str) -> None:
    spec = load(FULL[name])
    assert all(read_class.label and read_class.doc for read_class in spec.classes)
    assert all(method.label for method in methods(spec))
    assert all(field.label for read_class in spec.classes for field in read_class.fields)


def test_constants_have_their_meanings_and_classes() -> None:
    for file in FULL.values():
        spec = load(file)
        assert {constant.error_class for constant in spec.constants} == {"", "soft-error", "hard-error"}
        assert all(constant.doc for constant in spec.constants if constant.error_class)


@pytest.mark.parametrize(("name", "count"), [("0-8", 12), ("0-9", 12), ("0-9-1", 6), ("extended", 7)])
def test_each_class_has_one_grammar_with_its_lines(name: str, count: int) -> None:
    grammars = [grammar for read_class in load(FULL[name]).classes for grammar in read_class.grammars]
    assert len(grammars) == count
    assert grammars[0].startswith(
        "connection          = open-connection *use-connection close-connection\nopen-connection     = "
    )
    assert all(not line.endswith(" ") for grammar in grammars for line in grammar.split("\n"))


def test_irregularities_are_read_as_they_stand() -> None:
    spec = load(FULL["0-8"])
    assert spec.label == "AMQ Protocol 0.80"
    assert [constant.name for constant in spec.constants][8] == "frame min size"
    by_name = {f"{c.name}.{m.name}": m for c in spec.classes for m in c.methods}
    assert by_name["connection.close"].fields[3].domain == "class id"
    assert [response.name for response in by_name["connection.open"].responses] == ["open-ok", "redirect"]
    operation = by_name["test.integer"].fields[-1].asserts[0]
    assert operation.values == ("add", "min", "max")
    assert operation.value_labels[0] == "return sum of test values"
    assert [field.see for field in fields(spec) if field.see] == [("security mechanisms",)] * 2
    extended = {f"{c.name}.{m.name}": m for c in load(FULL["extended"]).classes for m in c.methods}
    assert extended["confirm.select"].label == "select confirm mode (i.e. enable publisher acknowledgements)"
    assert extended["connection.blocked"].fields[0].required is False
    assert extended["basic.recover-async"].deprecated
    assert "\n\n" in extended["basic.ack"].doc


def texts(spec: RawSpec) -> list[object]:
    """Return all that a specification says, without positions."""
    return [
        [(c.name, c.value, c.error_class, c.doc) for c in spec.constants],
        [(d.name, d.type, d.label, d.doc) for d in spec.domains],
        [(c.name, c.index, c.label, c.doc, c.grammars) for c in spec.classes],
        [(m.name, m.index, m.label, m.doc, m.synchronous, m.content, m.deprecated) for m in methods(spec)],
        [(f.name, f.type, f.domain, f.label, f.doc, f.reserved, f.see, f.test) for f in fields(spec)],
        [(r.name, r.label, r.text, r.level, r.on_failure, r.scenario, r.test) for r in rules(spec)],
        [(a.check, a.value, a.method, a.field, a.rule, a.values, a.value_labels) for a in asserts(spec)],
    ]


@pytest.mark.parametrize("file", [*FULL.values(), *STRIPPED.values()])
def test_a_file_written_again_says_the_same(file: str, tmp_path: Path) -> None:
    again = tmp_path / "again.xml"
    again.write_text(write_xml(read_xml(published_file(file).read_bytes(), file)), encoding="utf-8")
    spec, problems = load_amqp0(again)
    assert problems == []
    assert texts(spec) == texts(load(file))
