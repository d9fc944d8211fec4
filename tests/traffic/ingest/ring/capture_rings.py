"""Rings as dumpcap writes them, and whoever follows them, step by step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from amqp_traffic.ingest.job import CaptureResult, ReadSettings
from amqp_traffic.ingest.ring.follow import Following, Watch
from amqp_traffic.lake.folder import Lake, create_lake

from ...pcap_records import records, with_records
from ...synth.made_captures import make
from ..lake_tables import Rows, ingested, read_tables

Ring = Mapping[str, bytes]


def ring_of(capture: bytes, count: int, name: str = "cap") -> dict[str, bytes]:
    """A capture as a ring of so many files."""
    found = list(records(capture))
    size = len(found) // count + 1
    return {
        f"{name}_{number:05}_202611211200{number:02}.pcap": with_records(capture, found[at : at + size])
        for number, at in enumerate(range(0, len(found), size), 1)
    }


@functools.cache
def plain_ring(count: int = 5, size: int = 200_000, connections: int = 15) -> Ring:
    """A ring with everything there is."""
    return ring_of(make(seed=5, size=size, connections=connections).capture, count)


def write(folder: Path, ring: Ring) -> Path:
    """The files of a ring, all at once."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, octets in ring.items():
        (folder / name).write_bytes(octets)
    return folder


def tables_of(ring: Ring, place: Path, settings: ReadSettings | None = None) -> dict[str, Rows]:
    """The tables of a ring that is ingested as a whole."""
    folder = write(place / "whole", ring)
    return ingested([folder], place / "whole-lake", settings=settings).tables


class Script(Watch):
    """Does something whenever there is nothing to do, and then is idle."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        super().__init__()
        self.steps = list(steps)
        self.waited = 0

    def wait(self, seen: object) -> bool:
        self.waited += 1
        if not self.steps or self.stopped:
            return False
        self.steps.pop(0)()
        return not self.stopped


def follow(
    folder: Path,
    place: Path,
    watch: Watch | None = None,
    settings: ReadSettings | None = None,
    lake: Lake | None = None,
) -> tuple[CaptureResult | None, list[str]]:
    """Follow a ring; gives the result, and the files that are in the lake for good."""
    files: list[str] = []
    following = Following(
        lake or create_lake(str(place)),
        folder,
        settings or ReadSettings(),
        watch or Script(),
        files.append,
        lambda octets: None,
    )
    return following.run(), files


__all__ = ["Ring", "Script", "follow", "plain_ring", "read_tables", "ring_of", "tables_of", "write"]
