"""Messages: sections in their order, bodies of every kind, and octets that come back as they were."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .bare_values import bare
from .fields import MAPS, SIMPLE, STRINGS, filled, of_composite
from .packages import BY_NAME, amqp
from .specification import DESCRIBED

AmqpSequence, AmqpValue, Data, Header, Properties = (
    BY_NAME[name] for name in ("amqp-sequence", "amqp-value", "data", "header", "properties")
)
Described, Message, Symbol, ULong = amqp.Described, amqp.Message, amqp.Symbol, amqp.types.ULong
HEADER, PROPERTIES = filled(Header), filled(Properties)
MAP = {Symbol("key"): "value"}
# Attribute of a message to the section it stands for, in the order of the standard.
SECTIONS: dict[str, Any] = {
    "header": HEADER,
    "delivery_annotations": BY_NAME["delivery-annotations"](MAP),
    "message_annotations": BY_NAME["message-annotations"](MAP),
    "properties": PROPERTIES,
    "application_properties": BY_NAME["application-properties"]({"key": "value"}),
    "body": Data(b"x"),
    "footer": BY_NAME["footer"](MAP),
}
BODIES = [
    Data(b"x"),
    [Data(b"1"), Data(b""), Data(b"3")],
    AmqpSequence([1, None, ["two"]]),
    [AmqpSequence([1]), AmqpSequence([])],
    AmqpValue(None),
    AmqpValue({"a": [1]}),
    AmqpValue(Described(Symbol("x:y"), 1)),
    AmqpValue(amqp.Array(["a"])),
]


def octets(*sections: Any) -> bytes:
    return b"".join(map(amqp.encode, sections))


def attribute(section: Any) -> Any:
    """What a message holds for a section: maps without their class."""
    return section.value if section.SOURCE == "map" else section


def whole(**changes: Any) -> Any:
    return Message(**{name: attribute(section) for name, section in SECTIONS.items()} | changes)


def refused(wire: bytes, kind: Any = amqp.errors.Malformed) -> Any:
    with pytest.raises(kind) as caught:
        amqp.decode_message(wire)
    assert type(caught.value) is kind
    return caught.value


def unencodable(message: Any) -> Any:
    with pytest.raises(amqp.EncodeError) as caught:
        message.encode()
    return caught.value


# --- sections ---


def test_all_types_that_provide_section_have_a_place() -> None:
    sections = {type_.name for type_ in DESCRIBED if "section" in type_.provides}
    named = {section.NAME for section in SECTIONS.values()} | {"amqp-sequence", "amqp-value"}
    assert sections == named


def test_the_order_of_sections() -> None:
    message = whole()
    assert message.encode() == octets(*SECTIONS.values())
    assert amqp.decode_message(message.encode()) == message


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_alone(name: str) -> None:
    section = SECTIONS[name]
    message = Message(**{name: attribute(section)})
    assert message.encode() == octets(section)
    found = amqp.decode_message(octets(section))
    assert found == message
    assert type(getattr(found, name)) is type(attribute(section))


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_left_out(name: str) -> None:
    message = whole(**{name: None})
    rest = [section for other, section in SECTIONS.items() if other != name]
    assert message.encode() == octets(*rest)
    assert amqp.decode_message(octets(*rest)) == message


@pytest.mark.parametrize("pair", list(permutations(SECTIONS, 2)), ids=" before ".join)
def test_any_other_order_is_refused(pair: tuple[str, str]) -> None:
    first, second = (SECTIONS[name] for name in pair)
    if list(SECTIONS).index(pair[0]) < list(SECTIONS).index(pair[1]):
        found = amqp.decode_message(octets(first, second))
        assert (getattr(found, pair[0]), getattr(found, pair[1])) == (attribute(first), attribute(second))
        return
    error = refused(octets(first, second))
    assert error.message == f"{second.NAME} must not come after {first.NAME}"
    assert error.offset == len(octets(first))


@pytest.mark.parametrize("name", [name for name in SECTIONS if name != "body"])
def test_sections_that_occur_twice_are_refused(name: str) -> None:
    section = SECTIONS[name]
    error = refused(octets(section, section))
    assert error.message == f"{section.NAME} occurs twice"
    assert error.offset == len(octets(section))


@pytest.mark.parametrize(
    "other",
    [Described(ULong(0x79), 1), Described(Symbol("x:y"), 1), BY_NAME["open"]("c"), None, 1, b"x"],
    ids=repr,
)
def test_what_is_no_section_is_refused(other: Any) -> None:
    for wire in (octets(other), octets(HEADER, other), octets(HEADER, Data(b""), other)):
        error = refused(wire, amqp.errors.Unknown)
        assert "not a section" in error.message
        assert error.offset == len(wire) - len(octets(other))


def test_descriptors_as_symbols_and_in_their_long_form() -> None:
    sections = list(SECTIONS.values())
    raw = [bare(amqp.encode(section)) for section in sections]
    for section, found in zip(sections, raw, strict=True):
        found.descriptor = Symbol(section.SYMBOL)
    assert amqp.decode_message(octets(*raw)) == whole()
    long = b"".join(
        b"\x00\x80" + section.CODE.to_bytes(8, "big") + amqp.encode(section)[3:] for section in sections
    )
    assert amqp.decode_message(long) == whole()


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_of_another_type_are_refused(name: str) -> None:
    section = SECTIONS[name]
    error = refused(octets(Described(ULong(section.CODE), True)))
    assert error.path == section.NAME
    error = refused(octets(Described(ULong(section.CODE), None)))
    assert error.path == section.NAME


def test_every_cut_is_refused_or_ends_between_sections() -> None:
    wire = whole().encode()
    ends = set()
    for end in range(len(wire)):
        try:
            amqp.decode_message(wire[:end])
        except amqp.DecodeError as error:
            assert error.offset <= end
        else:
            ends.add(end)
    expected = [0]
    for section in SECTIONS.values():
        expected.append(expected[-1] + len(octets(section)))
    assert ends == set(expected[:-1])


# --- bodies ---


@pytest.mark.parametrize("body", BODIES, ids=repr)
def test_bodies(body: Any) -> None:
    for message in (Message(body=body), whole(body=body)):
        found = amqp.decode_message(message.encode())
        assert found == message
        assert type(found.body) is type(body)
        assert found.encode() == message.encode()


def test_a_list_of_one_section_comes_back_as_that_section() -> None:
    assert amqp.decode_message(Message(body=[Data(b"x")]).encode()).body == Data(b"x")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (one, two)
        for one in (Data(b""), AmqpSequence([]), AmqpValue(1))
        for two in (Data(b""), AmqpSequence([]), AmqpValue(1))
    ],
    ids=repr,
)
def test_a_body_is_of_one_kind(first: Any, second: Any) -> None:
    if type(first) is type(second) and type(first) is not AmqpValue:
        assert amqp.decode_message(octets(first, second)).body == [first, second]
        assert Message(body=[first, second]).encode() == octets(first, second)
        return
    assert refused(octets(first, second)).offset == len(octets(first))
    assert unencodable(Message(body=[first, second])).path == "body"


@pytest.mark.parametrize("body", [b"x", "text", 1, [], [b"x"], [AmqpValue(1)], HEADER, {"a": 1}], ids=repr)
def test_what_is_no_body(body: Any) -> None:
    assert unencodable(Message(body=body)).path == "body"


def test_no_body_at_all() -> None:
    """The standard demands one; those who leave it out are understood all the same."""
    for wire in (b"", octets(HEADER), octets(HEADER, SECTIONS["footer"])):
        found = amqp.decode_message(wire)
        assert found.body is None
        assert found.encode() == wire


# --- what cannot be encoded ---


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: Message(header=1), "header"),
        (lambda: Message(header=PROPERTIES), "header"),
        (lambda: Message(properties=HEADER), "properties"),
        (lambda: Message(properties={}), "properties"),
        (lambda: Message(delivery_annotations=SECTIONS["delivery_annotations"]), "delivery-annotations"),
        (lambda: Message(message_annotations=[1]), "message-annotations"),
        (
            lambda: Message(application_properties=SECTIONS["application_properties"]),
            "application-properties",
        ),
        (lambda: Message(footer=1), "footer"),
        (lambda: Message(header=Header(priority=256)), "header.priority"),
        (lambda: Message(properties=Properties(subject=b"x")), "properties.subject"),
        (lambda: Message(application_properties={"a": {"b": object()}}), "application-properties.a.b"),
        (lambda: Message(footer={"a": [1, 2**64]}), "footer.a[1]"),
        (lambda: Message(message_annotations={"\xe4": 1}), "message-annotations"),
        (lambda: Message(body=Data("text")), "data"),
        (lambda: Message(body=[Data(b""), Data(None)]), "data"),
        (lambda: Message(body=AmqpSequence(1)), "amqp-sequence"),
        (lambda: Message(body=AmqpSequence([1, object()])), "amqp-sequence[1]"),
        (lambda: Message(body=AmqpValue(object())), "amqp-value"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_errors_name_the_place(make: Callable[[], Any], path: str) -> None:
    assert unencodable(make()).path == path


def test_keys_of_annotations_become_symbols() -> None:
    message = Message(footer={"text": 1, Symbol("symbol"): 2, ULong(3): 3}, body=Data(b""))
    footer = amqp.decode_message(message.encode()).footer
    assert [type(key) for key in footer] == [Symbol, Symbol, ULong]
    assert footer == message.footer
    properties = amqp.decode_message(Message(application_properties={"text": 1}).encode())
    assert [type(key) for key in properties.application_properties] == [str]


# --- any message ---

BODY = st.one_of(
    st.binary(max_size=300).map(Data),
    st.lists(st.binary(max_size=20).map(Data), min_size=2, max_size=4),
    st.lists(SIMPLE, max_size=4).map(AmqpSequence),
    st.lists(st.lists(SIMPLE, max_size=2).map(AmqpSequence), min_size=2, max_size=3),
    SIMPLE.map(AmqpValue),
    MAPS.map(AmqpValue),
)
MESSAGE = st.builds(
    Message,
    header=st.none() | of_composite(Header),
    delivery_annotations=st.none() | MAPS,
    message_annotations=st.none() | MAPS,
    properties=st.none() | of_composite(Properties),
    application_properties=st.none() | st.dictionaries(STRINGS, SIMPLE, max_size=4),
    body=BODY,
    footer=st.none() | MAPS,
)


@given(message=MESSAGE)
@examples(200)
def test_any_message(message: Any) -> None:
    wire = message.encode()
    found = amqp.decode_message(wire)
    assert found == message
    assert repr(amqp.decode_message(found.encode())) == repr(found)
    assert found.encode() == wire
    assert amqp.decode_message(bytearray(wire)) == amqp.decode_message(memoryview(wire)) == message


def test_limits() -> None:
    value: Any = 1
    for _ in range(10):
        value = [value]
    wire = Message(body=AmqpValue(value)).encode()
    assert amqp.decode_message(wire, max_depth=11).body == AmqpValue(value)
    refused_for_depth = pytest.raises(amqp.errors.LimitExceeded)
    with refused_for_depth:
        amqp.decode_message(wire, max_depth=10)
    wire = Message(body=AmqpSequence([None] * 100)).encode()
    assert amqp.decode_message(wire, max_elements=100)
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.decode_message(wire, max_elements=99)
    with pytest.raises(ValueError, match="max_depth"):
        amqp.decode_message(wire, max_depth=0)


# --- lenient ---


def lenient(wire: bytes, **options: Any) -> Any:
    return amqp.decode_message(wire, lenient=True, **options)


def test_what_the_sdk_of_azure_sends() -> None:
    """Its delivery annotations come last: 0x71 behind 0x75."""
    data, annotations = bytes.fromhex("005375a00178"), bytes.fromhex("005371c10602a301645501")
    refused(data + annotations)
    message = lenient(data + annotations)
    assert message == Message(delivery_annotations={Symbol("d"): 1}, body=Data(b"x"))
    assert message.encode() == annotations + data


@pytest.mark.parametrize("moved", SECTIONS)
def test_any_section_may_come_first_or_last_leniently(moved: str) -> None:
    rest = [section for name, section in SECTIONS.items() if name != moved]
    for order in ([SECTIONS[moved], *rest], [*rest, SECTIONS[moved]]):
        wire = octets(*order)
        assert lenient(wire) == whole()
        assert lenient(wire).encode() == octets(*SECTIONS.values())


@given(order=st.permutations(list(SECTIONS.values())))
@examples(50)
def test_sections_in_any_order_leniently(order: list[Any]) -> None:
    wire = octets(*order)
    assert lenient(wire) == whole()
    assert lenient(wire, lossless=True).encode() == whole().encode()
    strict = wire == octets(*SECTIONS.values())
    if not strict:
        refused(wire)


def test_several_sections_of_data_may_be_apart_leniently() -> None:
    wire = octets(Data(b"1"), SECTIONS["delivery_annotations"], Data(b"2"), HEADER, Data(b"3"))
    assert lenient(wire) == Message(
        header=HEADER, delivery_annotations=MAP, body=[Data(b"1"), Data(b"2"), Data(b"3")]
    )


@pytest.mark.parametrize(
    ("sections", "text"),
    [
        ([HEADER, Data(b"x"), HEADER], "header occurs twice"),
        ([PROPERTIES, HEADER, PROPERTIES], "properties occurs twice"),
        ([Data(b"x"), HEADER, AmqpValue(1)], "amqp-value must not come after data"),
        ([AmqpSequence([]), HEADER, Data(b"x")], "data must not come after amqp-sequence"),
        ([AmqpValue(1), HEADER, AmqpValue(1)], "amqp-value occurs twice"),
        ([BY_NAME["footer"](MAP), Data(b""), BY_NAME["footer"](MAP)], "footer occurs twice"),
        ([BY_NAME["accepted"](), Data(b"")], "accepted is not a section of a message"),
    ],
)
def test_what_is_ambiguous_is_refused_leniently(sections: list[Any], text: str) -> None:
    with pytest.raises(amqp.DecodeError, match=text):
        lenient(octets(*sections))


def test_what_is_read_leniently_keeps_its_octets_in_the_order_of_the_specification() -> None:
    long_data = bytes.fromhex("005375b000000001") + b"x"
    long_map = bytes.fromhex("005371d10000000900000002a301645501")
    message = lenient(long_data + long_map, lossless=True)
    assert message.encode() == long_map + long_data
    message.delivery_annotations = None
    assert message.encode() == long_data


def test_wrong_values_are_refused_leniently_too() -> None:
    for wire in (b"\x00", bytes.fromhex("005375a105ff"), octets(HEADER) + b"\x00\x53\x99\x40"):
        with pytest.raises(amqp.DecodeError):
            lenient(wire)
