"""A library of 0-9-1 frames as a ``Peer``: what pamqp, pika and py-amqp have in common.

The names and types of fields come from the schema of the vectors; every value, and the order of fields, comes from the
library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from conformance.amqp_0_9_1_rabbitmq.cases import SCHEMA
from conformance.amqp_0_9_1_rabbitmq.peer import Refused, not_supported

from .tables import Neutral, neutral_table, plain_table, text_or_octets

METHODS = {method["class-id"] << 16 | method["method-id"]: method for method in SCHEMA["methods"]}
KEYS = {method["name"]: key for key, method in METHODS.items()}
PROPERTIES = next(class_["properties"] for class_ in SCHEMA["classes"] if class_["name"] == "basic")


class Frame(NamedTuple):
    """A decoded frame: its type, its channel, and what is in it."""

    type: str
    channel: int
    key: int = 0  # of a method
    values: Mapping[str, Any] = {}  # by their names
    body_size: int = 0
    octets: bytes = b""


class Library(Protocol):
    """What an adapter has to know about its library."""

    NAME: str
    # What it raises on purpose; anything else is a fault of its own.
    ERRORS: tuple[type[Exception], ...]

    def encode_method(self, channel: int, key: int, values: Mapping[str, Any]) -> bytes: ...
    def encode_header(self, channel: int, body_size: int, values: Mapping[str, Any]) -> bytes: ...
    def encode_other(self, channel: int, meaning: str, octets: bytes) -> bytes: ...
    def decode(self, octets: bytes) -> tuple[int, Frame | None]: ...
    def encode_table(self, table: dict[str, Any]) -> bytes: ...
    def decode_table(self, octets: bytes) -> tuple[Mapping[Any, Any], int]: ...
    def timestamp(self, seconds: str) -> Any: ...
    def default(self, key: int) -> Mapping[str, Any]: ...
    def constant(self, name: str) -> int: ...
    def ask(self, kind: str, key: int, name: str) -> Neutral: ...
    def names(self, key: int) -> Sequence[str]: ...
    def property_names(self) -> Sequence[str]: ...
    def check(self, key: int, values: Mapping[str, Any]) -> None: ...


class LibraryPeer:
    """Translates between neutral values and a library."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def encode(self, kind: str, value: Neutral, options: Mapping[str, Any]) -> bytes:
        if kind == "table":
            not_supported("letters of one's own choice in tables")
        try:
            return self._encode(kind, value, options)
        except self.library.ERRORS as error:
            raise Refused("", f"{type(error).__name__}: {error}") from error

    def _encode(self, kind: str, value: Neutral, options: Mapping[str, Any]) -> bytes:
        if kind == "plain-table":
            only_rabbitmq(options)
            return self.library.encode_table(plain_table(value["entries"]))
        if kind == "message":
            return self._encode_message(value, options)
        if kind == "frame":
            return self._encode_frame(value["type"], value["channel"], value["payload"])
        return self._encode_frame(kind, 1, value)[7:-1]

    def _encode_frame(self, meaning: str, channel: int, payload: Neutral) -> bytes:
        if meaning == "method":
            values = self._arguments(payload["method"], payload["fields"])
            return self.library.encode_method(channel, KEYS[payload["method"]], values)
        if meaning == "header":
            declared = [field["name"] for field in PROPERTIES]
            names = dict(zip(declared, self.library.property_names(), strict=True))
            values = {names[field["name"]]: self._field(field) for field in payload["properties"]}
            return self.library.encode_header(channel, int(payload["body-size"]), values)
        return self.library.encode_other(channel, meaning, bytes.fromhex(payload["hex"]))

    def _encode_message(self, value: Neutral, options: Mapping[str, Any]) -> bytes:
        body, room = bytes.fromhex(value["body"]["hex"]), options["max-frame-size"] - 8
        parts = [
            self._encode_frame("method", value["channel"], value["method"]),
            self._encode_frame("header", value["channel"], value["header"]),
        ]
        for start in range(0, len(body), room):
            parts.append(self.library.encode_other(value["channel"], "body", body[start : start + room]))
        return b"".join(parts)

    def decode(self, kind: str, octets: bytes, options: Mapping[str, Any]) -> Neutral:
        only_rabbitmq(options)
        if "max-frame-size" in options and kind == "frame":
            not_supported("a limit on the size of frames")
        try:
            return self._decode(kind, octets)
        except self.library.ERRORS as error:
            raise Refused("", f"{type(error).__name__}: {error}") from error

    def _decode(self, kind: str, octets: bytes) -> Neutral:
        if kind == "table":
            table, position = self.library.decode_table(octets)
            return {"entries": neutral_table(table)} if position == len(octets) else _too_few()
        if kind == "message":
            return self._decode_message(octets)
        if kind == "frame":
            frame = self._one_frame(octets)
            return {"type": frame.type, "channel": frame.channel, "payload": self._payload(frame)}
        number = {"method": 1, "header": 2}[kind]
        head = bytes((number, 0, 1)) + len(octets).to_bytes(4, "big")
        return self._payload(self._one_frame(head + octets + b"\xce"))

    def _one_frame(self, octets: bytes) -> Frame:
        consumed, frame = self.library.decode(octets)
        return frame if frame is not None and consumed == len(octets) else _too_few()

    def _decode_message(self, octets: bytes) -> Neutral:
        frames = []
        while octets:
            consumed, frame = self.library.decode(octets)
            frames.append(frame or _too_few())
            octets = octets[consumed:]
        if len(frames) < 2 or sum(len(frame.octets) for frame in frames[2:]) < frames[1].body_size:
            _too_few()
        return {
            "channel": frames[0].channel,
            "method": self._payload(frames[0]),
            "header": self._payload(frames[1]),
            "body": {"hex": b"".join(frame.octets for frame in frames[2:]).hex()},
        }

    def _payload(self, frame: Frame) -> Neutral:
        if frame.type == "method":
            return self._neutral_method(frame.key, frame.values)
        if frame.type != "header":
            return {"hex": frame.octets.hex()}
        properties = [
            _neutral(field, frame.values[name])
            for field, name in zip(PROPERTIES, self.library.property_names(), strict=True)
            if frame.values[name] is not None
        ]
        return {"class": "basic", "class-id": 60, "body-size": str(frame.body_size), "properties": properties}

    def _neutral_method(self, key: int, values: Mapping[str, Any]) -> Neutral:
        method = METHODS[key]
        names = self.library.names(key)
        fields = [_neutral(field, values[name]) for field, name in zip(method["fields"], names, strict=True)]
        ids = {name: method[name] for name in ("class-id", "method-id")}
        return {"method": method["name"], **ids, "fields": fields}

    def recode(self, kind: str, octets: bytes, options: Mapping[str, Any]) -> bytes:
        not_supported("encoding again without loss")

    def ask(self, kind: str, element: str) -> Neutral:
        if kind == "constant":
            return self.library.constant(element)
        if kind == "default":
            key = KEYS[element]
            return self._neutral_method(key, self.library.default(key))
        return self.library.ask(kind, KEYS.get(element, 0), element)

    def check(self, kind: str, value: Neutral, options: Mapping[str, Any]) -> None:
        if kind != "assert":
            not_supported("grammars")
        if options["profile"] != "spec" or value["earlier"]:
            not_supported("profiles, and asserts that look at earlier methods")
        method = value["method"]
        try:
            self.library.check(KEYS[method["method"]], self._arguments(method["method"], method["fields"]))
        except self.library.ERRORS as error:
            raise Refused("assert", str(error)) from error

    def _arguments(self, method: str, fields: list[Neutral]) -> dict[str, Any]:
        names = self.library.names(KEYS[method])
        return {name: self._field(field) for name, field in zip(names, fields, strict=True)}

    def _field(self, field: Neutral) -> Any:
        kind, value = field["type"], field["value"]
        if kind == "table" and value:
            not_supported("letters of one's own choice in tables")
        if kind == "table":
            return {}
        if kind == "timestamp":
            return self.library.timestamp(value)
        if kind == "longlong":
            return int(value)
        return text_or_octets(value) if kind == "longstr" else value


def only_rabbitmq(options: Mapping[str, Any]) -> None:
    if options.get("dialect", "rabbitmq") != "rabbitmq":
        not_supported("dialects other than RabbitMQ's")


def _too_few() -> Any:
    raise Refused("truncated")


def _neutral(field: Neutral, value: Any) -> Neutral:
    """A declared field with its value."""
    return {**field, "value": _neutral_field(field["type"], value)}


def _neutral_field(kind: str, value: Any) -> Neutral:
    if kind in ("longlong", "timestamp") and value is not None:
        return str(int(value.timestamp()) if hasattr(value, "timestamp") else value)
    if kind == "longstr" and value is not None:
        return {"hex": (value.encode() if isinstance(value, str) else bytes(value)).hex()}
    if kind == "table":
        return neutral_table(value or {})  # None is written as an empty one
    return value
