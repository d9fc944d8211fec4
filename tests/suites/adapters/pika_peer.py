"""pika's codec as an implementation under test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from conformance.amqp_0_9_1_rabbitmq.peer import not_supported
from pika import data, exceptions, frame, spec

from .library import Frame, LibraryPeer
from .tables import Neutral


class Pika:
    NAME = "pika"
    # Besides its own errors, the assertions about arguments that it makes on purpose.
    ERRORS: tuple[type[Exception], ...] = (exceptions.AMQPError, AssertionError)

    def encode_method(self, channel: int, key: int, values: Mapping[str, Any]) -> bytes:
        return frame.Method(channel, spec.methods[key](**values)).marshal()

    def encode_header(self, channel: int, body_size: int, values: Mapping[str, Any]) -> bytes:
        return frame.Header(channel, body_size, spec.BasicProperties(**values)).marshal()

    def encode_other(self, channel: int, meaning: str, octets: bytes) -> bytes:
        if meaning == "heartbeat":
            return frame.Heartbeat().marshal()
        return frame.Body(channel, octets).marshal()

    def decode(self, octets: bytes) -> tuple[int, Frame | None]:
        consumed, found = frame.decode_frame(octets)
        if found is None:
            return consumed, None
        channel = found.channel_number
        if isinstance(found, frame.Header):
            return consumed, Frame(
                "header", channel, values=vars(found.properties), body_size=found.body_size
            )
        if isinstance(found, frame.Body):
            return consumed, Frame("body", channel, octets=found.fragment)
        if isinstance(found, frame.Heartbeat):
            return consumed, Frame("heartbeat", channel)
        return consumed, Frame("method", channel, found.method.INDEX, vars(found.method))

    def encode_table(self, table: dict[str, Any]) -> bytes:
        pieces: list[bytes] = []
        data.encode_table(pieces, table)
        return b"".join(pieces)

    def decode_table(self, octets: bytes) -> tuple[Mapping[Any, Any], int]:
        return data.decode_table(octets, 0)

    def timestamp(self, seconds: str) -> Any:
        return int(seconds)

    def default(self, key: int) -> Mapping[str, Any]:
        return vars(spec.methods[key]())

    def constant(self, name: str) -> Any:
        if name == "amqp.protocol-header":
            return {"hex": frame.ProtocolHeader().marshal().hex()}
        attribute = name.upper().replace("-", "_")
        found = getattr(spec, attribute, None)
        return not_supported(f"the constant {name}") if found is None else found

    def ask(self, kind: str, key: int, name: str) -> Neutral:
        if kind == "synchronous":
            # A property; it looks at nothing.
            return spec.methods[key].synchronous.fget(None)
        return not_supported(f"questions about {kind}")

    def names(self, key: int) -> Sequence[str]:
        return list(signature(spec.methods[key]).parameters)

    def property_names(self) -> Sequence[str]:
        return list(signature(spec.BasicProperties).parameters)

    def check(self, key: int, values: Mapping[str, Any]) -> None:
        not_supported("asserts")


def make_peer() -> LibraryPeer:
    return LibraryPeer(Pika())
