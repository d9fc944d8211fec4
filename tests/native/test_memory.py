"""Objects and memory stay flat, however many frames are read and written, and however many are refused."""

from __future__ import annotations

import gc
import os
import random
import resource
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.fuzz.entries import NO_CODECS, draw_case, entries_of

from .outcomes import outcome
from .samples import stream

pytest.importorskip("amqp_native", reason="needs the cores in C: make native")

# `make test-all` reads ten million frames of each family.
ROUNDS = 33_400 if os.environ.get("TEST_ALL") else 200
MOST_GROWTH = 8 << 20
# From 3.12 on the references of None and its like are not counted; code compiled for earlier versions counts some.
IMMORTAL = 1 << 30
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")  # it keeps what was freed for some time

each_family = pytest.mark.parametrize("package", ["amqp_0_9_1_rabbitmq", "amqp_1_0"])


@each_family
def test_nothing_is_left_behind(package: str) -> None:
    amqp = import_module(package)
    octets = stream(amqp)
    generator = random.Random(7)
    damaged = [
        draw_case(package, entry, generator)
        for entry in entries_of(package)
        if entry not in NO_CODECS
        for _ in range(50)
    ]

    def work(rounds: int) -> None:
        for _ in range(rounds):
            frames, _ = amqp.decode_frames(octets)
            for parts in frames[:3]:
                write_and_read(amqp, *parts)
        for case in damaged:
            outcome(amqp, case)

    work(100)
    before, peak = counts(), memory()
    work(ROUNDS)
    after = counts()
    assert after[0] - before[0] < 20, "objects that the collector knows"
    assert after[1] - before[1] < 500, "blocks of memory"
    assert after[2] - before[2] < ROUNDS // 2, "references to anything"
    assert SANITIZED or memory() - peak < MOST_GROWTH, "memory of the process"


def write_and_read(amqp: Any, channel: int, frame: Any, payload: bytes = b"") -> None:
    """Write a frame; of 1.0 read and write its message, too."""
    if not payload:
        amqp.encode_frame(channel, frame)
        return
    amqp.encode_frame(channel, frame, payload)
    amqp.encode([amqp.decode_message(payload).encode()])


def counts() -> tuple[int, int, int]:
    """Return the numbers of objects, of blocks and, in a debug build of Python, of references."""
    gc.collect()
    return len(gc.get_objects()), sys.getallocatedblocks(), getattr(sys, "gettotalrefcount", int)()


def memory() -> int:
    """The most octets that this process ever had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@each_family
def test_the_references_of_what_is_shared_stay_the_same(package: str) -> None:
    amqp = import_module(package)
    octets = stream(amqp)
    candidates = [None, True, False, 0, 1, *dict.fromkeys(classes_in(amqp.decode_frames(octets)[0]))]
    shared = [value for value in candidates if sys.getrefcount(value) < IMMORTAL]

    def references() -> list[int]:
        return [sys.getrefcount(value) for value in shared]

    for _ in range(3):
        amqp.decode_frames(octets)
    before = references()
    for _ in range(50):
        amqp.decode_frames(octets)
        amqp.encode_frame(0, amqp.decode_frames(octets)[0][0][1])
    # Each frame has several references to each of them: one that is forgotten counts in thousands.
    assert max(abs(new - old) for new, old in zip(references(), before, strict=True)) < 50


def classes_in(frames: list[Any]) -> Iterator[type[Any]]:
    for parts in frames:
        for part in parts:
            yield type(part)
            yield type(getattr(part, "properties", None))
