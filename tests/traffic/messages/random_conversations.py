"""Random conversations of 0-x, channel by channel, for properties: sensible ones and nonsense."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from .method_script import Step, client, content, deliver, get_ok, heartbeat, opened, publish, server

Story = list[Step]

_TAGS = st.integers(0, 6)
_BODIES = st.sampled_from((b"", b"body", bytes(5000)))


def _said(channel: int) -> st.SearchStrategy[Story]:
    """Something that is said on a channel."""
    close: dict[str, Any] = {"reply_code": 404, "reply_text": "NOT_FOUND"}
    names: dict[str, Any] = {"exchange": "e", "routing_key": "k"}
    whole = st.one_of(
        _BODIES.map(lambda body: publish(body, channel)),
        st.builds(lambda tag, body: deliver(tag, body, channel), _TAGS, _BODIES),
        _BODIES.map(
            lambda body: content(1, "basic.return", body, channel, reply_code=312, reply_text="", **names)
        ),
        _TAGS.map(lambda tag: [client("basic.get", channel, queue="q"), *get_ok(tag, channel=channel)]),
        st.builds(
            lambda side, tag, multiple: [
                (client, server)[side]("basic.ack", channel, delivery_tag=tag, multiple=multiple)
            ],
            st.integers(0, 1),
            _TAGS,
            st.booleans(),
        ),
        _TAGS.map(lambda tag: [client("basic.reject", channel, delivery_tag=tag)]),
        st.sampled_from(
            [
                [client("confirm.select", channel)],
                [client("basic.recover", channel, requeue=True)],
                [client("basic.consume", channel, queue="q", consumer_tag="c", no_ack=True)],
                [client("queue.declare", channel, queue="q")],
                [server("queue.declare-ok", channel, queue="q", message_count=0)],
                [client("queue.bind", channel, queue="q", exchange="e"), server("queue.bind-ok", channel)],
                [server("channel.close", channel, **close), client("channel.close-ok", channel)],
                [client("channel.close", channel, **close), server("channel.close-ok", channel)],
                opened(channel),
                [heartbeat(0)],
                [heartbeat(1)],
            ]
        ),
    )
    # Now and then a frame is missing, without a gap: whoever wrote it made a mistake.
    return st.builds(
        lambda steps, at: steps[:at] + steps[at + 1 :], whole, st.one_of(st.just(99), st.integers(0, 3))
    )


def story(channel: int, most: int = 12) -> st.SearchStrategy[Story]:
    """All that is said on a channel."""
    said = st.lists(_said(channel), max_size=most)
    return said.map(lambda parts: opened(channel) + [step for part in parts for step in part])


@st.composite
def interleaved(draw: st.DrawFn, stories: list[list[Step]]) -> list[tuple[int, Step]]:
    """Stories in any order, each in its own, and which one each step is from."""
    places = [number for number, steps in enumerate(stories) for _ in steps]
    rest = [iter(steps) for steps in stories]
    return [(number, next(rest[number])) for number in draw(st.permutations(places))]
