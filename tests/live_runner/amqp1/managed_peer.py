"""A container of AMQP 1.0 whose queues are declared by management, as in RabbitMQ 4: addresses are of version 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import amqp_1_0 as amqp
import amqp_1_0_rabbitmq as extended
from amqp_1_0.messaging import AmqpValue, Properties
from amqp_1_0.performatives import AmqpError, End, Error, Open, Role, Transfer
from amqp_1_0.types import Symbol

from .fake_peer import Answer, Conversation, FakePeer, Link, on_transfer, running

MANAGEMENT = "/management"
LINK_PAIR = "LINK_PAIR_V1_0"


def on_open(conversation: Conversation, channel: int, opening: Open, payload: bytes) -> None:
    conversation.frame_size = opening.max_frame_size
    conversation.say(Open("managed", max_frame_size=4096, offered_capabilities=[Symbol(LINK_PAIR)]))


class Management:
    """The node for management.

    Attributes:
        refusal: What it says to a declaration, status and text, or how it ends the session; None to declare.
        addresses: Those of the queues that there are.
        requests: Method and path of all requests, in order.
    """

    def __init__(self, refusal: tuple[str, str] | End | None = None) -> None:
        self.refusal = refusal
        self.addresses: set[str] = set()
        self.requests: list[tuple[str, str]] = []

    def knows(self, address: str) -> bool:
        return address == MANAGEMENT or address in self.addresses

    def on_transfer(
        self, conversation: Conversation, channel: int, transfer: Transfer, payload: bytes
    ) -> None:
        if conversation.links[transfer.handle].address != MANAGEMENT:
            on_transfer(conversation, channel, transfer, payload)
            return
        conversation.came += 1
        handle, link = _answers(conversation)
        if link.credit == 0:
            conversation.say(End(Error(AmqpError.ILLEGAL_STATE, "no credit for the answer")), channel)
            return
        request = extended.decode_message(payload).properties
        assert request is not None
        answer = self._answer(str(request.subject), str(request.to))
        if isinstance(answer, End):
            conversation.say(answer, channel)
            return
        status, body = answer
        assert isinstance(request.message_id, int | str)
        properties = Properties(correlation_id=request.message_id, subject=status)
        message = amqp.Message(properties=properties, body=AmqpValue(body))
        link.credit -= 1
        conversation.say(Transfer(handle, conversation.sent, b"", 0, settled=True), channel, message.encode())
        conversation.sent += 1

    def _answer(self, method: str, path: str) -> tuple[str, amqp.Value] | End:
        self.requests.append((method, path))
        if method == "PUT":
            if self.refusal:
                return self.refusal
            self.addresses.add(path)
            return "201", _queue(path)
        if method == "DELETE":
            self.addresses.discard(path)
            return "200", {"message_count": 0}
        return ("200", _queue(path)) if path in self.addresses else ("404", "no queue")


def _answers(conversation: Conversation) -> tuple[int, Link]:
    """The link on which the client takes answers."""
    return next(
        (handle, link)
        for handle, link in conversation.links.items()
        if link.address == MANAGEMENT and link.attach.role is Role.RECEIVER
    )


def _queue(path: str) -> Mapping[str, amqp.Value]:
    return {
        "name": path.rpartition("/")[2],
        "type": "classic",
        "durable": True,
        "exclusive": False,
        "auto_delete": False,
        "arguments": {},
        "message_count": 0,
        "consumer_count": 0,
        "replicas": [],
    }


@contextmanager
def managed_peer(management: Management, **answers: Answer) -> Iterator[FakePeer]:
    """A peer with this management; answers in place of its own as in ``running``."""
    own: dict[str, Answer] = {"open": on_open, "transfer": management.on_transfer}
    with running(**own | answers) as peer:
        peer.knows = management.knows
        yield peer
