"""Texts and paths of errors can be printed, whatever names came from the peer."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from .packages import RABBITMQ, each_package

# Keys as octets, and how a path has them.
KEYS: dict[str, tuple[bytes, str]] = {
    "not UTF-8": (b"\xc3", "\\udcc3"),
    "a line break": (b"a\nb", "a\\nb"),
    "an escape sequence": (b"\x1b[31m", "\\x1b[31m"),
    "right to left": ("\u202e".encode(), "\\u202e"),
    "fine": ("häß €".encode(), "häß €"),
}


def declare(key: bytes) -> bytes:
    """A queue.declare with an argument whose letter is unknown."""
    entry = bytes((len(key),)) + key + b"Z"
    payload = bytes.fromhex("0032000a0000" + "00" + "00") + len(entry).to_bytes(4, "big") + entry
    return b"\1\0\1" + len(payload).to_bytes(4, "big") + payload + b"\xce"


@each_package
@pytest.mark.parametrize("name", KEYS)
def test_paths(amqp: Any, name: str) -> None:
    key, shown = KEYS[name]
    with pytest.raises(amqp.errors.DecodeError) as caught:
        amqp.FrameDecoder(lossless=True, strict=True).feed(declare(key))
    error = caught.value
    if amqp is RABBITMQ:
        assert error.path == f"queue.declare.arguments.{shown}"
    assert str(error).isprintable()
    assert str(error).encode()
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.path, again.offset) == (str(error), error.path, error.offset)


def test_messages_too() -> None:
    error = RABBITMQ.EncodeError("a\ud800\n", "b\udcff")
    assert (error.message, error.path, str(error)) == ("a\\ud800\\n", "b\\udcff", "b\\udcff: a\\ud800\\n")


@each_package
def test_a_path_leads_to_the_value(amqp: Any) -> None:
    """Through tables, arrays and keys with odd names; as far as the dialect has them."""
    table: Any = {"good": 1, "outer": {"": {"[0]": {"bad": "text"}}}}
    octets = amqp.encode_table(table).replace(b"\x03badS", b"\x03bad?")
    for lossless in (False, True):
        with pytest.raises(amqp.errors.Unknown) as caught:
            amqp.decode_table(octets, lossless=lossless)
        assert caught.value.path == "outer..[0].bad"
        assert caught.value.offset == octets.index(b"?")
    if amqp is RABBITMQ:
        octets = amqp.encode_table({"a": [1, [2, {"b": [None, "text"]}]]}).replace(
            b"VS\0\0\0\4", b"V?\0\0\0\4"
        )
        with pytest.raises(amqp.errors.Unknown) as caught:
            amqp.decode_table(octets)
        assert caught.value.path == "a[1][1].b[1]"
