"""Clients that log in, in every way, rightly and wrongly, with a password that must not be found anywhere."""

from __future__ import annotations

import contextlib

import amqp as py_amqp
import amqp_0_8
import amqp_0_9_1_rabbitmq
import pika
from amqp_0_9_1_rabbitmq import methods
from amqp_1_0 import Symbol

from tests.broker.client import Address, Client, Disconnected, address
from tests.interop.client import Disconnected as Disconnected1
from tests.interop.client import Peer, Refused

from .pika_stories import connected


def log_in_everywhere(user: str, password: str) -> None:
    """All ways to log in."""
    where = address()._replace(user=user, password=password)
    _pika(user, password)
    _py_amqp(where)
    _own(where)
    _in_pieces(where)
    _new_secret(where)
    for name, secret in ((user, password), ("no such user", password), (user, f"{password}, wrong")):
        _of_1_0(where, name, secret)


def _pika(user: str, password: str) -> None:
    """PLAIN, and secrets in the client properties; the password, then one that only begins like it."""
    properties = {"password": password, "deep": {"token": password, "list": [{"secret": password}]}}
    for secret in (password, f"{password}, wrong"):
        credentials = pika.PlainCredentials(user, secret)
        with (
            contextlib.suppress(pika.exceptions.AMQPConnectionError),
            connected("secret", credentials=credentials, client_properties=properties) as connection,
        ):
            connection.channel()


def _py_amqp(where: Address) -> None:
    """AMQPLAIN."""
    for secret in (where.password, f"{where.password}, wrong"):
        connection = py_amqp.Connection(
            f"{where.host}:{where.port}", where.user, secret, login_method="AMQPLAIN"
        )
        with contextlib.suppress(py_amqp.exceptions.AccessRefused):
            connection.connect()
            connection.close()
        connection.collect()


def _own(where: Address) -> None:
    """PLAIN in 0-8 and 0-9-1, with a message or two."""
    for package in (amqp_0_8, amqp_0_9_1_rabbitmq):
        client = Client(package, broker=where).handshake().open_channel()
        client.publish(client.declare(), b"a body")
        client.close()


def _in_pieces(where: Address) -> None:
    """The password comes in two segments."""
    client = Client(amqp_0_9_1_rabbitmq, broker=where)
    client.send_octets(client.amqp.PROTOCOL_HEADER)
    client.expect(methods.ConnectionStart, channel=0)
    octets = client.amqp.encode_frame(0, client.start_ok())
    half = octets.index(where.password.encode()) + len(where.password.encode()) // 2
    client.send_octets(octets[:half])
    client.send_octets(octets[half:])
    client.expect(methods.ConnectionTune, channel=0)
    client.socket.close()


def _new_secret(where: Address) -> None:
    """connection.update-secret, which this broker may not take."""
    client = Client(amqp_0_9_1_rabbitmq, broker=where).handshake()
    client.send(methods.ConnectionUpdateSecret(new_secret=where.password.encode(), reason="old"), channel=0)
    with contextlib.suppress(Disconnected, client.amqp.errors.ConnectionCloseError):
        client.next(channel=0)
    client.socket.close()


def _of_1_0(where: Address, user: str, secret: str) -> None:
    """SASL PLAIN, and secrets in the properties of open."""
    peer = Peer.dial(where.host, where.port)
    try:
        peer.log_in(user, secret)
        peer.open(properties={Symbol("password"): secret, Symbol("product"): "secretive"})
        peer.close()
    except (Refused, Disconnected1):
        pass
    finally:
        peer.stream.close()
