"""Messages: their sections, and what a broker must not change in them. Section 3.2."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import amqp_1_0 as amqp
from amqp_1_0.messaging import AmqpSequence, AmqpValue, Data, Header, Properties, Rejected
from amqp_1_0.types import Float, Int, Symbol, Timestamp, UByte, UInt, ULong

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.links import Receiver, Sender
from ...engine.registry import amqp1_rule
from ...engine.run_result import NoAnswer, Violation

_BODY = Data(b"a message")
_PROPERTIES = Properties(
    message_id="an id",
    user_id=b"guest",
    to="somewhere",
    subject="a subject",
    reply_to="somewhere else",
    correlation_id=ULong(7),
    content_type="text/plain",
    content_encoding="gzip",
    absolute_expiry_time=2_000_000_000_000,
    creation_time=1_700_000_000_000,
    group_id="a group",
    group_sequence=3,
    reply_to_group_id="another group",
)
_EMPTY_ANNOTATIONS: tuple[dict[Symbol, Any] | None, ...] = ({}, None)
_SIMPLE_VALUES = {
    "null": None,
    "boolean": True,
    "ubyte": UByte(1),
    "uint": UInt(2),
    "ulong": ULong(3),
    "int": Int(-4),
    "long": -(1 << 40),
    "float": Float(1.5),
    "double": 2.5,
    "timestamp": Timestamp(1_700_000_000_000),
    "uuid": UUID(int=5),
    "binary": b"\x00\xff",
    "string": "text",
    "symbol": Symbol("a-symbol"),
}


# --- what goes in comes out ---


@amqp1_rule("message-format/standard-encoding", "messaging/implement-part-3")
def kinds_of_body(broker: Broker) -> None:
    """Send messages with each kind of body and receive them. The bodies come out as they were."""
    sender, receiver = broker.pair()
    for body in (_BODY, AmqpValue("text"), AmqpSequence([1, "two", None])):
        got = _pass(sender, receiver, amqp.Message(body=body)).body
        want(got == body, repr(body), got)


@amqp1_rule("message-format/bare-message-unchanged", "application-properties/simple-values")
def bare_message(broker: Broker) -> None:
    """Send properties, application-properties with values of all simple types, and a body. All come out as they were."""
    sent = amqp.Message(properties=_PROPERTIES, application_properties=_SIMPLE_VALUES, body=_BODY)
    got = _pass(*broker.pair(), sent)
    want(got.properties == sent.properties, repr(sent.properties), got.properties)
    want(got.application_properties == _SIMPLE_VALUES, repr(_SIMPLE_VALUES), got.application_properties)
    want(got.body == sent.body, repr(sent.body), got.body)


@amqp1_rule("properties/unaltered")
def properties_unaltered(broker: Broker) -> None:
    """Send a message with all thirteen properties. The section comes out octet for octet."""
    octets = amqp.Message(properties=_PROPERTIES).encode()
    sender, receiver = broker.pair()
    with broker.trial():
        sender.send_accepted(octets + amqp.Message(body=_BODY).encode())
    payload = receiver.fetch().payload
    want(octets in payload, octets.hex(), payload.hex())


@amqp1_rule("message-format/no-section-inserted")
def no_properties_added(broker: Broker) -> None:
    """Send a message of a body alone. It has neither properties nor application-properties when it comes out."""
    got = _pass(*broker.pair(), amqp.Message(body=_BODY))
    want(got.properties is None, "no properties", got.properties)
    want(got.application_properties is None, "no application-properties", got.application_properties)


@amqp1_rule("message-format/encoding-unchanged")
def unusual_encoding(broker: Broker) -> None:
    """Send a body in which a short value has a long form. The same octets come out."""
    octets = b"\x00\x80" + (0x77).to_bytes(8, "big") + b"\xb1\x00\x00\x00\x04text"
    sender, receiver = broker.pair()
    with broker.trial():
        sender.send_accepted(octets)
    payload = receiver.fetch().payload
    want(payload.endswith(octets), octets.hex(), payload.hex())


@amqp1_rule("message-annotations/propagate", "message-annotations/every-step", "annotations/optional-keys")
def message_annotations(broker: Broker) -> None:
    """Send a message with two annotations that begin with x-opt-. It is accepted, and both come out with their values."""
    annotations: dict[Symbol, amqp.Value] = {Symbol("x-opt-one"): UInt(1), Symbol("x-opt-two"): "two"}
    got = _pass(*broker.pair(), amqp.Message(message_annotations=annotations, body=_BODY))
    kept = got.message_annotations or {}
    want(all(kept.get(key) == value for key, value in annotations.items()), repr(annotations), kept)


@amqp1_rule("message-annotations/omitted-is-empty")
def empty_message_annotations(broker: Broker) -> None:
    """Send a message with an empty map as message-annotations, and one without. Both come out with their bodies."""
    sender, receiver = broker.pair()
    for empty in _EMPTY_ANNOTATIONS:
        got = _pass(sender, receiver, amqp.Message(message_annotations=empty, body=_BODY))
        want(got.body == _BODY, repr(_BODY), got.body)


@amqp1_rule("delivery-annotations/omitted-is-empty")
def empty_delivery_annotations(broker: Broker) -> None:
    """Send a message with an empty map as delivery-annotations, and one without. Both come out with their bodies."""
    sender, receiver = broker.pair()
    for empty in _EMPTY_ANNOTATIONS:
        got = _pass(sender, receiver, amqp.Message(delivery_annotations=empty, body=_BODY))
        want(got.body == _BODY, repr(_BODY), got.body)


@amqp1_rule("delivery-annotations/not-understood")
def unknown_delivery_annotation(broker: Broker) -> None:
    """Send a message with an unknown delivery annotation. It comes out as without one."""
    annotations = {Symbol("x-opt-nobody-knows"): 1}
    got = _pass(*broker.pair(), amqp.Message(delivery_annotations=annotations, body=_BODY))
    want(got.body == _BODY, repr(_BODY), got.body)


@amqp1_rule("annotations/unknown-key")
def annotation_to_be_known(broker: Broker) -> None:
    """Send a message with the annotation x-must-know. The link is detached with not-implemented."""
    sender, _ = broker.pair()
    annotations = {Symbol("x-must-know"): 1}
    sender.send(amqp.Message(message_annotations=annotations, body=_BODY))
    sender.expect_detach("amqp:not-implemented")


@amqp1_rule("annotations/reserved-keys", "annotations/key-types")
def annotations_of_peer(broker: Broker) -> None:
    """Look at the annotations that a peer adds by itself. Their keys are symbols that begin with x-, or ulong numbers."""
    got = _pass(*broker.pair(), amqp.Message(body=_BODY))
    for key in {**(got.delivery_annotations or {}), **(got.message_annotations or {})}:
        fine = isinstance(key, ULong) or (isinstance(key, Symbol) and key.startswith("x-"))
        want(fine, "a symbol that begins with x-", repr(key))


@amqp1_rule("delivery-annotations/negotiated-by-capabilities")
def delivery_annotations_of_peer(broker: Broker) -> None:
    """Attach without capabilities. Deliveries have no delivery-annotations but those that begin with x-opt-."""
    got = _pass(*broker.pair(), amqp.Message(body=_BODY))
    for key in got.delivery_annotations or {}:
        want(str(key).startswith("x-opt-"), "a key that begins with x-opt-", repr(key))


# --- header ---


@amqp1_rule("header/assume-defaults")
def default_header(broker: Broker) -> None:
    """Send a message without header. It comes out as not durable, of priority 4, without ttl, and never delivered before."""
    header = _pass(*broker.pair(), amqp.Message(body=_BODY)).header or Header()
    got = (header.durable, header.priority, header.ttl, header.delivery_count)
    want(got == (False, 4, None, 0), "the defaults", header)


@amqp1_rule(
    "header.priority/higher-first",
    "properties.message-id/duplicate-discarded",
    "properties.user-id/authenticated",
)
def priorities_and_ids(broker: Broker) -> None:
    """Send two messages of one id, with the priorities 0 and 9 and our user's name. One or two come out, in any order."""
    sender, receiver = broker.pair()
    properties = Properties(message_id="an id", user_id=broker.target.user.encode())
    with broker.trial():
        for priority in (0, 9):
            sender.send_accepted(amqp.Message(Header(priority=priority), properties=properties, body=_BODY))
    body = receiver.fetch().message().body
    want(body == _BODY, repr(_BODY), body)


@amqp1_rule("header.ttl/expired-message", slow=True)
def expired(broker: Broker) -> None:
    """Send a message with a ttl of 100 ms and wait for a second. It does not come out."""
    sender, receiver = broker.pair()
    sender.send_accepted(amqp.Message(Header(ttl=100), body=_BODY))
    sender.session.connection.listen(1.0)
    receiver.expect_empty()


@amqp1_rule("header.ttl/reduced-ttl", slow=True)
def reduced_ttl(broker: Broker) -> None:
    """Send a message with a ttl of ten seconds and fetch it after two. What is left of its ttl is below nine seconds."""
    sender, receiver = broker.pair()
    sender.send_accepted(amqp.Message(Header(ttl=10_000), body=_BODY))
    sender.session.connection.listen(2.0)
    header = receiver.fetch().message().header or Header()
    want(header.ttl is not None and header.ttl < 9_000, "a ttl below 9000", header)


@amqp1_rule("header.first-acquirer/false-promises-nothing")
def first_acquirer(broker: Broker) -> None:
    """Release a message and receive it on another link. There first-acquirer is not true."""
    sender, receiver = broker.pair()
    sender.send_accepted(message(b"a message"))
    with broker.set_up():
        receiver.settle(receiver.fetch(), amqp.messaging.Released())
    receiver.detach()
    again = receiver.session.receiver(sender.terminus.address, name="again")
    header = again.fetch().message().header or Header()
    want(not header.first_acquirer, "first-acquirer false", header)


# --- invalid messages ---


@amqp1_rule("message-format/section-counts")
def two_headers(broker: Broker) -> None:
    """Send a message with two sections of properties. It is not accepted."""
    section = amqp.Message(properties=Properties(subject="twice")).encode()
    _expect_refused(broker, section + section + amqp.Message(body=_BODY).encode())


@amqp1_rule("message-format/section-order")
def footer_first(broker: Broker) -> None:
    """Send a message whose footer stands before its body. It is not accepted."""
    footer = amqp.Message(footer={Symbol("x-opt-foot"): 1}).encode()
    _expect_refused(broker, footer + amqp.Message(body=_BODY).encode())


@amqp1_rule("message-format/one-kind-of-body")
def mixed_body(broker: Broker) -> None:
    """Send a body of two data sections: it is accepted. One of data and a value is not."""
    sender, _ = broker.pair()
    with broker.trial():
        sender.send_accepted(amqp.Message(body=[Data(b"one"), Data(b"two")]))
    _expect_refused(broker, amqp.Message(body=_BODY).encode() + amqp.Message(body=AmqpValue(1)).encode())


@amqp1_rule("application-properties/string-keys")
def symbol_as_key(broker: Broker) -> None:
    """Send application-properties with a symbol as key. The message is not accepted."""
    section = b"\x00\x53\x74" + amqp.encode({Symbol("a-symbol"): 1})
    _expect_refused(broker, section + amqp.Message(body=_BODY).encode())


def _pass(sender: Sender, receiver: Receiver, sent: amqp.Message) -> amqp.Message:
    """Return the message as it comes out of the queue."""
    with sender.session.broker.trial():
        sender.send_accepted(sent)
    delivery = receiver.fetch()
    receiver.settle(delivery)
    return delivery.message()


def _expect_refused(broker: Broker, octets: bytes) -> None:
    """Expect the outcome rejected for octets that are not a message, or an end of the link, session or connection."""
    sender, _ = broker.pair()
    number = sender.send(octets)
    try:
        state = sender.outcome(number).state
    except NoAnswer:
        raise
    except Violation:
        return
    want(isinstance(state, Rejected), "a message that is not accepted", state)
