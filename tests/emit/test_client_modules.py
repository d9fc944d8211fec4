"""The modules for authors of clients, of specifications that have only a part of what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .small_specifications import element, fields, imported, publish_to, unformatted, written

CLIENT = element("chassis", name="client", implement="MUST")
SERVER = element("chassis", name="server", implement="MUST")
LIMITS = fields(channel_max="short", frame_max="long", heartbeat="short")
DOMAINS = "".join(element("domain", name=name, type=name) for name in ("bit", "short", "long", "shortstr"))


def method(name: str, index: int, inner: str = "", **attributes: Any) -> str:
    return element("method", CLIENT + SERVER + inner, name=name, index=index, **attributes)


ASK = element("class", method("ask", 10), name="plain", index=1)
CLOSE = method("close", 40, element("response", name="close-ok")) + method("close-ok", 41)
SPECIFICATIONS = {
    "nothing": ASK,
    "content": ASK + element("class", method("say", 10, content=1), name="talk", index=2),
    "channel": element("class", CLOSE, name="channel", index=20) + ASK,
    "tune": element(
        "class",
        method("tune", 30, LIMITS) + method("tune-ok", 31, LIMITS) + CLOSE,
        name="connection",
        index=10,
    ),
    "other_tune": element(
        "class", method("tune", 30, LIMITS) + method("tune-ok", 31), name="connection", index=10
    ),
    "confirm": element("class", method("select", 10), name="confirm", index=85),
}
NAMES = {
    "content": {"ContentAssembler", "Message"},
    "tune": {"negotiate"},
    "confirm": {"ConfirmTracker"},
}
ALWAYS = {"HeartbeatTimer", "NumberAllocator", "ProtocolError", "is_reply", "plain_response"}
CONDITIONAL = set().union(*NAMES.values())


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    def make(place: Path) -> None:
        for name, body in SPECIFICATIONS.items():
            publish_to(place, unformatted(written(place, DOMAINS + body), f"made_{name}"))

    return shared("client-modules", make)


@pytest.fixture(params=SPECIFICATIONS)
def package(request: pytest.FixtureRequest, folder: Path) -> Iterator[Any]:
    with imported(folder, f"made_{request.param}") as made:
        yield made


def test_there_is_what_the_specification_is_about(package: Any) -> None:
    expected = NAMES.get(package.__name__.removeprefix("made_"), set())
    assert CONDITIONAL & {*package.__all__} == expected
    assert {*package.__all__} >= ALWAYS
    assert all(hasattr(package, name) for name in package.__all__)
    text = package.__doc__
    assert all((f"``{name}``" in text) is (name in expected) for name in CONDITIONAL)


def test_contents_of_a_class_without_properties(folder: Path) -> None:
    """And without a constant for unexpected frames: there is no code to report them with."""
    with imported(folder, "made_content") as amqp:
        octets = amqp.encode_message(1, amqp.methods.TalkSay(), None, b"x")
        assembler = amqp.ContentAssembler(max_body_size=1)
        items = [assembler.add(*frame) for frame in amqp.decode_frames(octets)[0]]
        assert [getattr(item, "body", None) for item in items] == [None, None, b"x"]
        with pytest.raises(amqp.ProtocolError, match=r"^channel 1: expected a method, got a content body$"):
            assembler.add(1, amqp.ContentBody(b"x"))


def test_closes_that_the_specification_has(folder: Path) -> None:
    with imported(folder, "made_channel") as amqp:
        assert amqp.is_reply(amqp.methods.PlainAsk(), amqp.methods.ChannelClose())
    with imported(folder, "made_nothing") as amqp:
        assert not amqp.is_reply(amqp.methods.PlainAsk(), amqp.methods.PlainAsk())


def test_their_types_are_right(shared: Shared, folder: Path) -> None:
    done = run_mypy(shared, *(f"made_{name}" for name in SPECIFICATIONS), cwd=folder)
    assert done.returncode == 0, done.stdout
