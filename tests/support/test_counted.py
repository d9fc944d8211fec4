from __future__ import annotations

import pytest
from amqp_codegen.support.wording import counted, noun_for


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "file", "0 files"),
        (1, "file", "1 file"),
        (2, "file", "2 files"),
        (1_200_000, "octet", "1,200,000 octets"),
        (5, "info", "5 info"),
    ],
)
def test_numbers_with_their_nouns(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text
    assert noun_for(number, noun) == text.partition(" ")[2]
