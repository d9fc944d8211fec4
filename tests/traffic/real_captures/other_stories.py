"""What other clients do than pika: py-amqp, our own of 0-8, some that vanish, and some that speak no AMQP."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Callable
from struct import pack
from typing import Any

import amqp as py_amqp
import amqp_0_8
import amqp_0_9_1_rabbitmq

from tests.broker.client import Client, Disconnected, address
from tests.patience import PATIENCE

HTTP_REQUEST = b"GET /api/overview HTTP/1.1\r\nHost: broker.example:5672\r\n\r\n"
VANISHED_BODY = 1000
TLS_NAME = "broker.example"


def port_of(connection: socket.socket) -> int:
    """The client's port."""
    return int(connection.getsockname()[1])


# --- py-amqp ---


def of_py_amqp() -> int:
    """Confirmed, returned, got, consumed; then the channel is closed by the broker (404)."""
    where = address()
    connection = py_amqp.Connection(
        f"{where.host}:{where.port}",
        where.user,
        where.password,
        login_method="AMQPLAIN",
        confirm_publish=True,
    )
    connection.connect()
    port = port_of(connection.sock)
    with connection:
        channel = connection.channel()
        queue = channel.queue_declare("", exclusive=True).queue
        for number in range(4):
            headers = {"application_headers": {"n": number, "t": {"deep": [1.5, None]}}}
            channel.basic_publish(py_amqp.Message(b"%d" % number, **headers), "", queue)
        message = channel.basic_get(queue)
        channel.basic_ack(message.delivery_tag)
        got: list[Any] = []
        channel.basic_consume(queue, callback=got.append)
        while len(got) < 3:
            connection.drain_events(timeout=PATIENCE)
        channel.basic_reject(got[0].delivery_tag, requeue=False)
        channel.basic_ack(got[2].delivery_tag, multiple=True)
        with contextlib.suppress(py_amqp.exceptions.NotFound):
            channel.queue_bind(queue, "no such exchange")
    return port


# --- 0-8 ---


def of_0_8() -> int:
    """Published, returned, consumed, got; all in AMQP 0-8."""
    client = Client(amqp_0_8).handshake(frame_max=4096).open_channel()
    port, methods = port_of(client.socket), client.amqp.methods
    queue = client.declare()
    properties = client.amqp.BasicProperties(content_type="text/plain", headers={"n": 1})
    for body in (b"one", b"x" * 10_000, b"three"):
        client.publish(queue, body, properties)
    client.publish("no such queue", b"returned", mandatory=True)
    client.expect(methods.BasicReturn)
    consumer = client.call(methods.BasicConsume(queue=queue)).consumer_tag
    tags = [client.expect(methods.BasicDeliver).method.delivery_tag for _ in range(3)]
    client.send(methods.BasicAck(delivery_tag=tags[1], multiple=True))
    client.send(methods.BasicReject(delivery_tag=tags[2], requeue=False))
    client.call(methods.BasicCancel(consumer_tag=consumer))
    assert client.get(queue) is None
    client.close()
    return port


# --- Those that vanish ---


def _consumer() -> Client:
    """Has two deliveries that it has not settled, and half a message that it publishes."""
    client = Client(amqp_0_9_1_rabbitmq).handshake().open_channel()
    amqp, queue = client.amqp, client.declare()
    for _ in range(2):
        client.publish(queue, b"never settled")
    client.call(amqp.methods.BasicConsume(queue=queue))
    for _ in range(2):
        client.expect(amqp.methods.BasicDeliver)
    method = amqp.methods.BasicPublish(exchange="", routing_key=queue)
    message = amqp.encode_message(1, method, None, bytes(VANISHED_BODY), max_frame_size=client.frame_max)
    client.send_octets(message[: -VANISHED_BODY // 2])
    return client


def closed_socket() -> int:
    """Closes the socket, without a word of AMQP."""
    client = _consumer()
    port = port_of(client.socket)
    # Else the kernel would send a RST, since the answer of the broker could not be delivered.
    client.socket.shutdown(socket.SHUT_WR)
    with contextlib.suppress(Disconnected):
        while client.receive_octets():
            pass
    client.socket.close()
    return port


def reset() -> int:
    """Resets the connection."""
    client = _consumer()
    port = port_of(client.socket)
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
    client.socket.close()
    return port


# --- No AMQP ---


def http() -> int:
    """A browser that has the wrong port."""
    return _ask(HTTP_REQUEST)


def of_0_10() -> int:
    """A client of a version that the broker does not speak."""
    return _ask(b"AMQP\x01\x01\x00\x0a")


def silent() -> int:
    """Connects, and goes."""
    with socket.create_connection(address()[:2]) as connection:
        return port_of(connection)


def _ask(octets: bytes) -> int:
    with socket.create_connection(address()[:2], PATIENCE) as connection:
        connection.sendall(octets)
        with contextlib.suppress(ConnectionError):
            while connection.recv(4096):
                pass
        return port_of(connection)


def tls() -> int:
    """A client that wants TLS where there is none."""
    context = ssl.create_default_context()
    with socket.create_connection(address()[:2], PATIENCE) as connection:
        port = port_of(connection)
        with contextlib.suppress(OSError):
            context.wrap_socket(connection, server_hostname=TLS_NAME).close()
    return port


STORIES: tuple[Callable[[], int], ...] = (
    of_py_amqp,
    of_0_8,
    closed_socket,
    reset,
    http,
    of_0_10,
    silent,
    tls,
)
