"""Live conversations with proton in this process, where it listens and we connect, and the other way round."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

import amqp_1_0 as amqp
import pytest

pytest.importorskip("proton", reason="python-qpid-proton is not installed: pip install .[peers]")

import proton
from amqp_1_0.messaging import Accepted, AmqpValue, Data, Modified, Properties, Received, Rejected, Released
from amqp_1_0.performatives import AmqpError, Close, Detach, End, Error, LinkError, Role, Transfer
from amqp_1_0.sasl import SaslCode
from amqp_1_0.types import Symbol
from proton import Condition, Delivery
from proton.utils import BlockingConnection

from . import proton_forms
from .client import SETTLED, UNSETTLED, Ended, Link, Peer, Session
from .messages import MESSAGES
from .proton_peer import TIMEOUT, Proton, free_port, running

Make = Callable[..., contextlib.AbstractContextManager[Link]]
LARGE = bytes(range(256)) * 1200


def connect_to(handler: Proton, **fields: Any) -> contextlib.AbstractContextManager[tuple[Session, Any]]:
    """A session of ours with a proton that listens, and how to run something in its thread."""

    @contextlib.contextmanager
    def connecting() -> Iterator[tuple[Session, Any]]:
        port = free_port()
        with running(handler, lambda container: container.listen(f"127.0.0.1:{port}")) as call:
            peer = Peer.dial("127.0.0.1", port)
            with peer.stream:
                peer.log_in(mechanism="ANONYMOUS")
                peer.open(**fields)
                yield peer.begin(), call

    return connecting()


@contextlib.contextmanager
def listening(
    handler: Proton, then: Callable[[Any], object] = lambda connection: None, **options: Any
) -> Iterator[tuple[Peer, Any]]:
    """A socket of ours to which a proton has connected, and how to run something in its thread."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT)

        def first(container: Any) -> Any:
            url = f"{options.pop('user', '')}127.0.0.1:{server.getsockname()[1]}"
            connection = container.connect(url, reconnect=False, **options)
            then(connection)
            return connection

        with running(handler, first) as call:
            stream, _ = server.accept()
            with stream:
                yield Peer(stream), call


@contextlib.contextmanager
def linked_as_client(handler: Proton, role: Role, **fields: Any) -> Iterator[Link]:
    """We connect and attach."""
    with connect_to(handler, **fields) as (session, _):
        yield session.sender("node") if role is Role.SENDER else session.receiver("node")


@contextlib.contextmanager
def linked_as_server(handler: Proton, role: Role, **fields: Any) -> Iterator[Link]:
    """Proton connects and attaches, we answer."""

    def attach(connection: Any) -> None:
        session = connection.session()
        session.open()
        link = session.receiver("a-link") if role is Role.SENDER else session.sender("a-link")
        terminus = link.source if role is Role.SENDER else link.target
        terminus.address = "node"
        link.open()

    with listening(handler, attach) as (peer, _):
        init = peer.let_in()
        assert init.mechanism == "ANONYMOUS"
        peer.open(**fields)
        link = peer.accept_session().accept_link()
        assert link.role is role
        assert link.remote is not None
        assert (link.remote.source if role is Role.SENDER else link.remote.target).address == "node"
        yield link


@pytest.fixture(params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"])
def linked(request: pytest.FixtureRequest) -> Make:
    """A link with proton: ``linked(handler, our_role)``, once with us as the client and once as the server."""
    return request.param


@pytest.fixture(
    params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"], scope="module"
)
def to_proton(request: pytest.FixtureRequest) -> Iterator[tuple[Proton, Link]]:
    """The same for many messages, as the sender."""
    handler = Proton()
    with request.param(handler, Role.SENDER) as link:
        yield handler, link


@pytest.fixture(
    params=[linked_as_client, linked_as_server], ids=["we connect", "proton connects"], scope="module"
)
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
        begin = time.monotonic()
        while session.peer.empty_frames < 3:
            session.peer.pump(0.1)
            assert time.monotonic() - begin < TIMEOUT, "no empty frames"
        assert session.peer.close().error is None
    with listening(Proton(), heartbeat=0.4) as (peer, _):
        peer.let_in()
        assert peer.open().idle_time_out is not None
        for _ in range(8):  # without empty frames proton would close within 0.8 s
            peer.send(None)
            peer.pump(0.15)
        assert peer.close().error is None


# --- messages ---


@pytest.mark.parametrize(
    ("message", "forms"), [case[1:] for case in MESSAGES], ids=[case[0] for case in MESSAGES]
)
class TestMessage:
    def test_to_proton(self, to_proton: tuple[Proton, Link], message: amqp.Message, forms: list[Any]) -> None:
        handler, link = to_proton
        number = link.send(message, tag=b"a tag")
        octets, tag, settled = handler.wait("message")
        assert proton_forms.decode(octets) == forms
        assert (tag, settled) == ("a tag", False)
        disposition = link.disposition(number)
        assert disposition.state == Accepted()
        assert disposition.settled

    def test_from_proton(
        self, from_proton: tuple[Proton, Link], message: amqp.Message, forms: list[Any]
    ) -> None:
        handler, link = from_proton
        handler.to_send.append(b"".join(map(proton_forms.encode, forms)))
        link.give_credit(1)
        delivery = link.receive()
        assert delivery.transfer.delivery_tag == b"proton-1"
        link.settle(delivery)
        assert handler.wait("outcome")[:2] == (Delivery.ACCEPTED, True)
        assert repr(amqp.decode_message(delivery.payload)) == repr(message)  # tells the types, and NaN is NaN


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
            connection = BlockingConnection(f"127.0.0.1:{port}", timeout=TIMEOUT)
            assert connection.create_sender("to").send(sent).remote_state == Delivery.ACCEPTED
            receiver = connection.create_receiver("from", credit=1)
            received.append(receiver.receive(timeout=TIMEOUT))
            receiver.accept()
            connection.close()
        except Exception as error:
            failed.append(error)

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(TIMEOUT)
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
        thread.join(TIMEOUT)
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
                512,
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


# --- credit and settlement ---


def test_credit_from_proton() -> None:
    links: list[Any] = []

    def give_credit(link: Any) -> None:
        link.flow(2)
        links.append(link)

    handler = Proton(on_link=give_credit)
    with connect_to(handler) as (session, call):
        link = session.sender("node")
        session.peer.wait(lambda: link.credit == 2, "credit")
        for body in (b"1", b"2"):
            link.send(amqp.Message(body=Data(body)))
            handler.wait("message")
        session.peer.pump(0.1)
        assert link.credit == 0
        call(lambda container: links[0].flow(3))
        session.peer.wait(lambda: link.credit == 3, "more credit")
        assert link.flows[-1].delivery_count == 2


def test_credit_for_proton(linked: Make) -> None:
    handler = Proton(send=[b"\x00Su\xa0\x01%d" % number for number in range(5)])
    with linked(handler, Role.RECEIVER) as link:
        link.give_credit(2)
        got = [link.receive().payload[-1:] for _ in range(2)]
        link.peer.pump(0.1)
        assert not link.deliveries
        link.give_credit(5, drain=True)
        got += [link.receive().payload[-1:] for _ in range(3)]
        assert got == [b"%d" % number for number in range(5)]
        assert handler.wait("drained") == (2,)
        link.peer.wait(lambda: link.flows and link.flows[-1].link_credit == 0, "the rest of the credit")
        assert link.flows[-1].delivery_count == 5 + 2


def test_settled_in_advance() -> None:
    handler = Proton()
    with connect_to(handler) as (session, _):
        link = session.sender("node", snd_settle_mode=SETTLED)
        assert link.remote is not None
        assert link.remote.snd_settle_mode is SETTLED
        number = link.send(amqp.Message(body=Data(b"")), settled=True)
        assert handler.wait("message")[2] is True
        session.peer.pump(0.1)
        assert (bool(Role.RECEIVER), number) not in session.dispositions


@pytest.mark.parametrize(
    ("state", "name", "details"),
    [
        (Accepted(), Delivery.ACCEPTED, ()),
        (Released(), Delivery.RELEASED, ()),
        (Rejected(), Delivery.REJECTED, (None,)),
        (
            Rejected(Error(AmqpError.NOT_ALLOWED, "why", {Symbol("key"): 1})),
            Delivery.REJECTED,
            (("amqp:not-allowed", "why", {"key": 1}),),
        ),
        (Modified(False, False), Delivery.MODIFIED, (False, False, None)),
        (
            Modified(True, True, {Symbol("x-key"): "value"}),
            Delivery.MODIFIED,
            (True, True, {"x-key": "value"}),
        ),
        (Received(3, 2**40), Delivery.RECEIVED, (3, 2**40)),
    ],
    ids=repr,
)
class TestOutcome:
    def test_ours(self, linked: Make, state: Any, name: int, details: tuple[Any, ...]) -> None:
        handler = Proton(send=[b"\x00Su\xa0\x00"])
        with linked(handler, Role.RECEIVER) as link:
            link.give_credit(1)
            link.settle(link.receive(), state)
            assert handler.wait("outcome") == (name, True, details)

    def test_protons(self, linked: Make, state: Any, name: int, details: tuple[Any, ...]) -> None:
        def decide(delivery: Delivery) -> None:
            local = delivery.local
            if name == Delivery.RECEIVED:
                local.section_number, local.section_offset = details
            elif name == Delivery.REJECTED and details[0]:
                condition, description, info = details[0]
                local.condition = Condition(
                    condition, description, {proton.symbol(key): value for key, value in info.items()}
                )
            elif name == Delivery.MODIFIED:
                local.failed, local.undeliverable = details[:2]
                if details[2]:
                    local.annotations = {proton.symbol(key): value for key, value in details[2].items()}
            delivery.update(name)

        with linked(Proton(state=decide), Role.SENDER) as link:
            disposition = link.disposition(link.send(amqp.Message(body=Data(b""))))
            assert disposition.settled
            assert disposition.role is Role.RECEIVER
            assert repr(disposition.state) == repr(state)


def test_outcome_first_then_settled() -> None:
    handler = Proton(send=[b"\x00Su\xa0\x00"])
    with connect_to(handler) as (session, _):
        link = session.receiver("node", snd_settle_mode=UNSETTLED)
        link.give_credit(1)
        delivery = link.receive()
        assert delivery.transfer.settled is not True
        link.settle(delivery, Released(), settled=False)
        assert handler.wait("outcome")[:2] == (Delivery.RELEASED, False)
        assert delivery.transfer.delivery_id is not None
        assert link.disposition(delivery.transfer.delivery_id).settled


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
