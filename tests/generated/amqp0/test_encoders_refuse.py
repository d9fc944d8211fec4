"""Encoders raise EncodeError and nothing else, in our own words, and write nothing that their decoder refuses."""

from __future__ import annotations

import pickle
import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, bare, each_package, method

Tagged, RawTable = RABBITMQ.Tagged, RABBITMQ.table.RawTable
MOMENT = datetime(1969, 1, 1, tzinfo=UTC)


class Encodes:
    """Not a string, although it has the method of one."""

    def encode(self) -> bytes:
        return b"what a string is not"


class Raw:
    """Not a table, although it has the attribute of a RawTable."""

    raw = b"\1aV"


class Unshowable:
    def __repr__(self) -> str:
        raise KeyError("no")

    __str__ = __repr__


class Broken(Mapping[str, Any]):
    """A mapping of the caller's with a mistake in it."""

    def __getitem__(self, key: str) -> Any:
        raise AttributeError("the caller's mistake")

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


# What a table cannot hold, by what is wrong, and part of what is said about it. The key is k.
VALUES: dict[str, tuple[Any, str]] = {
    "text that UTF-8 lacks": ("\ud800", "surrogate"),
    "an object with encode()": (Encodes(), "Encodes"),
    "an object without repr": (Unshowable(), "Unshowable"),
    "a bool that is a text": (Tagged("t", "no"), "'no' is not a bool"),
    "a bool that is a number": (Tagged("t", 1), "1 is not a bool"),
    "an int beyond all letters": (1 << 64, "beyond the integers"),
    "an int of many digits": (10**5000, "a huge number is beyond"),
    "an octet too large": (Tagged("B", 256), "256 does not fit uint8, 0 to 255"),
    "an octet too small": (Tagged("b", -129), "-129 does not fit int8, -128 to 127"),
    "a text for a number": (Tagged("I", "1"), "'1' does not fit int32"),
    "a float for a number": (Tagged("l", 1.0), "1.0 does not fit int64"),
    "nothing for a number": (Tagged("u"), "None does not fit uint16"),
    "a float too large": (Tagged("f", 1e300), "1e+300 is not a float"),
    "a text for a double": (Tagged("d", "1"), "'1' is not a double"),
    "a decimal too large": (Decimal(2**31), "not in -2147483648 to 2147483647"),
    "a decimal of many places": (Decimal("1E-256"), "256 digits after the point"),
    "a decimal of many digits": (Decimal("1" * 30), "do not fit 32 bits"),
    "a decimal that is none": (Decimal("sNaN"), "not finite"),
    "a text for a decimal": (Tagged("D", "1.5"), "'1.5' is not a Decimal"),
    "an early moment": (Tagged("T", -1), "-1 is not a timestamp"),
    "a late moment": (RABBITMQ.Timestamp(1 << 64), "is not a timestamp"),
    "a moment before 1970": (MOMENT, "is not a timestamp"),
    "a moment without zone": (MOMENT.replace(tzinfo=None), "time zone"),
    "a text for a moment": (Tagged("T", "now"), "'now' is neither int nor datetime"),
    "a number for a text": (Tagged("S", 5), "bytes are needed, not int"),
    "a text for an array": (Tagged("A", "ab"), "'ab' is not a list or a tuple"),
    "nothing for a table": (Tagged("F"), "None is not a mapping"),
    "an object with raw": (Tagged("F", Raw()), "<Raw> is not a mapping"),
    "something for nothing": (Tagged("V", 0), "0 is not None"),
    "a letter of no dialect": (Tagged("?", 0), "no letter '?'"),
    "a letter that is none": (Tagged(None, 0), "no letter None"),
    "a list as letter": (Tagged([], 0), ""),
    "a key that is a number": ({5: 1}, "the key 5 is not a string"),
    "a key with encode()": ({Encodes(): 1}, "<Encodes> is not a string"),
    "a key of octets": ({b"k": 1}, "the key b'k' is not a string"),
    "a key too long": ({"k" * 256: 1}, "more than 255 octets"),
    "too many entries": (dict.fromkeys(map(str, range(65_537))), "more than 65536 entries"),
    "too many items": ([None] * 65_537, "more than 65536 items"),
    "a RawTable cut off": (RawTable(b"\1aI"), "RawTable are not a table"),
    "a RawTable of a strange letter": (RawTable(b"\1a?"), "RawTable are not a table"),
}
STRUCTS_WORDS = re.compile(
    r"out of range|format requires|\(error\)|\bargument\b|required|struct\.|codec can't"
)


def checked(encode: Callable[[], object]) -> Any:
    """The EncodeError, whose text can be printed and is in our words."""
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        encode()
    text = str(caught.value)
    assert text.isprintable()
    assert not STRUCTS_WORDS.search(text), text
    assert len(text) < 1000
    return caught.value


@pytest.mark.parametrize("name", VALUES)
def test_values_of_tables(name: str) -> None:
    value, text = VALUES[name]
    error = checked(lambda: RABBITMQ.encode_table({"fine": 1, "k": value}))
    assert error.path.startswith("k")
    assert text in error.message
    error = checked(lambda: RABBITMQ.encode_table({"outer": [{"k": value}]}))
    assert error.path.startswith("outer[0].k")
    properties = RABBITMQ.BasicProperties(headers={"k": value})
    for frame in (
        method(RABBITMQ, "queue.declare")(arguments={"k": value}),
        RABBITMQ.ContentHeader(properties),
    ):
        assert checked(lambda frame=frame: RABBITMQ.encode_frame(1, frame)).path.count("k")  # type: ignore[misc]


ODD: list[Any] = [
    *(
        None,
        0,
        1,
        -1,
        1 << 70,
        1.5,
        "text",
        "\ud800",
        "x" * 300,
        b"octets",
        bytearray(b"x"),
        memoryview(b"x"),
    ),
    *(True, False, [], [1], (), {}, {"k": 1}, {1: 2}, {1}, object(), type, len, Decimal("NaN"), Decimal(1)),
    *(
        MOMENT,
        1j,
        array("I", [1, 2]),
        memoryview(array("I", [1, 2])),
        Encodes(),
        Raw(),
        Unshowable(),
        Broken(),
    ),
    *(Tagged("t", "no"), RawTable(b"\x01aI"), RawTable(b""), RABBITMQ.Heartbeat(), RABBITMQ.ContentBody(b"")),
    *(
        RABBITMQ.BasicProperties(),
        RABBITMQ.ContentHeader(RABBITMQ.BasicProperties()),
        method(RABBITMQ, "channel.open")(),
    ),
]


def places() -> dict[str, Callable[[Any], bytes]]:
    """Where a value may stand, by name; each encodes the value there."""
    amqp = RABBITMQ
    publish = method(amqp, "basic.publish")
    found: dict[str, Callable[[Any], bytes]] = {
        "frame": lambda value: amqp.encode_frame(1, value),
        "channel": lambda value: amqp.encode_frame(value, amqp.ContentBody(b"x")),
        "payload": lambda value: amqp.encode_frame(1, amqp.ContentBody(value)),
        "other frame": lambda value: amqp.encode_frame(1, amqp.OtherFrame(value, b"")),
        "properties": lambda value: amqp.encode_frame(1, amqp.ContentHeader(value)),
        "body size": lambda value: amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(), value)),
        "message method": lambda value: amqp.encode_message(1, value, None, b""),
        "message channel": lambda value: amqp.encode_message(value, publish(), None, b""),
        "message properties": lambda value: amqp.encode_message(1, publish(), value, b""),
        "message body": lambda value: amqp.encode_message(1, publish(), None, value),
        "table": amqp.encode_table,
        "key": lambda value: amqp.encode_table({value: 1}),
        "value": lambda value: amqp.encode_table({"k": value}),
        "item": lambda value: amqp.encode_table({"k": [value]}),
    }
    for letter in amqp.dialects.RABBITMQ.read:
        found[f"tagged {letter}"] = lambda value, letter=letter: amqp.encode_table(
            {"k": Tagged(letter, value)}
        )  # type: ignore[misc]
    for name in ("queue.declare", "basic.ack", "connection.start", "connection.close"):
        for field in method(amqp, name).FIELDS:
            if not field.reserved:
                found[f"{name}.{field.name}"] = lambda value, name=name, field=field: amqp.encode_frame(  # type: ignore[misc]
                    1, bare(method(amqp, name), **{field.name: value})
                )
    for field in amqp.BasicProperties.FIELDS:
        found[f"property {field.name}"] = lambda value, field=field: amqp.encode_message(  # type: ignore[misc]
            1, publish(), amqp.BasicProperties(**{field.name: value}), b"x"
        )
    return found


PLACES = places()


@pytest.mark.parametrize("place", PLACES)
def test_any_value_anywhere(place: str) -> None:
    """Encoded, and then decoded again; or an EncodeError, and nothing else."""
    for value in ODD:
        try:
            octets = PLACES[place](value)
        except RABBITMQ.EncodeError as error:
            assert str(error).isprintable()
            assert not STRUCTS_WORDS.search(error.message), error
            continue
        except (TypeError, ValueError):
            assert place == "key", value  # not hashable, or not yet
            continue
        if place in ("table", "key", "value", "item") or place.startswith("tagged"):
            assert RABBITMQ.decode_table(octets)[1] == len(octets)
        else:
            assert RABBITMQ.decode_frames(octets)[1] == len(octets)


def test_bits_are_bools() -> None:
    for value in ("false", "no", 0, 1, None, "", [], 256):
        error = checked(lambda value=value: method(RABBITMQ, "queue.declare")(durable=value).encode())  # type: ignore[misc]
        assert error.path == "queue.declare.durable"
        assert error.message.endswith("is not a bool")


def test_the_mistake_of_a_mapping_is_not_hidden() -> None:
    declare = method(RABBITMQ, "queue.declare")
    for encode in (
        lambda: RABBITMQ.encode_table(Broken()),
        lambda: RABBITMQ.encode_table({"k": Broken()}),
        lambda: declare(arguments=Broken()).encode(),
        lambda: RABBITMQ.encode_frame(1, declare(arguments={"k": Broken()})),
        lambda: RABBITMQ.encode_message(
            1, method(RABBITMQ, "basic.publish")(), RABBITMQ.BasicProperties(headers=Broken()), b""
        ),
    ):
        error = checked(encode)
        assert isinstance(error.__cause__, AttributeError)
        assert "the caller's mistake" in str(error.__cause__)


def test_an_object_that_lacks_its_attributes() -> None:
    declare = method(RABBITMQ, "queue.declare")()
    del declare.queue
    assert checked(declare.encode).path == "queue.declare.queue"
    assert checked(lambda: RABBITMQ.encode_frame(1, declare)).path == "queue.declare.queue"


def test_a_raw_table_is_checked_as_deep_as_it_stands() -> None:
    table: Any = {}
    for _ in range(60):
        table = {"k": table}
    raw = RABBITMQ.decode_table(RABBITMQ.encode_table(table), lossless=True)[0]
    assert RABBITMQ.encode_table(raw) == RABBITMQ.encode_table(table)
    nested: Any = raw
    for _ in range(3):
        nested = {"n": nested}
    octets = RABBITMQ.encode_table(nested)
    assert RABBITMQ.decode_table(octets)[1] == len(octets)
    assert "nested deeper than 64" in str(checked(lambda: RABBITMQ.encode_table({"one": {"two": nested}})))
    again = pickle.loads(pickle.dumps(raw))
    assert (again, RABBITMQ.encode_table(again)) == (raw, RABBITMQ.encode_table(raw))


def test_a_raw_table_that_is_no_table_can_be_shown() -> None:
    assert repr(RawTable(b"\x01aI")) == "RawTable(raw=b'\\x01aI')"
    with pytest.raises(RABBITMQ.EncodeError, match="RawTable"):
        method(RABBITMQ, "queue.declare")(queue=RawTable(b"\x01aI")).encode()


def test_lazy_properties_that_are_broken() -> None:
    frame = RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(headers={"k": 1})))
    frame = frame.replace(b"kI", b"k?")
    [(_, header)], _ = RABBITMQ.decode_frames(frame, lazy_properties=True)
    assert checked(lambda: RABBITMQ.encode_frame(1, header)).path == "properties"


@each_package
def test_wide_items_of_a_memoryview_count_in_octets(amqp: Any) -> None:
    wide = memoryview(array("I", [1, 2, 3]))
    flat = wide.tobytes()
    publish = method(amqp, "basic.publish")
    assert amqp.encode_frame(1, amqp.ContentBody(wide)) == amqp.encode_frame(1, amqp.ContentBody(flat))
    properties = amqp.BasicProperties()
    assert amqp.encode_message(1, publish(), properties, wide) == amqp.encode_message(
        1, publish(), properties, flat
    )
    start = method(amqp, "connection.start")
    assert start(mechanisms=wide).encode() == start(mechanisms=flat).encode()
    assert amqp.encode_table({"k": amqp.Tagged("S", wide)}) == amqp.encode_table(
        {"k": amqp.Tagged("S", flat)}
    )
    frame = amqp.encode_frame(1, amqp.ContentBody(b"12345678"))
    assert len(frame) % 4 == 0
    assert amqp.decode_frames(memoryview(frame).cast("I")) == amqp.decode_frames(frame)
    assert amqp.FrameDecoder().feed(memoryview(frame).cast("I")) == amqp.decode_frames(frame)[0]


texts = st.text(st.characters(), max_size=8)  # surrogates and control characters too


@given(
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.decimals()
        | texts
        | st.binary(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=12,
    )
)
@examples(300)
def test_what_is_written_is_read(value: Any) -> None:
    try:
        octets = RABBITMQ.encode_table({"k": value})
    except RABBITMQ.EncodeError as error:
        assert str(error).isprintable()
        assert not STRUCTS_WORDS.search(error.message)
        return
    assert RABBITMQ.decode_table(octets)[1] == len(octets)


@each_package
def test_a_bool_is_not_a_number(amqp: Any) -> None:
    methods = [
        (cls, field)
        for cls in amqp.METHODS.values()
        for field in cls.FIELDS
        if not field.reserved and field.type in ("octet", "short", "long", "longlong", "timestamp")
    ]
    assert methods
    for cls, field in methods:
        value = bare(cls)
        setattr(value, field.name, True)
        with pytest.raises(amqp.EncodeError) as caught:
            value.encode()
        assert caught.value.path == f"{cls.NAME}.{field.name}"
        assert caught.value.message.startswith("True is n")
    for name in ("priority", "delivery_mode", "timestamp"):
        with pytest.raises(amqp.EncodeError) as caught:
            amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(**{name: True}), 0))
        assert caught.value.path == f"basic.properties.{name}"
    for call in (
        lambda: amqp.encode_frame(True, amqp.Heartbeat()),
        lambda: amqp.encode_message(True, amqp.methods.BasicPublish(), None, b"x"),
    ):
        with pytest.raises(amqp.EncodeError) as caught:
            call()
        assert caught.value.path == "channel"


@pytest.mark.parametrize("letter", list("bBsuIilLfdDT"))
def test_a_bool_is_not_a_number_in_a_table(letter: str) -> None:
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_table({"k": Tagged(letter, True)})
    assert caught.value.path == "k"
