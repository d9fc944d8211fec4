"""The pictures of methods and content headers: every field is in its place, and the example is what our codec writes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.model.amqp0.field_types import WireType
from amqp_codegen.model.amqp0.spec import Class, Method, Spec
from amqp_codegen.reference.amqp0.layouts import (
    header_sample,
    method_run,
    method_sample,
    properties_run,
)
from amqp_codegen.reference.amqp0.pages import method_layout, properties_layout
from amqp_codegen.reference.layouts.pieces import OctetPiece, PieceRole

from ..site_pages import AMQP0, read
from .svg_contents import NASTY, drawn, shows, spec0_of

MANY = """
<amqp major="0" minor="9" revision="1">
  <class name="many" index="7">
    {properties}
    <method name="bits" index="9" content="1">
      <field name="first" type="octet"/>
      {bits}
      <field name="between" type="short" reserved="1"/>
      <field name="alone" type="bit"/>
      <field name="text" type="longstr"/>
      <field name="nothing" type="table" reserved="1"/>
    </method>
  </class>
</amqp>
"""


def method_of(name: str, full_name: str) -> Method:
    return next(method for method in spec0_of(name).methods if method.full_name == full_name)


def class_of(name: str, class_name: str) -> Class:
    return next(class_ for class_ in spec0_of(name).classes if class_.name == class_name)


def many(tmp_path: Path) -> Class:
    """A class with 20 bits in a row, and with 17 properties of which one is a bit."""
    bits = "".join(f'<field name="bit-{number}" type="bit"/>' for number in range(20))
    kinds = ["shortstr", "bit", *["octet"] * 15]
    properties = "".join(f'<field name="p-{number}" type="{kind}"/>' for number, kind in enumerate(kinds))
    file = tmp_path / "many.xml"
    file.write_text(MANY.format(bits=bits, properties=properties), encoding="utf-8")
    class_: Class = read(file)[0].spec.classes[0]
    return class_


def peer(name: str) -> Any:
    package = spec0_of(name).package
    return import_module(f"conformance.{package}.package_peer").PackagePeer()


@pytest.mark.parametrize("name", AMQP0)
def test_every_method(name: str) -> None:
    spec, codec = spec0_of(name), peer(name)
    amqp = import_module(spec.package)
    for method in spec.methods:
        run = method_run(spec, method)
        shows(drawn(method_layout(spec, method)), run)
        assert run.octets[:4] == method.key.to_bytes(4, "big"), method.full_name
        sample = method_sample(spec, method)
        assert codec.encode("method", sample, {"dialect": spec.dialect.name}) == run.octets, method.full_name
        assert codec.recode("method", run.octets, {}) == run.octets, method.full_name
        assert amqp.decode_method(run.octets).encode() == run.octets, method.full_name
        has_every_field(spec, method)


@pytest.mark.parametrize("name", AMQP0)
def test_every_content_header(name: str) -> None:
    spec, codec = spec0_of(name), peer(name)
    for class_ in spec.content_classes:
        run = properties_run(spec, class_)
        shows(drawn(properties_layout(spec, class_)), run)
        assert codec.encode("header", header_sample(spec, class_), {}) == run.octets, class_.name
        assert codec.recode("header", run.octets, {}) == run.octets, class_.name
        names = {piece.name.partition(",")[0] for piece in run.pieces}
        assert {entry.field.name for entry in class_.properties} <= names


def names_of(pieces: list[OctetPiece]) -> list[str]:
    """The fields that pieces stand for, each once, in order; of bits all of them."""
    found: list[str] = []
    for piece in pieces:
        inner = piece.bits.names if piece.bits else (piece.name.partition(", entry")[0],)
        found += [item for item in inner if item not in ("", "length") and item not in found[-1:]]
    return found


def has_every_field(spec: Spec, method: Method) -> None:
    """Each is there in its order."""
    pieces = list(method_run(spec, method).pieces)[2:]
    assert names_of(pieces) == [field.name for field in method.fields]
    fields = {field.name: field for field in method.fields}
    for piece in pieces:
        if piece.name in fields and fields[piece.name].type.width:
            assert piece.width == fields[piece.name].type.width
            assert (piece.role is PieceRole.RESERVED) == fields[piece.name].reserved
        if piece.bits:
            number = piece.octets[0]
            sample = {field["name"]: field["value"] for field in method_sample(spec, method)["fields"]}
            assert number == sum(1 << bit for bit, name in enumerate(piece.bits.names) if sample[name])
        if piece.name == "length":
            following = pieces[pieces.index(piece) + 1]
            assert following.joined and int.from_bytes(piece.octets, "big") == len(following.octets)
            assert (piece.width, fields[following.name].type) in (
                (1, WireType.SHORTSTR),
                (4, WireType.LONGSTR),
                (4, WireType.CONTENT),
            )


def test_queue_declare_octet_by_octet() -> None:
    run = method_run(spec0_of("0-9-1-rabbitmq"), method_of("0-9-1-rabbitmq", "queue.declare"))
    assert [(piece.name, piece.octets.hex()) for piece in run.pieces] == [
        ("class id", "0032"),
        ("method id", "000a"),
        ("reserved-1", "0000"),
        ("length", "05"),
        ("queue", b"queue".hex()),
        ("bits", "15"),
        ("arguments", "00000019"),
        ("arguments, entry 1", "036b65795300000005" + "grün".encode().hex()),
        ("arguments, entry 2", "056b65792d6e49fffffffd"),
    ]
    bits = run.pieces[5].bits
    assert bits and bits.names == ("passive", "durable", "exclusive", "auto-delete", "no-wait")
    texts = drawn(
        method_layout(spec0_of("0-9-1-rabbitmq"), method_of("0-9-1-rabbitmq", "queue.declare"))
    ).texts
    assert [text for text in texts if text in bits.names] == list(bits.names)
    assert '= "key": "grün"' in texts


def test_flags_are_the_masks_of_the_specification() -> None:
    class_ = class_of("0-9-1", "basic")
    flags = properties_run(spec0_of("0-9-1"), class_).pieces[3]
    assert flags.octets == bytes.fromhex("fffc")
    assert flags.bits
    for entry in class_.properties:
        assert flags.bits.names[entry.mask.bit_length() - 1] == entry.field.name
    assert flags.bits.names[:2] == ("continuation", "")


def test_more_bits_than_an_octet_and_more_properties_than_a_word(tmp_path: Path) -> None:
    class_ = many(tmp_path)
    spec = read(tmp_path / "many.xml")[0].spec
    assert isinstance(spec, Spec)
    run = method_run(spec, class_.methods[0])
    shows(drawn(method_layout(spec, class_.methods[0])), run)
    groups = [piece for piece in run.pieces if piece.bits]
    assert [len(piece.bits.names) for piece in groups if piece.bits] == [8, 8, 4, 1]
    assert [(piece.name, piece.octets) for piece in run.pieces[-2:]] == [
        ("nothing", bytes(4)),
        ("nothing", b""),
    ]
    header = properties_run(spec, class_)
    shows(drawn(properties_layout(spec, class_)), header)
    # 15 flags and that of another word; then two flags. The bit has no octets.
    assert [piece.octets.hex() for piece in header.pieces[3:5]] == ["ffff", "c000"]
    assert [piece.name for piece in header.pieces[5:]] == [
        "length",
        "p-0",
        *(f"p-{number}" for number in range(2, 17)),
    ]


def test_names_are_shown_and_never_obeyed() -> None:
    spec = spec0_of("0-9-1")
    method = method_of("0-9-1", "queue.declare")
    fields = tuple(
        replace(field, name=f"{NASTY}{number}", local=f"f{number}")
        for number, field in enumerate(method.fields)
    )
    nasty = replace(method, name=NASTY, full_name=NASTY, fields=fields)
    picture = drawn(method_layout(spec, nasty))
    assert "\ufffd" in picture.title  # what would turn the text around it
    assert NASTY.replace("\u202e", "\ufffd") in picture.title
    run = method_run(spec, nasty)
    assert run.octets[:4] == method.key.to_bytes(4, "big")
    class_ = class_of("0-9-1", "basic")
    entries = tuple(
        replace(property_, field=replace(property_.field, name=f"{NASTY}{number}"))
        for number, property_ in enumerate(class_.properties)
    )
    drawn(
        properties_layout(
            replace(spec, classes=(replace(class_, properties=entries),)), replace(class_, properties=entries)
        )
    )


def test_other_names_have_other_ids() -> None:
    spec = spec0_of("0-9-1")
    ids = set()
    for name in ("a b", "a-b", "a_b", "a.b", "a_20_b", "ä", 'a"b', "A b"):
        picture = drawn(method_layout(spec, replace(method_of("0-9-1", "tx.select"), full_name=name)))
        ids.update(picture.ids)
    assert len(ids) == 8 * 3
