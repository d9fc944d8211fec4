"""Classes that a user derives from methods are encoded, validated and observed like the methods."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from .packages import each_package, method


def derived(amqp: Any, name: str) -> Any:
    base = method(amqp, name)
    return type(f"My{base.__name__}", (base,), {"__slots__": ()})


@each_package
def test_validate(amqp: Any) -> None:
    for cls in (method(amqp, "queue.declare"), derived(amqp, "queue.declare")):
        ticket = {"ticket": 1} if any(field.name == "ticket" for field in cls.FIELDS) else {}
        amqp.validate(cls(queue="fine", **ticket))
        with pytest.raises(amqp.errors.ValidationError, match=r"queue\.declare\.queue"):
            amqp.validate(cls(queue="x" * 128 if ticket else "no blanks, please", **ticket))


@each_package
def test_conversations(amqp: Any) -> None:
    conversation = importlib.import_module(f"{amqp.__name__}.grammar").Conversation(1)
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("client", "channel.open", {}),
        ("server", "channel.open-ok", {}),
        ("client", "queue.declare", {}),
        ("server", "queue.declare-ok", {}),
        ("client", "basic.publish", {}),
    ]
    for sender, name, values in steps:
        assert conversation.observe(sender, derived(amqp, name)(**values)) == ()
    no_wait = next(
        field.name for field in method(amqp, "queue.declare").FIELDS if field.name in ("no_wait", "nowait")
    )
    [missing] = conversation.observe("client", derived(amqp, "queue.declare")(**{no_wait: True}))
    assert missing.kind.name == "CONTENT_MISSING"
    assert missing.seen == "queue.declare"
    [unasked] = conversation.observe("server", derived(amqp, "queue.declare-ok")())
    assert unasked.kind.name == "REPLY_WITHOUT_REQUEST"


@each_package
def test_kinds_of_findings_can_be_read_alone(amqp: Any) -> None:
    for kind in importlib.import_module(f"{amqp.__name__}.grammar").FindingKind:
        first = kind.value.split()[0]
        assert first in {"frame", "sender", "method", "reply", "request", "content"}, kind
