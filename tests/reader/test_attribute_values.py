"""Values of attributes."""

from __future__ import annotations

import time

import pytest
from amqp_codegen.reader.check_schema import complaint, parse_number
from amqp_codegen.reader.schema import FLAG, NAME, REGEXP, TEXT, U8, U16, U32, Value, ValueKind, one_of
from hypothesis import given
from hypothesis import strategies as st

LONG = 60  # seconds of processor time: far more than linear work takes, far less than quadratic


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("0x1f", 31),
        ("0X1F", 31),
        ("18446744073709551615", 2**64 - 1),
        ("0" * 5000 + "1", 1),
        ("", None),
        (" 1", None),
        ("1 ", None),
        ("1\n", None),
        ("+1", None),
        ("-1", None),
        ("1_000", None),
        ("1.0", None),
        ("1e3", None),
        ("0x", None),
        ("0b1", None),
        ("\u0663", None),
        ("\uff11", None),
        ("ten", None),
        ("9" * 5000, None),
    ],
)
def test_numbers_are_plain_digits(text: str, number: int | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (TEXT, "", ""),
        (NAME, "no ack", ""),
        (NAME, " ", "is empty"),
        (U8, "255", ""),
        (U8, "256", "is larger than 255"),
        (U16, "65535", ""),
        (U16, "65536", "is larger than 65535"),
        (U32, "4294967295", ""),
        (U32, "4294967296", "is larger than 4294967295"),
        (U16, "-1", "is negative"),
        (U16, "--1", "is not a number"),
        (U16, "ten", "is not a number"),
        (FLAG, "1", ""),
        (FLAG, "0", ""),
        (FLAG, "true", "is neither 0 nor 1"),
        (FLAG, "", "is neither 0 nor 1"),
        (one_of("MUST", "MAY"), "MAY", ""),
        (one_of("MUST", "SHOULD", "MAY"), "may", "is not one of MUST, SHOULD and MAY"),
        (one_of("scenario"), "grammar", "is not scenario"),
        (Value(ValueKind.PATTERN, pattern="0x[0-9a-f]{2}", meaning="a code such as 0x40"), "0x40", ""),
        (
            Value(ValueKind.PATTERN, pattern="0x[0-9a-f]{2}", meaning="a code such as 0x40"),
            "0x40\n",
            "is not a code such as 0x40",
        ),
        (REGEXP, "^[a-zA-Z0-9-_.:]*$", ""),
        (REGEXP, "^[a-zA-Z0-9/-_]+$", ""),
        (REGEXP, "[", "is not a regular expression: unterminated character set at position 0"),
        (REGEXP, "a" * 1001, "is longer than 1000 characters"),
    ],
)
def test_what_is_wrong_with_a_value(value: Value, text: str, expected: str) -> None:
    assert complaint(value, text)[0] == expected


def test_the_closest_word_is_suggested() -> None:
    assert complaint(one_of("soft-error", "hard-error"), "softerror")[1] == "did you mean 'soft-error'?"


@pytest.mark.parametrize("text", ["(" * 1000, "(?:a{60000}){60000}", "a*" * 500, "[" * 500, "(?i)" * 250])
def test_hostile_regexps_take_little_time(text: str) -> None:
    start = time.process_time()
    complaint(REGEXP, text)
    assert time.process_time() - start < LONG


@given(st.sampled_from([TEXT, NAME, U8, FLAG, REGEXP, one_of("a", "b")]), st.text())
def test_any_text_is_judged(value: Value, text: str) -> None:
    wrong, hint = complaint(value, text)
    assert isinstance(wrong, str)
    assert wrong or not hint
