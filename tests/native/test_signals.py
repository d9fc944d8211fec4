"""Ctrl-C and SIGTERM are noticed in the midst of the work of C: it stops after so many steps, whatever a capture holds."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import partial
from importlib import import_module
from operator import call
from typing import Any

import pytest

pytest.importorskip("amqp_native_ingest", reason="needs the cores in C: make native")
pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import amqp_native_ingest as native
from amqp_traffic.capture.flow_buckets import BUCKETS
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.native.tables import NativeTables

from tests.fuzz.hostile_captures import disposition, session, transfer
from tests.traffic.capture_builder import Conversation, captured, pcap

STEPS = 1024  # as BETWEEN_SIGNALS of native/src/steps.h
HEARTBEAT = b"\x08\0\0\0\0\0\0\xce"


def interrupted(work: Callable[[], object]) -> bool:
    """True if an interrupt that comes before work of C alone ends it, or comes out behind it: no Python runs between both."""
    call_it: Any = call
    gc.disable()  # libraries of tests have functions in Python that it calls
    try:
        list(map(call_it, (ctypes.pythonapi.PyErr_SetInterrupt, work)))
    except KeyboardInterrupt:
        return True
    finally:
        gc.enable()
    return False


def tables() -> NativeTables:
    return NativeTables("capture", ReadSettings(), lambda *_: None, OrderedQuarantine())


def rows(core: Any, table: str) -> int:
    count: int = core.take()[table][0]
    return count


def begun(first: Conversation) -> tuple[Any, Any]:
    """An ingest that has read a conversation so far; and how to give it the next packets."""
    made = tables()
    count = len(first.packets)
    made.core.add(list(read_segments(recognise_capture(pcap(captured(first.packets))))))
    made.core.take()

    def rest() -> list[Any]:
        return list(read_segments(recognise_capture(pcap(captured(first.packets)))))[count:]

    return made, rest


def test_frames_of_one_packet() -> None:
    said = Conversation().open().send(0, amqp0.PROTOCOL_HEADER + HEARTBEAT * 20)
    said.send(1, HEARTBEAT * 20)
    made, rest = begun(said)
    said.send(0, HEARTBEAT * 8000, size=8 * 8000)
    assert interrupted(partial(made.core.add, rest()[:1]))
    assert rows(made.core, "frames") <= STEPS
    with pytest.raises(RuntimeError, match="failed before"):
        made.core.finish()


def test_rows_of_one_frame() -> None:
    said = Conversation().open()
    for direction, octets in enumerate(session()):
        said.send(direction, octets, size=1000)
    said.send(0, b"".join(transfer(number) for number in range(5000)), size=1400)
    said.send(1, disposition(0, 0, settled=True))
    made, rest = begun(said)
    said.send(1, disposition(0, 70_000, settled=True))
    assert interrupted(partial(made.core.add, rest()[:1]))
    assert rows(made.core, "messages") <= STEPS


def test_a_survey() -> None:
    """Packets of which none is wanted."""
    said = Conversation().open()
    for _ in range(5 * STEPS):
        said.packet(0)
    file = pcap(captured(said.packets))
    scan = native.Scan(native.FlowBuckets(bytes(BUCKETS)), 0, 1 << 20)
    assert interrupted(partial(scan.read_pcap, file, 24, True, 1000, 1))
    assert 0 < scan.sums()[0] <= STEPS


def test_frames_of_a_codec_of_0_x() -> None:
    amqp, frames = import_module("amqp_0_9_1"), list[Any]()
    settings = amqp.frames.DEFAULT_READER.native
    octets = HEARTBEAT * (3 * STEPS)
    assert interrupted(partial(amqp._native.CORE.read_frames, settings, octets, 0, 4096, frames))
    assert len(frames) <= STEPS


def test_frames_of_the_codec_of_1_0() -> None:
    frames: list[Any] = []
    octets = amqp1.encode_frame(0, amqp1.performatives.End()) * (3 * STEPS)
    core = import_module("amqp_1_0")._native.CORE
    assert interrupted(partial(core.read_frames, [None] * 64, 100, octets, 0, 4096, frames))
    assert len(frames) <= STEPS
