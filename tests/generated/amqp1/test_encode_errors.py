"""Values that cannot be encoded: an EncodeError that says what and where, never anything else."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
from amqp_1_0._containers import with_article
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .fields import filled
from .packages import BY_NAME, amqp
from .values import DESCRIPTORS, VALUES

types = amqp.types
Array, Described, Map, Symbol, ULong = amqp.Array, amqp.Described, amqp.Map, amqp.Symbol, types.ULong


class Plain(Enum):
    """An enum over nothing that AMQP knows."""

    RED = "red"


class Awkward:
    """Cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


SURROGATES = "\ud800", "\udfff", "a\udc80", "\ud83d\ude00", "x" * 300 + "\ud800"
CASES: list[tuple[Any, str]] = [
    # numbers out of range, also those that no program can print
    (2**64, "not in -9223372036854775808 to 18446744073709551615"),
    (-(2**63) - 1, "not in -9223372036854775808 to 18446744073709551615"),
    (10**5000, "a huge number cannot be encoded"),
    (-(10**5000), "a huge number cannot be encoded"),
    (Decimal("1" * 35), "does not fit 128 bits"),
    (Decimal("1E+7000"), "does not fit 128 bits"),
    (Decimal("NaN" + "1" * 34), "payload"),
    # texts that have no UTF-8
    *((text, "half of a surrogate pair") for text in SURROGATES),
    # moments without a place
    (datetime(2024, 1, 1), "time zone"),
    # types that AMQP does not have
    *(
        (value, "no AMQP type for " + type(value).__name__)
        for value in (object(), 1j, {1, 2}, frozenset(), range(3), deque([1]), iter([]), Plain.RED, Awkward())
    ),
    *(
        (value, "no AMQP type for ")
        for value in (len, object, Ellipsis, NotImplemented, SimpleNamespace(a=1))
    ),
    (datetime(2024, 1, 1, tzinfo=UTC).date(), "no AMQP type for date"),
    # maps and arrays that are none
    (Map([(1, 2), (1, 3)]), "occurs twice"),
    (Map([("a", 2), ("b", 2), (Symbol("a"), 2), ("a", 3)]), "the key 'a' occurs twice"),
    (Map([([1], 2), ([1], 3)]), "occurs twice"),
    (Map([1]), "cannot be encoded"),
    (Map([(1,)]), "cannot be encoded"),
    (Map([(1, 2, 3)]), "cannot be encoded"),
    (Array([1], "unknown"), "no AMQP type 'unknown'"),
    (Array([object()], "list"), "no AMQP type for object"),
]


def refusal(value: Any) -> Any:
    with pytest.raises(amqp.CodecError) as caught:
        amqp.encode(value)
    error = caught.value
    assert type(error) is amqp.EncodeError
    text = str(error)
    assert text.encode().decode() == text  # any file takes it
    assert text == (f"{error.path}: {error.message}" if error.path else error.message)
    assert len(error.message) < 300
    assert error.__cause__ is None
    return error


@pytest.mark.parametrize(
    ("value", "words"),
    CASES,
    ids=lambda text: type(text).__name__ if type(text) is not str else ascii(text)[:20],
)
def test_what_cannot_be_encoded(value: Any, words: str) -> None:
    error = refusal(value)
    assert words in error.message
    assert error.path == "" or type(value) in (Array, Map)


# A place in a value of every kind, and its path.
PLACES: list[tuple[Any, str]] = [
    (lambda bad: [bad], "[0]"),
    (lambda bad: (1, bad), "[1]"),
    (lambda bad: {"a": 1, "b": bad}, "b"),
    (lambda bad: {"a b": bad}, "a b"),
    (lambda bad: {"": bad}, ""),
    (lambda bad: {5: bad}, "5"),
    (lambda bad: {Symbol("s"): bad}, "s"),
    (lambda bad: {"line\nbreak": bad}, "line\\nbreak"),
    (lambda bad: {"k" * 50: bad}, "k" * 40 + "..."),
    (lambda bad: Map([([1], bad)]), "<list>"),
    (lambda bad: Described(Symbol("d"), bad), ""),
    (lambda bad: Described(bad, 1), "descriptor"),
    (lambda bad: Array([[bad]]), "[0][0]"),
    (lambda bad: Array([Described(Symbol("d"), [1, bad])]), "[0][1]"),
    (lambda bad: [[1, {"x": [2, (3, Described("d", {"y": bad}))]}]], "[0][1].x[1][1].y"),
    (amqp.messaging.AmqpValue, "amqp-value"),
    (lambda bad: amqp.messaging.AmqpSequence([1, bad]), "amqp-sequence[1]"),
    (lambda bad: amqp.messaging.ApplicationProperties({"k": bad}), "application-properties.k"),
    (lambda bad: amqp.messaging.Source(filter={"f": Described("d", bad)}), "source.filter.f"),
    (lambda bad: BY_NAME["open"]("c", properties={"p": [bad]}), "open.properties.p[0]"),
    (lambda bad: [{"k": amqp.messaging.Source(filter={"f": bad})}], "[0].k.filter.f"),
]


@pytest.mark.parametrize(
    ("place", "path"), PLACES, ids=[path or str(number) for number, (_, path) in enumerate(PLACES)]
)
def test_the_path_leads_to_the_value(place: Any, path: str) -> None:
    for bad in (object(), 2**64, "\ud800", datetime(2024, 1, 1)):
        error = refusal(place(bad))
        assert error.path == path
    amqp.encode(place(Described(Symbol("d"), None)) if "filter.f" in path else place(1))


@pytest.mark.parametrize(
    "key",
    [object(), 2**64, "\ud800", b"\xff" * 100, Awkward(), 10**5000, (1, object())],
    ids=lambda key: type(key).__name__,
)
def test_keys(key: Any) -> None:
    if isinstance(key, bytes):
        assert refusal({key: object()}).path.startswith("b'")
        return
    for value in ({key: 1}, Map([(key, 1)])):
        error = refusal(value)
        assert error.path
        assert error.path.isprintable()
        assert error.path.isascii()


@given(value=VALUES, descriptor=DESCRIPTORS, data=st.data())
@examples(100)
def test_a_bad_value_beside_good_ones(value: Any, descriptor: Any, data: st.DataObject) -> None:
    bad = data.draw(st.sampled_from([object(), 2**64, "\ud800"]))
    for whole, path in [
        ([value, bad], "[1]"),
        ({"a": value, "b": bad}, "b"),
        (Described(descriptor, [bad, value]), "[0]"),
        (Map([("a", value), ("b", [value, bad])]), "b[1]"),
    ]:
        assert refusal(whole).path == path


def test_nothing_is_changed_by_a_refusal() -> None:
    value = {"a": [1, {"b": object()}]}
    before = repr(value)
    refusal(value)
    assert repr(value) == before


WRONG: dict[str, list[Any]] = {
    "boolean": [1, 0, None, "true", b""],
    "ubyte": [-1, 256, "1", 1.5, None, b"\1"],
    "ushort": [-1, 2**16, "1", 1.5],
    "uint": [-1, 2**32, "1", 1.5],
    "ulong": [-1, 2**64, "1", 1.5],
    "byte": [-129, 128, "1", 1.5],
    "short": [-(2**15) - 1, 2**15, "1"],
    "int": [-(2**31) - 1, 2**31, "1"],
    "long": [-(2**63) - 1, 2**63, "1", 1.5],
    "float": ["1", None, 1e39, b""],
    "double": ["1", None, 10**400],
    "decimal32": ["x", None, "12345678", []],
    "decimal64": ["x", None, "1" * 17],
    "decimal128": ["x", None, "1" * 35],
    "char": ["", "ab", "\ud800", 5, b"a" * 2],
    "timestamp": ["now", None, 2**63, datetime(2024, 1, 1), 1.5],
    "uuid": ["x", 5, b"x" * 16],
    "binary": ["text", 5, None, [1]],
    "string": [b"octets", 5, None, "\ud800"],
    "symbol": [b"octets", 5, None, "ä"],
    "list": [5, {}, "x"],
    "map": [5, [], "x"],
    "array": [5, [], {}],
    "null": [0, False, "", []],
}


@pytest.mark.parametrize("kind", WRONG)
def test_elements_of_the_wrong_type(kind: str) -> None:
    for value in WRONG[kind]:
        error = refusal({"k": Array([value], kind)})
        assert error.path == "k[0]"
        assert f"is not {with_article(kind)}" in error.message or "another type" in error.message, error


def test_a_map_cannot_have_a_key_twice_in_disguise() -> None:
    # Not equal in Python, the same on the wire.
    noon = datetime(2024, 1, 1, 12, 0, 0, 1, UTC)
    for one, other in [
        (Decimal(1), types.Decimal128(1)),
        (noon, types.Timestamp.of(noon)),
        (noon, noon.replace(microsecond=2)),
    ]:
        assert amqp.encode(one) == amqp.encode(other)
        assert one != other
        for value in ({one: 1, other: 2}, Map([(one, 1), (other, 2)])):
            assert "occurs twice" in refusal(value).message


NUMBERS = [
    "ubyte",
    "ushort",
    "uint",
    "ulong",
    "byte",
    "short",
    "int",
    "long",
    "float",
    "double",
    "timestamp",
    "decimal32",
]


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("value", [True, False])
def test_a_bool_is_not_a_number(kind: str, value: bool) -> None:
    error = refusal(Array([value], kind))
    assert (error.path, error.message) == (
        "[0]",
        f"{value} is not {with_article(kind)}: {value} is not a number",
    )


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_a_bool_is_not_a_number_in_any_field(name: str) -> None:
    cls = BY_NAME[name]
    for field in cls.FIELDS:
        if field.primitive in NUMBERS:
            value = filled(cls)
            setattr(value, field.attribute, True)
            assert refusal(value).path == f"{name}.{field.name}{'[0]' if field.multiple else ''}"


def test_a_bool_is_not_a_channel() -> None:
    for performative in (BY_NAME["close"](), None):
        with pytest.raises(amqp.EncodeError) as caught:
            amqp.encode_frame(True, performative)
        assert caught.value.path == "channel"
