"""Clients of 1.0 that misbehave in headers, frames, open and begin."""

from __future__ import annotations

import struct

import amqp_1_0 as amqp
from amqp_1_0.performatives import Begin, Close, Open
from amqp_1_0.sasl import SaslInit, SaslMechanisms
from amqp_1_0.types import Symbol, UInt

from ..actor1 import Actor1, frame, performative

OPEN, BEGIN = 0x10, 0x11
WINDOW = UInt(100)


def header_of_1_1(client: Actor1) -> None:
    """The protocol header of a version that does not exist."""
    client.send_octets(b"AMQP\x00\x01\x01\x00")
    client.read_to_end()


def sasl_mechanism_not_offered_1(client: Actor1) -> None:
    """A mechanism that the server has not offered."""
    client.log_in(mechanism="NO-SUCH")


def sasl_wrong_password_1(client: Actor1) -> None:
    """Is refused."""
    client.log_in(password="wrong")


def sasl_frame_after_the_login_1(client: Actor1) -> None:
    """A SASL frame on an open connection."""
    client.logged_in().opened()
    client.send_octets(amqp.encode_frame(0, SaslInit("PLAIN", b"\0guest\0guest"), sasl=True))


def sasl_mechanisms_by_the_client_1(client: Actor1) -> None:
    """The client offers mechanisms, which is the server's to do."""
    client.exchange_headers("sasl")
    client.sasl_frame(SaslMechanisms)
    client.send_octets(amqp.encode_frame(0, SaslMechanisms(["PLAIN"]), sasl=True))
    client.receive_octets()


def begin_before_open_1(client: Actor1) -> None:
    """A session begins while the connection is not open."""
    client.logged_in().exchange_headers("amqp")
    client.send(Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1))


def open_twice_1(client: Actor1) -> None:
    """A second open."""
    client.logged_in().opened().send(Open(client.id))


def open_without_container_id_1(client: Actor1) -> None:
    """open without the field that it has to have."""
    client.logged_in().exchange_headers("amqp")
    client.send_octets(frame(performative(OPEN, None, "localhost")))


def open_with_a_number_as_container_id_1(client: Actor1) -> None:
    """The container-id has to be a string."""
    client.logged_in().exchange_headers("amqp")
    client.send_octets(frame(performative(OPEN, UInt(7), "localhost")))


def open_with_small_frames_1(client: Actor1) -> None:
    """A max-frame-size below 512."""
    client.logged_in().exchange_headers("amqp")
    client.send(Open(client.id, "localhost", max_frame_size=100))


def open_with_too_many_fields_1(client: Actor1) -> None:
    """open has ten fields; this one has eleven."""
    client.logged_in().exchange_headers("amqp")
    client.send_octets(frame(performative(OPEN, client.id, "localhost", *[None] * 8, "eleventh")))


def frame_beyond_max_frame_size_1(client: Actor1) -> None:
    """A frame that is larger than the other side takes."""
    client.logged_in().opened(frame_size=1024)
    properties = {Symbol("long"): "x" * 2000}
    begin = Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1, properties=properties)
    client.send_octets(amqp.encode_frame(0, begin))


def data_offset_of_one_1(client: Actor1) -> None:
    """A data offset below 2."""
    client.logged_in().opened().send_octets(frame(b"", doff=1))


def frame_type_unknown_1(client: Actor1) -> None:
    """A frame of type 7."""
    client.logged_in().opened().send_octets(frame(b"", kind=7))


def frame_of_four_octets_1(client: Actor1) -> None:
    """A size that is less than that of the frame's own header."""
    client.logged_in().opened().send_octets(struct.pack(">IBBH", 4, 2, 0, 0))


def performative_unknown_1(client: Actor1) -> None:
    """A descriptor that no performative has."""
    client.logged_in().opened().send_octets(frame(performative(0x1F)))


def performative_cut_off_1(client: Actor1) -> None:
    """The list of a begin is longer than its frame."""
    client.logged_in().opened().send_octets(frame(b"\x00\x53\x11\xc0\x20\x04\x40"))


def octets_after_begin_1(client: Actor1) -> None:
    """begin has no payload; something follows it."""
    octets = performative(BEGIN, None, UInt(0), WINDOW, WINDOW)
    client.logged_in().opened().send_octets(frame(octets + b"more"))


def begin_without_windows_1(client: Actor1) -> None:
    """begin without fields that it has to have."""
    client.logged_in().opened().send_octets(frame(performative(BEGIN, None, UInt(0))))


def begin_twice_1(client: Actor1) -> None:
    """A second begin on a channel that has a session."""
    session = client.ready()
    client.send(session.make_begin())


def channel_beyond_channel_max_1(client: Actor1) -> None:
    """A session on a channel that is above the channel-max of both."""
    client.logged_in().opened(channel_max=3).begin(channel=9)


def end_without_begin_1(client: Actor1) -> None:
    """end on channels without a session.

    RabbitMQ 3.10 makes a session that answers and stops at once; now and then it stops before its answer is sent.
    """
    client.logged_in().opened()
    for channel in (5, 6, 7):
        client.send_octets(frame(performative(0x17), channel=channel))


def frames_after_close_1(client: Actor1) -> None:
    """A session begins after close."""
    client.logged_in().opened()
    begin = Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1)
    client.send_octets(amqp.encode_frame(0, Close()) + amqp.encode_frame(0, begin))
    client.expect(Close)
    client.stream.close()


def leaves_without_close_1(client: Actor1) -> None:
    """Closes the socket, without close."""
    client.ready()
    client.stream.close()
