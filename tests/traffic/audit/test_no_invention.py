"""On clean traffic the audit finds no error, whatever of it was not captured; and what it needs is bounded."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.connection_frames import AuditConnection, AuditFrame
from amqp_traffic.audit.finding_log import FindingLog
from amqp_traffic.dialogue.amqp0.settlement import Outstanding

from ..messages.method_script import client
from ..pcap_records import records, with_records
from ..synth.made_captures import make
from .audited_methods import RST, audit, audit_capture, ended, ready
from .correct_connection import busy, errors, file_of


def test_the_busy_connection_is_fine() -> None:
    assert [item for item in audit_capture(file_of(list(busy()))) if item.severity != "info"] == []


@examples(150)
@given(st.sets(st.integers(0, len(busy()) - 1), max_size=12))
def test_lost_packets_are_no_errors(lost: set[int]) -> None:
    assert errors(file_of([packet for number, packet in enumerate(busy()) if number not in lost])) == []


@examples(60)
@given(st.integers(0, len(busy())), st.integers(0, len(busy())))
def test_a_part_of_a_connection_is_no_error(start: int, end: int) -> None:
    assert errors(file_of(list(busy()[start:end]))) == []


# Where the beginning of a connection of 0-8 or 0-9 is lost, its version is a guess.
_MIXES = {
    "0-8": {"0-8": 1, "0-9": 1},
    "0-9-1": {"0-9-1": 1, "0-9-1-rabbitmq": 1},
    "1.0": {"1.0": 1},
    "others": {"tls": 1, "http": 1, "silent": 1, "0-9-1-rabbitmq": 1},
}
_SEEDS = range(1, 5)
_RATES = (0.01, 0.2)
_TIMES = 4


@cache
def _synthetic(kind: str, seed: int) -> bytes:
    return make(seed=seed, size=60_000, mix=_MIXES[kind]).capture


@pytest.mark.parametrize("seed", _SEEDS)
@pytest.mark.parametrize("kind", _MIXES)
def test_synthetic_traffic_is_fine(kind: str, seed: int) -> None:
    assert errors(_synthetic(kind, seed)) == []


_DRAWN = {"seed": st.sampled_from(_SEEDS), "number": st.integers(1, _TIMES)}


@pytest.mark.parametrize("kind", _MIXES)
@examples(len(_SEEDS) * len(_RATES) * _TIMES)
@given(**_DRAWN, rate=st.sampled_from(_RATES))
def test_lost_packets_of_synthetic_traffic_are_no_errors(
    kind: str, seed: int, number: int, rate: float
) -> None:
    octets = _synthetic(kind, seed)
    chance = Random(f"{seed} {rate} {number}")
    kept = [record for record in records(octets) if chance.random() >= rate]
    assert errors(with_records(octets, kept)) == []


@pytest.mark.parametrize("kind", _MIXES)
@examples(len(_SEEDS) * _TIMES)
@given(**_DRAWN)
def test_a_part_of_synthetic_traffic_is_no_error(kind: str, seed: int, number: int) -> None:
    """In which packets are missing, besides."""
    octets, chance = _synthetic(kind, seed), Random(f"{seed} {number}")
    packets = list(records(octets))
    start = chance.randrange(len(packets))
    kept = [packet for packet in packets[start:] if chance.random() >= 0.01]
    assert errors(with_records(octets, kept)) == []


def test_two_runs_are_the_same() -> None:
    octets = _synthetic("0-9-1", 1)
    first, second = audit_capture(octets, "amqp-1.0"), audit_capture(octets, "amqp-1.0")
    assert first == second
    assert len({item.finding_id for item in first}) == len(first)


def test_one_finding_for_each_channel() -> None:
    wrong = [client("basic.ack", delivery_tag=9)] * 5
    found = [item for item in audit(ended(wrong, RST)) if item.rule_id == "ack-unknown-tag"]
    assert [(item.channel, item.occurrences) for item in found] == [(1, 5)]


def test_notes_of_a_connection_are_bounded() -> None:
    notes = FindingLog(AuditConnection("c", "1"))
    for channel in range(1, 10_001):
        notes.add(RULES["not-open"], AuditFrame(channel, 0, 0, 0, 1, 0, 0, 1, channel, 12), "x")
    found = notes.findings()
    assert len(found) == 4096
    assert sum(item.occurrences for item in found) == 10_000


def test_what_is_to_be_settled_is_bounded() -> None:
    outstanding: Outstanding[None] = Outstanding()
    for number in range(1, 100_001):
        outstanding.add(number, None)
    assert len(outstanding.take(0, True)) == 65_536
    assert outstanding.forgotten == 100_000 - 65_536


def test_rules_are_there_once() -> None:
    """An id that is there twice would hide a rule."""
    from amqp_traffic.audit import catalogue

    listed = [rule.id for rule in catalogue.listed()]
    assert sorted(listed) == sorted(RULES)
    assert len(RULES) >= 80


def test_findings_have_no_secret() -> None:
    assert "secret" not in json.dumps([item.row() for item in audit(ready())])
