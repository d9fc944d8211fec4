"""Tables of plain Python values: which come back equal, which come back as something else, which are refused."""

from __future__ import annotations

import collections
import decimal
import enum
import types
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from . import reference_codec
from .letters import INTEGER_LETTERS, INTEGERS, KINDS, has, integer_range, same
from .packages import PACKAGES, RABBITMQ, each_dialect, each_package
from .values import NOON, plain_tables, texts

BASE = "spec-0-8"


def round_trip(value: Any, dialect: str = "rabbitmq") -> Any:
    octets = RABBITMQ.encode_table({"k": value}, dialect=dialect)
    table, position = RABBITMQ.decode_table(octets, 0, dialect=dialect)
    assert position == len(octets)
    return table["k"]


def printed(path: str) -> str:
    """A path as errors have it, in which every character can be printed."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in path)


@each_package
@each_dialect
@given(data=st.data())
@examples(40)
def test_any_table(amqp: Any, dialect: str, data: st.DataObject) -> None:
    table = data.draw(plain_tables(amqp, dialect))
    octets = amqp.encode_table(table, dialect=dialect)
    assert octets == reference_codec.table(table, dialect)
    decoded, position = amqp.decode_table(b"before" + octets + b"after", 6, dialect=dialect)
    assert position == 6 + len(octets)
    assert same(decoded, table)


@each_dialect
def test_every_int_takes_the_first_letter_that_holds_it(dialect: str) -> None:
    edges = {0, 1, -1} | {
        edge + step for _, *pair in INTEGERS.values() for edge in pair for step in (-1, 0, 1)
    }
    low, high = integer_range(dialect)
    for value in sorted(edges):
        if low <= value <= high:
            octets = RABBITMQ.encode_table({"k": value}, dialect=dialect)
            assert octets[6:] == reference_codec.table_value(value, dialect)
            assert octets[6:7].decode() in INTEGER_LETTERS[dialect]
            assert round_trip(value, dialect) == value


@each_dialect
@given(value=st.integers(), key=texts)
@examples(30)
def test_an_int_beyond_every_letter_is_refused(dialect: str, value: int, key: str) -> None:
    low, high = integer_range(dialect)
    value = value + high + 1 if value >= 0 else value + low
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_table({"fine": 1, "outer": {key: value}}, dialect=dialect)
    assert caught.value.path == printed(f"outer.{key}")


@each_dialect
def test_what_a_dialect_has_no_letter_for_is_refused(dialect: str) -> None:
    for letter, value in [("V", None), ("t", True), ("t", False), ("d", 0.5), ("A", []), ("A", [1])]:
        for table, path in [({"k": value}, "k"), ({"a": 1, "b": {"c": value}}, "b.c")]:
            if has(dialect, letter):
                assert (
                    RABBITMQ.decode_table(RABBITMQ.encode_table(table, dialect=dialect), 0, dialect=dialect)[
                        0
                    ]
                    == table
                )
            else:
                with pytest.raises(RABBITMQ.EncodeError) as caught:
                    RABBITMQ.encode_table(table, dialect=dialect)
                assert caught.value.path == path
                assert dialect in caught.value.message


def test_bool_is_no_int() -> None:
    assert RABBITMQ.encode_table({"k": True}).hex() == "00000004016b7401"
    assert RABBITMQ.encode_table({"k": 1}).hex() == "00000007016b4900000001"
    assert round_trip(True) is True
    assert round_trip([True, 1, False, 0]) == [True, 1, False, 0]
    assert [type(item) for item in round_trip([True, 1])] == [bool, int]
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_table({"k": True}, dialect=BASE)


def test_subclasses_are_taken_for_what_they_are() -> None:
    class Colour(enum.IntEnum):
        RED = 7

    class Name(str):
        __slots__ = ()

    class Ratio(float):
        __slots__ = ()

    class Bag(dict[str, Any]):
        pass

    Pair = collections.namedtuple("Pair", "a b")
    assert same(round_trip(Colour.RED), 7)
    assert same(round_trip(Name("n")), "n")
    assert same(round_trip(Ratio(0.5)), 0.5)
    assert same(round_trip(Bag(x=1)), {"x": 1})
    assert same(round_trip(Pair(1, "b")), [1, "b"])
    assert same(round_trip((1, 2)), [1, 2])
    assert same(round_trip(collections.OrderedDict(b=1, a=2)), {"b": 1, "a": 2})
    assert same(round_trip(types.MappingProxyType({"x": 1})), {"x": 1})
    assert same(round_trip(bytearray(b"\xff")), b"\xff")
    assert same(round_trip(memoryview(b"\xff")), b"\xff")


def test_timestamps() -> None:
    received = round_trip(RABBITMQ.Timestamp(1_700_000_000))
    assert type(received) is RABBITMQ.Timestamp
    assert received == 1_700_000_000
    assert received.datetime == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert received.datetime.tzinfo is UTC
    assert round_trip(RABBITMQ.Timestamp(2**64 - 1)) == 2**64 - 1
    with pytest.raises(OverflowError):
        _ = RABBITMQ.Timestamp(2**64 - 1).datetime
    assert RABBITMQ.Timestamp(5) + 1 == 6
    assert isinstance(received, int)


def test_datetimes() -> None:
    assert round_trip(NOON).datetime == NOON
    east = timezone(timedelta(hours=5, minutes=45))
    assert round_trip(NOON.astimezone(east)) == int(NOON.timestamp())
    # Parts of seconds are dropped.
    assert round_trip(NOON.replace(microsecond=999_999)).datetime == NOON
    last = datetime.max.replace(tzinfo=UTC)
    assert round_trip(last).datetime == last.replace(microsecond=0)
    assert round_trip(datetime(1970, 1, 1, tzinfo=UTC)) == 0


class Nowhere(tzinfo):
    """A time zone that does not know its offset, which makes a datetime as naive as one without."""

    def utcoffset(self, moment: datetime | None) -> None:
        return None


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2024, 1, 1),
        datetime(2024, 1, 1, tzinfo=Nowhere()),
        datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime.min.replace(tzinfo=UTC),
    ],
    ids=["naive", "no offset", "before 1970", "year 1"],
)
def test_datetimes_that_are_refused(moment: datetime) -> None:
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_table({"when": moment})
    assert caught.value.path == "when"
    if moment.tzinfo is None:
        assert "time zone" in caught.value.message


@each_dialect
def test_bytes(dialect: str) -> None:
    # A dialect without x writes them as a long string, which comes back as str when it is UTF-8.
    bare = not has(dialect, "x")
    assert same(round_trip(b"plain", dialect), "plain" if bare else b"plain")
    assert same(round_trip(b"", dialect), "" if bare else b"")
    assert same(round_trip(b"\xff\xfe", dialect), b"\xff\xfe")


@pytest.mark.parametrize(
    "value",
    [0.0, -0.0, 0.1, 1 / 3, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan")],
)
def test_floats_are_exact(value: float) -> None:
    assert same(round_trip(value), value)


@pytest.mark.parametrize(
    "text", ["0", "0.00", "-0", "1E-255", "2147483647E-255", "-2147483648E-255", "2147483647", "1.10"]
)
def test_decimals_keep_their_digits(text: str) -> None:
    received = round_trip(Decimal(text))
    assert received == Decimal(text)
    assert received.as_tuple().exponent == Decimal(text).as_tuple().exponent


def test_decimals_with_a_positive_exponent_are_written_out() -> None:
    assert round_trip(Decimal("5E+3")) == 5000
    assert round_trip(Decimal("0E+9")) == 0
    assert round_trip(Decimal("-5E+3")) == -5000


@pytest.mark.parametrize("dialect", sorted(KINDS))
def test_negative_decimals(dialect: str) -> None:
    assert round_trip(Decimal("-21474836.48"), dialect) == Decimal("-21474836.48")
    with pytest.raises(RABBITMQ.EncodeError):
        round_trip(Decimal("2147483648"), dialect)


@pytest.mark.parametrize(
    "text",
    [
        "-2147483649",
        "2147483648",
        "1E-256",
        "1E+10",
        "1E+999999",
        "NaN",
        "sNaN",
        "Infinity",
        "-Infinity",
        "0E-256",
    ],
)
def test_decimals_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        RABBITMQ.encode_table({"price": Decimal(text)})
    assert caught.value.path == "price"


def test_decimals_do_not_depend_on_the_context() -> None:
    with decimal.localcontext() as context:
        context.prec = 2
        context.traps[decimal.Inexact] = True
        assert round_trip(Decimal("1234567.89")) == Decimal("1234567.89")


@pytest.mark.parametrize(
    "value", [object(), {1}, 1j, range(3), iter([]), ..., type], ids=lambda value: type(value).__name__
)
def test_other_values_are_refused(value: Any) -> None:
    for table, path in [
        ({"k": value}, "k"),
        ({"a": "x", "k": {"deep": [1, [value]]}}, "k.deep[1][0]"),
        ({"k": RABBITMQ.Tagged("F", {"in": value})}, "k.in"),
        ({"k": RABBITMQ.Tagged("A", [value])}, "k[0]"),
    ]:
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table(table)
        assert caught.value.path == path


@pytest.mark.parametrize("key", [1, None, b"k", "x" * 256, "€" * 86, "\ud800", ("a",)], ids=ascii)
def test_keys_that_are_refused(key: Any) -> None:
    name, below = (key[:255], f".{key[:255]}") if isinstance(key, str) else ("", "")
    for table, path in [({key: 1}, name), ({"outer": {"a": 1, key: 1}}, f"outer{below}")]:
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table(table)
        assert caught.value.path == printed(path) + ("..." if "x" in path else "")
        assert "key" in str(caught.value) or "surrogate" in str(caught.value)


@pytest.mark.parametrize("key", ["", "x" * 255, "€" * 85, "\0", "a.b[0]", "häß"], ids=ascii)
def test_keys_that_are_fine(key: str) -> None:
    assert RABBITMQ.decode_table(RABBITMQ.encode_table({key: 1}))[0] == {key: 1}


@pytest.mark.parametrize(
    "table", [[], "text", 5, [("a", 1)], b"\0\0\0\0", object()], ids=lambda table: type(table).__name__
)
def test_what_is_no_table(table: Any) -> None:
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_table(table)


def test_lone_surrogates_are_refused() -> None:
    for text in ("\ud800", "a\udfff", "\udcff"):
        with pytest.raises(RABBITMQ.EncodeError) as caught:
            RABBITMQ.encode_table({"k": text})
        assert caught.value.path == "k"


def test_nesting_up_to_the_limit() -> None:
    def nest(levels: int, wrap: Any) -> Any:
        value: Any = {}
        for _ in range(levels - 1):
            value = wrap(value)
        return value

    deepest = nest(64, lambda inner: {"k": inner})
    assert RABBITMQ.decode_table(RABBITMQ.encode_table(deepest))[0] == deepest
    array = {"k": nest(63, lambda inner: [inner])}
    assert RABBITMQ.decode_table(RABBITMQ.encode_table(array))[0] == array
    for levels in (65, 66, 200, 5000):
        with pytest.raises(RABBITMQ.EncodeError):
            RABBITMQ.encode_table(nest(levels, lambda inner: {"k": inner}))
        with pytest.raises(RABBITMQ.EncodeError):
            RABBITMQ.encode_table({"k": nest(levels, lambda inner: [inner])})


def test_a_table_that_contains_itself_is_refused() -> None:
    table: dict[str, Any] = {}
    table["self"] = table
    array: list[Any] = []
    array.append(array)
    for value in (table, {"k": array}):
        with pytest.raises(RABBITMQ.EncodeError):
            RABBITMQ.encode_table(value)


def test_none_is_an_empty_table() -> None:
    assert RABBITMQ.encode_table(None) == b"\0\0\0\0"


@pytest.mark.parametrize(
    "dialect, error",
    [("nope", ValueError), ("", ValueError), ("RABBITMQ", ValueError), (None, TypeError), (5, TypeError)],
)
@each_package
def test_an_unknown_dialect_is_refused(amqp: Any, dialect: Any, error: type[Exception]) -> None:
    method = next(iter(PACKAGES[amqp.__name__].METHODS.values()))()
    for call in (
        lambda: amqp.encode_table({}, dialect=dialect),
        lambda: amqp.decode_table(b"\0\0\0\0", 0, dialect=dialect),
        lambda: amqp.decode_method(b"", dialect=dialect),
        lambda: amqp.decode_frames(b"", dialect=dialect),
        lambda: amqp.FrameDecoder(dialect=dialect),
        lambda: method.encode(dialect=dialect),
        lambda: amqp.encode_frame(1, method, dialect=dialect),
    ):
        with pytest.raises(error) as caught:
            call()
        assert not isinstance(caught.value, amqp.CodecError)
        assert error is TypeError or "known:" in str(caught.value)
