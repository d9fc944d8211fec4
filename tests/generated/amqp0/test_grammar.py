"""Class grammars at work: what may come is accepted, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.many_cases import by_id, in_one_test
from tests.sampling import examples

from .conversations import SIDES, conversation_after, frames_of, grammar_of, kinds, opened, opening, say
from .packages import PACKAGES, RABBITMQ, bare, each_package, method, methods_of

OTHER = {"client": "server", "server": "client"}


def is_for(channel: int, cls: Any) -> bool:
    return (cls.NAME.partition(".")[0] == "connection") == (channel == 0)


def request_pairs() -> list[Any]:
    """Every request that can be sent while a channel or connection is open, with each of its replies."""
    found = []
    for name, amqp in PACKAGES.items():
        for cls in methods_of(amqp):
            opening_methods = {item for channel in (0, 1) for _, item in opening(amqp, channel)}
            if cls in opening_methods or cls.NAME in (
                "connection.secure",
                "connection.secure-ok",
                "channel.resume",
            ):
                continue
            if cls.NAME in ("dtx.start", "file.open-ok"):  # they go on with what others have begun
                continue
            for sender in sorted(cls.SENT_BY):
                for reply in cls.RESPONSES:
                    found.append(pytest.param(amqp, sender, cls, reply, id=f"{name}-{sender}-{reply.NAME}"))
    return found


@each_package
@pytest.mark.parametrize("channel", [0, 1])
def test_opening_is_strictly_in_order(amqp: Any, channel: int) -> None:
    steps = opening(amqp, channel)
    conversation = grammar_of(amqp).Conversation(channel)
    for sender, cls in steps:
        assert cls in conversation.expected(sender)
        assert conversation.expected(OTHER[sender]) in ((), *all_closes(amqp, channel))
        assert say(amqp, conversation, sender, cls) == []
    for number in range(1, len(steps)):
        sender, cls = steps[number]
        assert say(amqp, conversation_after(amqp, channel, steps[: number - 1]), sender, cls) != []


def all_closes(amqp: Any, channel: int) -> list[Any]:
    return [(method(amqp, "connection.close" if channel == 0 else "channel.close"),)]


@each_package
def test_a_challenge_may_come_any_number_of_times(amqp: Any) -> None:
    conversation = conversation_after(amqp, 0, opening(amqp, 0)[:2])
    for _ in range(3):
        assert say(amqp, conversation, "server", method(amqp, "connection.secure")) == []
        assert say(amqp, conversation, "client", method(amqp, "connection.secure-ok")) == []
    assert say(amqp, conversation, "server", method(amqp, "connection.tune")) == []


@in_one_test("amqp, sender, request_class, reply", by_id(request_pairs()))
def test_requests_and_replies(amqp: Any, sender: str, request_class: Any, reply: Any) -> None:
    conversation = opened(amqp, 0 if is_for(0, request_class) else 1)
    assert request_class in conversation.expected(sender)
    assert reply not in conversation.expected(OTHER[sender])
    assert say(amqp, conversation, sender, request_class) == []
    assert reply in conversation.expected(OTHER[sender])
    assert say(amqp, conversation, OTHER[sender], reply) == []
    assert say(amqp, conversation, OTHER[sender], reply) != []


@each_package
def test_every_method_can_come_from_where_its_chassis_says(amqp: Any) -> None:
    """A method that no conversation ever lets through would be a mistake in the grammar."""
    states = grammar_of(amqp).SYMBOLS
    missing = {(side, cls.NAME) for cls in methods_of(amqp) for side in cls.SENT_BY} - {
        (side, cls.NAME) for side, cls in states
    }
    # The client of 0-9 has no reason to send message.empty: nothing asks it to.
    assert missing == ({("client", "message.empty")} if "message.empty" in str(missing) else set())


@each_package
def test_the_wrong_direction(amqp: Any) -> None:
    symbols = grammar_of(amqp).SYMBOLS
    for cls in methods_of(amqp):
        for sender in SIDES:
            if (sender, cls) in symbols or (OTHER[sender], cls) not in symbols:
                continue
            channel = 0 if is_for(0, cls) else 1
            assert kinds(opened(amqp, channel).observe(sender, bare(cls))) == ["WRONG_DIRECTION"], cls.NAME


@each_package
def test_the_wrong_channel(amqp: Any) -> None:
    for cls in methods_of(amqp):
        channel = 1 if is_for(0, cls) else 0
        for sender in SIDES:
            assert kinds(opened(amqp, channel).observe(sender, bare(cls))) == ["WRONG_CHANNEL"]
    assert kinds(opened(amqp, 1).observe("client", amqp.Heartbeat())) == ["WRONG_CHANNEL"]
    assert opened(amqp, 0).observe("client", amqp.Heartbeat()) == ()


@given(st.sampled_from(sorted(PACKAGES)), st.sampled_from([0, 1]), st.data())
@examples(100)
def test_what_is_expected_is_legal_and_what_is_not_is_found(
    name: str, channel: int, data: st.DataObject
) -> None:
    """Walk where ``expected`` leads, then try every method from either side."""
    amqp = PACKAGES[name]
    steps = opening(amqp, channel) if data.draw(st.booleans(), "opened") else []
    conversation = conversation_after(amqp, channel, steps)
    closed: set[str] = set()
    for _ in range(data.draw(st.integers(0, 8), "steps")):
        may = [(side, cls) for side in SIDES for cls in conversation.expected(side)]
        if not may:
            break
        sender, cls = data.draw(st.sampled_from(may), "step")
        assert say(amqp, conversation, sender, cls) == []
        steps = [*steps, (sender, cls)]
        if cls.NAME in ("connection.close", "channel.close"):
            closed.add(sender)
        elif cls.NAME in ("connection.close-ok", "channel.close-ok"):
            closed.discard(OTHER[sender])
    for sender in SIDES:
        expected = conversation.expected(sender)
        assert list(expected) == sorted(expected, key=lambda cls: (cls.CLASS_ID, cls.METHOD_ID))
        dropped = OTHER[sender] in closed and sender not in closed  # what comes after the other side's Close
        for cls in methods_of(amqp):
            found = conversation_after(amqp, channel, steps).observe(sender, bare(cls))
            if not (dropped and is_for(channel, cls)):
                assert (cls in expected) == (found == ()), (sender, cls.NAME)
            for finding in found:
                assert (finding.channel, finding.sender, finding.seen) == (channel, sender, cls.NAME)
                assert finding.expected == expected


@given(st.sampled_from(sorted(PACKAGES)), st.data())
@settings(deadline=None)
def test_exchanges_of_several_classes_may_be_under_way(name: str, data: st.DataObject) -> None:
    """While requests of either side wait, whatever wants no reply may come from both."""
    amqp = PACKAGES[name]
    conversation = opened(amqp)
    waiting = {}
    for side in SIDES:
        requests = [cls for cls in conversation.expected(side) if cls.SYNCHRONOUS and cls.RESPONSES]
        waiting[side] = data.draw(st.sampled_from([cls for cls in requests if "close" not in cls.NAME]), side)
    for side, cls in waiting.items():
        assert say(amqp, conversation, side, cls) == []
    for side in SIDES:
        for cls in conversation.expected(side):
            if not cls.RESPONSES and not cls.NAME.endswith("-ok") and not cls.NAME.endswith("empty"):
                assert say(amqp, conversation, side, cls) == []
    for side, cls in waiting.items():
        assert set(cls.RESPONSES) <= set(conversation.expected(OTHER[side]))
        assert say(amqp, conversation, OTHER[side], cls.RESPONSES[0]) == []


def test_a_second_request_before_the_reply() -> None:
    conversation = opened(RABBITMQ)
    declare, bind = method(RABBITMQ, "queue.declare"), method(RABBITMQ, "queue.bind")
    assert say(RABBITMQ, conversation, "client", declare) == []
    assert bind not in conversation.expected("client")
    assert say(RABBITMQ, conversation, "client", bind) == ["REQUEST_OUTSTANDING"]
    for reply in ("queue.declare-ok", "queue.bind-ok"):  # one mistake is one finding
        assert say(RABBITMQ, conversation, "server", method(RABBITMQ, reply)) == []
    assert say(RABBITMQ, conversation, "client", bind) == []


@each_package
def test_whoever_wants_no_reply_gets_none(amqp: Any) -> None:
    declare, ok = method(amqp, "queue.declare"), method(amqp, "queue.declare-ok")
    name = "no_wait" if any(field.name == "no_wait" for field in declare.FIELDS) else "nowait"
    conversation = opened(amqp)
    for _ in range(2):
        assert conversation.observe("client", declare(**{name: True})) == ()
    assert say(amqp, conversation, "client", declare) == []
    assert conversation.observe("client", declare(**{name: True})) == ()
    assert say(amqp, conversation, "server", ok) == []
    assert say(amqp, conversation, "server", ok) == ["REPLY_WITHOUT_REQUEST"]


@each_package
@pytest.mark.parametrize("name", ["queue.declare", "basic.publish", "channel.close", "channel.close-ok"])
def test_nothing_before_open(amqp: Any, name: str) -> None:
    conversation = grammar_of(amqp).Conversation(1)
    wanted = ["REPLY_WITHOUT_REQUEST"] if name.endswith("-ok") else ["NOT_OPEN"]
    found = conversation.observe("client", method(amqp, name)())
    assert kinds(found)[:1] in (wanted, ["NOT_OPEN"])
    assert [cls.NAME for cls in found[0].expected][:1] == ["channel.open"]


@each_package
def test_a_finding_is_told_in_one_line(amqp: Any) -> None:
    [finding] = opened(amqp).observe("server", method(amqp, "queue.declare-ok")())
    assert str(finding).startswith("channel 1, server: queue.declare-ok: reply without a request (legal: ")
    [finding] = opened(amqp).observe("client", 5)
    assert str(finding).endswith(" more)")
    [finding] = opened(amqp).observe("broker", 5)
    assert str(finding) == "channel 1, broker: int: sender that is neither client nor server (legal: nothing)"


ANYTHING = st.one_of(
    st.none(),
    st.integers(),
    st.text(),
    st.binary(),
    st.lists(st.integers()),
    st.just(object()),
    st.just(type),
)


@given(
    st.sampled_from(sorted(PACKAGES)),
    st.integers(0, 65535),
    st.lists(st.tuples(st.sampled_from([*SIDES, "", "nobody"]), st.integers(0, 200), ANYTHING), max_size=60),
    st.booleans(),
    st.booleans(),
)
@settings(deadline=None)
def test_whatever_comes_in_whatever_order_is_no_exception(
    name: str, channel: int, steps: list[tuple[str, int, Any]], expects_content: bool, joined: bool
) -> None:
    amqp = PACKAGES[name]
    conversation = grammar_of(amqp).Conversation(channel, expects_content=expects_content, joined=joined)
    methods = methods_of(amqp)
    others = [*frames_of(amqp, method(amqp, "basic.publish")), amqp.ContentBody(b""), amqp.Heartbeat()]
    for sender, number, value in steps:
        if number < len(methods):
            frame: Any = bare(methods[number])
        else:
            frame = [*others, amqp.OtherFrame(4, b""), value][number % (len(others) + 2)]
        for finding in conversation.observe(sender, frame):
            assert str(finding).isprintable()
        assert conversation.expected(sender) is not None


@each_package
def test_memory_is_bounded(amqp: Any) -> None:
    """Requests that are never answered are counted, not kept."""
    conversation = opened(amqp)
    requests = [cls for cls in methods_of(amqp) if not cls.NAME.startswith(("connection", "channel"))]
    for _ in range(50):
        for cls in requests:
            for side in SIDES:
                say(amqp, conversation, side, cls)
    assert len(conversation._exchanges) <= 2 * len(requests)
