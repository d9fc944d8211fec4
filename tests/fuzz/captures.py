"""Damaged captures through the ingest: whatever they hold, the ledgers add up, and every way of reading gives the same rows."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from struct import pack
from typing import Any

from tests.traffic.ingest.lake_tables import assert_same, ingested
from tests.traffic.ingest.ledger_checks import check_ledgers
from tests.traffic.pcap_records import Record, records, with_records
from tests.traffic.synth.made_captures import make

from .case import Options
from .hostile_captures import draw_hostile
from .mutator import mutate

# Small captures of a few connections each: what is changed in one hits something.
ORDERS: tuple[dict[str, Any], ...] = (
    {"mix": {"0-9-1-rabbitmq": 2}},
    {"mix": {"0-8": 1, "0-9": 1}},
    {"mix": {"1.0": 1, "1.0-bare": 1}},
    {"mix": {"0-9-1-rabbitmq": 1, "1.0": 1}, "reorder": 0.1, "duplicate": 0.1},
    {"mix": {"0-9-1": 1, "1.0": 1}, "form": "pcapng"},
)
SIZE = 12_000
HOSTILE = 0.1  # of the captures


@cache
def captures() -> tuple[bytes, ...]:
    return tuple(
        make(seed=seed, size=SIZE, connections=2, **order).capture for seed, order in enumerate(ORDERS)
    )


def draw_capture(package: str, random: Random) -> bytes:
    """A capture with changes of packets, of octets anywhere, or both; or one that is hostile as it is."""
    if random.random() < HOSTILE:
        return draw_hostile(random)
    capture = random.choice(captures())
    if capture.startswith(b"\xd4\xc3\xb2\xa1") and random.random() < 0.7:
        capture = with_records(capture, _changed(list(records(capture)), random))
    return mutate(capture, random, captures()) if random.random() < 0.5 else capture


def _changed(found: list[Record], random: Random) -> list[Record]:
    for _ in range(1 + int(random.expovariate(0.5))):
        if not found:
            break
        place = random.randrange(len(found))
        header, packet = found[place]
        match random.randrange(5):
            case 0:
                del found[place : place + random.randrange(1, 4)]
            case 1:
                found.insert(random.randrange(len(found) + 1), found[place])
            case 2:
                found.insert(random.randrange(len(found)), found.pop(place))
            case 3:
                found[place] = header, _same_size(mutate(packet, random, [packet]), len(packet))
            case _:
                kept = random.randrange(len(packet) + 1)
                found[place] = header[:8] + pack("<I", kept) + header[12:], packet[:kept]
    return found


def _same_size(octets: bytes, size: int) -> bytes:
    return octets[:size].ljust(size, b"\0")


def draw_options(package: str, random: Random) -> Options:
    return {"shares": random.choice((2, 3, 7)), "shuffle": random.random() < 0.3}


def check_capture(traffic: Any, octets: bytes, options: Options) -> bool:
    """True if frames were found. An error of the ingest is a failure, and so is a row that depends on the way."""
    with tempfile.TemporaryDirectory() as folder:
        path, lake = Path(folder, "a.pcap"), Path(folder, "lake")
        path.write_bytes(octets)
        expected = ingested([path], lake)
        check_ledgers(expected)
        assert_same(ingested([path], lake, options["shares"], shuffle=options["shuffle"]), expected)
    return bool(expected["frames"])
