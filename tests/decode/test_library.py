"""``decode`` and ``view`` of the library."""

from __future__ import annotations

import pytest
from amqp_codegen import api

FRAME = bytes.fromhex("01 00 01 00 00 00 05 00 14 00 0a 00 ce")


def lines_of(reading: api.Reading) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in api.view(reading))


def test_a_kind_that_the_version_does_not_have() -> None:
    with pytest.raises(ValueError, match=r"^AMQP 1\.0 has no table; it has frames, message, value$"):
        api.decode(FRAME, api.load("1.0"), "table")


def test_what_is_hidden_keeps_its_name_and_loses_octets_and_value() -> None:
    reading = api.decode(FRAME, api.load("0-9-1"))
    (method,) = (part for part in reading.parts[0].children if part.type == "method")
    text = lines_of(reading.without([method]))
    assert "channel.open" in text and "5 octets, not shown" in text
    assert "14 00 0a" not in text
    assert "14 00 0a" in lines_of(reading)
