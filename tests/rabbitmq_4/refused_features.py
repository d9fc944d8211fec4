"""What RabbitMQ 4.3 refuses: what a client does, what the broker answers, which rule of the audit finds it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import amqp_1_0_rabbitmq as amqp1
from amqp_0_9_1_rabbitmq import methods
from amqp_1_0_rabbitmq.messaging import Source, Target
from amqp_1_0_rabbitmq.performatives import Attach, Role

from tests.broker.client import Address, Client
from tests.patience import PATIENCE

from .example import RECEIVER, SENDER, Connection

# A client that does one thing at a broker, with a queue of this name; an exception tells that it is refused.
Act = Callable[[Address, str], None]


@dataclass(frozen=True)
class RefusedFeature:
    """A feature.

    Attributes:
        act: What a client does; it takes the URL of the broker and the name of a queue that is not there.
        answer: What the broker answers: a regular expression of the exception and its text.
        rule: The rule that finds it.
        is_taken: True if RabbitMQ 4.3 takes it all the same.
    """

    act: Act
    answer: str
    rule: str
    is_taken: bool = False


@contextmanager
def _connected(broker: Address) -> Iterator[Client]:
    client = Client(amqp, broker=broker)
    try:
        yield client
    finally:
        client.socket.close()


def _calls(*sent: Any) -> Act:
    """A client that calls methods one after the other; the queue of each is set."""

    def act(broker: Address, queue: str) -> None:
        with _connected(broker) as client:
            client.handshake(capabilities={}).open_channel()
            for method in sent:
                if hasattr(method, "queue"):
                    method.queue = queue
                client.call(method)
            client.close()

    return act


def _table(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in arguments.items()}


def _declares(**arguments: Any) -> Act:
    return _calls(methods.QueueDeclare(durable=True, arguments=_table(arguments)))


def _consumes(queue_type: str, **arguments: Any) -> Act:
    declare = methods.QueueDeclare(durable=True, arguments={"x-queue-type": queue_type})
    qos = methods.BasicQos(prefetch_count=1)  # consumers of streams need it
    return _calls(declare, qos, methods.BasicConsume(arguments=_table(arguments)))


def _publishes(body: bytes = b"", headers: Mapping[str, Any] | None = None, immediate: bool = False) -> Act:
    def act(broker: Address, queue: str) -> None:
        with _connected(broker) as client:
            client.handshake(capabilities={}).open_channel()
            method = methods.BasicPublish(routing_key=queue, immediate=immediate)
            properties = amqp.BasicProperties(headers=dict(headers or {}))
            client.send_octets(
                amqp.encode_message(1, method, properties, body, max_frame_size=client.frame_max)
            )
            client.call(methods.BasicQos(prefetch_count=1))  # which is answered after a publish
            client.close()

    return act


def _asks_for_small_frames(broker: Address, queue: str) -> None:
    with _connected(broker) as client:
        client.handshake(capabilities={}, frame_max=4096).close()


def _asks_for_0_8(broker: Address, queue: str) -> None:
    with socket.create_connection(broker[:2], PATIENCE) as stream:
        stream.sendall(b"AMQP\1\1\x08\0")
        raise ConnectionRefusedError(stream.recv(8))


def _attaches(address: str) -> Act:
    """A client of 1.0 that attaches a sender; the address has the name of the queue in it."""

    def act(broker: Address, queue: str) -> None:
        with socket.create_connection(broker[:2], PATIENCE) as stream:
            connection = Connection(stream)
            connection.open(urlsplit(f"amqp://{broker.user}:{broker.password}@{broker.host}"))
            target = Target(address.format(queue))
            connection.attach(
                Attach("to", SENDER, Role.SENDER, source=Source(), target=target, initial_delivery_count=0)
            )
            connection.next_frame()

    return act


def _filters(filters: Mapping[str, Any]) -> Act:
    """A client of 1.0 that attaches a receiver with filters to a stream, and looks which of them the broker applies."""

    def act(broker: Address, queue: str) -> None:
        _declares(x_queue_type="stream")(broker, queue)
        with socket.create_connection(broker[:2], PATIENCE) as stream:
            connection = Connection(stream)
            connection.open(urlsplit(f"amqp://{broker.user}:{broker.password}@{broker.host}"))
            source = Source(str(amqp1.QueueAddress(queue)), filter=dict(filters))
            connection.send(Attach("from", RECEIVER, Role.RECEIVER, source=source, target=Target()))
            applied = connection.expect(Attach).source.filter or {}
            if set(map(str, applied)) < set(filters):
                raise LookupError(f"left out: {sorted(filters.keys() - set(map(str, applied)))}")

    return act


_WRONG_TYPE = "406 .*invalid arg '{}' .* of queue type"
REFUSED: Mapping[str, RefusedFeature] = {
    "x-queue-master-locator": RefusedFeature(
        _declares(x_queue_master_locator="min-masters"), "541 .*`queue_master_locator` is deprecated", "queue-master-locator"),
    "x-queue-version 1": RefusedFeature(
        _declares(x_queue_version=1), "406 .*unsupported queue version", "queue-version-1"),
    "x-queue-mode of a quorum queue": RefusedFeature(
        _declares(x_queue_type="quorum", x_queue_mode="lazy"), _WRONG_TYPE.format("x-queue-mode"), "queue-mode"),
    "x-consumer-timeout of a classic queue": RefusedFeature(
        _declares(x_consumer_timeout=1000), _WRONG_TYPE.format("x-consumer-timeout"), "argument-refused"),
    "x-consumer-disconnected-timeout of a stream": RefusedFeature(
        _declares(x_queue_type="stream", x_consumer_disconnected_timeout=1000),
        _WRONG_TYPE.format("x-consumer-disconnected-timeout"), "argument-refused"),
    "x-delayed-retry-type of a classic queue": RefusedFeature(
        _declares(x_delayed_retry_type="all"), _WRONG_TYPE.format("x-delayed-retry-type"), "argument-refused"),
    "x-delayed-retry-min of a stream": RefusedFeature(
        _declares(x_queue_type="stream", x_delayed_retry_min=1),
        _WRONG_TYPE.format("x-delayed-retry-min"), "argument-refused"),
    "x-delayed-retry-max of a classic queue": RefusedFeature(
        _declares(x_delayed_retry_max=1), _WRONG_TYPE.format("x-delayed-retry-max"), "argument-refused"),
    "x-stream-filter-size-bytes of a quorum queue": RefusedFeature(
        _declares(x_queue_type="quorum", x_stream_filter_size_bytes=16),
        _WRONG_TYPE.format("x-stream-filter-size-bytes"), "argument-refused"),
    "x-consumer-timeout of a consumer of a classic queue": RefusedFeature(
        _consumes("classic", x_consumer_timeout=1000), _WRONG_TYPE.format("x-consumer-timeout"), "argument-refused"),
    "x-consumer-timeout of a consumer of a stream": RefusedFeature(
        _consumes("stream", x_consumer_timeout=1000), _WRONG_TYPE.format("x-consumer-timeout"), "argument-refused"),
    "a header CC that is not an array": RefusedFeature(
        _publishes(headers={"CC": "a"}), "406 .*unacceptable_type_in_header", "argument-refused"),
    "frames of less than 8192 octets": RefusedFeature(_asks_for_small_frames, "Disconnected", "frame-max-below-8192"),
    "a message of more than 16 MiB": RefusedFeature(
        _publishes(bytes((16 << 20) + 1)), "406 .*larger than configured max size", "message-above-16-mib"),
    "0-8": RefusedFeature(_asks_for_0_8, "AMQP", "version-refused"),
    "immediate": RefusedFeature(_publishes(immediate=True), "540 .*immediate=true", "immediate-publish"),
    "a prefetch in octets": RefusedFeature(_calls(methods.BasicQos(prefetch_size=1)), "540 .*prefetch_size", "prefetch-size"),
    "basic.recover to the same consumer": RefusedFeature(
        _calls(methods.BasicRecover(requeue=False)), "540 .*requeue=false", "recover-without-requeue"),
    "channel.flow of a client": RefusedFeature(_calls(methods.ChannelFlow(False)), "540 .*active=false", "client-flow"),
    "1.0: /queue/NAME": RefusedFeature(_attaches("/queue/{}"), "amqp_address_v1", "address-of-version-1"),
    "1.0: /amq/queue/NAME": RefusedFeature(_attaches("/amq/queue/{}"), "amqp_address_v1", "address-of-version-1"),
    "1.0: /topic/KEY": RefusedFeature(_attaches("/topic/{}"), "amqp_address_v1", "address-of-version-1"),
    "1.0: /exchange/NAME": RefusedFeature(_attaches("/exchange/amq.direct/{}"), "amqp_address_v1", "address-of-version-1"),
    "1.0: NAME": RefusedFeature(_attaches("{}"), "amqp_address_v1", "address-of-version-1"),
    # Left out of the answer, without an error.
    "1.0: a filter that is not described": RefusedFeature(
        _filters({"rabbitmq:stream-offset-spec": "first"}), "left out: .*stream-offset-spec", "filter-not-described"),
    # Deprecated, and permitted until a configuration denies them.
    "a transient queue": RefusedFeature(_calls(methods.QueueDeclare()), "", "transient-queue", is_taken=True),
    "a prefetch of the whole channel": RefusedFeature(
        _calls(methods.BasicQos(prefetch_count=1, global_=True)), "", "global-qos", is_taken=True),
    "x-queue-mode of a classic queue": RefusedFeature(_declares(x_queue_mode="lazy"), "", "queue-mode", is_taken=True),
    "x-ha-policy": RefusedFeature(_declares(x_ha_policy="all"), "", "mirrored-queue", is_taken=True),
    "x-cancel-on-ha-failover": RefusedFeature(
        _consumes("classic", x_cancel_on_ha_failover=True), "", "cancel-on-ha-failover", is_taken=True),
}  # fmt: skip
