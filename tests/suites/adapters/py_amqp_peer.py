"""py-amqp's codec as an implementation under test: arguments of methods, content headers and tables.

Its frames are written and read together with sockets. It has no list of methods with their fields, either: the formats
that it wants are made from the schema of the vectors.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from amqp.basic_message import Message
from amqp.exceptions import AMQPError
from amqp.serialization import dumps, loads
from conformance.amqp_0_9_1_rabbitmq.peer import not_supported

from .library import METHODS, Frame, LibraryPeer
from .tables import Neutral

LETTERS = {
    "bit": "b",
    "octet": "o",
    "short": "B",
    "long": "l",
    "longlong": "L",
    "shortstr": "s",
    "longstr": "S",
    "table": "F",
}
# What stands around a payload, which LibraryPeer takes off again.
BEFORE, AFTER = bytes(7), b"\xce"


class PyAmqp:
    NAME = "py-amqp"
    ERRORS: tuple[type[Exception], ...] = (AMQPError,)

    def encode_method(self, channel: int, key: int, values: Mapping[str, Any]) -> bytes:
        arguments = [values[name] for name in self.names(key)]
        return BEFORE + struct.pack(">I", key) + dumps(_format(key), arguments) + AFTER

    def encode_header(self, channel: int, body_size: int, values: Mapping[str, Any]) -> bytes:
        properties = Message(**values)._serialize_properties()
        return BEFORE + struct.pack(">HHQ", Message.CLASS_ID, 0, body_size) + properties + AFTER

    def encode_other(self, channel: int, meaning: str, octets: bytes) -> bytes:
        not_supported("frames without a socket")

    def decode(self, octets: bytes) -> tuple[int, Frame | None]:
        payload = octets[7:-1]
        if octets[0] == 1:
            (key,) = struct.unpack_from(">I", payload)
            values, _ = loads(_format(key), payload, 4)
            names = self.names(key)
            return len(octets), Frame("method", 1, key, dict(zip(names, values, strict=True)))
        message = Message()
        message.inbound_header(payload)
        values = {name: message.properties.get(name) for name in self.property_names()}
        return len(octets), Frame("header", 1, values=values, body_size=message.body_size)

    def encode_table(self, table: dict[str, Any]) -> bytes:
        return dumps("F", [table])

    def decode_table(self, octets: bytes) -> tuple[Mapping[Any, Any], int]:
        (table,), position = loads("F", octets, 0)
        return table, position

    def timestamp(self, seconds: str) -> Any:
        return int(seconds)

    def default(self, key: int) -> Mapping[str, Any]:
        not_supported("defaults")

    def constant(self, name: str) -> Any:
        not_supported(f"the constant {name}")

    def ask(self, kind: str, key: int, name: str) -> Neutral:
        not_supported(f"questions about {kind}")

    def names(self, key: int) -> Sequence[str]:
        return [field["name"] for field in METHODS[key]["fields"]]

    def property_names(self) -> Sequence[str]:
        return [name for name, _ in Message.PROPERTIES]

    def check(self, key: int, values: Mapping[str, Any]) -> None:
        not_supported("asserts")


def _format(key: int) -> str:
    """The letters of a method's arguments; empty for a method that does not exist, which py-amqp does not look at."""
    return "".join(LETTERS[field["type"]] for field in METHODS[key]["fields"])


class PyAmqpPeer(LibraryPeer):
    """Asks py-amqp; it has no frames of its own."""

    def encode(self, kind: str, value: Neutral, options: Mapping[str, Any]) -> bytes:
        return _no_frames(kind) or super().encode(kind, value, options)

    def decode(self, kind: str, octets: bytes, options: Mapping[str, Any]) -> Neutral:
        if kind == "method" and int.from_bytes(octets[:4], "big") not in METHODS and len(octets) >= 4:
            not_supported("methods of which it has no format")
        return _no_frames(kind) or super().decode(kind, octets, options)


def _no_frames(kind: str) -> Any:
    return not_supported("frames without a socket") if kind in ("frame", "message") else None


def make_peer() -> PyAmqpPeer:
    return PyAmqpPeer(PyAmqp())
