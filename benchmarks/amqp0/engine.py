"""Compares publishing and delivering through the connection engine with the codec alone, in C and in Python."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..harness import NATIVE, PURE, Workload, own_packages
from . import messages as data

FAMILY = "Connection engine of AMQP 0-9-1"
ENGINE = {NATIVE: "engine native", PURE: "engine pure"}
CODEC = {NATIVE: "codec native", PURE: "codec pure"}
OURS = (ENGINE[NATIVE], ENGINE[PURE])
# An engine may take 1.5 times as long as the codec alone in Python, and 3 times with the core in C.
WANTED = {
    ENGINE[NATIVE]: {CODEC[NATIVE]: 1 / 3},
    ENGINE[PURE]: {CODEC[PURE]: 1 / 1.5},
}
_MESSAGES = 500
_PIECE = 65536


def workloads() -> list[Workload]:
    """Both of them."""
    publish: dict[str, Callable[[], object]] = {}
    deliver: dict[str, Callable[[], object]] = {}
    for name, amqp in own_packages("amqp_0_9_1_rabbitmq").items():
        publish |= {ENGINE[name]: _publish_by_engine(amqp), CODEC[name]: _publish_by_codec(amqp)}
        deliver |= {ENGINE[name]: _deliver_by_engine(amqp), CODEC[name]: _deliver_by_codec(amqp)}
    return [
        Workload(FAMILY, "publish with confirms", _MESSAGES, publish, WANTED),
        Workload(FAMILY, "deliver", _MESSAGES, deliver, WANTED),
    ]


def opened(amqp: Any) -> Any:
    """A client whose peer says what opens a connection, and channel 1 in the mode confirm with a consumer."""
    engine, methods = import_module(f"{amqp.__name__}.client.connection"), amqp.methods
    client = engine.Connection(engine.ClientSettings(login=engine.PlainLogin("guest", "guest")))
    client.start(0.0)
    answers = (
        methods.ConnectionStart(0, 9, {}, b"PLAIN", b"en_US"),
        methods.ConnectionTune(2047, 131072, 0),
        methods.ConnectionOpenOk(),
    )
    client.receive_data(b"".join(amqp.encode_frame(0, method) for method in answers), 0.0)
    assert isinstance(client.next_event(), engine.Opened)
    client.open_channel()
    client.receive_data(amqp.encode_frame(1, methods.ChannelOpenOk()), 0.0)
    assert isinstance(client.next_event(), engine.ChannelOpened)
    client.send(1, methods.ConfirmSelect(no_wait=True))
    client.send(1, methods.BasicConsume("queue", "consumer", no_ack=True, no_wait=True))
    client.data_to_send()
    return client


def _properties(amqp: Any) -> Any:
    return amqp.BasicProperties(content_type="text/plain", delivery_mode=2)


def _publish_by_codec(amqp: Any) -> Callable[[], object]:
    method, properties = amqp.methods.BasicPublish("exchange", "key"), _properties(amqp)

    def work() -> bytes:
        out = bytearray()
        for _ in range(_MESSAGES):
            out += amqp.encode_message(1, method, properties, data.BODY, max_frame_size=131072)
        return bytes(out)

    return work


def _publish_by_engine(amqp: Any) -> Callable[[], object]:
    client, method, properties = opened(amqp), amqp.methods.BasicPublish("exchange", "key"), _properties(amqp)
    confirm = amqp.encode_frame(1, amqp.methods.BasicAck(0, multiple=True))

    def work() -> bytes:
        for _ in range(_MESSAGES):
            client.publish(1, method, properties, data.BODY)
        octets: bytes = client.data_to_send()
        client.receive_data(confirm, 0.0)
        assert len(client.next_event().numbers) == _MESSAGES
        return octets

    return work


def _stream(amqp: Any) -> bytes:
    method, properties = amqp.methods.BasicDeliver("consumer", 1, False, "exchange", "key"), _properties(amqp)
    return b"".join(amqp.encode_message(1, method, properties, data.BODY) for _ in range(_MESSAGES))


def _deliver_by_codec(amqp: Any) -> Callable[[], object]:
    stream = _stream(amqp)

    def work() -> int:
        decoder, assembler = amqp.FrameDecoder(max_frame_size=131072), amqp.ContentAssembler()
        count = 0
        for start in range(0, len(stream), _PIECE):
            for channel, frame in decoder.feed(stream[start : start + _PIECE]):
                count += assembler.add(channel, frame) is not None
        assert count == _MESSAGES
        return count

    return work


def _deliver_by_engine(amqp: Any) -> Callable[[], object]:
    client, stream = opened(amqp), _stream(amqp)

    def work() -> int:
        count = 0
        for start in range(0, len(stream), _PIECE):
            client.receive_data(stream[start : start + _PIECE], 0.0)
            while client.next_event() is not None:
                count += 1
        assert count == _MESSAGES
        return count

    return work
