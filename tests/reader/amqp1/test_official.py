"""Our 1.0 files say what the published ones say, no more and no less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.model.amqp1.raw import RawField, RawRule, RawSpec, RawType
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.reader.versions import KnownVersion, identify
from amqp_codegen.reader.xml_tree import read_xml

from tests.published_specs.published_files import PARTS as PUBLISHED_PARTS
from tests.published_specs.published_files import needs_published, published_file
from tests.reader.raw_models import load_amqp1
from tests.reader.write_xml import write_xml

published = needs_published(*PUBLISHED_PARTS)

PARTS = {"types": 24, "transport": 27, "messaging": 31, "transactions": 8, "security": 6}
# The text of the standard states them; some copies of the files, the one compared here among them, do not.
HEADER_DEFAULTS = {"durable": "false", "priority": "4", "first-acquirer": "false", "delivery-count": "0"}


@pytest.fixture(scope="module")
def ours() -> RawSpec:
    return load(resolve_input("1.0").files)


def load(files: Sequence[Path]) -> RawSpec:
    raw, problems = load_amqp1(files)
    assert problems == []
    return raw


def fields(raw: RawSpec) -> list[RawField]:
    return [field for type_ in raw.types for field in type_.fields]


def rules(raw: RawSpec) -> list[RawRule]:
    owners: list[Any] = []
    for part in raw.parts:
        owners.append(part)
        for section in part.sections:
            owners.append(section)
            for type_ in section.types:
                owners += [type_, *type_.fields, *type_.choices]
    return [rule for owner in owners for rule in owner.rules]


def facts(item: RawType) -> object:
    """Return all that a type says, without texts and positions."""
    return (
        item.name,
        item.type_class,
        item.source,
        item.provides,
        [(entry.name, entry.code, entry.category, entry.width) for entry in item.encodings],
        [(entry.name, entry.code) for entry in item.descriptors],
        [
            (entry.name, entry.type, entry.requires, entry.default, entry.mandatory, entry.multiple)
            for entry in item.fields
        ],
        [(entry.name, entry.value) for entry in item.choices],
    )


def without_header_defaults(item: RawType) -> RawType:
    if item.name != "header":
        return item
    return replace(item, fields=tuple(replace(field, default=None) for field in item.fields))


@published
def test_facts_are_those_of_the_published_files(ours: RawSpec) -> None:
    theirs = load([published_file(part) for part in PUBLISHED_PARTS])
    for our_part, their_part in zip(ours.parts, theirs.parts, strict=True):
        assert our_part.name == their_part.name
        for our, their in zip(our_part.sections, their_part.sections, strict=True):
            assert our.name == their.name
            assert [facts(without_header_defaults(type_)) for type_ in our.types] == [
                facts(without_header_defaults(type_)) for type_ in their.types
            ]
            assert [(definition.name, definition.value) for definition in our.definitions] == [
                (definition.name, definition.value) for definition in their.definitions
            ]


@published
@pytest.mark.parametrize("part", PUBLISHED_PARTS)
def test_a_published_file_is_identified(part: str) -> None:
    version = identify(read_xml(published_file(part).read_bytes(), part))
    assert isinstance(version, KnownVersion)
    assert version.name == "1.0"


@published
@pytest.mark.parametrize("part", PUBLISHED_PARTS)
def test_a_published_file_written_again_says_the_same(part: str, tmp_path: Path) -> None:
    file = published_file(part)
    again = tmp_path / file.name
    again.write_text(write_xml(read_xml(file.read_bytes(), file.name)), encoding="utf-8")
    assert [facts(type_) for type_ in load([again]).types] == [facts(type_) for type_ in load([file]).types]


def test_our_files_written_again_say_the_same(ours: RawSpec, tmp_path: Path) -> None:
    files = []
    for file in resolve_input("1.0").files:
        files.append(tmp_path / file.name)
        files[-1].write_text(write_xml(read_xml(file.read_bytes(), file.name)), encoding="utf-8")
    again = load(files)
    assert [facts(type_) for type_ in again.types] == [facts(type_) for type_ in ours.types]
    assert [type_.doc for type_ in again.types] == [type_.doc for type_ in ours.types]
    assert [(rule.text, rule.scenario) for rule in rules(again)] == [
        (rule.text, rule.scenario) for rule in rules(ours)
    ]


def test_the_header_has_its_defaults(ours: RawSpec) -> None:
    (header,) = (type_ for type_ in ours.types if type_.name == "header")
    found = {field.name: field.default for field in header.fields if field.default is not None}
    assert found == HEADER_DEFAULTS


def test_counts_of_types(ours: RawSpec) -> None:
    assert {part.name: sum(len(section.types) for section in part.sections) for part in ours.parts} == PARTS
    assert Counter(type_.type_class for type_ in ours.types) == {
        "primitive": 24,
        "composite": 33,
        "restricted": 39,
    }


def test_counts_of_what_types_are_made_of(ours: RawSpec) -> None:
    assert sum(len(type_.encodings) for type_ in ours.types) == 39
    assert sum(not encoding.name for type_ in ours.types for encoding in type_.encodings) == 11
    assert sum(len(type_.descriptors) for type_ in ours.types) == 40
    assert sum(len(type_.choices) for type_ in ours.types) == 54
    found = fields(ours)
    assert len(found) == 125
    assert sum(field.mandatory for field in found) == 25
    assert sum(field.multiple for field in found) == 13
    assert sum(bool(field.requires) for field in found) == 19
    assert sum(field.default is not None for field in found) == 23 + len(HEADER_DEFAULTS)


def test_counts_of_sections_and_definitions(ours: RawSpec) -> None:
    sections = [section for part in ours.parts for section in part.sections]
    assert len(sections) == 9
    assert sum(len(section.definitions) for section in sections) == 13


def test_rules_have_everything(ours: RawSpec) -> None:
    found = rules(ours)
    assert len(found) >= 150
    assert [
        rule.name for rule in found if not (rule.label and rule.section and rule.text and rule.scenario)
    ] == []
    assert len({rule.section for rule in found}) > 50


def test_everything_has_a_label_and_a_doc(ours: RawSpec) -> None:
    owners: list[Any] = []
    for part in ours.parts:
        owners.append(part)
        for section in part.sections:
            owners += [section, *section.definitions]
            for type_ in section.types:
                owners += [type_, *type_.fields, *type_.choices]
    assert [owner.name for owner in owners if not (owner.label and owner.doc)] == []
    assert [entry.code for type_ in ours.types for entry in type_.encodings if not entry.label] == []


def test_texts_are_sentences(ours: RawSpec) -> None:
    texts = [type_.doc for type_ in ours.types]
    texts += [entry.doc for type_ in ours.types for entry in (*type_.fields, *type_.choices)]
    texts += [text for rule in rules(ours) for text in (rule.text, rule.scenario or "")]
    assert [
        text for text in texts if not text.endswith(".") or (not text[0].isupper() and not text[0].isdigit())
    ] == []
    labels = [type_.label for type_ in ours.types] + [field.label for field in fields(ours)]
    labels += [rule.label for rule in rules(ours)]
    assert [label for label in labels if label.endswith(".") or len(label) > 60] == []
