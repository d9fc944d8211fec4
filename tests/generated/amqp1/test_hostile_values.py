"""Values that the specification forbids, each with the error, the place and the path it is refused with."""

from __future__ import annotations

from typing import Any

import pytest

from .hostile import refused
from .packages import amqp

errors = amqp.errors
Truncated, Malformed, Unknown, LimitExceeded = (
    errors.Truncated,
    errors.Malformed,
    errors.Unknown,
    errors.LimitExceeded,
)

# Octets, error, offset, path, some words of the message.
CASES: list[tuple[str, Any, int, str, str]] = [
    # nothing, and half of something
    ("", Truncated, 0, "", "a constructor is missing"),
    ("50", Truncated, 1, "", "the ubyte has 1 octets, but only 0"),
    ("700000", Truncated, 1, "", "the uint has 4 octets, but only 2"),
    ("80" + "00" * 7, Truncated, 1, "", "the ulong has 8 octets, but only 7"),
    ("98" + "00" * 15, Truncated, 1, "", "the uuid has 16 octets, but only 15"),
    ("94" + "00" * 15, Truncated, 1, "", "the decimal128 has 16 octets"),
    ("73000000", Truncated, 1, "", "the char has 4 octets"),
    ("a0", Truncated, 1, "", "the size of the binary has 1 octets"),
    ("b0000000", Truncated, 1, "", "the size of the binary has 4 octets"),
    ("a10261", Truncated, 2, "", "the string has 2 octets, but only 1"),
    ("a3ff", Truncated, 2, "", "the symbol has 255 octets"),
    ("b1ffffffff61", Truncated, 5, "", "the string has 4294967295 octets"),
    ("c0", Truncated, 1, "", "the size of the list has 1 octets"),
    ("d0000000", Truncated, 1, "", "the size of the list has 4 octets"),
    ("c003", Truncated, 2, "", "the list has 3 octets, but only 0"),
    ("00", Truncated, 1, ".descriptor", "a constructor is missing"),
    ("00a30178", Truncated, 4, "", "a constructor is missing"),
    ("005310", Truncated, 3, "open", "a constructor is missing"),
    # what is no value of its type
    ("5602", Malformed, 1, "", "a boolean is 0 or 1, not 2"),
    ("56ff", Malformed, 1, "", "not 255"),
    ("730000d800", Malformed, 1, "", "0xd800 is not a Unicode character"),
    ("730000dfff", Malformed, 1, "", "0xdfff is not a Unicode character"),
    ("7300110000", Malformed, 1, "", "0x110000 is not a Unicode character"),
    ("73ffffffff", Malformed, 1, "", "0xffffffff is not a Unicode character"),
    ("a101ff", Malformed, 2, "", "not UTF-8"),
    ("a10361c328", Malformed, 3, "", "not UTF-8"),
    ("a102c080", Malformed, 2, "", "not UTF-8"),  # an overlong NUL
    ("a103eda080", Malformed, 2, "", "not UTF-8"),  # half of a surrogate pair
    ("a104f4908080", Malformed, 2, "", "not UTF-8"),  # beyond U+10FFFF
    ("a101e2", Malformed, 2, "", "not UTF-8"),  # cut off
    ("b100000001ff", Malformed, 5, "", "not UTF-8"),
    ("a30180", Malformed, 2, "", "not ASCII"),
    ("a302c3a4", Malformed, 2, "", "not ASCII"),
    ("b300000002" + "7fff", Malformed, 6, "", "not ASCII"),
    # format codes
    ("01", Unknown, 0, "", "no type has the format code 0x01"),
    ("4f00", Unknown, 0, "", "0x4f"),
    ("ff", Unknown, 0, "", "0xff"),
    ("c0020157", Unknown, 3, "[0]", "0x57"),
    ("e0020057", Unknown, 3, "", "0x57"),
    ("e0060000a3017857", Unknown, 7, "", "0x57"),
    # sizes
    ("c000", Malformed, 1, "", "the size of the list leaves no room for its count"),
    ("c100", Malformed, 1, "", "the size of the map leaves no room for its count"),
    ("e000", Malformed, 1, "", "the size of the array leaves no room for its count"),
    ("d000000003" + "00000000", Malformed, 1, "", "leaves no room for its count"),
    ("e00100", Truncated, 3, "", "a constructor is missing"),
    ("f00000000400000000", Truncated, 9, "", "a constructor is missing"),
    # counts that lie
    ("c00101", Truncated, 3, "[0]", "a constructor is missing"),
    ("c0020240", Truncated, 4, "[1]", "a constructor is missing"),
    ("c003014040", Malformed, 4, "", "1 octets of the list are left over"),
    ("c0020040", Malformed, 3, "", "1 octets of the list are left over"),
    ("c002ff40", Truncated, 4, "[1]", "a constructor is missing"),
    ("d00000000500000002" + "40", Truncated, 10, "[1]", "a constructor is missing"),
    ("d000000004ffffffff", LimitExceeded, 5, "", "has 4294967295 elements, more than 65536"),
    ("d000000004" + "00010001", LimitExceeded, 5, "", "has 65537 elements, more than 65536"),
    ("e0030250" + "01", Truncated, 5, "[1]", "the ubyte has 1 octets, but only 0"),
    ("e0030050" + "01", Malformed, 4, "", "1 octets of the array are left over"),
    ("f000000005ffffffff50", LimitExceeded, 5, "", "elements, more than 65536"),
    # an element never reaches beyond what encloses it, whatever follows
    ("c002015001", Truncated, 4, "[0]", "the ubyte has 1 octets, but only 0"),
    ("c00401a10261" + "62", Truncated, 5, "[0]", "the string has 2 octets, but only 1"),
    ("c00401c00201" + "40", Truncated, 5, "[0]", "the list has 2 octets, but only 1"),
    ("e0030170" + "00000001", Truncated, 4, "[0]", "the uint has 4 octets, but only 1"),
    # maps
    ("c1020140", Malformed, 3, "", "a map of 1 elements has a key without a value"),
    ("c10403404040", Malformed, 3, "", "a map of 3 elements has a key without a value"),
    ("d1000000050000000140", Malformed, 9, "", "a key without a value"),
    ("d100000004ffffffff", LimitExceeded, 5, "", "the map has 4294967295 elements"),
    ("c1050440404040", Malformed, 5, "None", "the key occurs twice"),
    ("c10904a1016140a1016140", Malformed, 7, "a", "the key occurs twice"),
    ("c10c04a1016140b1000000016140", Malformed, 7, "a", "the key occurs twice"),
    ("c10904a3016140a3016140", Malformed, 7, "a", "the key occurs twice"),
    ("c10704540140540140", Malformed, 6, "Int(1)", "the key occurs twice"),
    ("c10704540141710000", Truncated, 7, "key", "the int has 4 octets"),
    ("c10a04540140710000000140", Malformed, 6, "Int(1)", "the key occurs twice"),
    ("c10504" + "4540" + "4540", Malformed, 5, "<list>", "the key occurs twice"),
    ("c10704" + "4540" + "c0010040", Malformed, 5, "<list>", "the key occurs twice"),
    # a key twice, and a count that would fit if it were there once
    ("c10d04a1016140a1016140a1016240", Malformed, 7, "a", "the key occurs twice"),
    ("c10c04a1016140a1016140540140", Malformed, 7, "a", "the key occurs twice"),
    ("c10d04a3016140a3016140a3016240", Malformed, 7, "a", "the key occurs twice"),
    ("c10a04540140540140540240", Malformed, 6, "Int(1)", "the key occurs twice"),
    # zero-width elements
    ("f000000005ffffffff40", LimitExceeded, 5, "", "has 4294967295 elements"),
    ("f0000000050001000141", LimitExceeded, 5, "", "has 65537 elements"),
    ("f000000005ffffffff45", LimitExceeded, 5, "", "has 4294967295 elements"),
    ("f000000009ffffffff00a3017840", LimitExceeded, 5, "", "has 4294967295 elements"),
    ("f000000008ffffffff00532445", LimitExceeded, 5, "", "has 4294967295 elements"),
    ("e003014040", Malformed, 4, "", "1 octets of the array are left over"),
    ("e003004140", Malformed, 4, "", "1 octets of the array are left over"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:40] or "nothing")
def test_bad_values(case: tuple[str, Any, int, str, str]) -> None:
    text, kind, offset, path, words = case
    octets = bytes.fromhex(text)
    error = refused(octets, kind, path.removeprefix("."), offset)
    assert words in error.message
