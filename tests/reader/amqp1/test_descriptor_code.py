"""The numbers of descriptors."""

from __future__ import annotations

import pytest
from amqp_codegen.reader.amqp1.schema import code_complaint, parse_descriptor_code

FORM = "is not two numbers parted by a colon, like 0x00000000:0x00000010"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0x00000000:0x00000010", 0x10),
        ("0x0000468c:0x00000001", 0x468C_0000_0001),
        ("0xffffffff:0xFFFFFFFF", 0xFFFF_FFFF_FFFF_FFFF),
        ("18060:2", 18060 << 32 | 2),
        ("0x10", 0x10),
        ("16", 16),
        ("0xffffffffffffffff", 0xFFFF_FFFF_FFFF_FFFF),
    ],
)
def test_codes(text: str, code: int) -> None:
    assert code_complaint(text) == ""
    assert parse_descriptor_code(text) == code


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", FORM),
        ("1:", FORM),
        (":1", FORM),
        ("1:2:3", FORM),
        ("0x1:x", FORM),
        ("-1:1", FORM),
        ("1 : 2", FORM),
        ("0x100000000:0x0", "has a domain larger than 0xffffffff"),
        ("0x0:0x100000000", "has an id larger than 0xffffffff"),
        ("18446744073709551616", "is larger than 0xffffffffffffffff"),
    ],
)
def test_what_is_no_code(text: str, complaint: str) -> None:
    assert code_complaint(text) == complaint
    assert parse_descriptor_code(text) is None
