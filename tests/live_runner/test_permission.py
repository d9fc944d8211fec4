"""One probe at the start says whether our user may declare at all."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_1_0.performatives import AmqpError, Attach, Close, Detach, End, Error, Role

from tests.cli.command_calls import call

from .amqp1 import fake_peer
from .fake_broker import Answer, close_channel, close_connection, fake_broker, keep_silent
from .patience import patiently

methods = amqp.methods
RULE = ("--rules", "channel.open/state")
HINT = (
    "(rules need a user who may configure, write and read what has a name that begins with amqp-codegen.) "
    "[no-permission]"
)


@pytest.mark.parametrize("close", ["channel.close", "connection.close"])
@pytest.mark.parametrize("spec", ["0-9-1", "0-9-1-rabbitmq"])
def test_a_user_who_may_not_declare(close: str, spec: str) -> None:
    text = "ACCESS_REFUSED - access refused for user 'bob'"
    refusal = close_channel(403, text) if close == "channel.close" else close_connection(403, text)
    with fake_broker({"queue.declare": refusal}) as fake:
        result = call(
            "conformance", f"amqp://bob:secret@127.0.0.1:{fake.port}/", "--spec", spec, "--rules", "*"
        )
    assert (result.code, result.out) == (2, [])
    (line,) = result.err
    assert line == (
        f"error: amqp://bob@127.0.0.1:{fake.port}/ does not let bob declare queues: "
        f"{close} 403 (ACCESS_REFUSED - access refused for user 'bob') {HINT}"
    )


@pytest.mark.parametrize("answer", [close_channel(404), close_connection(540, "no queues"), keep_silent])
@patiently
def test_what_is_not_about_permission_is_left_to_the_rules(answer: Answer, timeout: float) -> None:
    with fake_broker({"queue.declare": answer}) as fake:
        assert call("conformance", fake.url, *RULE, "--timeout", str(timeout)).code == 0


def test_nothing_of_the_probe_is_left() -> None:
    with fake_broker() as fake:
        assert call("conformance", fake.url, *RULE).code == 0
        assert fake.queues == set()
    assert next(frame.queue for frame in fake.came if isinstance(frame, methods.QueueDeclare)).startswith(
        "amqp-codegen.permission."
    )


# --- 1.0 ---

ERROR = Error(AmqpError.UNAUTHORIZED_ACCESS, "access refused")


def detach(conversation: fake_peer.Conversation, channel: int, attach: Attach, payload: bytes) -> None:
    conversation.say(Attach(attach.name, attach.handle, Role.RECEIVER), channel)
    conversation.say(Detach(attach.handle, True, ERROR), channel)


@pytest.mark.parametrize(
    ("answer", "says"),
    [(detach, "detach"), (fake_peer.say(End(ERROR)), "end"), (fake_peer.say(Close(ERROR)), "close")],
)
def test_a_user_of_1_0_who_may_not_attach(answer: fake_peer.Answer, says: str) -> None:
    with fake_peer.running(attach=answer) as peer:
        result = call("conformance", peer.url, "--spec", "1.0", "--rules", "open.*")
    assert (result.code, result.out) == (2, [])
    (line,) = result.err
    assert f"does not let guest attach to queues: {says}" in line
    assert "amqp:unauthorized-access 'access refused'" in line
    assert line.endswith(HINT)


@pytest.mark.parametrize(
    "answer",
    [fake_peer.on_attach, fake_peer.keep_silent, fake_peer.say(End(Error(AmqpError.NOT_FOUND, "no")))],
)
def test_a_peer_of_1_0_without_queues_is_left_to_the_rules(answer: fake_peer.Answer) -> None:
    with fake_peer.running(attach=answer) as peer:
        result = call(
            "conformance", peer.url, "--spec", "1.0", "--rules", "open.hostname/*", "--timeout", "1"
        )
    assert result.code != 2
