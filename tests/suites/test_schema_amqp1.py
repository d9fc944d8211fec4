"""The schema of the vectors of 1.0 knows the form of every value, and refuses any other."""

from __future__ import annotations

from typing import Any

import pytest

from .test_schema import VALIDATORS, small_document

SUITE = "amqp_1_0"
UINT = {"type": "uint", "value": 5}
OPEN = {"type": "open", "fields": {"container-id": {"type": "string", "value": "c"}}}

RIGHT: dict[str, Any] = {
    "number": UINT,
    "wide number": {"type": "ulong", "value": "18446744073709551615"},
    "octets": {"type": "float", "value": {"hex": "3fc00000"}},
    "map": {"type": "map", "entries": [[UINT, UINT]]},
    "array": {"type": "array", "of": "uint", "items": [UINT]},
    "described": {"type": "described", "descriptor": UINT, "value": OPEN},
    "composite": OPEN,
    "several values": {"type": "coordinator", "fields": {"capabilities": [{"type": "symbol", "value": "s"}]}},
    "section": {"type": "data", "value": {"type": "binary", "value": {"hex": ""}}},
    "frame": {"type": "amqp", "channel": 0, "performative": OPEN, "payload": {"hex": ""}},
    "empty frame": {"type": "amqp", "channel": 0, "performative": None, "payload": {"hex": ""}},
    "message": {"sections": [OPEN]},
}
WRONG: dict[str, Any] = {
    "a number as text": {"type": "uint", "value": "5"},
    "a wide number as a number": {"type": "ulong", "value": 5},
    "a truth as a number": {"type": "boolean", "value": 1},
    "a null with a value": {"type": "null", "value": 0},
    "octets as text": {"type": "binary", "value": "00"},
    "a floating point number as a number": {"type": "double", "value": 1.5},
    "no value": {"type": "uint"},
    "no type": {"value": 5},
    "a type of nobody": {"type": "quint", "value": 5},
    "more than a value": {"type": "uint", "value": 5, "note": ""},
    "a list of plain numbers": {"type": "list", "items": [5]},
    "a key without a value": {"type": "map", "entries": [[UINT]]},
    "an array of no type": {"type": "array", "items": []},
    "an array of composites by name": {"type": "array", "of": "open", "items": []},
    "a field without a type": {"type": "open", "fields": {"container-id": "c"}},
    "a field with no values": {"type": "coordinator", "fields": {"capabilities": []}},
    "a composite without fields": {"type": "open"},
    "a frame of a third type": {"type": "tls", "channel": 0, "performative": None, "payload": {"hex": ""}},
    "a message without sections": {"sections": []},
}


def is_valid(value: Any) -> bool:
    case = {
        "id": "a/b",
        "element": "a",
        "kind": "value",
        "way": "encode",
        "input": value,
        "verdict": "reject",
        "error": "range",
    }
    return VALIDATORS[SUITE].is_valid(small_document(SUITE, [case]))


@pytest.mark.parametrize("what", RIGHT)
def test_right(what: str) -> None:
    assert is_valid(RIGHT[what])


@pytest.mark.parametrize("what", WRONG)
def test_wrong(what: str) -> None:
    assert not is_valid(WRONG[what])
