"""Every encoding of every primitive type: which one is written, and that all of them are read."""

from __future__ import annotations

from collections import OrderedDict, UserDict
from datetime import UTC, datetime, timedelta, timezone
from enum import IntEnum
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from tests.many_cases import in_one_test

from .encoding_cases import CASES, STAND_INS
from .packages import amqp
from .reference_writer import write
from .specification import FOLDER, local
from .values import decoded, identity

types = amqp.types
ROOT = ElementTree.parse(FOLDER / "types.xml").getroot()
# By format code: the name of the type, the category, the width.
ENCODINGS = {
    int(encoding.attrib["code"], 16): (
        kind.attrib["name"],
        encoding.attrib["category"],
        int(encoding.attrib["width"]),
    )
    for kind in ROOT.iter()
    for encoding in kind
    if local(encoding) == "encoding"
}


def name_of(case: tuple[Any, ...]) -> str:
    text = f"{type(case[0]).__name__}-{case[1]}"
    return text if len(text) <= 40 else f"{text[:32]}...{len(text)}"


each_case = in_one_test("case", {f"{number} {name_of(case)}": case for number, case in enumerate(CASES)})


@each_case
def test_the_shortest_form_is_written(case: tuple[Any, ...]) -> None:
    value, shortest = case[:2]
    assert amqp.encode(value).hex() == shortest
    assert write(value).hex() == shortest


@each_case
def test_every_form_is_read(case: tuple[Any, ...]) -> None:
    value, *forms = case
    for form in forms:
        assert identity(decoded(bytes.fromhex(form))) == identity(value)


def test_no_encoding_is_left_out() -> None:
    assert len(ENCODINGS) == 39
    assert len({kind for kind, _, _ in ENCODINGS.values()}) == 24
    first_octets = {bytes.fromhex(form)[0] for _, *forms in CASES for form in forms}
    assert first_octets == {0, *ENCODINGS}


def test_every_type_is_in_an_array() -> None:
    elements = {value.type for value, *_ in CASES if isinstance(value, amqp.Array) and len(value)}
    assert elements == {kind for kind, _, _ in ENCODINGS.values()}


@in_one_test("code", {code: code for code in range(1, 256) if code not in ENCODINGS})
def test_no_other_format_code_is_read(code: int) -> None:
    octet = bytes((code,))
    for before in (b"", b"\xc0\x02\x01", b"\xc1\x03\x02\x40", b"\xe0\x02\x00", b"\x00\xa3\x01x"):
        with pytest.raises(amqp.errors.Unknown) as caught:
            amqp.decode(before + octet)
        assert caught.value.offset == len(before)
        assert f"{code:#04x}" in caught.value.message


@pytest.mark.parametrize(("value", "same"), STAND_INS, ids=lambda value: type(value).__name__)
def test_what_stands_for_a_value(value: Any, same: Any) -> None:
    assert identity(decoded(amqp.encode(value))) == identity(same)
    assert identity(decoded(amqp.encode([value]))) == identity([same])
    assert identity(decoded(amqp.encode({"k": value}))) == identity({"k": same})


def test_values_of_subclasses() -> None:
    class Colour(IntEnum):
        RED = 1

    class Name(str):
        """A string of a class of its own."""

    class Point(NamedTuple):
        x: int
        y: int

    assert decoded(amqp.encode(Colour.RED)) == 1
    assert type(decoded(amqp.encode(Name("n")))) is str
    assert decoded(amqp.encode(Point(1, 2))) == [1, 2]
    assert decoded(amqp.encode({Name("n"): Colour.RED})) == {"n": 1}
    for kind in (OrderedDict, UserDict, MappingProxyType):
        assert decoded(amqp.encode(kind({"b": 1, "a": 2}))) == {"b": 1, "a": 2}


def test_an_aware_datetime_is_a_timestamp() -> None:
    moment = datetime(2024, 2, 29, 12, 0, 0, 123456, timezone(timedelta(hours=2)))
    found = decoded(amqp.encode(moment))
    assert type(found) is types.Timestamp
    assert found.datetime == datetime(2024, 2, 29, 10, 0, 0, 123000, UTC)
