"""Content in a conversation: after the method that announces it, of its class, as long as it says."""

from __future__ import annotations

from typing import Any

import pytest

from .conversations import frames_of, grammar_of, kinds, opened, opening, say
from .packages import PACKAGES, RABBITMQ, bare, each_package, method, methods_of


def header(amqp: Any, size: int) -> Any:
    return amqp.ContentHeader(amqp.BasicProperties(), size)


def heard(amqp: Any, *frames: Any) -> list[str]:
    """What is found in these frames of a client, on an open channel."""
    conversation = opened(amqp)
    return [kind for frame in frames for kind in kinds(conversation.observe("client", frame))]


@pytest.mark.parametrize(
    ("amqp", "cls"),
    [
        pytest.param(amqp, cls, id=f"{name}-{cls.NAME}")
        for name, amqp in PACKAGES.items()
        for cls in methods_of(amqp)
        if cls.HAS_CONTENT
    ],
)
@pytest.mark.parametrize("body", [b"", b"body"])
def test_every_method_with_content_wants_it(amqp: Any, cls: Any, body: bytes) -> None:
    sender = sorted(cls.SENT_BY)[0]
    whole = frames_of(amqp, cls, body)
    for length in range(1, len(whole)):
        conversation = opened(amqp)
        for frame in whole[:length]:
            conversation.observe(sender, frame)
        found = kinds(conversation.observe(sender, method(amqp, "basic.qos")()))
        assert found[0] == "CONTENT_MISSING"


@each_package
def test_content_in_pieces_and_of_both_sides_at_once(amqp: Any) -> None:
    conversation = opened(amqp)
    deliver, publish = method(amqp, "basic.deliver")(), method(amqp, "basic.publish")()
    turns = [
        ("client", publish),
        ("server", deliver),
        ("client", header(amqp, 5)),
        ("server", header(amqp, 0)),
        ("client", amqp.ContentBody(b"ab")),
        ("server", deliver),
        ("client", amqp.ContentBody(b"cde")),
        ("client", publish),
    ]
    assert [conversation.observe(*turn) for turn in turns] == [()] * len(turns)


@each_package
def test_content_that_is_wrong(amqp: Any) -> None:
    publish, body = method(amqp, "basic.publish")(), amqp.ContentBody(b"abc")
    assert heard(amqp, header(amqp, 3)) == ["CONTENT_UNEXPECTED"]
    assert heard(amqp, body) == ["CONTENT_UNEXPECTED"]
    assert heard(amqp, publish, body) == ["CONTENT_UNEXPECTED"]
    assert heard(amqp, publish, header(amqp, 3), header(amqp, 3), body) == ["CONTENT_UNEXPECTED"]
    assert heard(amqp, publish, header(amqp, 2), body) == ["CONTENT_TOO_LONG"]
    assert heard(amqp, publish, header(amqp, 3), body, body) == ["CONTENT_UNEXPECTED"]
    for cls in amqp.content.PROPERTIES.values():
        kinds_of = ["CONTENT_OF_OTHER_CLASS"] if cls is not amqp.BasicProperties else []
        assert heard(amqp, publish, amqp.ContentHeader(cls(), 3), body) == kinds_of
    assert heard(amqp, publish, publish, header(amqp, 3), body) == ["CONTENT_MISSING"]
    assert heard(amqp, method(amqp, "channel.close")(), body) == ["AFTER_CLOSE"]


@each_package
def test_methods_alone(amqp: Any) -> None:
    conversation = grammar_of(amqp).Conversation(1, expects_content=False)
    for sender, cls in opening(amqp, 1):
        assert conversation.observe(sender, bare(cls)) == ()
    for _ in range(3):
        assert conversation.observe("client", method(amqp, "basic.publish")()) == ()
    assert conversation.observe("client", amqp.ContentBody(b"")) == ()


@each_package
def test_joining_in_the_middle(amqp: Any) -> None:
    conversation = grammar_of(amqp).Conversation(1, joined=True)
    ok = method(amqp, "queue.declare-ok")
    assert conversation.observe("server", amqp.ContentBody(b"the rest")) == ()
    assert say(amqp, conversation, "client", method(amqp, "basic.publish")) == []
    assert say(amqp, conversation, "server", ok) == []
    assert say(amqp, conversation, "server", ok) == ["REPLY_WITHOUT_REQUEST"]
    assert kinds(conversation.observe("server", amqp.ContentBody(b"more"))) == ["CONTENT_UNEXPECTED"]
    assert say(amqp, conversation, "server", method(amqp, "basic.publish")) == ["WRONG_DIRECTION"]


@each_package
@pytest.mark.parametrize("channel", [0, 1])
def test_joining_when_nothing_was_missed(amqp: Any, channel: int) -> None:
    conversation = grammar_of(amqp).Conversation(channel, joined=True)
    assert [say(amqp, conversation, *step) for step in opening(amqp, channel)] == [[]] * len(
        opening(amqp, channel)
    )
    reply = method(amqp, "queue.declare-ok" if channel else "connection.tune-ok")
    assert say(amqp, conversation, "server" if channel else "client", reply) != []


def test_joining_after_a_close() -> None:
    conversation = grammar_of(RABBITMQ).Conversation(1, joined=True)
    assert say(RABBITMQ, conversation, "server", method(RABBITMQ, "channel.close-ok")) == []
    assert say(RABBITMQ, conversation, "client", method(RABBITMQ, "basic.ack")) == ["AFTER_CLOSE"]
    assert say(RABBITMQ, conversation, "client", method(RABBITMQ, "channel.open")) == []
