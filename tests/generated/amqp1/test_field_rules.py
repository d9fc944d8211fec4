"""Mandatory, default and multiple fields, short and long lists, and the forms a composite may come in."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tests.many_cases import by_id, in_one_test

from .bare_values import bare
from .fields import filled, least, typical
from .packages import BY_NAME, amqp, each_composite
from .specification import COMPOSITES

Array, Described, Symbol = amqp.Array, amqp.Described, amqp.Symbol
ULong = amqp.types.ULong
NULL = b"\x40"


def fields_of(value: Any) -> list[bytes]:
    """The octets of each field of a composite as encoded."""
    return [amqp.encode(item) for item in bare(value.encode()).value]


def composite(cls: Any, fields: list[bytes], descriptor: bytes = b"", code: int = 0xC0) -> bytes:
    """The octets of a composite, made here; a list32 also where a list8 is too short."""
    descriptor = descriptor or bytes((0x53, cls.CODE))
    body = b"".join(fields)
    if code == 0xC0 and len(body) < 255:
        return b"\x00" + descriptor + bytes((0xC0, len(body) + 1, len(fields))) + body
    start = (len(body) + 4).to_bytes(4, "big") + len(fields).to_bytes(4, "big")
    return b"\x00" + descriptor + b"\xd0" + start + body


def refused(octets: bytes, kind: Any = amqp.errors.Malformed) -> Any:
    with pytest.raises(kind) as caught:
        amqp.decode(octets)
    assert type(caught.value) is kind
    assert 0 <= caught.value.offset <= len(octets)
    return caught.value


FIELDS = [
    pytest.param(BY_NAME[composite.name], field, id=f"{composite.name}.{field.name}")
    for composite in COMPOSITES
    for field in BY_NAME[composite.name].FIELDS
]
MANDATORY = [case for case in FIELDS if case.values[1].mandatory]
DEFAULT = [case for case in FIELDS if case.values[1].default is not None]
MULTIPLE = [case for case in FIELDS if case.values[1].multiple]


def test_there_are_enough_cases() -> None:
    assert (len(FIELDS), len(MANDATORY), len(DEFAULT), len(MULTIPLE)) == (125, 25, 27, 13)


# --- mandatory ---


@pytest.mark.parametrize(("cls", "field"), MANDATORY)
def test_a_mandatory_field_is_always_encoded(cls: Any, field: Any) -> None:
    value = filled(cls)
    setattr(value, field.attribute, [] if field.multiple else None)
    for encode in (value.encode, lambda: amqp.encode(value)):
        with pytest.raises(amqp.EncodeError, match="mandatory") as caught:
            encode()
        assert caught.value.path == f"{cls.NAME}.{field.name}"


@pytest.mark.parametrize(("cls", "field"), MANDATORY)
def test_a_mandatory_field_must_be_there(cls: Any, field: Any) -> None:
    fields = fields_of(filled(cls))
    number = [field.name for field in cls.FIELDS].index(field.name)
    absent = refused(composite(cls, fields[:number]))
    assert absent.path == f"{cls.NAME}.{field.name}"
    assert "mandatory" in absent.message
    null = refused(composite(cls, [*fields[:number], NULL, *fields[number + 1 :]]))
    assert null.path == f"{cls.NAME}.{field.name}"
    assert "mandatory" in null.message


@pytest.mark.parametrize(("cls", "field"), MANDATORY)
def test_a_mandatory_field_is_a_required_argument(cls: Any, field: Any) -> None:
    given = {item.attribute: typical(item) for item in cls.FIELDS if item.attribute != field.attribute}
    with pytest.raises(TypeError, match=field.attribute):
        cls(**given)


@each_composite
def test_a_composite_can_be_made_with_its_mandatory_fields_and_filled_in(cls: Any) -> None:
    value = least(cls)
    for field in cls.FIELDS:
        setattr(value, field.attribute, typical(field))
    assert value == filled(cls)


@each_composite
def test_parameters_are_in_the_order_of_the_fields(cls: Any) -> None:
    """By keyword only from the first mandatory field on that follows an optional one."""
    parameters = inspect.signature(cls).parameters
    assert list(parameters) == [field.attribute for field in cls.FIELDS]
    optional = False
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for field, parameter in zip(cls.FIELDS, parameters.values(), strict=True):
        if field.mandatory and optional:
            kind = inspect.Parameter.KEYWORD_ONLY
        optional = optional or not field.mandatory
        assert parameter.kind is kind
        assert (parameter.default is inspect.Parameter.empty) is field.mandatory


def test_signatures_are_short() -> None:
    shown = str(inspect.signature(BY_NAME["attach"]))
    assert "snd_settle_mode: SenderSettleMode = SenderSettleMode.MIXED," in shown.replace("'", "")
    assert "properties: Mapping[SymbolKey, Value] | None = None" in shown.replace("'", "")


# --- default ---


@pytest.mark.parametrize(("cls", "field"), DEFAULT)
def test_a_default_takes_the_place_of_no_value(cls: Any, field: Any) -> None:
    assert getattr(least(cls), field.attribute) == field.default
    assert type(getattr(least(cls), field.attribute)) is type(field.default)
    fields = fields_of(filled(cls))
    number = [field.name for field in cls.FIELDS].index(field.name)
    if not any(field.mandatory for field in cls.FIELDS[number:]):
        absent, _ = amqp.decode(composite(cls, fields[:number]))
        assert getattr(absent, field.attribute) == field.default
    null, _ = amqp.decode(composite(cls, [*fields[:number], NULL, *fields[number + 1 :]]))
    assert getattr(null, field.attribute) == field.default
    assert type(getattr(null, field.attribute)) is type(field.default)


@pytest.mark.parametrize(("cls", "field"), DEFAULT)
def test_a_default_is_not_sent_and_is_read_when_it_is(cls: Any, field: Any) -> None:
    value = filled(cls)
    number = [field.name for field in cls.FIELDS].index(field.name)
    fields = fields_of(value)
    setattr(value, field.attribute, field.default)
    sent = bare(value.encode()).value
    assert len(sent) <= number or sent[number] is None
    written = amqp.encode(wire_value(field))
    assert amqp.decode(composite(cls, [*fields[:number], written, *fields[number + 1 :]]))[0] == value


def wire_value(field: Any) -> Any:
    """A field's default as a value of its primitive type."""
    if field.primitive == "boolean":
        return bool(field.default)
    kinds = {"ubyte": "UByte", "ushort": "UShort", "uint": "UInt", "symbol": "Symbol"}
    return getattr(amqp.types, kinds[field.primitive])(field.default)


@pytest.mark.parametrize(("cls", "field"), DEFAULT)
def test_none_for_a_default_is_told_by_name(cls: Any, field: Any) -> None:
    value = filled(cls)
    setattr(value, field.attribute, None)
    with pytest.raises(amqp.EncodeError, match="default") as caught:
        value.encode()
    assert caught.value.path == f"{cls.NAME}.{field.name}"


def test_defaults_given_as_names_of_choices() -> None:
    attach = amqp.decode(least(amqp.performatives.Attach).encode())[0]
    assert attach.snd_settle_mode is amqp.performatives.SenderSettleMode.MIXED
    assert attach.rcv_settle_mode is amqp.performatives.ReceiverSettleMode.FIRST
    source = amqp.decode(amqp.messaging.Source().encode())[0]
    assert source.durable is amqp.messaging.TerminusDurability.NONE
    assert source.expiry_policy is amqp.messaging.TerminusExpiryPolicy.SESSION_END


# --- multiple ---


@pytest.mark.parametrize(("cls", "field"), MULTIPLE)
def test_several_values_on_the_wire(cls: Any, field: Any) -> None:
    """Null and an empty array are no value; one may stand by itself or in an array; more are an array."""
    fields = fields_of(filled(cls))
    number = [field.name for field in cls.FIELDS].index(field.name)
    one, two = Symbol("one"), Symbol("two")
    for wire, expected in [
        (None, []),
        (Array([], "symbol"), []),
        (one, [one]),
        (Array([one], "symbol"), [one]),
        (Array([one, two], "symbol"), [one, two]),
    ]:
        octets = composite(cls, [*fields[:number], amqp.encode(wire), *fields[number + 1 :]])
        if not expected and field.mandatory:
            assert refused(octets).path == f"{cls.NAME}.{field.name}"
            continue
        found = getattr(amqp.decode(octets)[0], field.attribute)
        assert found == expected
        assert type(found) is list
        assert all(type(item) is Symbol or isinstance(item, amqp.types.SymbolChoice) for item in found)


@pytest.mark.parametrize(("cls", "field"), MULTIPLE)
def test_several_values_in_python(cls: Any, field: Any) -> None:
    required = {field.attribute: typical(field) for field in cls.FIELDS if field.mandatory}
    number = [field.name for field in cls.FIELDS].index(field.name)
    for given, expected in [
        ("one", ["one"]),
        (["one"], ["one"]),
        (("one", "two"), ["one", "two"]),
        (iter(["one", "two", "three"]), ["one", "two", "three"]),
        (None, []),
        ([], []),
    ]:
        value = cls(**{**required, field.attribute: given})
        assert getattr(value, field.attribute) == expected
        if not expected and field.mandatory:
            continue
        wire = bare(value.encode()).value
        found = wire[number] if number < len(wire) else None
        if len(expected) > 1:
            assert found == Array(list(map(Symbol, expected)), "symbol")
        else:
            assert found == (expected[0] if expected else None)
        assert amqp.decode(value.encode())[0] == value


@pytest.mark.parametrize(("cls", "field"), MULTIPLE)
@pytest.mark.parametrize(
    "wire",
    ["text", 1, [Symbol("in a list")], Array(["text"], "string"), Array([Array([Symbol("x")])], "array")],
    ids=repr,
)
def test_several_values_of_another_type_are_refused(cls: Any, field: Any, wire: Any) -> None:
    fields = fields_of(filled(cls))
    number = [field.name for field in cls.FIELDS].index(field.name)
    octets = composite(cls, [*fields[:number], amqp.encode(wire), *fields[number + 1 :]])
    assert refused(octets).path.startswith(f"{cls.NAME}.{field.name}")


# --- lists ---


@each_composite
def test_short_lists_and_nulls_at_the_end(cls: Any) -> None:
    """What is not there is null: cutting a list short and filling it up with nulls is the same."""
    value = least(cls)
    fields = fields_of(value)
    for count in range(len(fields), len(cls.FIELDS) + 1):
        padded = composite(cls, fields + [NULL] * (count - len(fields)))
        assert amqp.decode(padded) == (value, len(padded))
        assert amqp.decode(padded)[0].encode() == value.encode()


@each_composite
def test_long_lists_are_refused(cls: Any) -> None:
    fields = fields_of(filled(cls))
    assert amqp.decode(composite(cls, fields))[0] == filled(cls)
    for extra in (NULL, b"\x41", b"\xa1\x01x"):
        error = refused(composite(cls, [*fields, extra]))
        assert error.path == cls.NAME
        assert "at most" in error.message


@each_composite
def test_forms_of_lists(cls: Any) -> None:
    for value in (least(cls), filled(cls)):
        fields = fields_of(value)
        for code in (0xC0, 0xD0):
            octets = composite(cls, fields, code=code)
            assert amqp.decode(octets) == (value, len(octets))
    octets = bytes((0, 0x53, cls.CODE, 0x45))
    if any(field.mandatory for field in cls.FIELDS):
        assert "mandatory" in refused(octets).message
    else:
        assert amqp.decode(octets) == (cls(), 4)


@each_composite
def test_forms_of_descriptors(cls: Any) -> None:
    value = filled(cls)
    fields = fields_of(value)
    symbol = cls.SYMBOL.encode()
    for descriptor in (
        bytes((0x53, cls.CODE)),
        b"\x80" + cls.CODE.to_bytes(8, "big"),
        bytes((0xA3, len(symbol))) + symbol,
        b"\xb3" + len(symbol).to_bytes(4, "big") + symbol,
    ):
        octets = composite(cls, fields, descriptor)
        assert amqp.decode(octets) == (value, len(octets))
    # The same number, or the same letters, of another type are another descriptor.
    for other in (amqp.types.UInt(cls.CODE), cls.CODE, cls.SYMBOL):
        found = amqp.decode(composite(cls, fields, amqp.encode(other)))[0]
        assert type(found) is Described
        assert type(found.descriptor) is type(other)
        assert amqp.encode(found.value) == value.encode()[3:]


@each_composite
def test_what_follows_the_descriptor_must_be_a_list(cls: Any) -> None:
    start = bytes((0, 0x53, cls.CODE))
    for other in (b"\x40", b"\xc1\x01\x00", b"\xe0\x02\x00\x40", b"\xa1\x00", b"\x00\x53\x24\x45"):
        error = refused(start + other)
        assert "list" in error.message
        assert error.path == cls.NAME


@in_one_test("cls, field", by_id(FIELDS))
def test_a_field_of_another_type_is_refused(cls: Any, field: Any) -> None:
    fields = fields_of(filled(cls))
    number = [field.name for field in cls.FIELDS].index(field.name)
    if field.type == "*" and field.archetype is None:
        # Anything will do, but null where there must be something.
        octets = composite(cls, [*fields[:number], b"\x41", *fields[number + 1 :]])
        assert getattr(amqp.decode(octets)[0], field.attribute) is True
        return
    for wrong in (amqp.types.Float(1.5), amqp.types.Short(1), amqp.types.Char("x")):
        octets = composite(cls, [*fields[:number], amqp.encode(wrong), *fields[number + 1 :]])
        assert refused(octets).path.startswith(f"{cls.NAME}.{field.name}")
        value = filled(cls)
        setattr(value, field.attribute, object())
        with pytest.raises(amqp.EncodeError) as caught:
            value.encode()
        assert caught.value.path.startswith(f"{cls.NAME}.{field.name}")


def test_unknown_descriptors() -> None:
    """They are no error: a described value that comes back as the same octets."""
    for descriptor in (ULong(0xFF), ULong(2**64 - 1), Symbol("com.example:x"), "text", None, True, 7, [1]):
        for value in (None, [1, None], {"a": 1}, Described(ULong(1), Symbol("x"))):
            octets = amqp.encode(Described(descriptor, value))
            found, position = amqp.decode(octets)
            assert (found, position) == (Described(descriptor, value), len(octets))
            assert amqp.encode(found) == octets
