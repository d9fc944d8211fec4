"""Arrays: of every encoding, of described values, of arrays, empty ones, and those whose elements have no octets."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.many_cases import in_one_test
from tests.sampling import examples

from .bare_values import bare
from .encoding_cases import SCALAR_CASES
from .packages import amqp
from .reference_writer import EMPTY_ARRAYS
from .values import SCALARS, VALUES, arrays, decoded, identity

types = amqp.types
Array, Described, Symbol, ULong, UInt = amqp.Array, amqp.Described, types.Symbol, types.ULong, types.UInt
Accepted, AmqpValue, ErrorCondition = (
    amqp.messaging.Accepted,
    amqp.messaging.AmqpValue,
    amqp.performatives.Error,
)


def array8(count: int, content: str) -> bytes:
    octets = bytes.fromhex(content)
    return bytes((0xE0, len(octets) + 1, count)) + octets


def array32(count: int, content: str) -> bytes:
    octets = bytes.fromhex(content)
    return b"\xf0" + struct.pack(">II", len(octets) + 4, count) + octets


# Every form of every scalar as the element of an array: the format code once, the rest three times.
FORMS = [(case[0], form) for case in SCALAR_CASES for form in case[1:] if len(form) < 140]


@in_one_test("value, form", {form: (value, form) for value, form in FORMS})
def test_elements_of_every_encoding(value: Any, form: str) -> None:
    code, data = form[:2], form[2:]
    for octets in (array8(3, code + 3 * data), array32(3, code + 3 * data)):
        array = decoded(octets)
        assert identity(list(array)) == identity([value] * 3)
        assert identity(decoded(amqp.encode(array))) == identity(array)


@pytest.mark.parametrize("code", sorted(code for codes in EMPTY_ARRAYS.values() for code in codes))
def test_empty_arrays_keep_their_type(code: int) -> None:
    for octets in (array8(0, f"{code:02x}"), array32(0, f"{code:02x}")):
        array = decoded(octets)
        assert (len(array), list(array)) == (0, [])
        assert code in EMPTY_ARRAYS[array.type]
        assert identity(decoded(amqp.encode(array))) == identity(array)
    described = decoded(array8(0, f"00a30178{code:02x}"))
    assert (described.type, described.descriptors) == (array.type, (Symbol("x"),))


ZERO_WIDTH = [("40", None), ("41", True), ("42", False), ("43", UInt(0)), ("44", ULong(0)), ("45", [])]


@pytest.mark.parametrize(("code", "value"), ZERO_WIDTH)
@pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 65536])
@pytest.mark.parametrize("descriptor", ["", "00a30178"])
def test_elements_without_octets(code: str, value: Any, count: int, descriptor: str) -> None:
    octets = array32(count, descriptor + code)
    array = decoded(octets)
    assert len(array) == count
    expected = Described(Symbol("x"), value) if descriptor else value
    if count:
        assert identity(array[0]) == identity(array[-1]) == identity(expected)
        assert identity(list(array)[count // 2]) == identity(expected)
    for outside in (count, -count - 1):
        with pytest.raises(IndexError):
            _ = array[outside]
    # They go out as they came: no larger.
    again = amqp.encode(array)
    assert again == (octets if count > 255 else array8(count, descriptor + code))
    assert len(repr(array)) < 100


def test_elements_without_octets_may_be_anything_once_changed() -> None:
    array = decoded(array8(3, "45"))
    array[0].append(UInt(7))
    assert decoded(amqp.encode(array)) == Array([[7], [7], [7]])


@given(value=arrays(VALUES))
@examples(200)
def test_any_array(value: Any) -> None:
    again = decoded(amqp.encode(value))
    assert identity(again) == identity(value)
    assert again == value or "nan" in repr(value).lower()


@pytest.mark.parametrize("name", sorted(SCALARS))
@given(data=st.data())
@examples(20)
def test_the_type_is_that_of_the_first_element(name: str, data: st.DataObject) -> None:
    items = data.draw(st.lists(SCALARS[name], min_size=1, max_size=3))
    assert Array(items).type == name
    assert Array(iter(items)).type == name
    described = Array([Described(ULong(256), Described(Symbol("x"), item)) for item in items])
    assert (described.type, described.descriptors) == (name, (256, "x"))


def test_the_type_of_compound_elements() -> None:
    assert Array([[]]).type == "list"
    assert Array([()]).type == "list"
    assert Array([{}]).type == "map"
    assert Array([amqp.Map()]).type == "map"
    assert Array([Array([1])]).type == "array"
    for nothing in ([], (), iter(())):
        with pytest.raises(amqp.EncodeError, match="empty array"):
            Array(nothing)
    with pytest.raises(amqp.EncodeError, match="object"):
        Array([object()])


def test_arrays_of_known_types() -> None:
    error = ErrorCondition(condition="amqp:not-found", description="x")
    for items, kind in [
        ([Accepted(), Accepted()], "list"),
        ([error, ErrorCondition("amqp:internal-error")], "list"),
        ([AmqpValue(5), AmqpValue(6)], "long"),
        ([AmqpValue([1]), AmqpValue([])], "list"),
        ([amqp.messaging.Data(b"a"), amqp.messaging.Data(b"b" * 300)], "binary"),
        ([amqp.messaging.ApplicationProperties({"a": 1})], "map"),
        ([Described(Symbol("x"), Accepted())], "list"),
    ]:
        array = Array(items)
        assert array.type == kind
        again = decoded(amqp.encode(array))
        assert again == array
        assert [type(item) for item in again] == [type(item) for item in items]
        raw = bare(amqp.encode(array))
        assert all(type(item) is Described for item in raw)
        assert amqp.encode(raw) == amqp.encode(array)


@pytest.mark.parametrize(
    "descriptor", ["005324", "0080" + "0000000000000024", "00a312616d71703a61636365707465643a6c697374"]
)
def test_known_elements_without_octets(descriptor: str) -> None:
    octets = array8(200, descriptor + "45")
    array = decoded(octets)
    assert list(array) == [Accepted()] * 200
    assert decoded(amqp.encode(array)) == array
    # There need not be a single one, whatever its mandatory fields are.
    assert list(decoded(array8(0, "005310" + "45"))) == []
    assert list(decoded(array8(0, "005310" + "c0"))) == []


def test_equality() -> None:
    assert Array([1, 2]) == Array([1, 2])
    assert Array([1, 2]) == Array((1, 2), "long")
    assert Array([1]) != Array([UInt(1)])
    assert Array([], "int") != Array([], "uint")
    assert Array([1]) != [1]
    assert Array([Described("a", 1)]) != Array([1])
    assert decoded(array8(2, "42")) == Array([False, False])
    with pytest.raises(TypeError):
        hash(Array([1]))


def test_looks() -> None:
    assert repr(Array([1, 2])) == "Array([1, 2], 'long')"
    assert repr(Array([Described("a", 1)])) == "Array([Described(descriptor='a', value=1)], 'long', ('a',))"
    assert repr(decoded(array8(2, "42"))) == "Array([False] * 2, 'boolean')"
    assert repr(amqp.Map([(1, 2)])) == "Map([(1, 2)])"


@pytest.mark.parametrize(
    ("array", "path", "words"),
    [
        (Array([1, "a"]), "[1]", "'a' is not a long"),
        (Array([1, None]), "[1]", "None is not a long"),
        (Array(["a", b"b"]), "[1]", "b'b' is not a string"),
        (Array([True, 1]), "[1]", "1 is not a boolean"),
        (Array([UInt(1), 2**32]), "[1]", "4294967296 is not a uint: it is not in 0 to 4294967295"),
        (Array([1, 2**63]), "[1]", "is not a long: it is not in"),
        (Array([-1], "ulong"), "[0]", "-1 is not a ulong"),
        (Array([[1], {}]), "[1]", "<dict> is not a list"),
        (Array([[1], [object()]]), "[1][0]", "no AMQP type for object"),
        (Array([{}, {"k": object()}]), "[1].k", "no AMQP type for object"),
        (Array([Array([1]), Array([1, "x"])]), "[1][1]", "'x' is not a long"),
        (Array([Described("a", 1), Described("b", 1)]), "[1]", "other descriptors"),
        (Array([Described("a", 1), 1]), "[1]", "other descriptors"),
        (Array([Described("a", 1), Described("a", "x")]), "[1]", "another type"),
        (Array([Described("a", 1), Described("a", Described("b", 1))]), "[1]", "is not a long"),
        (Array([Described(object(), 1)]), "descriptor", "no AMQP type for object"),
        (Array([1], "foo"), "", "no AMQP type 'foo'"),
        (Array([], "foo"), "", "no AMQP type 'foo'"),
        (Array(["ä"], "symbol"), "[0]", "'ä' is not a symbol"),
        (Array(["ab"], "char"), "[0]", "'ab' is not a char"),
        (Array([5], "uuid"), "[0]", "5 is not a uuid"),
        (Array([None], ""), "", ""),
    ],
)
def test_elements_that_do_not_fit(array: Any, path: str, words: str) -> None:
    if not words:
        assert decoded(amqp.encode(array)) == array
        return
    for value, prefix in ((array, ""), ([None, array], "[1]"), ({"key": array}, "key")):
        with pytest.raises(amqp.EncodeError, match=r".") as caught:
            amqp.encode(value)
        assert words in caught.value.message
        separator = "." if prefix and path and not path.startswith("[") else ""
        assert caught.value.path == prefix + separator + path


def test_elements_are_converted_to_a_type_that_is_named() -> None:
    assert decoded(amqp.encode(Array([1, 300], "ulong"))) == Array([ULong(1), ULong(300)])
    assert decoded(amqp.encode(Array(["a"], "symbol"))) == Array([Symbol("a")])
    assert decoded(amqp.encode(Array([1], "double"))) == Array([1.0])
    assert decoded(amqp.encode(Array([2**63], "ulong"))) == Array([ULong(2**63)])
