"""The pages of 1.0 tell everything that the specification says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from amqp_codegen.diff.change import ConceptMap
from amqp_codegen.diff.compare import compare
from amqp_codegen.model.amqp1.types import Composite, Primitive
from amqp_codegen.reference.amqp1.anchors import Anchors, error_conditions, members
from amqp_codegen.reference.amqp1.pages import pages as pages_of
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.support.resources import specs_dir

from ..layouts.svg_contents import drawn, spec1_of
from ..site_pages import Page, faults, fold, made, pages, parsed, read, search_entries, site

SPEC = spec1_of()
PARTS = {part.name: f"{part.name}.html" for part in SPEC.parts}
EXTENSION = Path(__file__).resolve().parents[2] / "generated" / "amqp1" / "extension.xml"


def text_of(page: str) -> str:
    return parsed("1.0")[page].text


def entry(page: str, name: str) -> str:
    """The text of the entry of a type."""
    articles = site("1.0")[page].split("<article")[1:]
    (found,) = (article for article in articles if f'id="type.{name}"' in article)
    return Page(f"<article{found.partition('</article>')[0]}</article>").text


def sayings() -> Iterator[tuple[str, str]]:
    """Every text for people, and the page on which it has to be."""
    for part in SPEC.parts:
        page = PARTS[part.name]
        elements = [part, *part.sections, *part.definitions, *part.types]
        elements += [inner for type_ in part.types for inner in members(type_)]
        elements += [
            inner for type_ in part.types if isinstance(type_, Primitive) for inner in type_.encodings
        ]
        for element in elements:
            yield page, element.label
            yield from ((page, paragraph) for paragraph in element.doc.split("\n\n"))


def test_the_pages() -> None:
    assert list(site("1.0"))[:6] == ["index.html", *PARTS.values()]
    assert [page.title for page in pages_of(SPEC)] == ["AMQP 1.0", *PARTS]


def test_nothing_leads_nowhere() -> None:
    assert list(faults(site("1.0"))) == []
    assert list(faults(site("0-9-1", "1.0"))) == []


def test_every_text_is_there() -> None:
    assert [saying for page, saying in sayings() if fold(saying) not in text_of(page)] == []


def test_every_rule_is_there_once_with_its_section() -> None:
    found = []
    for page in PARTS.values():
        found += [item for item in parsed("1.0")[page].ids if item.startswith("rule.")]
    assert len(found) == len(set(found)) == len(list(SPEC.rules)) == 565
    everything = " ".join(text_of(page) for page in PARTS.values())
    for rule in SPEC.rules:
        levels = " ".join(dict.fromkeys(rule.levels))
        head = " ".join(filter(None, (levels, rule.section, rule.label, rule.path, fold(rule.text))))
        assert head in everything, rule.path
        if rule.scenario:
            assert f"Test scenario: {fold(rule.scenario)}" in everything
        if rule.on_failure:
            assert f"{fold(rule.text)} Error condition: {rule.on_failure}" in everything


def test_every_element_has_its_own_anchor_and_is_found() -> None:
    anchors = Anchors(SPEC)
    elements = [
        *SPEC.parts,
        *(section for part in SPEC.parts for section in part.sections),
        *SPEC.types,
        *(inner for type_ in SPEC.types for inner in members(type_)),
        *SPEC.encodings,
        *SPEC.definitions,
        *SPEC.archetypes,
        *SPEC.rules,
    ]
    wanted = [anchors.address(element) for element in elements]
    assert len(set(wanted)) == len(wanted)
    assert len({item.partition("#")[2] for item in wanted}) == len(wanted), "unique in the whole guide"
    for item in wanted:
        page, _, anchor = item.partition("#")
        assert anchor in parsed("1.0")[page].ids
    assert {address for *_, address in search_entries(site("1.0"))} == set(wanted)


@pytest.mark.parametrize(
    "address",
    [
        "transport.html#open.container-id",
        "transport.html#type.open",
        "transport.html#role.sender",
        "types.html#type.uint",
        "types.html#encoding.uint.smalluint",
        "messaging.html#type.accepted",
        "index.html#archetype.outcome",
        "transport.html#constant.min-max-frame-size",
        "transport.html#amqp-error.not-found",
        "transport.html#section.transport.performatives",
    ],
)
def test_addresses_that_people_keep(address: str) -> None:
    page, _, anchor = address.partition("#")
    assert anchor in parsed("1.0")[page].ids


def test_a_composite_in_full() -> None:
    found = entry("transport.html", "attach")
    for expected in (
        "attach tie a link to the session",
        "kind composite type",
        "descriptor 0x12 amqp:attach:list",
        "provides frame",
        "in Python performatives.Attach",
        "3 role mandatory role (boolean)",
        "4 snd-settle-mode sender-settle-mode (ubyte) mixed when the sending end settles",
        "6 source any type that provides source",
        "12 offered-capabilities multiple symbol",
    ):
        assert expected in found, expected


def test_a_restricted_type_in_full() -> None:
    found = entry("transport.html", "receiver-settle-mode")
    assert "restricted type with choices, of ubyte" in found
    assert "first 0 receiver settles first" in found
    assert "used by 2" in found and "attach.rcv-settle-mode" in found
    errors = entry("transport.html", "amqp-error")
    assert "Other values than these may occur." in errors
    assert "not-found amqp:not-found" in errors
    assert 'title="a3 0e 61 6d 71 70 3a 6e 6f 74 2d 66 6f 75 6e 64"' in site("1.0")["transport.html"]


def test_a_primitive_type_in_full() -> None:
    found = entry("types.html", "list")
    assert "list0 0x45 fixed: no data" in found
    assert "list32 0xd0 compound: size and count in 4 octets each, items" in found
    assert "variable: size in 1 octet, data" in entry("types.html", "string")
    assert "array: size and count in 1 octet each, constructor, elements" in entry("types.html", "array")


def test_the_overview() -> None:
    found = text_of("index.html")
    assert (
        "24 primitive types in 39 encodings, 33 composite and 39 restricted types, 13 constants, 565 rules"
        in found
    )
    assert "amqp header 41 4d 51 50 00 01 00 00" in found
    assert "sasl header 41 4d 51 50 03 01 00 00" in found
    assert "frame types amqp 0, sasl 1" in found
    assert "0x52 uint smalluint fixed 1 octet of data" in found
    assert "0x10 open amqp:open:list" in found
    assert (
        "outcome accepted, rejected, released, modified, declared source.default-outcome, transactional-state.outcome"
        in found
    )
    assert "global-tx-id no type declare.global-id" in found
    assert "amqp:link:stolen link-error link attached elsewhere" in found
    assert "SECURE-PORT 5671 transport" in found


def test_error_conditions_know_their_rules() -> None:
    """Every condition that a rule names is one of the specification, and leads back to its rules."""
    conditions = {condition.symbol: condition for condition in error_conditions(SPEC)}
    reported = {rule.on_failure for rule in SPEC.rules} - {""}
    assert len(reported) > 10 and reported <= set(conditions)
    anchors = Anchors(SPEC)
    for symbol in reported:
        condition = conditions[symbol]
        assert {rule.on_failure for rule in condition.rules} == {symbol}
        page = parsed("1.0")[PARTS[condition.type.part]]
        count = len(condition.rules)
        assert f"reports {count} rule{'s' * (count > 1)}" in page.text
        assert {("a", anchors.address(rule)) for rule in condition.rules} <= set(page.addresses)


def test_diagrams_are_there() -> None:
    pictured = {page: parsed("1.0")[page].elements.count("svg") for page in PARTS.values()}
    expected = {
        PARTS[part.name]: sum(
            len(type_.encodings) if isinstance(type_, Primitive) else 0 for type_ in part.types
        )
        + sum(bool(getattr(type_, "descriptors", ())) for type_ in part.types)
        for part in SPEC.parts
    }
    assert pictured == expected
    assert sum(pictured.values()) == len(SPEC.encodings) + len(SPEC.described_types)
    assert all(isinstance(type_, Composite) or type_.descriptor for type_ in SPEC.described_types)
    for page in PARTS.values():
        html = site("1.0")[page]
        for start in range(html.count("<svg ")):
            drawn(f"<svg {html.split('<svg ')[start + 1].partition('</svg>')[0]}</svg>")


def test_what_stands_for_what_is_found_here() -> None:
    """The names of the map from 0-9-1 are names of search, by which its page leads here."""
    (old,), (new,) = read("0-9-1"), read("1.0")
    found = compare(old, new)
    assert isinstance(found, ConceptMap)
    known = {name for _, name, *_ in search_entries(site("1.0"))}
    assert [name for concept in found.concepts for name in concept.new if name not in known] == []


def test_parts_of_ones_own() -> None:
    """Types that the standard does not have: unions, other descriptors, error conditions, parts."""
    files = [specs_dir() / "amqp1-0" / f"{name}.xml" for name in PARTS]
    site_of_own = made([read_specification([*files, EXTENSION])])
    assert list(faults(site_of_own)) == []
    text = pages(site_of_own)["extension.html"].text
    assert "descriptor 0xffff00000001 example:parked:list" in text
    assert "descriptor example:progress:list" in text
    assert "ring-full example:ring-full" in text
    alone = made([read_specification(files[:1])])
    assert list(faults(alone)) == []
    assert set(alone) >= {"index.html", "types.html"}
