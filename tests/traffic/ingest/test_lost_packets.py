"""One packet in a hundred is lost: the tables have what is intact, and nothing that was not sent."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from ..synth.made_captures import Made, make
from .lake_tables import Ingested, ingested
from .ledger_checks import check_ledgers

# Client, direction; then offset, size, type and channel of frames.
Stream = tuple[str, int, int]
Frame = tuple[int, int, int, int]
ORDERS: dict[str, dict[str, Any]] = {
    "0-9-1": {"mix": {"0-9-1-rabbitmq": 4, "0-8": 1}, "size": 1_500_000, "connections": 20},
    "1.0": {"mix": {"1.0": 1}, "size": 700_000, "connections": 8},
    "hot": {"mix": {"0-9-1-rabbitmq": 1}, "size": 1_000_000, "connections": 1},
}


def sent(made: Made) -> tuple[dict[Stream, set[Frame]], dict[Stream, set[Frame]], dict[Stream, int]]:
    """The frames of each stream, those that are intact, and where the capture of the stream begins."""
    clients = {label["connection"]: label["client"] for label in made.connections}
    every: dict[Stream, set[Frame]] = defaultdict(set)
    intact: dict[Stream, set[Frame]] = defaultdict(set)
    for label in made.frames:
        stream = (*clients[label["connection"]], label["direction"])
        frame = label["offset"], label["size"], label["type"], label["channel"]
        every[stream].add(frame)
        if label["intact"]:
            intact[stream].add(frame)
    begins = {
        (*clients[number], direction): 0 if label["syn"] else label["begins"] or 0
        for (number, direction), label in made.streams.items()
    }
    return every, intact, begins


def found(tables: Ingested) -> dict[Stream, set[Frame]]:
    """The frames of each stream in the tables."""
    clients = {row["conn_id"]: (row["client_ip"], row["client_port"]) for row in tables["connections"]}
    streams: dict[Stream, set[Frame]] = defaultdict(set)
    for row in tables["frames"]:
        if row["name"] != "protocol-header":
            frame = row["stream_off"], row["size"], row["type"], row["channel"]
            ip, port = clients[row["conn_id"]]
            streams[ip, port, row["dir"]].add(frame)
    return streams


@pytest.mark.parametrize("name", ORDERS)
def test_one_packet_in_a_hundred(name: str, tmp_path: Path) -> None:
    made = make(seed=5, drop=0.01, **ORDERS[name])
    path = tmp_path / "a.pcap"
    path.write_bytes(made.capture)
    tables = ingested([path], tmp_path / "lake")
    check_ledgers(tables)
    every, intact, begins = sent(made)
    wrong = missed = 0
    for stream, frames in found(tables).items():
        moved = {(offset + begins[stream], *rest) for offset, *rest in frames}
        wrong += len(moved - every[stream])
        missed += len(intact[stream] - moved)
    missed += sum(len(frames) for stream, frames in intact.items() if stream not in found(tables))
    total = sum(map(len, intact.values()))
    assert wrong == 0
    assert total > 1000
    assert missed <= 0.005 * total, (missed, total)
