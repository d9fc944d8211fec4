"""Clients whose contents are not a method, a header and as much body as was announced."""

from __future__ import annotations

import struct

import amqp_0_9_1_rabbitmq as amqp

from ..actor import BODY, HEADER, Actor, frame

methods = amqp.methods
PUBLISH = methods.BasicPublish(routing_key="nowhere")


def _publishes(client: Actor, *frames: bytes) -> None:
    """Send basic.publish and these frames, then something harmless."""
    client.ready().send_octets(amqp.encode_frame(1, PUBLISH) + b"".join(frames))
    client.declare()


def _header(size: int = 0, *, class_id: int = 60, weight: int = 0, properties: bytes = b"\0\0") -> bytes:
    """A frame with a content header."""
    return frame(HEADER, struct.pack(">HHQ", class_id, weight, size) + properties)


def header_without_a_method(client: Actor) -> None:
    """A content header out of nowhere."""
    client.ready().send_octets(_header())
    client.declare()


def body_without_a_method(client: Actor) -> None:
    """A content body out of nowhere."""
    client.ready().send_octets(frame(BODY, b"body"))
    client.declare()


def body_without_a_header(client: Actor) -> None:
    """A content body right after the method."""
    _publishes(client, frame(BODY, b"body"))


def method_instead_of_a_header(client: Actor) -> None:
    """A second message begins before the first one has its header."""
    _publishes(client, amqp.encode_frame(1, PUBLISH))


def method_instead_of_a_body(client: Actor) -> None:
    """A body of ten octets is interrupted after three of them."""
    _publishes(client, _header(10), frame(BODY, b"123"), amqp.encode_frame(1, PUBLISH))


def header_twice(client: Actor) -> None:
    """A second content header instead of the body."""
    _publishes(client, _header(10), _header(10))


def header_of_another_class(client: Actor) -> None:
    """The content header is of class 61, which there is not."""
    _publishes(client, _header(class_id=61))


def header_of_the_class_tx(client: Actor) -> None:
    """The content header is of class 90, which has no contents."""
    _publishes(client, _header(class_id=90))


def header_with_weight(client: Actor) -> None:
    """The weight, which means nothing, is 1."""
    _publishes(client, _header(weight=1))


def more_body_than_announced(client: Actor) -> None:
    """Two octets of body, where one was announced; both in one frame."""
    _publishes(client, _header(1), frame(BODY, b"12"))


def more_body_frames_than_announced(client: Actor) -> None:
    """One more body frame follows a message that is complete."""
    _publishes(client, _header(1), frame(BODY, b"1"), frame(BODY, b"2"))


def body_though_none_was_announced(client: Actor) -> None:
    """A body frame, where the size is 0."""
    _publishes(client, _header(0), frame(BODY, b"1"))


def less_body_than_announced(client: Actor) -> None:
    """Closes the connection in the middle of a body."""
    client.ready().send_octets(amqp.encode_frame(1, PUBLISH) + _header(10) + frame(BODY, b"123"))


def message_without_a_header(client: Actor) -> None:
    """Closes the connection after basic.publish."""
    client.ready().send(PUBLISH)


def content_of_a_method_without_any(client: Actor) -> None:
    """A content header follows queue.declare."""
    client.ready().send(methods.QueueDeclare(exclusive=True))
    client.send_octets(_header())
    client.expect(methods.QueueDeclareOk)
    client.next()


def second_word_of_flags(client: Actor) -> None:
    """The last bit of the property flags says that another word of them follows."""
    _publishes(client, _header(properties=b"\x00\x01\x00\x00"))


def flag_of_no_property(client: Actor) -> None:
    """The bit of the property flags that is for a fifteenth property, which there is not."""
    _publishes(client, _header(properties=b"\x00\x02"))


def properties_cut_off(client: Actor) -> None:
    """The flags say content-type, and then there is nothing."""
    _publishes(client, _header(properties=b"\x80\x00"))


def octets_after_the_properties(client: Actor) -> None:
    """Two octets follow the last property."""
    _publishes(client, _header(properties=b"\x00\x00\x00\x00"))


def content_on_another_channel(client: Actor) -> None:
    """The method is sent on channel 1, its header on channel 2."""
    client.ready().open_channel(2).send(PUBLISH)
    client.send(amqp.ContentHeader(amqp.BasicProperties(), 0), channel=2)
    client.next(channel=2)


def content_type_is_no_utf_8(client: Actor) -> None:
    """The property content-type has octets that are no UTF-8."""
    _publishes(client, _header(properties=b"\x80\x00\x03\xff\xfe\xfd"))


def delivery_mode_3(client: Actor) -> None:
    """There are two modes of delivery, 1 and 2."""
    _publishes(client, _header(properties=b"\x10\x00\x03"))


def priority_200(client: Actor) -> None:
    """There are ten priorities, 0 to 9."""
    _publishes(client, _header(properties=b"\x08\x00\xc8"))


def user_id_of_somebody_else(client: Actor) -> None:
    """Publishes as somebody who did not log in."""
    _publishes(client, _header(properties=b"\x00\x10\x06nobody"))


def expiration_that_is_no_number(client: Actor) -> None:
    """RabbitMQ wants a number of milliseconds."""
    _publishes(client, _header(properties=b"\x01\x00\x04soon"))
