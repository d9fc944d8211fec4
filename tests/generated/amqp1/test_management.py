"""Requests to the management of RabbitMQ, tokens and direct replies: what is sent, and what answers mean."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import amqp_1_0_rabbitmq as amqp
import pytest
from amqp_1_0_rabbitmq.client import claims, direct_reply, management
from amqp_1_0_rabbitmq.message import Message
from amqp_1_0_rabbitmq.messaging import AmqpValue, Data, Properties, Source
from amqp_1_0_rabbitmq.performatives import Attach, Role, SenderSettleMode

QUEUE: dict[str, Any] = {
    "name": "q",
    "type": "quorum",
    "durable": True,
    "exclusive": False,
    "auto_delete": False,
    "arguments": {"x-queue-type": "quorum"},
    "message_count": 1,
    "consumer_count": 2,
    "replicas": ["rabbit@a"],
}


def sent(message: Message) -> Message:
    """Return what a peer reads of a message."""
    return amqp.decode_message(message.encode())


def answer(status: str, body: Any, request_id: str = "1") -> Message:
    return sent(
        Message(properties=Properties(correlation_id=request_id, subject=status), body=AmqpValue(body))
    )


@pytest.mark.parametrize(
    ("request_", "subject", "to", "body"),
    [
        (management.get_queue("a/b"), "GET", "/queues/a%2Fb", None),
        (
            management.declare_queue("q", exclusive=True, arguments={"x-max-length": 5}),
            "PUT",
            "/queues/q",
            {"durable": True, "exclusive": True, "auto_delete": False, "arguments": {"x-max-length": 5}},
        ),
        (management.delete_queue("q"), "DELETE", "/queues/q", None),
        (management.purge_queue("q"), "DELETE", "/queues/q/messages", None),
        (
            management.declare_exchange("x y", "topic"),
            "PUT",
            "/exchanges/x%20y",
            {"type": "topic", "durable": True, "auto_delete": False, "internal": False, "arguments": {}},
        ),
        (management.delete_exchange("x"), "DELETE", "/exchanges/x", None),
        (
            management.bind_queue("q", "x", "k", {"a": True}),
            "POST",
            "/bindings",
            {"source": "x", "destination_queue": "q", "binding_key": "k", "arguments": {"a": True}},
        ),
        (
            management.bind_exchange("to", "from"),
            "POST",
            "/bindings",
            {"source": "from", "destination_exchange": "to", "binding_key": "", "arguments": {}},
        ),
        (
            management.list_bindings("x", queue="a b", key="#"),
            "GET",
            "/bindings?src=x&dstq=a%20b&key=%23",
            None,
        ),
        (management.list_bindings("x", exchange="y"), "GET", "/bindings?src=x&dste=y&key=", None),
        (management.unbind_queue("q", "x", "a.*"), "DELETE", "/bindings/src=x;dstq=q;key=a.%2A;args=", None),
        (management.put_token(b"secret"), "PUT", "/auth/tokens", b"secret"),
    ],
)
def test_what_is_asked_for(request_: Any, subject: str, to: str, body: Any) -> None:
    message = sent(request_.message("7"))
    assert message.properties == Properties(message_id="7", subject=subject, to=to, reply_to="$me")
    assert message.body == AmqpValue(body)


def test_answers() -> None:
    queue = management.get_queue("q").result(management.read_answer(answer("200", QUEUE)))
    assert queue == management.Queue(
        "q", "quorum", True, False, False, QUEUE["arguments"], 1, 2, "", ["rabbit@a"]
    )
    assert (
        management.purge_queue("q").result(management.read_answer(answer("200", {"message_count": 7}))) == 7
    )
    binding = {
        "source": "x",
        "destination_queue": "q",
        "binding_key": "k",
        "arguments": {},
        "location": "/bindings/1",
    }
    [found] = management.list_bindings("x", queue="q").result(
        management.read_answer(answer("200", [binding]))
    )
    assert found == management.Binding("x", "q", "", "k", {}, "/bindings/1")
    assert management.unbind(found).path == "/bindings/1"
    nothing: None = management.delete_exchange("x").result(management.read_answer(answer("204", None)))
    assert nothing is None


def test_a_refusal_has_its_status_and_its_reason() -> None:
    refused = management.read_answer(answer("409", "exists otherwise", "9"))
    assert refused == management.Answer("9", "409", "exists otherwise")
    with pytest.raises(management.ManagementError, match=r"exists otherwise \(status 409\)") as caught:
        management.declare_queue("q").result(refused)
    assert caught.value.status == "409"


@pytest.mark.parametrize("body", [None, 5, "text", [], {}, {"name": "q"}])
def test_an_answer_of_another_form(body: Any) -> None:
    with pytest.raises(amqp.DecodeError, match="the answer to GET /queues/q has another form"):
        management.get_queue("q").result(management.Answer("1", "200", body))


@pytest.mark.parametrize(
    "message",
    [
        Message(body=AmqpValue(None)),
        Message(properties=Properties(), body=AmqpValue(None)),
        Message(properties=Properties(subject="200"), body=Data(b"")),
    ],
)
def test_what_is_no_answer(message: Message) -> None:
    with pytest.raises(amqp.DecodeError):
        management.read_answer(message)


def test_the_pair_of_links() -> None:
    sender, receiver = management.attach_pair("m", 0, 1)
    assert (sender.name, receiver.name) == ("m", "m")
    assert (sender.role, receiver.role) == (Role.SENDER, Role.RECEIVER)
    for link in (sender, receiver):
        assert isinstance(link.source, Source) and link.source.address == "/management"
        assert link.snd_settle_mode is SenderSettleMode.SETTLED and link.properties == {"paired": True}


def test_tokens() -> None:
    expires = datetime(2030, 1, 1, tzinfo=UTC)
    message = sent(claims.put_token("secret", "amqps://h/q", request_id="3", reply_to="me", expires=expires))
    assert message.properties == Properties(message_id="3", to="$cbs", reply_to="me")
    assert message.application_properties == {
        "operation": "put-token",
        "type": "jwt",
        "name": "amqps://h/q",
        "expiration": amqp.types.Timestamp(1893456000000),
    }
    assert message.body == AmqpValue("secret")
    forgotten = sent(claims.delete_token("amqps://h/q", request_id=4, reply_to="me"))
    assert forgotten.application_properties is not None
    assert forgotten.application_properties["operation"] == "delete-token"
    assert forgotten.body == AmqpValue(None)


def token_answer(properties: dict[str, Any], request_id: Any = "3") -> Message:
    return Message(properties=Properties(correlation_id=request_id), application_properties=properties)


def test_answers_to_tokens() -> None:
    assert claims.read_token_answer(token_answer({"status-code": 202})) == "3"
    assert claims.read_token_answer(token_answer({"statusCode": 200, "statusDescription": "OK"})) == "3"
    refused = {
        "status-code": 401,
        "status-description": "expired",
        "error-condition": "amqp:unauthorized-access",
    }
    with pytest.raises(
        claims.TokenRefused, match=r"expired \(status 401, amqp:unauthorized-access\)"
    ) as caught:
        claims.read_token_answer(token_answer(refused))
    assert caught.value.status == 401
    for wrong in (
        token_answer({}),
        token_answer({"status-code": "200"}),
        token_answer({"status-code": 200}, None),
    ):
        with pytest.raises(amqp.DecodeError):
            claims.read_token_answer(wrong)


def test_direct_replies() -> None:
    attach = direct_reply.attach_for_replies("r", 3)
    [(_, read, _)], _ = amqp.decode_frames(amqp.encode_frame(0, attach))
    assert isinstance(read, Attach) and isinstance(read.source, Source)
    assert read.source.dynamic and read.source.capabilities == ["rabbitmq:volatile-queue"]
    read.source.address = "/queues/amq.rabbitmq.reply-to.x"
    assert direct_reply.reply_address(read) == "/queues/amq.rabbitmq.reply-to.x"
    with pytest.raises(amqp.DecodeError, match="no address for replies"):
        direct_reply.reply_address(Attach("r", 3, Role.SENDER))
