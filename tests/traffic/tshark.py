"""Asks tshark what it reads in a capture. Tests with it are skipped where it is not installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

TSHARK = shutil.which("tshark")
needs_tshark = pytest.mark.skipif(TSHARK is None, reason="tshark is not installed")

_OUT_OF_ORDER = ("-o", "tcp.reassemble_out_of_order:TRUE")


def run(file: Path, *arguments: str) -> str:
    assert TSHARK is not None
    done = subprocess.run(
        [TSHARK, "-n", "-r", str(file), *arguments], check=True, capture_output=True, text=True, timeout=60
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
    numbers = run(file, "-Y", "tcp", "-T", "fields", "-e", "tcp.stream").split()
    return len(set(numbers))


def streams(file: Path, number: int) -> dict[str, bytes]:
    """What each node, ``address:port``, has sent in a connection; connections are counted from 0."""
    nodes: list[str] = []
    found: list[list[str]] = [[], []]
    for line in run(file, "-q", *_OUT_OF_ORDER, "-z", f"follow,tcp,raw,{number}").splitlines():
        if line.startswith("Node "):
            nodes.append(line.split(": ", 1)[1])
        elif re.fullmatch(r"\t?[0-9a-f]+", line):
            found[line.startswith("\t")].append(line.strip())
    return {node: bytes.fromhex("".join(parts)) for node, parts in zip(nodes, found, strict=True)}
