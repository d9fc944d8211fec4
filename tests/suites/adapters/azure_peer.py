"""azure's codec, ``_pyamqp`` of azure-eventhub, as an implementation under test: values of the primitive types.

It writes values with the type that one gives, and reads them as plain Python values: what these do not tell, the
neutral form lacks as well. It has no errors of its own but ValueError for values that do not fit.
"""

from __future__ import annotations

import struct
import uuid
from decimal import Decimal
from typing import Any

from azure.eventhub._pyamqp._decode import _DECODE_BY_CONSTRUCTOR
from azure.eventhub._pyamqp._encode import encode_value
from azure.eventhub._pyamqp.types import TYPE, VALUE, AMQPTypes
from conformance.amqp_1_0.peer import Neutral, Options, Refused, not_supported

COMPOSITES = "types of the specification one by one"


def typed(form: Neutral) -> Any:
    """What it takes for a value."""
    name = form["type"]
    if name == "list":
        return {TYPE: AMQPTypes.list, VALUE: [typed(item) for item in form["items"]]}
    if name == "map":
        return {TYPE: AMQPTypes.map, VALUE: [(typed(key), typed(item)) for key, item in form["entries"]]}
    if name == "array":
        if form.get("descriptors"):
            not_supported("arrays of described values")
        return {TYPE: AMQPTypes.array, VALUE: [typed(item) for item in form["items"]]}
    if name == "described":
        return {TYPE: AMQPTypes.described, VALUE: (typed(form["descriptor"]), typed(form["value"]))}
    if not hasattr(AMQPTypes, name) or name == "decimal128":
        not_supported(f"values of the type {name}")
    return {TYPE: getattr(AMQPTypes, name), VALUE: scalar(name, form["value"])}


def scalar(name: str, value: Neutral) -> Any:
    if name in ("float", "double"):
        return struct.unpack(">f" if name == "float" else ">d", bytes.fromhex(value["hex"]))[0]
    if isinstance(value, dict):
        octets = bytes.fromhex(value["hex"])
        return uuid.UUID(bytes=octets) if name == "uuid" else octets
    return int(value) if name in ("ulong", "long", "timestamp") else value


def neutral(value: Any) -> Neutral:
    """The form of what it has read, without types."""
    if isinstance(value, dict):
        return {"entries": [[neutral(key), neutral(item)] for key, item in value.items()]}
    if isinstance(value, list):
        return {"items": [neutral(item) for item in value]}
    if isinstance(value, Decimal):
        return {"value": str(value)}
    if isinstance(value, float):
        return {"value": {"hex": struct.pack(">d", value).hex()}}
    if isinstance(value, uuid.UUID):
        return {"value": {"hex": value.hex}}
    return {"value": {"hex": bytes(value).hex()} if isinstance(value, (bytes, memoryview)) else value}


class AzurePeer:
    """Asks azure's codec."""

    def encode(self, kind: str, value: Neutral, options: Options) -> bytes:
        if kind != "value":
            not_supported(COMPOSITES)
        output = bytearray()
        try:
            encode_value(output, typed(value))
        except ValueError as error:  # raised on purpose
            raise Refused("range", str(error)) from error
        return bytes(output)

    def decode(self, kind: str, octets: bytes, options: Options) -> Neutral:
        if kind != "value":
            not_supported(COMPOSITES)
        if not octets:
            raise Refused("truncated")
        buffer = memoryview(octets)
        rest, value = _DECODE_BY_CONSTRUCTOR[buffer[0]](buffer[1:])
        if len(rest):
            raise Refused("", f"{len(rest)} octets are left")
        return neutral(value)

    def recode(self, kind: str, octets: bytes, options: Options) -> bytes:
        not_supported("encoding again without loss")

    def ask(self, kind: str, element: str) -> Neutral:
        not_supported("questions about the specification")

    def check(self, kind: str, value: Neutral, options: Options) -> None:
        not_supported("asserts")


def make_peer() -> AzurePeer:
    return AzurePeer()
