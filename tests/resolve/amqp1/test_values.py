"""Values of choices and defaults as 1.0 files write them."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp1.spec import Value
from amqp_codegen.resolve.amqp1.values import parse_value


@pytest.mark.parametrize(
    ("primitive", "text", "value"),
    [
        ("boolean", "true", True),
        ("boolean", "false", False),
        ("ubyte", "255", 255),
        ("ushort", "0xFFFF", 65535),
        ("uint", "4294967295", 4294967295),
        ("ulong", "18446744073709551615", 18446744073709551615),
        ("byte", "-128", -128),
        ("short", "-32768", -32768),
        ("int", "2147483647", 2147483647),
        ("long", "-9223372036854775808", -9223372036854775808),
        ("timestamp", "-1", -1),
        ("float", "1.5", 1.5),
        ("double", "-1e308", -1e308),
        ("decimal32", "1.50", "1.50"),
        ("decimal128", "1E+6144", "1E+6144"),
        ("char", "ä", "ä"),
        ("uuid", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
        ("string", "", ""),
        ("string", "ä b", "ä b"),
        ("symbol", "amqp:not-found", "amqp:not-found"),
    ],
)
def test_values(primitive: str, text: str, value: Value) -> None:
    parsed, wrong = parse_value(primitive, text)
    assert (parsed, wrong) == (value, "")
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("primitive", "text", "wrong"),
    [
        ("boolean", "1", "is not a valid boolean"),
        ("boolean", "True", "is not a valid boolean"),
        ("ubyte", "256", "is out of the range of ubyte: 0 to 255"),
        ("ubyte", "-1", "is out of the range of ubyte: 0 to 255"),
        ("byte", "128", "is out of the range of byte: -128 to 127"),
        ("uint", "one", "is not a valid uint"),
        ("uint", "1_0", "is not a valid uint"),
        ("uint", " 1", "is not a valid uint"),
        ("uint", "", "is not a valid uint"),
        ("uint", "9" * 100_000, "is not a valid uint"),
        ("ulong", "18446744073709551616", "is out of the range of ulong: 0 to 18446744073709551615"),
        ("float", "1e39", "is not a valid float"),
        ("double", "1e309", "is not a valid double"),
        ("double", "nan", "is not a valid double"),
        ("decimal64", "x", "is not a valid decimal64"),
        ("char", "ab", "is not a valid char"),
        ("uuid", "1", "is not a valid uuid"),
        ("symbol", "ä", "is not a valid symbol"),
        ("list", "", "cannot be read: values of type list cannot be written down"),
        ("", "x", "cannot be read: values of type * cannot be written down"),
    ],
)
def test_what_is_no_value(primitive: str, text: str, wrong: str) -> None:
    assert parse_value(primitive, text) == (None, wrong)
