"""What cannot be read, or is not as it should be, is judged by itself; and all that can be read is judged, too."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from ..messages.method_script import client, deliver, publish, server
from .audited_methods import Step, audit, frame, handshake, method, ready

CUT = b"PRECONDITION \xe2\x82"  # a text that was cut inside a character
PUBLISH = client("basic.publish", exchange="", routing_key="k")
BODY = frame(3, 1, b"abc")
CONSUME = [client("basic.consume", queue="q", consumer_tag="c"), server("basic.consume-ok", consumer_tag="c")]
CLOSE_OK = client("channel.close-ok")


def _errors(*steps: Any) -> set[str]:
    return {item.rule_id for item in audit(ready(*steps)) if item.severity == "error"}


def _header(flags: int = 0, rest: bytes = b"", direction: int = 0) -> Step:
    payload = b"\0\x3c\0\0" + (3).to_bytes(8, "big") + flags.to_bytes(2, "big") + rest
    return frame(2, 1, payload, direction=direction)


def _deep(levels: int = 80) -> bytes:
    table = bytes(4)
    for _ in range(levels):
        table = (len(table) + 3).to_bytes(4, "big") + b"\1kF" + table
    return table


def test_a_close_with_a_text_that_was_cut() -> None:
    arguments = (406).to_bytes(2, "big") + bytes([len(CUT)]) + CUT + b"\0\x32\0\x0a"
    steps = ready(client("queue.declare", queue="q"), method(20, 40, arguments, direction=1), CLOSE_OK)
    found = {item.rule_id: item for item in audit(steps)}
    closed = found["channel-closed-with-error"]
    assert closed.severity == "warning" and "406" in closed.evidence and "queue.declare" in closed.evidence
    assert "reply_text" in found["text-not-utf8"].evidence
    assert {value.rule_id for value in found.values() if value.severity == "error"} == {"text-not-utf8"}


@pytest.mark.parametrize("arguments", [b"\1", b"\1\x96\x20text"], ids=["code", "text"])
def test_a_close_that_is_cut_off_closes_its_channel(arguments: bytes) -> None:
    """So its reply, and what the client opens then, is in order."""
    again = [client("channel.open"), server("channel.open-ok"), publish()]
    assert _errors(method(20, 40, arguments, direction=1), CLOSE_OK, again) == {"arguments-truncated"}


@pytest.mark.parametrize(
    "sent",
    [
        method(60, 40, b"\0\0\1e\1"),
        [
            CONSUME,
            method(60, 60, b"\1c\0", direction=1),
            _header(direction=1),
            frame(3, 1, b"abc", direction=1),
        ],
    ],
    ids=["publish", "deliver"],
)
def test_a_method_that_cannot_be_read_has_its_content(sent: Any) -> None:
    content = [] if isinstance(sent, list) else [_header(), BODY]
    assert _errors(sent, content, publish()) == {"arguments-truncated"}


@pytest.mark.parametrize(
    ("flags", "rest", "rules"),
    [
        (0x0400, b"\4\x9c\xe1\0\xff", {"text-not-utf8"}),
        (0x2000, b"\0\0\0\3\1kZ", {"table-type-unknown"}),
        (0x2000, _deep(), set()),
        (0x2000, b"\0\0\0\x05\2k\xfft\1", set()),
        (0x8000, b"", {"arguments-truncated"}),
        (0x0001, b"\0\0", {"arguments-undecodable"}),
    ],
    ids=["octets", "letter", "deep", "key", "cut", "second word"],
)
def test_bodies_behind_any_header_are_counted(flags: int, rest: bytes, rules: set[str]) -> None:
    assert _errors(PUBLISH, _header(flags, rest), BODY, publish()) == rules
    more = _errors(PUBLISH, _header(flags, rest), frame(3, 1, b"abcd"), publish())
    assert more == rules | {"content-too-long"}


def test_a_header_above_frame_max() -> None:
    """It is a finding against who sent it, and costs nothing else."""
    table = b"\1aS" + (9000).to_bytes(4, "big") + b"x" * 9000
    large = _header(0x2000, len(table).to_bytes(4, "big") + table, direction=1)
    limits = {"frame_max": 4096}
    steps = [
        *handshake(tune=limits, tune_ok=limits),
        *ready(CONSUME, deliver(1)[0], large, frame(3, 1, b"abc", direction=1), deliver(2))[7:],
    ]
    (found,) = [item for item in audit(steps) if item.severity == "error"]
    assert (found.rule_id, found.dir) == ("frame-above-max", 1)
    assert "9,033 octets, agreed on are 4,096" in found.evidence


def test_asserts_do_not_judge_escapes() -> None:
    declared = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
    found = {item.rule_id for item in audit(ready(method(50, 10, b"\0\0\1\xff\2" + bytes(4)), declared))}
    assert "text-not-utf8" in found
    assert not {rule for rule in found if rule.startswith("assert")}
