"""Octets that stand where a frame should begin: what is cut off by ourselves is no error of the peer."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp
from amqp_traffic.explain.evidence_lines import MOST_STRAY_OCTETS, stray_octet_lines

PACKAGE = "amqp_0_9_1_rabbitmq"


def shown(octets: bytes) -> str:
    lines = stray_octet_lines(octets[:MOST_STRAY_OCTETS], PACKAGE, "", bodies=True)
    return "\n".join("".join(text for text, _ in line) for line in lines)


def test_a_frame_that_our_own_limit_cuts_off_has_no_errors() -> None:
    header = amqp.ContentHeader(amqp.BasicProperties(headers={"a": "x" * 4100}), 0)
    text = shown(amqp.encode_frame(1, header))
    assert "error" not in text
    assert "header frame" in text
    assert f"only {MOST_STRAY_OCTETS} octets are examined" in text


def test_a_frame_that_the_capture_cuts_off_has_its_error() -> None:
    whole = amqp.encode_frame(1, amqp.methods.QueueDeclare(queue="q" * 100))
    assert "the frame is cut off" in shown(whole[:60])
