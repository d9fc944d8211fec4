"""Two protons talk to each other in this process; what is made of their octets is what they know of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.stream_data import Direction, StreamPiece
from amqp_traffic.decode.body_retention import BodyRetention
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.frames.conversation import FramedConversation
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.messages.output import ConnectionFacts
from amqp_traffic.schemas import EXCHANGES, MESSAGES
from amqp_traffic.variant_values import variant_value

proton = pytest.importorskip("proton", reason="needs python-qpid-proton: pip install .[peers]")

OUTCOMES = {"accepted": "ack", "rejected": "reject", "released": "nack", "modified": "nack"}


class Protons:
    """A client and a server; every octet between them is kept."""

    def __init__(self, frame_max: int = 512) -> None:
        self.client, self.server = proton.Connection(), proton.Connection()
        self.client.container, self.server.container, self.client.hostname = "client", "server", "shop"
        self.client.properties = {"product": "pump", "version": "1", "platform": "Lua"}
        self.sides = [proton.Transport(), proton.Transport(proton.Transport.SERVER)]
        self.said: list[tuple[int, bytes]] = []
        for transport, connection in zip(self.sides, (self.client, self.server), strict=True):
            transport.max_frame_size = frame_max
            transport.bind(connection)

    def pump(self) -> None:
        """Everything that one side has to say reaches the other."""
        moved = True
        while moved:
            moved = False
            for direction, transport in enumerate(self.sides):
                count = transport.pending()
                if count > 0:
                    octets = bytes(transport.peek(count))
                    self.said.append((direction, octets))
                    self.sides[1 - direction].push(octets)
                    transport.pop(count)
                    moved = True

    def link(self, client_sends: bool) -> tuple[Any, Any]:
        """A link that the client attaches: its sender and its receiver."""
        self.client.open()
        session = self.client.session()
        session.open()
        mine = session.sender("link") if client_sends else session.receiver("link")
        (mine.target if client_sends else mine.source).address = "queue"
        mine.open()
        self.pump()
        self.server.open()
        self.server.session_head(proton.Endpoint.REMOTE_ACTIVE).open()
        theirs = self.server.link_head(proton.Endpoint.REMOTE_ACTIVE)
        theirs.target.copy(theirs.remote_target)
        theirs.source.copy(theirs.remote_source)
        theirs.open()
        sender, receiver = (mine, theirs) if client_sends else (theirs, mine)
        receiver.flow(1000)
        self.pump()
        return sender, receiver

    def close(self) -> None:
        self.client.close()
        self.pump()
        self.server.close()
        self.pump()

    def rows(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]], ConnectionFacts]:
        """Messages, exchanges and facts."""
        decoding, offsets = Decoding(Quarantine()), [0, 0]
        conversation = FramedConversation(1, decoding.on_frames, Quarantine(), from_start=True)
        for number, (direction, octets) in enumerate(self.said):
            piece = StreamPiece(octets, offsets[direction], 0, number + 1, 0, 1000 * number)
            conversation.feed(Direction(direction), piece)
            offsets[direction] += len(octets)
        conversation.finish((offsets[0], offsets[1]))
        assemblies = Assemblies(bodies=BodyRetention(True, 1 << 20))
        assemblies.add(decoding.take().events)
        facts = assemblies.finish(1)
        messages, exchanges = assemblies.take()
        rows = [dict(zip((name for name, _ in MESSAGES), row, strict=True)) for row in messages]
        rows.sort(key=lambda row: row["frame_no"])
        return (
            rows,
            [dict(zip((name for name, _ in EXCHANGES), row, strict=True)) for row in exchanges],
            facts,
        )


def send(sender: Any, tag: str, message: Any) -> Any:
    delivery = sender.delivery(tag)
    sender.send(message.encode())
    sender.advance()
    return delivery


def receive(receiver: Any) -> list[tuple[Any, Any]]:
    """All deliveries that are there, with their messages."""
    found = []
    while receiver.current is not None and receiver.current.readable and not receiver.current.partial:
        delivery = receiver.current
        message = proton.Message()
        message.decode(receiver.recv(delivery.pending))
        receiver.advance()
        found.append((delivery, message))
    return found


@pytest.mark.parametrize("two_steps", [False, True], ids=["settled at once", "settled by the sender"])
@pytest.mark.parametrize("client_sends", [True, False], ids=["client sends", "server sends"])
def test_outcomes(client_sends: bool, two_steps: bool) -> None:
    protons = Protons()
    sender, receiver = protons.link(client_sends)
    kinds = proton.Delivery
    states = [kinds.ACCEPTED, kinds.ACCEPTED, kinds.REJECTED, kinds.RELEASED, kinds.MODIFIED, None]
    sent = [
        send(sender, f"tag-{number}", proton.Message(id=number, body=b"x" * 300 * number))
        for number in range(len(states))
    ]
    protons.pump()
    got = receive(receiver)
    assert len(got) == len(states)
    for (delivery, _), state in zip(got, states, strict=True):
        if state is not None:
            delivery.update(state)
            if not two_steps:
                delivery.settle()
    protons.pump()
    for delivery in sent:
        if delivery.remote_state:
            delivery.settle()
    protons.pump()
    names = {getattr(kinds, name.upper()): name for name in OUTCOMES}
    known = [names[delivery.remote_state] for delivery in sent[:-1]]
    protons.close()
    rows, exchanges, _ = protons.rows()
    assert [row["delivery_tag_bytes"].decode() for row in rows] == [f"tag-{number}" for number in range(6)]
    assert [row["state"] for row in rows] == [*known, None]
    assert [row["settle"] for row in rows] == [*(OUTCOMES[state] for state in known), "none"]
    assert [row["settle_ns"] is not None for row in rows] == [True] * 5 + [False]
    assert [row["message_id"] for row in rows] == [str(number) for number in range(6)]
    assert {row["dir"] for row in rows} == {0 if client_sends else 1}
    assert {(row["address"], row["link_name"], row["complete"]) for row in rows} == {("queue", "link", True)}
    assert max(row["body_frames"] for row in rows) > 2  # frames are small
    assert {(row["name"], row["outcome"]) for row in exchanges} >= {
        ("open", "ok"),
        ("attach", "ok"),
        ("close", "ok"),
    }


def test_messages() -> None:
    protons = Protons()
    sender, receiver = protons.link(client_sends=True)
    uuid = UUID(int=5)
    messages = [
        proton.Message(body="text", subject="s", properties={"a": 1, "b": "x" * 700}, id="one", durable=True),
        proton.Message(
            body=b"octets" * 200, inferred=True, id=uuid, correlation_id=7, reply_to="r", priority=9
        ),
        proton.Message(body=[1, "two", {"k": None}], id=2, user_id=b"me", ttl=1.5, creation_time=12.5),
        proton.Message(
            body=None, content_type="a/b", group_id="g", group_sequence=3, annotations={"x-a": "v"}
        ),
    ]
    for number, message in enumerate(messages):
        send(sender, str(number), message)
    protons.pump()
    got = [message for _, message in receive(receiver)]
    rows, _, facts = protons.rows()
    assert [row["body_kind"] for row in rows] == ["amqp-value", "data", "amqp-value", None]
    assert rows[1]["body_head"] == got[1].body
    assert [row["message_id"] for row in rows] == ["one", str(uuid), "2", None]
    for row, message in zip(rows, got, strict=True):
        assert row["durable"] in (message.durable, None)
        assert row["priority"] in (message.priority, None)
        assert (row["ttl"] or 0) == message.ttl * 1000
        assert (row["subject"], row["reply_to"]) == (message.subject, message.reply_to)
        assert str(row["content_type"]) == str(message.content_type)  # proton has a symbol None for none
        assert row["group_id"] == message.group_id
        assert (row["timestamp"] or 0) == message.creation_time * 1_000_000
        assert (row["user_id"] or "").encode() == message.user_id
        assert (row["headers"] and variant_value(row["headers"])) == (message.properties or None)
        assert row["complete"]
    assert variant_value(rows[3]["message_annotations"]) == {"x-a": "v"}
    assert (facts.connection_name, facts.vhost, facts.product) == ("client", "shop", "pump")
    assert (facts.client_frame_max, facts.server_frame_max) == (512, 512)


def test_an_aborted_delivery() -> None:
    protons = Protons()
    sender, receiver = protons.link(client_sends=True)
    delivery = sender.delivery("cut")
    sender.send(b"\x00\x53\x75\xb0\x00\x00\x10\x00" + b"x" * 2000)
    protons.pump()
    delivery.abort()
    protons.pump()
    send(sender, "whole", proton.Message(body="x"))
    protons.pump()
    assert receiver.current is not None
    rows, _, _ = protons.rows()
    assert [(row["state"], row["complete"], row["settle"]) for row in rows] == [
        ("aborted", False, "none"),
        (None, True, "none"),
    ]
    assert rows[0]["body_seen"] == 2000


def test_closed_with_an_error() -> None:
    protons = Protons()
    protons.link(client_sends=True)
    protons.server.condition = proton.Condition("amqp:connection:forced", "the end")
    protons.server.close()
    protons.pump()
    _, _, facts = protons.rows()
    assert (facts.close_by, facts.close_condition, facts.close_text) == (
        "server",
        "amqp:connection:forced",
        "the end",
    )
