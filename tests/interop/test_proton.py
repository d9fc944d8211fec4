"""Live conversations with proton in this process, where it listens and we connect, and the other way round."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install '.[peers]'")

import proton
from amqp_1_0.messaging import Accepted, AmqpValue, Data, Properties
from amqp_1_0.performatives import Close, Detach, End, Error, LinkError, Role, Transfer
from amqp_1_0.sasl import SaslCode
from amqp_1_0.types import Symbol
from proton import Condition, Delivery
from proton.utils import BlockingConnection

from tests.patience import PATIENCE

from . import proton_forms
from .client import Ended, Link, Peer
from .messages import MESSAGES
from .proton_links import Make, connect_to, linked_as_client, linked_as_server, listening
from .proton_peer import Proton

LARGE = bytes(range(256)) * 1200


@pytest.fixture(params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"])
def linked(request: pytest.FixtureRequest) -> Make:
    """A link with proton: ``linked(handler, our_role)``, once with us as the client and once as the server."""
    return request.param


@pytest.fixture(params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"])
def to_proton(request: pytest.FixtureRequest) -> Iterator[tuple[Proton, Link]]:
    """The same for many messages, as the sender."""
    handler = Proton()
    with request.param(handler, Role.SENDER) as link:
        yield handler, link


@pytest.fixture(params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"])
def from_proton(request: pytest.FixtureRequest) -> Iterator[tuple[Proton, Link]]:
    """The same for many messages, as the receiver."""
    handler = Proton()
    with request.param(handler, Role.RECEIVER) as link:
        yield handler, link


# --- login ---


def test_what_proton_offers() -> None:
    handler = Proton()
    with connect_to(handler, properties={Symbol("product"): "us"}) as (session, _):
        assert session.peer.remote is not None
        assert session.peer.remote.max_frame_size == 32768
        assert handler.wait("open") == ("amqp-codegen tests", {"product": "us"})
        assert session.end().error is None
        assert session.peer.close().error is None


def test_plain_login_at_ours() -> None:
    options: dict[str, Any] = {
        "user": "me:se%20cret@",
        "allowed_mechs": "PLAIN",
        "allow_insecure_mechs": True,
    }
    with listening(Proton(), **options) as (peer, _):
        init = peer.let_in([Symbol("PLAIN"), Symbol("ANONYMOUS")])
        assert init.mechanism == "PLAIN"
        assert init.initial_response == b"\0me\0se cret"
        assert peer.open().hostname == "127.0.0.1"
        peer.close()


@pytest.mark.parametrize("code", [SaslCode.AUTH, SaslCode.SYS_TEMP])
def test_login_refused_by_us(code: SaslCode) -> None:
    handler = Proton()
    with listening(handler) as (peer, _):
        peer.let_in(code=code)
        ((name, _, _),) = handler.wait("transport error")
        assert name == "amqp:unauthorized-access"


def test_empty_frames() -> None:
    handler = Proton()
    with connect_to(handler, idle_time_out=400) as (session, _):
        session.peer.wait(lambda: session.peer.empty_frames >= 3, "empty frames")
        assert session.peer.close().error is None
    with listening(Proton(), heartbeat=PATIENCE) as (peer, _):
        peer.let_in()
        assert peer.open().idle_time_out is not None
        for _ in range(8):
            peer.send(None)
        assert peer.close().error is None


# --- messages ---


def test_messages_to_proton(to_proton: tuple[Proton, Link]) -> None:
    handler, link = to_proton
    for name, message, forms in MESSAGES:
        number = link.send(message, tag=b"a tag")
        octets, tag, settled = handler.wait("message")
        assert proton_forms.decode(octets) == forms, name
        assert (tag, settled) == ("a tag", False)
        disposition = link.disposition(number)
        assert disposition.state == Accepted(), name
        assert disposition.settled


def test_messages_from_proton(from_proton: tuple[Proton, Link]) -> None:
    handler, link = from_proton
    for name, message, forms in MESSAGES:
        handler.to_send.append(b"".join(map(proton_forms.encode, forms)))
        link.give_credit(1)
        delivery = link.receive()
        assert delivery.delivery_tag == b"proton-1"
        link.settle(delivery)
        assert handler.wait("outcome")[:2] == (Delivery.ACCEPTED, True), name
        # This tells the types, and NaN is NaN.
        assert repr(amqp.decode_message(delivery.payload)) == repr(message), name


def test_blocking_connection() -> None:
    """Proton's own messages, through its simplest interface."""
    sent = proton.Message(
        body={"a": [1, proton.symbol("b")]},
        id="m",
        subject="s",
        properties={"p": proton.int32(5)},
        durable=True,
    )
    received: list[proton.Message] = []
    failed: list[Exception] = []

    def talk(port: int) -> None:
        try:
            connection = BlockingConnection(f"127.0.0.1:{port}", timeout=PATIENCE)
            assert connection.create_sender("to").send(sent).remote_state == Delivery.ACCEPTED
            receiver = connection.create_receiver("from", credit=1)
            received.append(receiver.receive(timeout=PATIENCE))
            receiver.accept()
            connection.close()
        except Exception as error:
            failed.append(error)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        thread = threading.Thread(target=talk, args=(server.getsockname()[1],), daemon=True)
        thread.start()
        stream, _ = server.accept()
        with stream:
            peer = Peer(stream)
            peer.let_in()
            peer.open()
            session = peer.accept_session()
            link = session.accept_link()
            link.give_credit(1)
            delivery = link.receive()
            message = amqp.decode_message(delivery.payload)
            assert message.body == AmqpValue({"a": [1, Symbol("b")]})
            assert message.properties == Properties(message_id="m", subject="s")
            assert repr(message.application_properties) == "{'p': Int(5)}"
            assert message.header is not None
            assert message.header.durable is True
            link.settle(delivery)
            back = session.accept_link()
            number = back.send(message)
            assert back.disposition(number).state == Accepted()
            with pytest.raises(Ended) as ended:
                peer.wait(lambda: False, "the end")
            assert isinstance(ended.value.performative, Close)
            assert ended.value.error is None
            peer.send(Close())
        thread.join(PATIENCE)
    assert not failed, failed
    (echo,) = received
    assert (echo.body, echo.id, echo.subject, echo.durable) == (sent.body, "m", "s", True)
    assert type(echo.properties["p"]) is proton.int32


# --- several frames ---


def test_large_message_to_proton(linked: Make) -> None:
    handler = Proton()
    with linked(handler, Role.SENDER) as link:
        for size in (512, 4096, 32768):
            link.peer.frame_size = size
            begin = link.session.next_outgoing_id
            number = link.send(amqp.Message(body=Data(LARGE)))
            octets, _, _ = handler.wait("message")
            assert proton_forms.decode(octets) == [["described", ["ulong", "117"], ["binary", LARGE.hex()]]]
            assert link.session.next_outgoing_id - begin > len(LARGE) // size
            assert link.disposition(number).state == Accepted()


@pytest.mark.parametrize("size", [512, 5000, 1 << 20])
def test_large_message_from_proton(linked: Make, size: int) -> None:
    octets = proton_forms.encode(["described", ["ulong", "117"], ["binary", LARGE.hex()]])
    handler = Proton(send=[octets])
    with linked(handler, Role.RECEIVER, frame_size=size) as link:
        link.give_credit(1)
        delivery = link.receive()
        assert delivery.payload == octets
        assert amqp.decode_message(delivery.payload).body == Data(LARGE)
        # Proton may cut a message in pieces although it fits.
        assert len(link.transfers) > len(LARGE) // size
        assert [transfer.more for transfer, _ in link.transfers] == [True] * (len(link.transfers) - 1) + [
            False
        ]
        assert amqp.join_transfers(link.transfers).payload == octets
        link.settle(delivery)
        assert handler.wait("outcome")[0] == Delivery.ACCEPTED


def test_frames_of_two_links_in_turn() -> None:
    handler = Proton()
    with connect_to(handler) as (session, _):
        links = [session.sender("one"), session.sender("two")]
        bodies = [b"1" * 3000, b"2" * 5000]
        for link in links:
            session.peer.wait(lambda link=link: link.credit, "credit")
        split = [
            amqp.split_transfer(
                Transfer(link.handle, number, b"tag-%d" % number, 0),
                amqp.Message(body=Data(body)).encode(),
                max_frame_size=512,
            )
            for number, (link, body) in enumerate(zip(links, bodies, strict=True))
        ]
        for pair in zip_longest(*split, fillvalue=b""):
            session.peer.send_octets(b"".join(pair))
        for body in bodies:
            octets, _, _ = handler.wait("message")
            assert proton_forms.decode(octets)[0][2] == ["binary", body.hex()]


def test_aborted() -> None:
    handler = Proton()
    with connect_to(handler) as (session, _):
        link = session.sender("node")
        session.peer.wait(lambda: link.credit, "credit")
        frames = [
            amqp.encode_frame(0, Transfer(link.handle, 0, b"t", 0, more=True), b"\x00Su\xa0\x05he"),
            amqp.encode_frame(0, Transfer(link.handle, aborted=True)),
        ]
        session.peer.send_octets(b"".join(frames))
        handler.wait("aborted")
        session.next_delivery_id = 1
        link.send(amqp.Message(body=Data(b"next")))
        assert handler.wait("message")[0] == b"\x00Su\xa0\x04next"


# --- goodbye ---

ERROR = Error(LinkError.DETACH_FORCED, "an operator", {Symbol("key"): [1]})
CONDITION = ("amqp:link:detach-forced", "an operator", {"key": [1]})


def test_our_errors(linked: Make) -> None:
    handler = Proton()
    with linked(handler, Role.SENDER) as link:
        link.detach(error=ERROR)
        assert handler.wait("detach") == (CONDITION,)
        link.session.end(ERROR)
        assert handler.wait("end") == (CONDITION,)
        link.peer.close(Error("com.example:our-own", "bye"))
        assert handler.wait("close") == (("com.example:our-own", "bye", None),)


def test_detach_without_close(linked: Make) -> None:
    handler = Proton()
    with linked(handler, Role.SENDER) as link:
        answer = link.detach(closed=False)
        assert (answer.closed, answer.error) == (False, None)
        assert handler.wait("detach without close") == (None,)


@pytest.mark.parametrize("level", ["link", "session", "connection"])
def test_protons_errors(level: str) -> None:
    def refuse(link: Any) -> None:
        it = {"link": link, "session": link.session, "connection": link.connection}[level]
        it.condition = Condition("amqp:link:detach-forced", "an operator", {proton.symbol("key"): [1]})
        it.close()

    with connect_to(Proton(on_link=refuse)) as (session, _):
        session.receiver("node")
        with pytest.raises(Ended) as ended:
            session.peer.wait(lambda: False, "the end")
        performative = ended.value.performative
        assert isinstance(performative, {"link": Detach, "session": End, "connection": Close}[level])
        assert performative.error == ERROR
        assert performative.error is not None
        assert performative.error.condition is LinkError.DETACH_FORCED
        if isinstance(performative, Detach):
            assert performative.closed is True
