"""Closing a channel or connection: from either side, at any time, and what may come after it."""

from __future__ import annotations

from typing import Any

import pytest

from .conversations import SIDES, conversation_after, kinds, opened, opening, say
from .packages import RABBITMQ, each_package, method, methods_of

OTHER = {"client": "server", "server": "client"}
each_side = pytest.mark.parametrize("side", SIDES)
each_channel = pytest.mark.parametrize("channel", [0, 1])


def closes(amqp: Any, channel: int) -> tuple[Any, Any]:
    name = "channel" if channel else "connection"
    return method(amqp, f"{name}.close"), method(amqp, f"{name}.close-ok")


@each_package
@each_channel
@each_side
def test_either_side_may_close_at_any_time_after_the_first_method(amqp: Any, channel: int, side: str) -> None:
    close, close_ok = closes(amqp, channel)
    steps = opening(amqp, channel)
    for number in range(1, len(steps) + 1):
        conversation = conversation_after(amqp, channel, steps[:number])
        assert close in conversation.expected(side)
        assert say(amqp, conversation, side, close) == []
        assert conversation.expected(side) == ()
        assert conversation.expected(OTHER[side]) == (close, close_ok)
        assert say(amqp, conversation, OTHER[side], close_ok) == []
    assert say(amqp, conversation_after(amqp, channel, []), side, close) == ["NOT_OPEN"]


@each_package
@each_side
def test_the_other_side_goes_on_until_it_knows(amqp: Any, side: str) -> None:
    """What it sends is dropped, so nothing of it can be wrong; then it has closed too."""
    close, close_ok = closes(amqp, 1)
    conversation = opened(amqp)
    assert say(amqp, conversation, side, close) == []
    for cls in methods_of(amqp):
        if not cls.NAME.startswith("connection.") and cls not in (close, close_ok):
            assert say(amqp, conversation, OTHER[side], cls) == []
    assert say(amqp, conversation, OTHER[side], close_ok) == []
    for item in SIDES:
        ack = method(amqp, "basic.ack" if item == "client" else "basic.deliver")
        assert say(amqp, conversation, item, ack)[:1] == ["AFTER_CLOSE"]


@each_package
@each_side
def test_who_has_closed_may_only_answer(amqp: Any, side: str) -> None:
    close, close_ok = closes(amqp, 1)
    conversation = opened(amqp)
    say(amqp, conversation, side, close)
    for cls in methods_of(amqp):
        if not cls.NAME.startswith("connection."):
            assert say(amqp, conversation, side, cls)[:1] == ["AFTER_CLOSE"], cls.NAME
    # Both have closed: each answers the other, in either order.
    assert say(amqp, conversation, OTHER[side], close) == []
    assert conversation.expected(side) == conversation.expected(OTHER[side]) == (close_ok,)
    assert say(amqp, conversation, side, close_ok) == []
    assert say(amqp, conversation, OTHER[side], close_ok) == []
    assert say(amqp, conversation, side, close_ok) == ["AFTER_CLOSE"]


@each_package
@each_side
def test_a_channel_may_be_opened_again_a_connection_not(amqp: Any, side: str) -> None:
    for channel in (0, 1):
        close, close_ok = closes(amqp, channel)
        conversation = opened(amqp, channel)
        say(amqp, conversation, side, close)
        say(amqp, conversation, OTHER[side], close_ok)
        found = [say(amqp, conversation, sender, cls) for sender, cls in opening(amqp, channel)]
        assert found == ([[], []] if channel else [["AFTER_CLOSE"]] * 6)
        if channel:
            assert say(amqp, conversation, "client", method(amqp, "queue.declare")) == []
        else:
            assert conversation.expected("client") == conversation.expected("server") == ()


def test_what_waited_for_a_reply_is_forgotten() -> None:
    close, close_ok = closes(RABBITMQ, 1)
    conversation = opened(RABBITMQ)
    say(RABBITMQ, conversation, "client", method(RABBITMQ, "queue.declare"))
    assert say(RABBITMQ, conversation, "server", close) == []
    assert say(RABBITMQ, conversation, "client", close_ok) == []
    for sender, cls in opening(RABBITMQ, 1):
        assert say(RABBITMQ, conversation, sender, cls) == []
    ok = method(RABBITMQ, "queue.declare-ok")
    assert say(RABBITMQ, conversation, "server", ok) == ["REPLY_WITHOUT_REQUEST"]


def test_a_close_may_cut_content_short() -> None:
    """A client that is told that its channel is closed stops in the middle of a message."""
    close, close_ok = closes(RABBITMQ, 1)
    publish = method(RABBITMQ, "basic.publish")()
    for sides in (("server", "client"), ("client", "server")):
        conversation = opened(RABBITMQ)
        assert conversation.observe("client", publish) == ()
        assert kinds(conversation.observe(sides[0], close())) == []
        assert kinds(conversation.observe(sides[1], close_ok())) == []
