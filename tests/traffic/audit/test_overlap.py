"""Octets that are sent again, and are others: no script has that, as it is about packets."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from .. import capture_builder
from .audited_methods import READY, audit_capture, packets_of

OVERLAP = "stream-overlap"


def _capture(again: bytes) -> bytes:
    packets = [octets for _, octets in packets_of(READY)]
    first = next(number for number, octets in enumerate(packets) if octets.endswith(b"AMQP\x00\x00\x09\x01"))
    packets.insert(first + 1, packets[first][: -len(again)] + again)
    return capture_builder.pcap(
        [
            capture_builder.Captured(octets, capture_builder.START_NS + number)
            for number, octets in enumerate(packets)
        ]
    )


def _rules(again: bytes) -> set[str]:
    return {item.rule_id for item in audit_capture(_capture(again))}


def test_other_octets_are_found() -> None:
    assert OVERLAP in _rules(b"\x09\x02")


def test_the_same_octets_are_not() -> None:
    assert OVERLAP not in _rules(b"\x09\x01")
