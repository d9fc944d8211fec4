"""The pictures of 1.0: each encoding and each described type, with an example that our codec writes and reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.model.amqp1.types import Composite, Encoding, Restricted
from amqp_codegen.reference.amqp1.examples import Examples, value_text
from amqp_codegen.reference.amqp1.layouts import (
    composite_run,
    described_run,
    encoding_run,
)
from amqp_codegen.reference.amqp1.pages import encoding_layout, type_layout
from amqp_codegen.reference.layouts.pieces import OctetPiece, OctetRun
from amqp_codegen.resolve.specification import read_specification
from amqp_codegen.vectors.amqp1.values import NULL, Value, neutral

from ..site_pages import faults, made
from .svg_contents import NASTY, drawn, shows, spec1_of

SPEC = spec1_of()
EXAMPLES = Examples(SPEC)
DESCRIBED = [type_ for type_ in SPEC.restricted_types if type_.descriptors]
PEER: Any = import_module("conformance.amqp_1_0.package_peer").PackagePeer()


def identifier(value: Any) -> str:
    return str(getattr(value, "identifier", value))


def numbers(pieces: Sequence[OctetPiece]) -> dict[str, int]:
    """Size and count, as the octets say."""
    return {
        piece.name: int.from_bytes(piece.octets, "big") for piece in pieces if piece.name in ("size", "count")
    }


def sizes_are_right(run: OctetRun) -> None:
    """The size spans all that follows it; the count is that of the items."""
    names = [piece.name for piece in run.pieces]
    if "size" in names:
        place = names.index("size")
        assert numbers(run.pieces)["size"] == sum(len(piece.octets) for piece in run.pieces[place + 1 :])
    if "count" in names:
        items = [piece for piece in run.pieces[names.index("count") + 1 :] if piece.name != "constructor"]
        assert numbers(run.pieces)["count"] == len(items)


def is_ours(sample: Value, run: OctetRun) -> None:
    """The package reads the example, and what it has read is the sample."""
    kind = "composite" if hasattr(sample, "fields") else "value"
    form = neutral(SPEC, sample)
    assert PEER.decode(kind, run.octets, {}) == form


@pytest.mark.parametrize("encoding", SPEC.encodings, ids=identifier)
def test_an_encoding(encoding: Encoding) -> None:
    run = encoding_run(EXAMPLES, encoding)
    picture = drawn(encoding_layout(EXAMPLES, encoding))
    shows(picture, run)
    sizes_are_right(run)
    assert run.octets[0] == encoding.code == run.pieces[0].octets[0]
    if encoding.category == "fixed":
        assert len(run.octets) == 1 + encoding.width
        assert [piece.name for piece in run.pieces] == ["format code", "value"]
    else:
        assert run.pieces[1].name == "size" and run.pieces[1].width == encoding.width
        assert ("count" in numbers(run.pieces)) == (encoding.category != "variable")
    if encoding.category == "array":
        assert run.pieces[3].name == "constructor"
    found = EXAMPLES.of_encoding(encoding)
    assert found and found[1] == run.octets
    is_ours(found[0], run)


@pytest.mark.parametrize("composite", SPEC.composites, ids=identifier)
def test_a_composite(composite: Composite) -> None:
    run = composite_run(EXAMPLES, composite)
    shows(drawn(type_layout(EXAMPLES, composite)), run)
    sizes_are_right(run)
    found = EXAMPLES.of_composite(composite)
    assert found
    is_ours(found[0], run)
    assert PEER.encode("composite", neutral(SPEC, found[0]), {}) == run.octets
    head = ["described", "descriptor", "format code"]
    assert [piece.name for piece in run.pieces[:3]] == head
    fields = run.pieces[3 + len(numbers(run.pieces)) :]
    assert [piece.name for piece in fields] == [field.name for field in composite.fields]
    assert composite.descriptor.code is not None
    assert PEER.decode("value", run.pieces[1].octets, {}) == {
        "type": "ulong",
        "value": str(composite.descriptor.code),
    }


@pytest.mark.parametrize("restricted", DESCRIBED, ids=identifier)
def test_a_restricted_type_with_a_descriptor(restricted: Restricted) -> None:
    run = described_run(EXAMPLES, restricted)
    shows(drawn(type_layout(EXAMPLES, restricted)), run)
    found = EXAMPLES.of_restricted(restricted)
    assert found
    is_ours(found[0], run)
    assert PEER.encode("composite", neutral(SPEC, found[0]), {}) == run.octets
    assert [piece.name for piece in run.pieces] == ["described", "descriptor", "value"]


def test_disposition_octet_by_octet() -> None:
    (composite,) = (composite for composite in SPEC.composites if composite.name == "disposition")
    run = composite_run(EXAMPLES, composite)
    assert [(piece.name, piece.octets.hex()) for piece in run.pieces] == [
        ("described", "00"),
        ("descriptor", "5315"),
        ("format code", "c0"),
        ("size", "12"),
        ("count", "06"),
        ("role", "42"),
        ("first", "521e"),
        ("last", "5257"),
        ("settled", "41"),
        ("state", "005323c00502525b5369"),
        ("batchable", "41"),
    ]
    texts = " ".join(drawn(type_layout(EXAMPLES, composite)).texts)
    assert "42 = false (sender)" in texts
    assert "= received {section-number: 91, section-offset: 105}" in texts
    assert "provides delivery-state" in texts


def test_every_field_of_the_examples_holds_something() -> None:
    for composite in SPEC.composites:
        found = EXAMPLES.of_composite(composite)
        assert found
        assert list(found[0].fields) == [field.name for field in composite.fields]
        assert NULL not in found[0].fields.values()


def test_values_for_people() -> None:
    found = {encoding.identifier: EXAMPLES.of_encoding(encoding) for encoding in SPEC.encodings}
    shown = {name: value_text(example[0]) for name, example in found.items() if example}
    assert shown["BOOLEAN_FALSE"] == "false"
    assert shown["UINT_UINT0"] == "0"
    assert shown["FLOAT_IEEE_754"] == "1.5"
    assert shown["UUID"] == "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    assert shown["CHAR_UTF32"] == "U+2603"
    assert shown["LIST_LIST8"] == '[1, "two", null]'
    assert shown["MAP_MAP32"] == '{"key": 1, "other": true}'
    assert shown["ARRAY_ARRAY8"] == "array [a, b]"


def test_an_encoding_of_a_type_unknown_to_us_has_no_example() -> None:
    for category, names in {
        "fixed": ["format code", "value"],
        "variable": ["format code", "size", "value"],
        "compound": ["format code", "size", "count", "value"],
    }.items():
        odd = replace(SPEC.encodings[3], type="odd", name="", identifier="ODD", code=0x57, category=category)
        run = encoding_run(EXAMPLES, odd)
        assert [piece.name for piece in run.pieces] == names
        assert run.octets == b"" and not run.has_example
        picture = drawn(encoding_layout(EXAMPLES, odd))
        assert picture.description.startswith("Without an example. format code")
        assert "= 0x57" in picture.texts[2]


def test_names_are_shown_and_never_obeyed() -> None:
    (composite,) = (composite for composite in SPEC.composites if composite.name == "open")
    fields = tuple(replace(field, name=f"{NASTY}{number}") for number, field in enumerate(composite.fields))
    # The name stays: the sample is one of a type that the specification has.
    part = SPEC.parts[1]
    nasty = replace(composite, fields=fields)
    section = replace(part.sections[0], types=(nasty, *part.sections[0].types[1:]))
    spec = replace(
        SPEC, parts=(SPEC.parts[0], replace(part, sections=(section, *part.sections[1:])), *SPEC.parts[2:])
    )
    picture = drawn(type_layout(Examples(spec), nasty))
    assert "<script>alert(1)</script>" in picture.description
    encoding = replace(SPEC.encodings[5], name=NASTY)
    drawn(encoding_layout(EXAMPLES, encoding))


PARTIAL = {
    "a list and nothing in it": '<type name="c" class="composite" source="list"><descriptor code="0x0000ffff:0x00000001"/></type>',
    "fields": '<type name="c" class="composite" source="list"><descriptor name="a:c"/><field name="a" type="list"/></type>',
    "any value": '<type name="c" class="restricted" source="*"><descriptor code="0x0000ffff:0x00000001"/></type>',
    "itself": '<type name="c" class="composite" source="list"><descriptor code="0x0000ffff:0x00000001"/>'
    '<field name="a" type="c" mandatory="true"/></type>',
}


@pytest.mark.parametrize("name", PARTIAL)
def test_a_specification_without_most_types_has_no_examples(name: str, tmp_path: Path) -> None:
    file = tmp_path / "own.xml"
    primitive = '<type name="list" class="primitive"><encoding code="0xd0" category="compound" width="4" name="list32"/></type>'
    file.write_text(
        f'<amqp name="own" xmlns="http://www.amqp.org/schema/amqp.xsd"><section name="s">{primitive}{PARTIAL[name]}'
        "</section></amqp>",
        encoding="utf-8",
    )
    files = made([read_specification([file])])
    assert list(faults(files)) == []
    pictures = [f"<svg {part.partition('</svg>')[0]}</svg>" for part in files["own.html"].split("<svg ")[1:]]
    first, second = map(drawn, pictures)
    assert "list32, 1 octet" in first.texts
    assert second.description.startswith("Without an example. described, constructor, 1 octet: 0x00.")
    assert not [text for text in second.texts if text.startswith("@")]
