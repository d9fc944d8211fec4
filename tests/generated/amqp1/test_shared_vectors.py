"""Octets from other people's test suites: what they mean there is what they mean here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.published_specs.published_files import VECTORS, vectors

from .bare_values import bare, no_known_types
from .packages import amqp
from .values import decoded, identity

types = amqp.types
Array, Described, Symbol = amqp.Array, amqp.Described, types.Symbol

# proton's names for the types.
PROTON: dict[str, Any] = {
    "bool": bool,
    "ubyte": types.UByte,
    "ushort": types.UShort,
    "uint": types.UInt,
    "ulong": types.ULong,
    "byte": types.Byte,
    "short": types.Short,
    "int": types.Int,
    "long": int,
    "string": str,
    "symbol": Symbol,
    "timestamp": types.Timestamp,
    "double": float,
    "binary": bytes.fromhex,
}


def lines(name: str, *kinds: str) -> list[Any]:
    found = vectors(f"amqp10_{name}.jsonl")
    if VECTORS is None:
        return found
    assert {param.values[0]["kind"] for param in found} == KINDS[name]
    return [param for param in found if param.values[0]["kind"] in kinds]


KINDS = {
    "proton_interop": {"file", "value"},
    "specamqp_selected": {
        "decode",
        "decode+encode",
        "encode(narrowest)",
        "reject",
        "frame-decode",
        "frame-reject",
    },
}


def of_proton(form: dict[str, Any]) -> Any:
    """The value that proton's reading of it describes."""
    kind = form["t"]
    if kind == "null":
        return None
    if kind == "list":
        return [of_proton(item) for item in form["items"]]
    if kind == "map":
        return {of_proton(key): of_proton(item) for key, item in form["pairs"]}
    if kind == "described":
        return Described(of_proton(form["descriptor"]), of_proton(form["value"]))
    if kind == "float":
        return types.Float(float(form["v"].removeprefix("float32(").removesuffix(")")))
    if kind != "array":
        return PROTON[kind](form["v"])
    items = [of_proton(item) for item in form["items"]]
    assert len(items) == form["count"]
    if "descriptor" not in form:
        return Array(items, form["element"])
    descriptor = of_proton(form["descriptor"])
    return Array([Described(descriptor, item) for item in items], form["element"], (descriptor,))


@pytest.mark.parametrize("line", lines("proton_interop", "value"))
def test_proton_values(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    value = bare(octets)
    assert identity(value) == identity(of_proton(line["expect"]))
    # Ours is the shorter of the two, and means the same.
    again = amqp.encode(value)
    assert len(again) <= len(octets)
    assert identity(bare(again)) == identity(value)


@pytest.mark.parametrize("line", lines("proton_interop", "file"))
def test_proton_files(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    position = count = 0
    while position < len(octets):
        _, position = amqp.decode(octets, position)
        count += 1
    assert count == line["values"]
    assert line["error"] is None
    if line["file"] == "message.amqp":
        message = amqp.decode_message(octets)
        assert message.body.value == b"\xa1\x05hello"
        assert message.header.priority == 4


def meaning(value: Any) -> Any:
    """A value in the ledger's notation, which names few types."""
    if type(value) is Described:
        return {"descriptor": notation(value.descriptor), **notation(value.value)}
    if type(value) is Array:
        return list(value)
    return value


def notation(value: Any) -> Any:
    if type(value) is Array:
        return {"array": list(value)}
    if type(value) is list:
        return {"list": [notation(item) if type(item) in (str, Array) else item for item in value]}
    return {"symbol" if type(value) is Symbol else "string": value}


def check_meaning(value: Any, octets: bytes, expect: Any) -> None:
    if isinstance(expect, dict) and "ctor" in expect:
        assert type(value) is Array
        expected = expect["array"]
        assert len(value) == expected if isinstance(expected, int) else list(value) == expected
        single = {"40": ("null", None), "41": ("boolean", True), "50": ("ubyte", types.UByte(7))}
        kind, item = single[expect["ctor"]]
        assert value.type == kind
        assert all(identity(one) == identity(item) for one in value)
    elif isinstance(expect, dict) and "described" in expect:
        wanted = json.loads(json.dumps(expect["described"]).replace(', "ctor": "a1"', ""))
        assert meaning(value) == wanted
    elif isinstance(expect, dict) and "map" in expect:
        assert type(value) is dict
        assert list(value.items()) == [tuple(pair) for pair in expect["map"] or []]
    elif isinstance(expect, dict) and set(expect) <= {"list", "string", "uint"}:
        ((kind, plain),) = expect.items()
        assert type(value) is {"list": list, "string": str, "uint": types.UInt}[kind]
        assert value == plain
    else:
        assert value == expect
        kinds = {0x43: types.UInt, 0x44: types.ULong, 0x50: types.UByte}
        assert type(value) is kinds.get(octets[0], type(expect))


@pytest.mark.parametrize("line", lines("specamqp_selected", "decode", "decode+encode", "encode(narrowest)"))
def test_ledger_values(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    value = decoded(octets)
    check_meaning(value, octets, line["expect"])
    if "encode" in line["kind"]:
        assert amqp.encode(value) == octets
    assert identity(decoded(amqp.encode(value))) == identity(value)


@pytest.mark.parametrize("line", lines("specamqp_selected", "reject"))
def test_ledger_values_that_are_refused(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    if line["name"].endswith("-trailing"):
        # A value and an octet: that is not the value's, and the position says so. In a list of one it is too much.
        assert amqp.decode(octets)[1] == len(octets) - 1
        octets = bytes((0xC0, len(octets) + 1, 1)) + octets
    expected = {"truncated": amqp.errors.Truncated, "limit": amqp.errors.LimitExceeded}
    with pytest.raises(expected.get(line["expect"], amqp.DecodeError)) as caught:
        amqp.decode(octets)
    assert 0 <= caught.value.offset <= len(octets)


@pytest.mark.parametrize("line", lines("specamqp_selected", "frame-decode"))
def test_ledger_frames(line: dict[str, Any]) -> None:
    octets, expect = bytes.fromhex(line["hex"]), line["expect"]
    start = 4 * octets[4]
    with no_known_types():  # not all of these performatives have the fields that they should have
        performative, end = amqp.decode(octets, start)
    assert int.from_bytes(octets[:4], "big") == len(octets)
    assert int.from_bytes(octets[6:8], "big") == expect.get("channel", 0)
    if "performative" in expect:
        assert performative.descriptor == expect["performative"]
    assert performative.value == expect.get("fields", performative.value)
    assert octets[end:].hex() == expect.get("payload", "")
    assert octets[4] == expect.get("doff", 2)
    assert octets[5] == expect.get("type", octets[5])


@pytest.mark.parametrize("line", lines("specamqp_selected", "frame-reject"))
def test_ledger_frames_that_are_refused(line: dict[str, Any]) -> None:
    octets = bytes.fromhex(line["hex"])
    if line["expect"] == "truncated":  # more octets may come: nothing is wrong yet
        assert amqp.decode_frames(octets) == ([], 0)
        assert amqp.FrameDecoder().feed(octets) == []
        return
    with pytest.raises(amqp.DecodeError):
        amqp.decode_frames(octets)
    with pytest.raises(amqp.DecodeError):
        amqp.FrameDecoder().feed(octets)
