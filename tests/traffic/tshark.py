"""Asks tshark what it reads in a capture. Tests with it are skipped where it is not installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE

TSHARK = shutil.which("tshark")
needs_tshark = pytest.mark.skipif(TSHARK is None, reason="needs tshark")

# A line of the first node, and of the second.
_SIDES = (r"[0-9a-f]+", r"\t[0-9a-f]+")
_OUT_OF_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")


def run(file: Path, *arguments: str) -> str:
    assert TSHARK is not None
    done = subprocess.run(
        [TSHARK, "-n", "-r", str(file), *arguments],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.stdout


def fields(file: Path, *names: str) -> Iterator[list[str]]:
    """These fields of each TCP segment, as the packet has them."""
    arguments = [it for name in names for it in ("-e", name)]
    separate = ("-o", "tcp.desegment_tcp_streams:FALSE", "-o", "tcp.relative_sequence_numbers:FALSE")
    lines = run(file, *separate, "-Y", "tcp", "-T", "fields", "-E", "occurrence=l", *arguments).splitlines()
    return (line.split("\t") for line in lines)


def connections(file: Path) -> int:
    """How many TCP connections there are."""
    return len(set(run(file, "-Y", "tcp", "-T", "fields", "-e", "tcp.stream").split()))


def streams(file: Path, count: int) -> list[dict[str, bytes]]:
    """What each node, ``address:port``, has sent in each of so many TCP connections."""
    follow = [it for number in range(count) for it in ("-z", f"follow,tcp,raw,{number}")]
    found: dict[int, dict[str, bytes]] = {}
    for part in run(file, "-q", *_OUT_OF_ORDER, *follow).split("Filter: tcp.stream eq ")[1:]:
        number, *lines = part.splitlines()
        nodes = [line.split(": ", 1)[1] for line in lines if line.startswith("Node ")]
        said = [[it.strip() for it in lines if re.fullmatch(form, it)] for form in _SIDES]
        found[int(number)] = {
            node: bytes.fromhex("".join(parts)) for node, parts in zip(nodes, said, strict=True)
        }
    return [found[number] for number in range(count)]
