"""On clean traffic the audit finds no error, whatever of it was not captured; and what it needs is bounded."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_codegen.traffic.audit.catalogue import RULES
from amqp_codegen.traffic.audit.notes import Notes
from amqp_codegen.traffic.audit.outstanding import Outstanding
from amqp_codegen.traffic.audit.trail import TrailConnection, TrailFrame

from ..core import made
from ..core.assembly.script import client, deliver, publish, server
from ..pcap_records import records, with_records
from ..synth.making import make
from .talk import RST, audit, audit_capture, ended, packets_of, ready

_CONSUME = [
    client("queue.declare", queue="q", durable=True),
    server("queue.declare-ok", queue="q", message_count=0, consumer_count=0),
    client("basic.consume", queue="q", consumer_tag="c"),
    server("basic.consume-ok", consumer_tag="c"),
]


@cache
def _busy() -> tuple[tuple[int, bytes], ...]:
    """The packets of a connection on which much happens, all of it right."""
    steps = [*_CONSUME, client("confirm.select"), server("confirm.select-ok")]
    for number in range(1, 9):
        steps += [*publish(b"x" * 300, frame_max=4096), server("basic.ack", delivery_tag=number)]
        steps += [*deliver(number), client("basic.ack", delivery_tag=number)]
        steps += [client("basic.get", queue="q"), server("basic.get-empty")]
        steps += [client("channel.open", number + 1), server("channel.open-ok", number + 1)]
    steps += [
        client("channel.close", 2, reply_code=200, reply_text="", class_id=0, method_id=0),
        server("channel.close-ok", 2),
        client("channel.open", 2),
        server("channel.open-ok", 2),
    ]
    return tuple(packets_of(ready(steps)))


def _errors(capture: bytes) -> list[tuple[str, str]]:
    """But for the version that a synthetic server refuses: it is there."""
    found = audit_capture(capture)
    return [
        (each.rule_id, each.evidence)
        for each in found
        if each.severity == "error" and each.rule_id != "version-refused"
    ]


def _file(packets: list[tuple[int, bytes]]) -> bytes:
    return made.pcap([made.Captured(octets, ns) for ns, octets in packets])


def test_the_busy_connection_is_fine() -> None:
    assert [each for each in audit_capture(_file(list(_busy()))) if each.severity != "info"] == []


@settings(max_examples=150, deadline=None)
@given(st.sets(st.integers(0, len(_busy()) - 1), max_size=12))
def test_lost_packets_are_no_errors(lost: set[int]) -> None:
    assert _errors(_file([packet for number, packet in enumerate(_busy()) if number not in lost])) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(_busy())), st.integers(0, len(_busy())))
def test_a_part_of_a_connection_is_no_error(start: int, end: int) -> None:
    assert _errors(_file(list(_busy()[start:end]))) == []


# Of 1.0 see test_auditor1_captures. Where the beginning of a connection of 0-8 or 0-9 is lost, its version is a guess.
_MIX = {"0-9-1-rabbitmq": 3, "tls": 1, "http": 1, "silent": 1}


@cache
def _synthetic(seed: int) -> bytes:
    return make(seed=seed, size=120_000, mix=_MIX).capture


@pytest.mark.parametrize("seed", range(3))
def test_synthetic_traffic_is_fine(seed: int) -> None:
    assert _errors(_synthetic(seed)) == []


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2), st.integers(0, 1 << 32), st.sampled_from((0.002, 0.02, 0.2)))
def test_lost_packets_of_synthetic_traffic_are_no_errors(seed: int, number: int, rate: float) -> None:
    octets, chance = _synthetic(seed), Random(number)
    kept = [record for record in records(octets) if chance.random() >= rate]
    assert _errors(with_records(octets, kept)) == []


def test_two_runs_are_the_same() -> None:
    octets = _synthetic(0)
    first, second = audit_capture(octets, "amqp-1.0"), audit_capture(octets, "amqp-1.0")
    assert first == second
    assert len({each.finding_id for each in first}) == len(first)


def test_one_finding_for_each_channel() -> None:
    wrong = [client("basic.ack", delivery_tag=9)] * 5
    found = [each for each in audit(ended(wrong, RST)) if each.rule_id == "ack-unknown-tag"]
    assert [(each.channel, each.occurrences) for each in found] == [(1, 5)]


def test_notes_of_a_connection_are_bounded() -> None:
    notes = Notes(TrailConnection("c", "1"))
    for channel in range(1, 10_001):
        notes.add("not-open", TrailFrame(channel, 0, 0, 0, 1, 0, 0, 1, channel, 12), "x")
    found = notes.findings()
    assert len(found) == 4096
    assert sum(each.occurrences for each in found) == 10_000


def test_what_is_to_be_settled_is_bounded() -> None:
    outstanding = Outstanding()
    for number in range(1, 100_001):
        outstanding.add(number)
    assert len(outstanding.settle_up_to(0)) == 65_536
    assert outstanding.forgotten == 100_000 - 65_536


def test_rules_are_there_once() -> None:
    """An id that is there twice would hide a rule."""
    from amqp_codegen.traffic.audit import catalogue

    listed = [rule.id for rules in catalogue._GROUPS.values() for rule in rules]
    assert sorted(listed) == sorted(RULES)
    assert len(RULES) >= 80


def test_findings_have_no_secret() -> None:
    assert "secret" not in json.dumps([each.row() for each in audit(ready())])
