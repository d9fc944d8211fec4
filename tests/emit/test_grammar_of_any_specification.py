"""``grammar.py`` of specifications that have no grammars, no connection, no channel, or grammars of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.shared_folders import Shared

from .small_specifications import element, imported, publish_to, unformatted, written

CLIENT = element("chassis", name="client", implement="MUST")
SERVER = element("chassis", name="server", implement="MUST")


def method(name: str, index: int, *accepts: str, reply: str = "") -> str:
    response = element("response", name=reply) if reply else ""
    return element("method", "".join(accepts) + response, name=name, index=index, synchronous=1)


def grammar(text: str) -> str:
    return element("doc", text, type="grammar")


ASK = method("ask", 10, SERVER, reply="ask-ok") + method("ask-ok", 11, CLIENT)
BODY = (
    element("class", ASK, name="plain", index=1)
    # Three steps, of which the last two may come again and again; the client may begin one before the last is over.
    + element(
        "class",
        grammar("steps = C:ASK S:ASK-OK *( C:MORE S:MORE-OK )")
        + ASK
        + method("more", 20, SERVER)
        + method("more-ok", 21, CLIENT),
        name="steps",
        index=2,
    )
    + element("class", method("either", 10), name="unsaid", index=3)
    + element("class", name="empty", index=4)
)
CHANNEL = element(
    "class",
    method("open", 10, SERVER, reply="open-ok") + method("open-ok", 11, CLIENT) + method("close", 20, SERVER),
    name="channel",
    index=20,
)


@pytest.fixture(scope="module", params=["neither", "channel"])
def package(request: pytest.FixtureRequest, shared: Shared) -> Iterator[ModuleType]:
    body = BODY + (CHANNEL if request.param == "channel" else "")
    name = f"made_{request.param}"

    def make(place: Path) -> None:
        publish_to(place, unformatted(written(place, body), name))

    folder = shared(f"grammar-{request.param}", make)
    with imported(folder, name) as made:
        yield made


def say(package: Any, conversation: Any, *steps: str) -> list[str]:
    found = []
    for step in steps:
        sender, name = step.split()
        cls = getattr(package.methods, name)
        found += [finding.kind.name for finding in conversation.observe(sender, cls())]
    return found


def conversation_of(package: ModuleType, channel: int = 1) -> Any:
    module = __import__(f"{package.__name__}.grammar", fromlist=["Conversation"])
    return module.Conversation(channel)


def test_a_channel_without_a_grammar_is_open_at_once(package: ModuleType) -> None:
    conversation = conversation_of(package)
    assert say(package, conversation, "client PlainAsk", "server PlainAskOk", "client PlainAsk") == []
    assert say(package, conversation, "server PlainAskOk", "server PlainAskOk") == ["REPLY_WITHOUT_REQUEST"]


def test_without_chassis_either_side_may_send(package: ModuleType) -> None:
    assert say(package, conversation_of(package), "client UnsaidEither", "server UnsaidEither") == []


def test_without_a_class_connection_nothing_belongs_on_channel_zero(package: ModuleType) -> None:
    conversation = conversation_of(package, 0)
    assert conversation.expected("client") == ()
    assert say(package, conversation, "client PlainAsk") == ["WRONG_CHANNEL"]


def test_an_exchange_of_several_steps(package: ModuleType) -> None:
    conversation = conversation_of(package)
    more = ["client StepsMore", "server StepsMoreOk"]
    assert say(package, conversation, "client StepsMore") == ["REPLY_WITHOUT_REQUEST"]
    assert say(package, conversation, "client StepsAsk", "server StepsAskOk", *more, *more) == []
    assert say(package, conversation, "client StepsAsk", "server StepsAskOk", *more) == []
    assert say(package, conversation, "client StepsMore", "client PlainAsk") == ["REQUEST_OUTSTANDING"]
