"""Clients that misbehave before connection.open-ok."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor, method

methods = amqp.methods
PROPERTIES_OF_A_CLIENT = {"product": "none", "version": "1.0", "platform": "Python"}


# --- Protocol headers ---


def header_of_no_version(client: Actor) -> None:
    """The protocol header of a version that does not exist."""
    client.send_octets(b"AMQP\x00\x00\x09\x02")
    client.read_to_end()


def header_of_0_10(client: Actor) -> None:
    """The protocol header of 0-10, which this broker does not speak."""
    client.send_octets(b"AMQP\x01\x01\x00\x0a")
    client.read_to_end()


def header_in_small_letters(client: Actor) -> None:
    """A protocol header that begins with amqp instead of AMQP."""
    client.send_octets(b"amqp\x00\x00\x09\x01")
    client.read_to_end()


def no_header(client: Actor) -> None:
    """Begins with connection.start-ok, without any protocol header."""
    client.send_octets(amqp.encode_frame(0, client.start_ok()))
    client.read_to_end()


# --- Methods that are not due ---


def open_before_start_ok(client: Actor) -> None:
    """connection.open is the answer to connection.start."""
    client.started().send(methods.ConnectionOpen("/"), channel=0)
    client.next(channel=0)


def tune_ok_before_tune(client: Actor) -> None:
    """connection.tune-ok is the answer to connection.start."""
    client.started().send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.next(channel=0)


def secure_ok_without_secure(client: Actor) -> None:
    """connection.secure-ok is the answer to connection.start."""
    client.started().send(methods.ConnectionSecureOk(response=b"x"), channel=0)
    client.next(channel=0)


def channel_open_before_open(client: Actor) -> None:
    """A channel is opened while the connection is not."""
    client.tuned().send(methods.ChannelOpen())
    client.next()


def publish_before_start_ok(client: Actor) -> None:
    """A message is the answer to connection.start."""
    client.started().publish("nowhere", b"too early")
    client.next()


def start_ok_twice(client: Actor) -> None:
    """connection.start-ok comes a second time, on an open connection."""
    client.ready().send(client.start_ok(), channel=0)
    client.next()


def tune_ok_twice(client: Actor) -> None:
    """connection.tune-ok comes a second time, on an open connection."""
    client.ready().send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.next()


def open_twice(client: Actor) -> None:
    """connection.open comes a second time."""
    client.ready().send(methods.ConnectionOpen("/"), channel=0)
    client.next()


# --- Login ---


def mechanism_not_offered(client: Actor) -> None:
    """A mechanism that is not in those of connection.start."""
    start_ok = client.started().start_ok()
    start_ok.mechanism = "NO-SUCH"
    client.send(start_ok, channel=0)
    client.next(channel=0)


def locale_not_offered(client: Actor) -> None:
    """A locale that is not in those of connection.start."""
    start_ok = client.started().start_ok()
    start_ok.locale = "tlh_QO"
    client.send(start_ok, channel=0)
    client.expect(methods.ConnectionTune, channel=0)
    client.send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.opened()


def no_client_properties(client: Actor) -> None:
    """Does not say what product it is, nor of what version."""
    start_ok = client.started().start_ok()
    start_ok.client_properties = {"capabilities": {}}
    client.send(start_ok, channel=0)
    client.expect(methods.ConnectionTune, channel=0)
    client.send(methods.ConnectionTuneOk(2047, 131072, 60), channel=0)
    client.opened()


def wrong_password(client: Actor) -> None:
    """Is refused."""
    client.address = client.address._replace(password="wrong")
    client.handshake()


def no_such_virtual_host(client: Actor) -> None:
    """Opens a virtual host that is not there."""
    client.address = client.address._replace(virtual_host=client.name())
    client.handshake()


# --- connection.tune-ok and connection.open ---


def frame_max_above_the_offer(client: Actor) -> None:
    """connection.tune-ok wants larger frames than the server offers."""
    client.tuned(frame_max=1 << 20).read_to_end()


def frame_max_below_the_minimum(client: Actor) -> None:
    """connection.tune-ok wants frames that are smaller than every peer has to take."""
    client.tuned(frame_max=4095).read_to_end()


def channel_max_above_the_offer(client: Actor) -> None:
    """connection.tune-ok wants more channels than the server offers."""
    client.tuned(channel_max=65535).read_to_end()


def reserved_fields_of_open(client: Actor) -> None:
    """Sets both reserved fields of connection.open."""
    client.tuned().send_octets(method((10, 40), b"\x01/\x04caps\x01", channel=0))
    client.expect(methods.ConnectionOpenOk, channel=0)


def virtual_host_too_long(client: Actor) -> None:
    """A path may have 127 octets; this one has 200."""
    client.address = client.address._replace(virtual_host="v" * 200)
    client.handshake()
