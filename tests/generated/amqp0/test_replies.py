"""What answers a request: ``RESPONSES``, ``NO_WAIT``, ``expects_reply`` and ``is_reply``."""

from __future__ import annotations

from typing import Any

import pytest

from .conversations import conversation_after, opening, say
from .packages import DRAFT, OLDEST, RABBITMQ, STANDARD, bare, each_method, each_package, method, methods_of

# package, request, what may answer besides a close
ANSWERS: list[tuple[Any, str, list[str]]] = [
    (OLDEST, "connection.start-ok", ["connection.secure", "connection.tune"]),
    (OLDEST, "connection.open", ["connection.open-ok", "connection.redirect"]),
    (OLDEST, "basic.recover", []),
    (OLDEST, "dtx.select", ["dtx.select-ok"]),
    (OLDEST, "dtx.select-ok", []),
    (DRAFT, "connection.secure-ok", ["connection.secure", "connection.tune"]),
    (DRAFT, "dtx.select-ok", []),
    (STANDARD, "connection.start", ["connection.start-ok"]),
    (STANDARD, "connection.start-ok", ["connection.secure", "connection.tune"]),
    (STANDARD, "connection.secure", ["connection.secure-ok"]),
    (STANDARD, "connection.secure-ok", ["connection.secure", "connection.tune"]),
    (STANDARD, "connection.tune", ["connection.tune-ok"]),
    (STANDARD, "connection.tune-ok", []),
    (STANDARD, "basic.get", ["basic.get-ok", "basic.get-empty"]),
    (STANDARD, "basic.recover", ["basic.recover-ok"]),
    (STANDARD, "basic.recover-async", []),
    (STANDARD, "basic.publish", []),
    (RABBITMQ, "confirm.select", ["confirm.select-ok"]),
    (RABBITMQ, "connection.update-secret", ["connection.update-secret-ok"]),
]


@pytest.mark.parametrize(
    ("amqp", "name", "answers"), ANSWERS, ids=[f"{amqp.SPEC.version}-{name}" for amqp, name, _ in ANSWERS]
)
def test_answers(amqp: Any, name: str, answers: list[str]) -> None:
    cls = method(amqp, name)
    assert [reply.NAME for reply in cls.RESPONSES] == answers
    assert bare(cls).expects_reply is bool(answers)
    for other in methods_of(amqp):
        closes = other.NAME == "connection.close" or (
            other.NAME == "channel.close" and not name.startswith("connection.")
        )
        assert amqp.is_reply(bare(cls), bare(other)) == (other.NAME in answers or closes), other.NAME


@each_method
def test_no_wait(amqp: Any, cls: Any) -> None:
    """A method with a no-wait field expects a reply unless it is set; others whenever there is one."""
    [name] = [
        field.name for field in cls.FIELDS if field.name in ("no_wait", "nowait") and not field.reserved
    ] or [""]
    assert name == cls.NO_WAIT
    request = bare(cls)
    assert request.expects_reply is bool(cls.RESPONSES)
    if name:
        setattr(request, name, True)
        assert not request.expects_reply


@each_package
def test_a_close_while_closing(amqp: Any) -> None:
    """After its own close a side waits for close-ok, whatever else comes; only the connection may go first."""
    methods = amqp.methods
    channel, connection = methods.ChannelClose(), methods.ConnectionClose()
    answers = [channel, methods.ChannelCloseOk(), connection, methods.ConnectionCloseOk()]
    assert [amqp.is_reply(channel, frame) for frame in answers] == [False, True, True, False]
    assert [amqp.is_reply(connection, frame) for frame in answers] == [False, False, False, True]
    assert [amqp.is_reply(methods.ConnectionOpen(), frame) for frame in answers] == [
        False,
        False,
        True,
        False,
    ]


@each_package
def test_frames_without_a_method_answer_nothing(amqp: Any) -> None:
    request = method(amqp, "basic.get")()
    header = amqp.ContentHeader(amqp.BasicProperties())
    for frame in (amqp.Heartbeat(), header, amqp.ContentBody(b""), amqp.OtherFrame(4, b""), None):
        assert not amqp.is_reply(request, frame)


@each_package
@pytest.mark.parametrize("challenges", [0, 1, 3])
def test_a_login_by_its_answers(amqp: Any, challenges: int) -> None:
    """A client that only sends what it must, and takes what answers it, follows the grammar."""
    methods = amqp.methods
    conversation = conversation_after(amqp, 0, opening(amqp, 0)[:1])
    request: Any = methods.ConnectionStartOk()
    for number in range(challenges + 1):
        assert request.expects_reply
        assert say(amqp, conversation, "client", type(request)) == []
        reply = methods.ConnectionSecure() if number < challenges else methods.ConnectionTune()
        assert amqp.is_reply(request, reply)
        assert say(amqp, conversation, "server", type(reply)) == []
        request = methods.ConnectionSecureOk()
