"""Captures that somebody made to be slow to read: C reads them like Python, in time that grows with their octets."""

from __future__ import annotations

import os
import random
import sys

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.sharing.decoding import ShareDecoding

from benchmarks.hostile.shapes import make
from tests.fuzz.hostile_captures import (
    FLOODS,
    before_1970,
    before_the_syn,
    collisions,
    dispositions,
    requests,
)
from tests.fuzz.native_ingest import check_native

CASES = 60
FLOOD_SIZE = 8_000


def test_any_dispositions() -> None:
    chance = random.Random("dispositions")
    for _ in range(CASES):
        assert check_native(None, dispositions(chance), {})


def test_any_requests() -> None:
    chance = random.Random("requests")
    for _ in range(CASES):
        assert check_native(None, requests(chance), {})


def test_times_before_1970() -> None:
    """Where a side of a connection is silent, too: 0 is no time that is before all others."""
    chance = random.Random("before 1970")
    for _ in range(CASES):
        assert check_native(None, before_1970(chance), {})


def test_octets_before_the_syn() -> None:
    chance = random.Random("before the SYN")
    for _ in range(3 * CASES):
        assert check_native(None, before_the_syn(chance), {})


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood(name: str) -> None:
    """Very many connections, channels, unsettled messages, names, or what cannot be put in order."""
    assert check_native(None, make(name, FLOOD_SIZE), {})


# --- Keys that fall together


def test_no_ingest_has_the_secret_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not depend on PYTHONHASHSEED, which is known where PySpark starts the process."""
    given: list[bytes] = []
    urandom = os.urandom

    def noted(size: int) -> bytes:
        given.append(urandom(size))
        return given[-1]

    monkeypatch.setattr(os, "urandom", noted)
    for count in (1, 2):
        given.clear()
        for _ in range(count):
            ShareDecoding("capture", ReadSettings(), lambda *_: None)
        assert {len(octets) for octets in given} == {8}
        assert len(set(given)) == len(given) >= count


@pytest.mark.parametrize("secret", [0, 0x0123456789ABCDEF])
def test_flows_of_one_key(secret: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in one chain, and are told apart."""
    monkeypatch.setattr(os, "urandom", lambda size: secret.to_bytes(size, sys.byteorder))
    assert check_native(None, collisions(secret, 200), {})


def test_without_a_secret_there_is_no_ingest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda size: bytes(size - 1))
    with pytest.raises(ValueError, match="7 octets"):
        ShareDecoding("capture", ReadSettings(), lambda *_: None)
