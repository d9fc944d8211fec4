"""Fields and content properties: aliases, reserved fields, flags."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.field_types import WireType
from amqp_codegen.model.amqp0.spec import Field

from .small_specifications import (
    field,
    fields,
    in_class,
    in_method,
    marks,
    method,
    refusal,
    resolved,
    the_class,
    the_method,
)


def properties(count: int) -> list[tuple[int, int]]:
    body = in_class(fields(*["octet"] * count) + method(attributes='content="1"'))
    return [(entry.word, entry.mask) for entry in the_class(resolved(body)).properties]


def named(fields: tuple[Field, ...], name: str) -> Field:
    [found] = [field for field in fields if field.name == name]
    return found


def test_a_field_with_everything() -> None:
    body = in_method(
        '<field name="My Field" domain="short" reserved="1" label="a field"><doc>Text.</doc><assert check="ne" value="0"/>'
        '<rule name="r"/></field>'
    )
    [found] = the_method(resolved(body)).fields
    assert (found.name, found.identifier, found.local) == ("my-field", "my_field", "my_field")
    assert (found.domain, found.type, found.reserved) == ("short", WireType.SHORT, True)
    assert (found.label, found.doc, found.aliases) == ("a field", "Text.", ())
    assert [check.check for check in found.asserts] == ["ne"]
    assert [rule.path for rule in found.rules] == ["c.m.my-field/r"]


def test_reserved_fields_are_no_arguments() -> None:
    found = the_method(resolved(in_method(fields("octet", "-short", "bit", "-bit"))))
    assert [field.name for field in found.fields] == ["f0", "f1", "f2", "f3"]
    assert [argument.name for argument in found.arguments] == ["f0", "f2"]


# --- Aliases, from wire.toml ---------------------------------------------------------------------


def test_aliases_by_name_and_by_path() -> None:
    spec = resolved(
        in_class(method(field("reserved-1", "short") + field("no-wait", "bit"), "declare"), "queue")
    )
    found = the_method(spec, "declare").fields
    assert [(item.identifier, item.aliases) for item in found] == [
        ("reserved_1", ("ticket",)),
        ("no_wait", ("nowait",)),
    ]


def test_aliases_depend_on_the_version() -> None:
    body = in_class(method(field("type", "shortstr") + field("reserved-1", "short"), "declare"), "exchange")
    for version, expected in (
        ("0-9-1", [("exchange_type",), ("ticket",)]),
        ("0-8", [("exchange_type",), ()]),
    ):
        assert [field.aliases for field in the_method(resolved(body, version), "declare").fields] == expected


def test_an_alias_never_hides_a_field() -> None:
    """RabbitMQ's overlay names a field what is an alias of a reserved one elsewhere."""
    body = in_class(method(field("reserved-2", "bit") + field("auto delete", "bit"), "declare"), "exchange")
    assert named(the_method(resolved(body), "declare").fields, "reserved-2").aliases == ()


def test_aliases_of_properties() -> None:
    spec = resolved(in_class(field("type", "shortstr") + method(), "basic"))
    assert the_class(spec).properties[0].field.aliases == ("message_type",)


# --- Flags ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "words", "last"),
    [
        (1, 1, (0, 0x8000)),
        (14, 1, (0, 0x0004)),
        (15, 1, (0, 0x0002)),
        (16, 2, (1, 0x8000)),
        (30, 2, (1, 0x0002)),
        (31, 3, (2, 0x8000)),
        (46, 4, (3, 0x8000)),
    ],
)
def test_fifteen_flags_a_word(count: int, words: int, last: tuple[int, int]) -> None:
    found = properties(count)
    assert found[0] == (0, 0x8000)
    assert found[-1] == last
    assert len(set(found)) == count
    assert all(mask != 1 for _, mask in found)  # says that another word follows
    body = in_class(fields(*["octet"] * count) + method(attributes='content="1"'))
    assert the_class(resolved(body)).flag_words == words


def test_a_class_without_properties_has_one_word_of_flags() -> None:
    assert the_class(resolved(in_class(method(attributes='content="1"')))).flag_words == 1


def test_bits_may_be_properties_but_content_may_not() -> None:
    spec = resolved(in_class(field("p", "bit") + method()))
    assert the_class(spec).properties[0].field.type is WireType.BIT
    body = in_class("\n" + field("p", "content") + method())
    assert refusal(body) == ["s.xml:3:1: error: property 'p' cannot be of the type content [property-type]"]


def test_a_property_twice() -> None:
    body = in_class("\n" + field("a b") + "\n" + field("a-b") + method())
    assert marks(refusal(body)) == ["duplicate-field 4:1"]


@pytest.mark.parametrize("name", ["pack", "residue", "bytes", "self", "property", "datetime"])
def test_a_property_does_not_hide_what_its_class_has(name: str) -> None:
    found = the_class(resolved(in_class(field(name) + method()))).properties[0].field
    assert found.identifier == f"{name}_"
