"""The Kaitai Struct example: Kaitai's own compiler takes it, and its parser reads frames as our codec does."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.generated.amqp0.letters import KINDS
from tests.generated.amqp0.packages import DIALECTS, PACKAGES, RABBITMQ, methods_of, properties_of
from tests.generated.amqp0.values import greatest_values, least_values, typical_values
from tests.npm import node
from tests.patience import PATIENCE
from tests.traffic.synth.made_captures import make
from tests.traffic.synth.test_against_core import streams_of

from .made_files import made

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
SPECS = {
    "amqp_0_8": "0-8",
    "amqp_0_8_rabbitmq": "0-8-rabbitmq",
    "amqp_0_9": "0-9",
    "amqp_0_9_1": "0-9-1",
    "amqp_0_9_1_rabbitmq": "0-9-1-rabbitmq",
}
AMQP_URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
# Beyond this JavaScript has neighbours only, and Kaitai's runtime for it is off by up to 2**32.
EXACT = 2**53


def ksy(package: str) -> str:
    [text] = made("kaitai", SPECS[package]).values()
    return text


def ask(package: str, streams: list[bytes]) -> list[Any]:
    """What Kaitai's parser reads in streams."""
    request = {"ksy": ksy(package), "streams": [octets.hex() for octets in streams]}
    [answer] = node(HERE / "kaitai.js", HERE / "package.json", [request])
    assert "error" not in answer, answer["error"]
    return answer["streams"]


# --- What our codec reads, in Kaitai's words -------------------------------------------------------


class Words:
    """Values of a package as the parser has them."""

    def __init__(self, amqp: Any) -> None:
        self.amqp = amqp
        self.kinds = KINDS[DIALECTS[amqp.__name__]]

    def frame(self, channel: int, frame: Any, octets: bytes) -> dict[str, Any]:
        size = int.from_bytes(octets[3:7], "big")
        assert (channel, len(octets)) == (int.from_bytes(octets[1:3], "big"), size + 8)
        amqp = self.amqp
        if isinstance(frame, amqp.ContentHeader):
            payload = self.header(frame, octets)
        elif isinstance(frame, amqp.ContentBody):
            payload = {"hex": bytes(frame.payload).hex()}
        elif isinstance(frame, amqp.Heartbeat):
            payload = {"hex": ""}
        else:
            payload = {
                "classId": frame.CLASS_ID,
                "methodId": frame.METHOD_ID,
                "arguments": self.fields(frame),
            }
        end = {"hex": "ce"}
        return {"type": octets[0], "channel": channel, "size": size, "payload": payload, "end": end}

    def header(self, header: Any, octets: bytes) -> dict[str, Any]:
        flags, position = [], 19
        while not flags or flags[-1] & 1:
            flags.append(int.from_bytes(octets[position : position + 2], "big"))
            position += 2
        known = {
            camel(field.name): (
                bool(getattr(header.properties, field.name))
                if field.type == "bit"
                else self.field(field.type, getattr(header.properties, field.name))
            )
            for field in header.properties.FIELDS
        }
        properties = {name: value for name, value in known.items() if value is not None}
        sizes = {"classId": header.class_id, "weight": 0, "bodySize": number(header.body_size)}
        return {**sizes, "flags": flags, "properties": properties}

    def fields(self, method: Any) -> dict[str, Any]:
        zeros: dict[str, Any] = {"bit": False, "shortstr": "", "longstr": b"", "table": []}
        return {
            camel(field.name): self.field(
                field.type, zeros.get(field.type, 0) if field.reserved else getattr(method, field.name)
            )
            for field in method.FIELDS
        }

    def field(self, kind: str, value: Any) -> Any:
        if value is None:
            return None
        if kind == "content":
            return {"discriminator": value.kind, "data": longstr(value.data)}
        if kind == "table":
            return self.table(value)
        return scalar(kind, value)

    def table(self, table: Any) -> Any:
        entries = table if isinstance(table, list) else table.entries
        found = [{"key": shortstr(entry.key.decode()), "value": self.value(entry.value)} for entry in entries]
        return {"body": {"entries": found}}

    def value(self, tagged: Any) -> dict[str, Any]:
        kind, value = self.kinds[tagged.letter], tagged.value
        content: Any
        if kind == "void":
            content = {}
        elif kind == "table":
            content = self.table(value)
        elif kind == "array":
            content = {"body": {"values": [self.value(item) for item in value]}}
        elif kind in ("decimal", "decimal-unsigned"):
            scale = -int(value.as_tuple().exponent)
            content = {"scale": scale, "value": int(value.scaleb(scale))}
        else:
            content = scalar(kind, value)
        return {"letter": tagged.letter, "content": content}


def scalar(kind: str, value: Any) -> Any:
    if kind == "shortstr":
        return shortstr(value)
    if kind in ("longstr", "bytes"):
        return longstr(value)
    if kind in ("bit", "boolean"):
        return bool(value) if kind == "bit" else int(value)
    return number(value)


def shortstr(text: str) -> dict[str, Any]:
    return {"size": len(text.encode()), "text": text}


def longstr(value: str | bytes) -> dict[str, Any]:
    octets = value.encode() if isinstance(value, str) else bytes(value)
    return {"size": len(octets), "octets": {"hex": octets.hex()}}


def number(value: float) -> Any:
    if value in (float("inf"), float("-inf")):
        return {"number": "Infinity" if value > 0 else "-Infinity"}
    return f"{value:.6e}" if abs(value) > EXACT else value


def camel(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(other.capitalize() for other in others)


def without_sizes(read: Any) -> Any:
    """What Kaitai read, but for the sizes of tables and arrays, which hold it to what is in them."""
    if isinstance(read, list):
        return [without_sizes(item) for item in read]
    if not isinstance(read, dict):
        return number(read) if isinstance(read, (int, float)) and not isinstance(read, bool) else read
    return {key: without_sizes(value) for key, value in read.items() if key != "size" or "body" not in read}


def expected(amqp: Any, stream: bytes) -> dict[str, Any]:
    """What our codec reads in a stream, in Kaitai's words."""
    header = stream[:8] if stream.startswith(b"AMQP") else b""
    words, frames, position = Words(amqp), [], len(header)
    while position < len(stream):
        start = position
        [(channel, frame)], position = amqp.decode_frames(
            stream[start : start + 8 + int.from_bytes(stream[start + 3 : start + 7], "big")], lossless=True
        )
        position += start
        frames.append(words.frame(channel, frame, stream[start:position]))
    known: dict[str, Any] = {"frames": frames, "beginsWithHeader": bool(header)}
    if header:
        known["protocolHeader"] = {"magic": {"hex": b"AMQP".hex()}, "version": {"hex": header[4:].hex()}}
    return known


def check(package: str, streams: list[bytes]) -> None:
    amqp = PACKAGES[package]
    for stream, read in zip(streams, ask(package, streams), strict=True):
        assert "error" not in read, read["error"]
        read.pop("firstOctet")
        found, wanted = without_sizes(read), expected(amqp, stream)
        for one, other in zip(found["frames"], wanted["frames"], strict=True):
            assert one == other
        assert found == wanted


@pytest.mark.parametrize("package", SPECS)
def test_every_method_and_property(package: str) -> None:
    """With the least, everyday and the greatest values of all fields."""
    amqp = PACKAGES[package]
    streams = []
    for values in (least_values, typical_values, greatest_values):
        octets = amqp.PROTOCOL_HEADER
        for cls in methods_of(amqp):
            octets += amqp.encode_frame(1, cls(**values(amqp, cls)))
        for cls in amqp.content.PROPERTIES.values():
            header = amqp.ContentHeader(cls(**values(amqp, cls)), 2**40)
            octets += amqp.encode_frame(65535, header)
        streams.append(octets)
    assert len(streams[0]) > 8 * len(methods_of(amqp) + properties_of(amqp))
    check(package, streams)


def test_single_properties_messages_and_heartbeats() -> None:
    amqp = RABBITMQ
    properties = amqp.content.BasicProperties
    typical = typical_values(amqp, properties)
    octets = b"".join(
        amqp.encode_frame(2, amqp.ContentHeader(properties(**{name: value}), 0))
        for name, value in typical.items()
    )
    publish = amqp.methods.BasicPublish(routing_key="q", mandatory=True)
    octets += amqp.encode_frame(0, amqp.Heartbeat())
    octets += amqp.encode_message(
        3, publish, properties(**typical), bytes(range(256)) * 40, max_frame_size=4096
    )
    check("amqp_0_9_1_rabbitmq", [octets, b"", amqp.PROTOCOL_HEADER])


@pytest.mark.parametrize(
    ("package", "kind"), [("amqp_0_9_1_rabbitmq", "0-9-1-rabbitmq"), ("amqp_0_8", "0-8"), ("amqp_0_9", "0-9")]
)
def test_a_captured_stream(package: str, kind: str) -> None:
    """Whole connections out of a capture, as the packets in it are put together."""
    capture = make(seed=7, size=150_000, connections=3, mix={kind: 1})
    streams = [b"".join(octets for _, octets in pieces) for pieces in streams_of(capture).values()]
    assert len(streams) == 6
    assert sum(map(len, streams)) > 50_000
    check(package, streams)


def test_what_is_damaged_is_refused() -> None:
    """By Kaitai, too: a frame whose end is another octet, a letter that no table has."""
    frame = RABBITMQ.encode_frame(1, RABBITMQ.methods.QueueDeclare(arguments={"a": 1}))
    streams = [frame[:-1] + b"\0", frame.replace(b"\1aI", b"\1a?"), frame[:-2]]
    assert all("error" in read for read in ask("amqp_0_9_1_rabbitmq", streams))


@pytest.mark.broker
def test_what_a_broker_sends() -> None:
    """The octets of a real connection, as both sides sent them."""
    amqp, parts = RABBITMQ, urlsplit(AMQP_URL)
    methods, decoder = amqp.methods, amqp.FrameDecoder()
    sent, received = amqp.PROTOCOL_HEADER, b""
    login = f"\0{unquote(parts.username or 'guest')}\0{unquote(parts.password or 'guest')}".encode()
    client = {"product": "test", "capabilities": {"basic.nack": True}, "number": 5}
    answers = {
        "connection.start": [methods.ConnectionStartOk(client, "PLAIN", login, "en_US")],
        "connection.tune": [
            methods.ConnectionTuneOk(10, 8192, 0),
            methods.ConnectionOpen(unquote(parts.path[1:]) or "/"),
        ],
        "connection.open-ok": [methods.ChannelOpen()],
        "channel.open-ok": [methods.QueueDeclare(exclusive=True, arguments={"x-expires": 60_000})],
        "queue.declare-ok": [methods.ConnectionClose(200, "bye")],
    }
    channels = {"channel.open": 1, "queue.declare": 1}
    with socket.create_connection(
        (parts.hostname or "localhost", parts.port or 5672), timeout=PATIENCE
    ) as stream:
        stream.sendall(sent)
        while methods.ConnectionCloseOk().encode() not in received:
            data = stream.recv(65536)
            assert data, "the broker has closed the connection"
            received += data
            for _, frame in decoder.feed(data):
                for answer in answers.get(getattr(frame, "NAME", ""), []):
                    octets = amqp.encode_frame(channels.get(answer.NAME, 0), answer)
                    stream.sendall(octets)
                    sent += octets
    assert amqp.decode_frames(received)[0][-1][1] == methods.ConnectionCloseOk()
    check("amqp_0_9_1_rabbitmq", [sent, received])
