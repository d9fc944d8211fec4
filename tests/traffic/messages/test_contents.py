"""Messages of 0-x are put together from methods, content headers and bodies."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_traffic.decode.body_retention import BodyRetention
from amqp_traffic.variant_values import variant_value

from .method_script import (
    CONFIRM,
    OLD,
    OPEN,
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

BODY = bytes(range(256)) * 40  # three frames of 4096 octets


def _whole(kind: str, size: int, frames: int = 1) -> tuple[Any, ...]:
    return kind, size, size, frames, True


PARTS = publish(BODY)
BAD_HEADER = (0, amqp.encode_frame(1, amqp.ContentHeader(amqp.BasicProperties(), 4))[:-3] + b"\x00\x01\xce")
CUT_HEADER = (0, b"\2\0\1\0\0\0\5\0\x3c\0\0\0\xce")
STRAY_BODY = (0, amqp.encode_frame(1, amqp.ContentBody(b"body")))

_PUBLISHED, _LONG = _whole("publish", 4), _whole("publish", len(BODY), 3)
_EMPTY = ("publish", None, 0, 0, False)

CASES: dict[str, tuple[list[Step], list[tuple[Any, ...]]]] = {
    "one frame": (publish(), [_PUBLISHED]),
    "three frames": (PARTS, [_LONG]),
    "no body": (publish(b""), [_whole("publish", 0, 0)]),
    "heartbeats between frames": ([*PARTS[:3], heartbeat(0), heartbeat(1), *PARTS[3:]], [_LONG]),
    "another channel between frames": ([*PARTS[:3], *opened(2), *publish(channel=2), *PARTS[3:]],
                                       [_LONG, _PUBLISHED]),
    "both sides at once": ([*PARTS[:3], *deliver(1), *PARTS[3:]], [_LONG, _whole("deliver", 4)]),
    "two at once, of both sides": ([step for pair in zip(PARTS, deliver(1, BODY), strict=True) for step in pair],
                                   [_LONG, _whole("deliver", len(BODY), 3)]),
    "a return": (content(1, "basic.return", reply_code=312, reply_text="NO_ROUTE", exchange="e", routing_key="k"),
                 [_whole("return", 4)]),
    "what was got": ([client("basic.get", queue="q"), *get_ok(1)], [_whole("get-ok", 4)]),
    "a method between frames": ([*PARTS[:3], client("basic.ack", delivery_tag=1), *PARTS[3:], *publish()],
                                [("publish", len(BODY), 4088, 1, False), _PUBLISHED]),
    "no content header": ([publish()[0], *publish()], [_EMPTY, _PUBLISHED]),
    "no method": ([*publish()[1:], *publish()], [_PUBLISHED]),
    "a body without a header": ([publish()[0], STRAY_BODY, *publish()], [_EMPTY, _PUBLISHED]),
    "two content headers": ([*publish()[:2], *publish()], [("publish", 4, 0, 0, False), _PUBLISHED]),
    "one header again": ([publish()[0], publish()[1], publish()[1], publish()[2]], [("publish", 4, 0, 0, False)]),
    "more than was said": ([*publish()[:2], (0, amqp.encode_frame(1, amqp.ContentBody(b"bodies"))), *publish()],
                           [("publish", 4, 6, 1, False), _PUBLISHED]),
    "never finished": (PARTS[:4], [("publish", len(BODY), 8176, 2, False)]),
    "a header whose properties cannot be read": ([publish()[0], BAD_HEADER, publish()[2], *publish()],
                                                 [_PUBLISHED, _PUBLISHED]),
    "a header that is cut off": ([publish()[0], CUT_HEADER, publish()[2], *publish()],
                                 [("publish", None, 4, 1, False), _PUBLISHED]),
    "the channel is closed": ([*PARTS[:3], client("channel.close", reply_code=200, reply_text="")],
                              [("publish", len(BODY), 4088, 1, False)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_contents(name: str) -> None:
    steps, expected = CASES[name]
    rows = play([*OPEN, *steps])
    assert rows.pick("kind", "body_size", "body_seen", "body_frames", "complete") == expected


def test_arguments_properties_and_times() -> None:
    properties = {
        "content_type": "a/b",
        "content_encoding": "gzip",
        "headers": {"x": 1},
        "delivery_mode": 2,
        "priority": 3,
        "correlation_id": "c",
        "reply_to": "r",
        "expiration": "1000",
        "message_id": "m",
        "timestamp": 1_700_000_000,
        "type": "t",
        "user_id": "u",
        "app_id": "a",
        "cluster_id": "cl",
    }
    fields = {name: value for name, value in properties.items() if name != "cluster_id"}
    fields["reserved"] = "cl"
    (row,) = play([*OPEN, *publish(mandatory=True, immediate=True, properties=fields)]).messages
    assert variant_value(row["headers"]) == {"x": 1}
    expected = properties | {
        "headers": row["headers"],
        "timestamp": 1_700_000_000_000_000,
        "conn_id": 0,
        "dir": 0,
        "frame_no": 3,
        "stream_off": len(OPEN[0][1]) + len(OPEN[1][1]),  # type: ignore[arg-type]
        "channel": 1,
        "kind": "publish",
        "exchange": "e",
        "routing_key": "k",
        "mandatory": True,
        "immediate": True,
        "body_size": 4,
        "body_seen": 4,
        "body_frames": 1,
        "first_ns": 3000,
        "last_ns": 5000,
        "first_ts": 3,
        "complete": True,
        "source": "wire",
        "lossy_types": False,
    }
    assert {name: value for name, value in row.items() if value is not None} == expected


def test_arguments_of_a_delivery() -> None:
    steps = [
        client("basic.consume", queue="q", consumer_tag="c", no_ack=True),
        server("basic.consume-ok", consumer_tag="c"),
        *deliver(7, redelivered=True),
    ]
    (row,) = play([*OPEN, *steps]).messages
    names = (
        "exchange",
        "routing_key",
        "queue_inferred",
        "redelivered",
        "no_ack",
        "consumer_tag",
        "delivery_tag",
    )
    assert [row[name] for name in names] == ["e", "k", "q", True, True, "c", 7]


def test_arguments_of_what_was_got() -> None:
    (row,) = play([*OPEN, client("basic.get", queue="q"), *get_ok(7, redelivered=True)]).messages
    names = ("queue_inferred", "redelivered", "no_ack", "delivery_tag", "message_count", "settle")
    assert [row[name] for name in names] == ["q", True, False, 7, 3, "none"]


def test_arguments_of_a_return() -> None:
    fields: dict[str, Any] = {
        "reply_code": 312,
        "reply_text": "NO_ROUTE",
        "exchange": "e",
        "routing_key": "k",
    }
    (row,) = play([*OPEN, *content(1, "basic.return", **fields)]).messages
    assert {name: row[name] for name in fields} == fields
    assert (row["settle"], row["confirm"]) == (None, None)


@pytest.mark.parametrize("package", [OLD, "amqp_0_9"])
def test_methods_with_a_ticket(package: str) -> None:
    steps = [
        header(package),
        client("channel.open", package=package),
        server("channel.open-ok", package=package),
        client("basic.consume", package=package, ticket=1, queue="q", consumer_tag="c", no_ack=True),
        server("basic.consume-ok", package=package, consumer_tag="c"),
        *publish(package=package, ticket=1, mandatory=True),
        *deliver(1, package=package),
        client("basic.get", package=package, ticket=1, queue="p"),
        *get_ok(2, package=package),
    ]
    rows = play(steps)
    assert rows.pick(
        "kind", "exchange", "routing_key", "mandatory", "queue_inferred", "no_ack", "complete"
    ) == [
        ("publish", "e", "k", True, None, None, True),
        ("deliver", "e", "k", None, "q", True, True),
        ("get-ok", "e", "k", None, "p", False, True),
    ]


def test_content_of_other_classes_is_no_message() -> None:
    amqp08 = __import__("amqp_0_8")
    stage = [
        amqp08.encode_frame(1, amqp08.methods.FileStage()),
        amqp08.encode_frame(1, amqp08.ContentHeader(amqp08.FileProperties(filename="f"), 4)),
        amqp08.encode_frame(1, amqp08.ContentBody(b"file")),
    ]
    steps = [
        header(OLD),
        client("channel.open", package=OLD),
        *((0, frame) for frame in stage),
        *publish(package=OLD),
        *((0, frame) for frame in stage),
    ]
    assert play(steps).pick("kind", "body_size", "complete") == [("publish", 4, True)]


def test_a_content_header_of_another_class() -> None:
    amqp08 = __import__("amqp_0_8")
    other = amqp08.encode_frame(1, amqp08.ContentHeader(amqp08.FileProperties(filename="f"), 4))
    parts = publish(package=OLD)
    rows = play([header(OLD), client("channel.open", package=OLD), parts[0], (0, other), parts[2]])
    assert rows.pick("content_type", "misfits", "body_size", "complete") == [(None, None, 4, True)]


LOST = [
    ("a body", [*PARTS[:3], (0, len(PARTS[3][1])), *PARTS[4:], *publish()], [False, True]),  # type: ignore[arg-type]
    # The second message lacks its beginning: its body must not be taken for that of the first.
    ("between two alike", [*publish()[:2], (0, 200), publish()[2], *publish()], [False, True]),
    ("of the other side", [*PARTS[:3], (1, 100), *PARTS[3:], server("basic.ack", delivery_tag=1)], [True]),
]


@pytest.mark.parametrize(("name", "steps", "complete"), LOST, ids=[case[0] for case in LOST])
def test_what_was_lost_is_not_made_up_for(name: str, steps: list[Step], complete: list[bool]) -> None:
    assert play([*OPEN, *steps]).pick("complete") == complete


def test_mid_stream() -> None:
    rows = play([*publish()[1:], *publish(), *deliver(9)], from_start=False)
    assert rows.pick("kind", "queue_inferred", "no_ack", "settle", "confirm", "complete") == [
        ("publish", None, None, None, None, True),
        ("deliver", None, None, "none", None, True),
    ]


@pytest.mark.parametrize(
    ("bodies", "head"),
    [(BodyRetention(True, 10_000), BODY[:10_000]), (BodyRetention(True, 0), b""), (BodyRetention(), None)],
    ids=str,
)
def test_bodies_are_kept_if_asked_for(bodies: BodyRetention, head: bytes | None) -> None:
    rows = play([*OPEN, *publish(BODY), *publish(b"")], bodies)
    digest = None if head is None else sha256(BODY).digest()
    empty = (None, None) if head is None else (sha256(b"").digest(), b"")
    assert rows.pick("body_sha256", "body_head") == [(digest, head), empty]


def test_bodies_that_are_not_complete_have_no_digest() -> None:
    rows = play([*OPEN, *PARTS[:3], *publish()[:2]], BodyRetention(True, 100))
    assert rows.pick("body_sha256", "body_head") == [(None, BODY[:100]), (None, None)]


def test_a_method_that_cannot_be_read_is_a_message_without_arguments() -> None:
    method = publish()[0][1]
    assert isinstance(method, bytes)
    broken = method[:13] + b"\xff" + method[14:]  # no UTF-8
    rows = play([*CONFIRM, (0, broken), *publish()[1:], server("basic.ack", delivery_tag=1)])
    assert rows.pick("kind", "exchange", "routing_key", "body_size", "confirm", "complete") == [
        ("publish", None, None, 4, "ack", True)
    ]
