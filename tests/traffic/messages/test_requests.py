"""Requests of 0-x and their replies."""

from __future__ import annotations

import pytest
from amqp_codegen.support.resources import load_package
from amqp_traffic.dialogue.amqp0.methods import methods_of
from amqp_traffic.dialogue.amqp0.requests import MOST_OPEN, OpenRequest, Requests

from tests.growth import lines

from .method_script import (
    OLD,
    OPEN,
    RABBITMQ,
    Step,
    client,
    content,
    deliver,
    get_ok,
    header,
    heartbeat,
    opened,
    play,
    publish,
    server,
)

DECLARE, DECLARED = client("queue.declare", queue="q"), server("queue.declare-ok", queue="q", message_count=0)
BIND, BOUND = client("queue.bind", queue="q", exchange="e"), server("queue.bind-ok")
CLOSE, CLOSED = client("channel.close", reply_code=200, reply_text=""), server("channel.close-ok")
FAIL = server("channel.close", reply_code=404, reply_text="NOT_FOUND")
LEAVE = client("connection.close", 0, reply_code=200, reply_text="")
LEFT = server("connection.close-ok", 0)

_DECLARE = ("queue.declare", "queue.declare-ok", "ok")
_BIND = ("queue.bind", "queue.bind-ok", "ok")
_CLOSE = ("channel.close", "channel.close-ok", "ok")
_LEAVE = ("connection.close", "connection.close-ok", "ok")

_UNANSWERED = ("queue.declare", None, "unanswered")
_BIND_EARLY = ("queue.bind", "queue.bind-ok", "out-of-order")

CASES: dict[str, tuple[list[Step], list[tuple[str | None, str | None, str]]]] = {
    "one": ([DECLARE, DECLARED], [_DECLARE]),
    "two at once": ([DECLARE, BIND, DECLARED, BOUND], [_DECLARE, _BIND]),
    "alike": ([DECLARE, DECLARE, DECLARED, DECLARED], [_DECLARE, _DECLARE]),
    "the wrong one is answered first": ([DECLARE, BIND, BOUND, DECLARED], [_BIND_EARLY, _DECLARE]),
    "passed over: nobody waits for it any more": ([DECLARE, BIND, BOUND, DECLARE, DECLARED, BIND, BOUND],
                                                  [_BIND_EARLY, _DECLARE, _BIND, _UNANSWERED]),
    "passed over, and all come in the end": ([DECLARE, BIND, DECLARE, BOUND, DECLARED, DECLARED],
                                             [_BIND_EARLY, _DECLARE, _DECLARE]),
    "nobody asked": ([DECLARED], [(None, "queue.declare-ok", "out-of-order")]),
    "nobody answers": ([DECLARE], [_UNANSWERED]),
    "no reply is wanted": ([client("queue.declare", queue="q", no_wait=True)], []),
    "on another channel": (
        [DECLARE, *opened(2), server("queue.declare-ok", 2, queue="q", message_count=0)],
        [("channel.open", "channel.open-ok", "ok"), (None, "queue.declare-ok", "out-of-order"), _UNANSWERED]),
    "a message comes": ([client("basic.get", queue="q"), *get_ok(1)], [("basic.get", "basic.get-ok", "ok")]),
    "no message comes": ([client("basic.get", queue="q"), server("basic.get-empty")],
                         [("basic.get", "basic.get-empty", "ok")]),
    "messages are no requests": ([*publish(), *deliver(1), client("basic.ack", delivery_tag=1)], []),
    "the server asks": ([server("channel.flow", active=False), client("channel.flow-ok", active=False)],
                        [("channel.flow", "channel.flow-ok", "ok")]),
    "both ask the same": (
        [
            server("channel.flow", active=False),
            client("channel.flow", active=False),
            client("channel.flow-ok", active=False),
            server("channel.flow-ok", active=False),
        ],
        [("channel.flow", "channel.flow-ok", "ok")] * 2,
    ),
    "recovered": ([client("basic.recover", requeue=True), server("basic.recover-ok")],
                  [("basic.recover", "basic.recover-ok", "ok")]),
    "confirms and transactions": (
        [client("confirm.select"), server("confirm.select-ok"), client("tx.commit"), server("tx.commit-ok")],
        [("confirm.select", "confirm.select-ok", "ok"), ("tx.commit", "tx.commit-ok", "ok")]),
    "the channel is closed": ([CLOSE, CLOSED], [_CLOSE]),
    "the server closes instead": ([DECLARE, FAIL, client("channel.close-ok")],
                                  [("queue.declare", "channel.close", "closed"), _CLOSE]),
    "asked too late": ([FAIL, DECLARE, client("channel.close-ok")], [_CLOSE, ("queue.declare", None, "closed")]),
    "answered although the client closes": ([DECLARE, CLOSE, DECLARED, CLOSED], [_DECLARE, _CLOSE]),
    "not answered as the client closes": (
        [DECLARE, CLOSE, CLOSED],
        [("channel.close", "channel.close-ok", "out-of-order"), ("queue.declare", None, "closed")]),
    "both close": ([CLOSE, FAIL, CLOSED, client("channel.close-ok")], [_CLOSE, _CLOSE]),
    "the connection is closed": ([DECLARE, LEAVE, LEFT], [_LEAVE, ("queue.declare", None, "closed")]),
    "the server closes the connection": (
        [DECLARE, server("connection.close", 0, reply_code=320, reply_text=""), client("connection.close-ok", 0)],
        [("queue.declare", "connection.close", "closed"), _LEAVE]),
    "the channel is opened again": ([DECLARE, *opened(1)],
                                    [("queue.declare", None, "closed"), ("channel.open", "channel.open-ok", "ok")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_requests(name: str) -> None:
    steps, expected = CASES[name]
    rows = play([*OPEN, *steps])
    assert rows.pairs() == [("channel.open", "channel.open-ok", "ok"), *expected]


def test_places_and_latency() -> None:
    row = play([*OPEN, heartbeat(0), DECLARE, *publish(), DECLARED]).exchanges[-1]
    assert row == {
        "conn_id": 0,
        "channel": 1,
        "name": "queue.declare",
        "request_dir": 0,
        "request_frame_no": 4,
        "request_off": sum(len(octets) for side, octets in [*OPEN, heartbeat(0)] if side == 0),  # type: ignore[arg-type]
        "request_ns": 4000,
        "reply_name": "queue.declare-ok",
        "reply_frame_no": 8,
        "reply_off": len(OPEN[2][1]),  # type: ignore[arg-type]
        "reply_ns": 8000,
        "latency_ns": 4000,
        "outcome": "ok",
    }


def test_what_nobody_asked_for_has_no_request() -> None:
    row = play([*OPEN, DECLARED]).exchanges[-1]
    assert {name for name, value in row.items() if value is None} == {
        "name",
        "request_frame_no",
        "request_off",
        "request_ns",
        "latency_ns",
    }
    assert (row["request_dir"], row["reply_ns"]) == (0, 3000)


def test_mid_stream_replies_have_no_row() -> None:
    rows = play([*publish(), DECLARED, DECLARE, DECLARED], from_start=False)
    assert rows.pairs() == [_DECLARE]


@pytest.mark.parametrize("side", [0, 1])
def test_after_a_loss_the_request_may_be_lost(side: int) -> None:
    assert play([*OPEN, (side, 40), *publish() * 20, *deliver(1), DECLARED]).pairs()[1:] == []


ACKS = [server("basic.ack", delivery_tag=1)] * 20  # so many that frames are found again after a gap


def test_after_a_loss_a_reply_is_for_what_was_asked_later() -> None:
    """Clients mostly wait for a reply before they ask again."""
    rows = play([*OPEN, DECLARE, (1, 100), *ACKS, DECLARE, DECLARED])
    assert [(row["request_frame_no"], row["outcome"]) for row in rows.exchanges[1:]] == [
        (4 + len(ACKS), "ok"),
        (3, "unanswered"),
    ]


def test_a_reply_after_a_loss() -> None:
    assert play([*OPEN, DECLARE, (1, 100), *ACKS, DECLARED]).pairs()[1:] == [_DECLARE]


def test_the_login() -> None:
    steps = [
        header(),
        server("connection.start", 0, server_properties={}, mechanisms=b"PLAIN", locales=b"en_US"),
        client(
            "connection.start-ok", 0, client_properties={}, mechanism="PLAIN", response=b"", locale="en_US"
        ),
        server("connection.tune", 0),
        client("connection.tune-ok", 0),
        client("connection.open", 0, virtual_host="/"),
        server("connection.open-ok", 0),
        LEAVE,
        LEFT,
    ]
    assert play(steps).pairs() == [
        ("connection.start", "connection.start-ok", "ok"),
        ("connection.tune", "connection.tune-ok", "ok"),
        ("connection.open", "connection.open-ok", "ok"),
        _LEAVE,
    ]


def test_numbers_that_mean_something_else_in_0_8() -> None:
    steps = [
        header(OLD),
        client("channel.open", package=OLD),
        *deliver(1, package=OLD),
        client("connection.close", 0, OLD, reply_code=200, reply_text="bye"),
        server("connection.close-ok", 0, OLD),
    ]
    rows = play(steps)
    assert rows.pairs() == [_LEAVE, ("channel.open", None, "closed")]
    assert rows.facts.close_text == "bye"


def test_open_requests_are_bounded() -> None:
    rows = play([*OPEN, *[DECLARE] * (MOST_OPEN + 1), DECLARED])
    assert rows.pairs()[1:3] == [("queue.declare", None, "unanswered"), _DECLARE]
    assert [row["request_frame_no"] for row in rows.exchanges[1:3]] == [3, 4]


@pytest.mark.parametrize("package", ["amqp_0_8", "amqp_0_9", "amqp_0_9_1", RABBITMQ])
def test_synchronous_methods_are_requests_or_replies(package: str) -> None:
    known = load_package(package).METHODS
    found = methods_of(package)
    assert {method.name for method in found.values()} == {method.NAME for method in known.values()}
    for kind, method in known.items():
        if method.SYNCHRONOUS:
            assert found[kind].replies or found[kind].is_reply
        # A login has one exchange for each method of the server, though the next one answers start-ok and secure-ok.
        login_reply = method.NAME in ("connection.start-ok", "connection.secure-ok")
        answers = [] if login_reply else [reply.NAME for reply in method.RESPONSES]
        assert list(found[kind].replies.values()) == answers


def test_content_in_a_reply() -> None:
    """Test.content-ok of 0-8, of another class than basic."""
    steps = [
        header(OLD),
        client("channel.open", package=OLD),
        server("channel.open-ok", package=OLD),
        *content(0, "test.content", package=OLD, class_name="TestProperties"),
        *content(1, "test.content-ok", package=OLD, class_name="TestProperties"),
    ]
    rows = play(steps)
    assert rows.messages == []
    assert ("test.content", "test.content-ok", "ok") in rows.pairs()


def test_a_reply_that_nobody_asked_for_is_not_looked_for() -> None:
    open_requests = Requests()
    for number in range(1000):
        open_requests.ask(0, OpenRequest(number, "queue.bind", {"queue.bind-ok": "queue.bind-ok"}))
    assert open_requests.answer(0, "queue.declare-ok") is None
    assert lines(lambda _: open_requests.answer(0, "queue.declare-ok"), None) < 20
    answered = [open_requests.answer(0, "queue.bind-ok") for _ in range(1001)]
    assert [found and found.request.asked for found in answered] == [*range(1000), None]
