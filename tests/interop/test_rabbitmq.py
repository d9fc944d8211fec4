"""RabbitMQ and its AMQP 1.0 plugin on the other side. What is said of its habits is true of version 3.10."""

from __future__ import annotations

from collections.abc import Callable

import amqp_1_0 as amqp
import pytest
from amqp_1_0.messaging import Accepted, Data, Modified, Rejected, Released
from amqp_1_0.performatives import AmqpError, Error, ReceiverSettleMode
from amqp_1_0.sasl import SaslCode
from amqp_1_0.types import Symbol

from .client import SETTLED, UNSETTLED, Disconnected, Ended, Link, Peer, Refused, Session, address
from .neutral_values import same

pytestmark = pytest.mark.broker


def next_text(receiver: Link) -> tuple[amqp.Delivery, bytes, bool | None]:
    """A delivery, its body and whether nobody had it before."""
    receiver.give_credit(1)
    delivery = receiver.receive()
    message = amqp.decode_message(delivery.payload)
    assert isinstance(message.body, Data)
    assert message.header is not None
    return delivery, message.body.value, message.header.first_acquirer


# --- login and connection ---


def test_login(dial: Callable[[], Peer]) -> None:
    peer = dial()
    offer = peer.log_in(*address()[2:])
    assert "PLAIN" in offer.sasl_server_mechanisms
    assert all(type(mechanism) is Symbol for mechanism in offer.sasl_server_mechanisms)
    remote = peer.open(frame_size=8192)
    assert remote.properties is not None
    assert remote.properties["product"] == "RabbitMQ"
    assert remote.max_frame_size == 8192
    assert peer.close().error is None


def test_anonymous(dial: Callable[[], Peer]) -> None:
    peer = dial()
    if "ANONYMOUS" not in peer.log_in(mechanism="ANONYMOUS").sasl_server_mechanisms:
        pytest.skip("needs an anonymous login")
    assert peer.open().container_id.startswith("rabbit@")


def test_wrong_password(dial: Callable[[], Peer]) -> None:
    with pytest.raises(Refused) as refused:
        dial().log_in(address().user, "wrong")
    assert refused.value.args[0].code is SaslCode.AUTH


def test_unknown_mechanism(dial: Callable[[], Peer]) -> None:
    with pytest.raises(Disconnected):
        dial().log_in(mechanism="NO-SUCH")


def test_without_sasl(dial: Callable[[], Peer]) -> None:
    peer = dial()
    assert peer.open().container_id
    assert peer.close().error is None


def test_another_version_is_answered_with_ours(dial: Callable[[], Peer]) -> None:
    peer = dial()
    peer.send_octets(b"AMQP\x00\x01\x01\x00")
    answer = peer.receive_exactly(8)
    assert answer[:4] == b"AMQP"
    assert amqp.constants.recognise_header(b"AMQP\x00\x01\x01\x00") is None
    with pytest.raises(Disconnected):
        peer.receive_octets()


def test_idle_time_out(dial: Callable[[], Peer]) -> None:
    peer = dial()
    peer.log_in(*address()[2:])
    peer.open(idle_time_out=1000)
    peer.wait(lambda: peer.empty_frames >= 3, "empty frames")
    peer.send(None)
    peer.send(None)
    assert peer.close().error is None


def test_several_sessions(session: Session) -> None:
    other = session.peer.begin(channel=7)
    assert other.remote is not None
    assert other.remote.remote_channel == 7
    assert other.end().error is None
    assert session.end().error is None
    assert session.peer.close().error is None


# --- links ---


def test_attach_and_detach(session: Session, queue: str) -> None:
    sender, receiver = session.sender(queue), session.receiver(queue)
    assert sender.remote is not None
    assert receiver.remote is not None
    assert sender.remote.target.address == queue
    assert receiver.remote.source.address == queue
    assert "amqp:accepted:list" in receiver.remote.source.outcomes
    assert same(receiver.remote.source.default_outcome, Released())
    assert receiver.remote.initial_delivery_count == 0
    for link in (sender, receiver):
        assert link.detach().error is None
    again = session.sender(queue)
    assert again.handle == 2
    assert session.end().error is None


@pytest.mark.parametrize(
    ("address", "condition", "says"),
    [
        ("/amq/queue/amqp-codegen.no-such", AmqpError.NOT_FOUND, "no queue 'amqp-codegen.no-such'"),
        ("/nonsense/x", AmqpError.INVALID_FIELD, "Attach rejected"),
    ],
)
def test_unknown_node(session: Session, address: str, condition: AmqpError, says: str) -> None:
    with pytest.raises(Ended) as ended:
        session.receiver(address)
    error = ended.value.error
    assert error is not None
    assert error.condition is condition
    assert says in (error.description or "")
    assert session.peer.close().error is None


def test_what_it_does_not_do(session: Session, queue: str) -> None:
    with pytest.raises(Ended) as ended:
        session.receiver(queue, rcv_settle_mode=ReceiverSettleMode.SECOND)
    assert ended.value.error is not None
    assert ended.value.error.condition is AmqpError.NOT_IMPLEMENTED


# --- credit, settlement, outcomes ---


def test_settled_by_the_sender(session: Session, queue: str) -> None:
    sender = session.sender(queue, snd_settle_mode=SETTLED)
    receiver = session.receiver(queue, snd_settle_mode=SETTLED)
    number = sender.send(amqp.Message(body=Data(b"fire and forget")), settled=True)
    receiver.give_credit(1)
    delivery = receiver.receive()
    assert delivery.transfer.settled is True
    assert amqp.decode_message(delivery.payload).body == Data(b"fire and forget")
    assert not any(key[1] == number for key in session.dispositions)
    assert session.end().error is None


def test_credit(session: Session, queue: str) -> None:
    sender, receiver = session.sender(queue), session.receiver(queue, snd_settle_mode=UNSETTLED)
    numbers = [sender.send(amqp.Message(body=Data(b"%d" % number))) for number in range(5)]
    for number in numbers:
        assert sender.disposition(number).settled
    bodies = []
    for credit in (2, 1, 2):
        receiver.give_credit(credit)
        for _ in range(credit):
            delivery = receiver.receive()
            assert delivery.transfer.settled is not True
            bodies.append(amqp.decode_message(delivery.payload).body)
            receiver.settle(delivery)
        session.peer.pump(0.1)
        assert not receiver.deliveries, "more than there was credit for"
    assert bodies == [Data(b"%d" % number) for number in range(5)]


def test_drain(session: Session, queue: str) -> None:
    receiver = session.receiver(queue)
    receiver.give_credit(5, drain=True)
    session.peer.wait(lambda: receiver.flows, "an answer to drain")
    assert receiver.flows[-1].drain is True


def test_accepted(session: Session, queue: str) -> None:
    sender, receiver = session.sender(queue), session.receiver(queue)
    for body in (b"one", b"two"):
        sender.send(amqp.Message(body=Data(body)))
    for body in (b"one", b"two"):
        delivery, text, first = next_text(receiver)
        assert (text, first) == (body, True)
        receiver.settle(delivery, Accepted())
    receiver.detach()
    other = session.receiver(queue)
    other.give_credit(1)
    session.peer.pump(0.2)
    assert not other.deliveries


def test_released(session: Session, queue: str) -> None:
    sender, receiver = session.sender(queue), session.receiver(queue)
    sender.send(amqp.Message(body=Data(b"again")))
    delivery, text, first = next_text(receiver)
    assert (text, first) == (b"again", True)
    receiver.settle(delivery, Released())
    delivery, text, first = next_text(receiver)
    assert (text, first) == (b"again", False)
    receiver.settle(delivery)


@pytest.mark.parametrize("error", [None, Error(AmqpError.NOT_ALLOWED, "no", {Symbol("why"): 1})])
def test_rejected(session: Session, queue: str, error: Error | None) -> None:
    sender, receiver = session.sender(queue), session.receiver(queue)
    for body in (b"bad", b"good"):
        sender.send(amqp.Message(body=Data(body)))
    delivery, text, _ = next_text(receiver)
    assert text == b"bad"
    receiver.settle(delivery, Rejected(error))
    delivery, text, _ = next_text(receiver)
    assert text == b"good"
    receiver.settle(delivery)
    assert session.end().error is None


def test_modified(session: Session, queue: str) -> None:
    """RabbitMQ ends the session over it, and tells that it read what we meant."""
    sender, receiver = session.sender(queue), session.receiver(queue)
    sender.send(amqp.Message(body=Data(b"again")))
    delivery, _, _ = next_text(receiver)
    receiver.settle(delivery, Modified(delivery_failed=True, undeliverable_here=False))
    with pytest.raises(Ended) as ended:
        session.peer.wait(lambda: False, "the end")
    assert ended.value.error is not None
    assert ended.value.error.condition is AmqpError.INVALID_FIELD
    assert "{'v1_0.modified',true,false,undefined}" in (ended.value.error.description or "")


def test_what_is_not_settled_comes_back(connect: Callable[..., Session], queue: str) -> None:
    session = connect()
    sender, receiver = session.sender(queue), session.receiver(queue)
    sender.send(amqp.Message(body=Data(b"again")))
    assert next_text(receiver)[1:] == (b"again", True)
    assert session.peer.close().error is None
    receiver = connect().receiver(queue)
    delivery, text, first = next_text(receiver)
    assert (text, first) == (b"again", False)
    receiver.settle(delivery)
