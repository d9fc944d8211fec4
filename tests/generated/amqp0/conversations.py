"""Conversations for the tests of ``grammar.py``: opened ones, and the frames of a method with its content."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .packages import bare, method, name_of

SIDES = ("client", "server")


def grammar_of(amqp: Any) -> Any:
    return import_module(f"{name_of(amqp)}.grammar")


def kinds(findings: Any) -> list[str]:
    return [finding.kind.name for finding in findings]


def frames_of(amqp: Any, cls: Any, body: bytes = b"body") -> list[Any]:
    """A method, and the content it announces."""
    if not cls.HAS_CONTENT:
        return [bare(cls)]
    header = amqp.ContentHeader(amqp.content.PROPERTIES[cls.CLASS_ID](), len(body))
    return [bare(cls), header, *([amqp.ContentBody(body)] if body else [])]


def say(amqp: Any, conversation: Any, sender: str, cls: Any) -> list[str]:
    """Send a method with its content; return the kinds of findings."""
    return [kind for frame in frames_of(amqp, cls) for kind in kinds(conversation.observe(sender, frame))]


def opening(amqp: Any, channel: int) -> list[tuple[str, Any]]:
    """What opens a connection or channel."""
    if channel:
        names = ["client channel.open", "server channel.open-ok"]
    else:
        names = ["server connection.start", "client connection.start-ok", "server connection.tune"]
        names += ["client connection.tune-ok", "client connection.open", "server connection.open-ok"]
    return [(side, method(amqp, name)) for side, name in map(str.split, names)]


def conversation_after(amqp: Any, channel: int, steps: list[tuple[str, Any]]) -> Any:
    """A conversation in which all this was said, whatever was found."""
    conversation = grammar_of(amqp).Conversation(channel)
    for sender, cls in steps:
        say(amqp, conversation, sender, cls)
    return conversation


def opened(amqp: Any, channel: int = 1) -> Any:
    return conversation_after(amqp, channel, opening(amqp, channel))
