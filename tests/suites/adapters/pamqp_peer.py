"""pamqp as an implementation under test."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from conformance.amqp_0_9_1_rabbitmq.peer import not_supported
from pamqp import body, commands, constants, decode, encode, exceptions, frame, header, heartbeat

from .library import Frame, LibraryPeer
from .tables import Neutral, moment


class Pamqp:
    NAME = "pamqp"
    # Its documentation names these for values that do not fit, and the first for octets that do not.
    ERRORS: tuple[type[Exception], ...] = (exceptions.PAMQPException, ValueError, TypeError)

    def encode_method(self, channel: int, key: int, values: Mapping[str, Any]) -> bytes:
        return frame.marshal(_quiet(commands.INDEX_MAPPING[key], **values), channel)

    def encode_header(self, channel: int, body_size: int, values: Mapping[str, Any]) -> bytes:
        properties = commands.Basic.Properties(**values)
        return frame.marshal(header.ContentHeader(0, body_size, properties), channel)

    def encode_other(self, channel: int, meaning: str, octets: bytes) -> bytes:
        made = heartbeat.Heartbeat() if meaning == "heartbeat" else body.ContentBody(octets)
        return frame.marshal(made, channel)

    def decode(self, octets: bytes) -> tuple[int, Frame | None]:
        consumed, channel, found = _quiet(frame.unmarshal, octets)
        if isinstance(found, header.ContentHeader):
            values = {name: getattr(found.properties, name) for name in commands.Basic.Properties.__slots__}
            values["cluster_id"] = values["cluster_id"] or None  # empty where it is absent
            return consumed, Frame("header", channel, values=values, body_size=found.body_size)
        if isinstance(found, body.ContentBody):
            return consumed, Frame("body", channel, octets=found.value)
        if isinstance(found, heartbeat.Heartbeat):
            return consumed, Frame("heartbeat", channel)
        return consumed, Frame("method", channel, found.index, dict(found))

    def encode_table(self, table: dict[str, Any]) -> bytes:
        return encode.field_table(table)

    def decode_table(self, octets: bytes) -> tuple[Mapping[Any, Any], int]:
        position, table = decode.field_table(octets)
        return table, position

    def timestamp(self, seconds: str) -> Any:
        return moment(seconds)

    def default(self, key: int) -> Mapping[str, Any]:
        return dict(_quiet(commands.INDEX_MAPPING[key]))

    def constant(self, name: str) -> Any:
        if name == "amqp.protocol-header":
            return {"hex": header.ProtocolHeader().marshal().hex()}
        if name == "amqp.port":
            return constants.DEFAULT_PORT
        attribute = name.upper().replace("-", "_")
        if hasattr(constants, attribute):
            return getattr(constants, attribute)
        return self._error(name).value

    def _error(self, name: str) -> Any:
        errors = [value for value in exceptions.CLASS_MAPPING.values() if value.name.lower() == name]
        return errors[0] if errors else not_supported(f"the constant {name}")

    def ask(self, kind: str, key: int, name: str) -> Neutral:
        if kind == "closes":
            return "channel" if issubclass(self._error(name), exceptions.AMQPSoftError) else "connection"
        method = commands.INDEX_MAPPING[key]
        if kind == "reply":
            return sorted(_dotted(reply) for reply in method.valid_responses)
        return method.synchronous if kind == "synchronous" else not_supported(f"questions about {kind}")

    def names(self, key: int) -> Sequence[str]:
        return commands.INDEX_MAPPING[key].__slots__

    def property_names(self) -> Sequence[str]:
        return commands.Basic.Properties.__slots__

    def check(self, key: int, values: Mapping[str, Any]) -> None:
        _quiet(commands.INDEX_MAPPING[key], **values)


def _dotted(name: str) -> str:
    """``Queue.DeclareOk`` as ``queue.declare-ok``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _quiet(function: Any, *arguments: Any, **values: Any) -> Any:
    """It warns of basic.recover-async whenever it makes one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return function(*arguments, **values)


def make_peer() -> LibraryPeer:
    return LibraryPeer(Pamqp())
