"""Threads share the core of a package; interpreters have one each."""

from __future__ import annotations

import sys
import threading
from importlib import import_module

import pytest

from .samples import stream
from .twins import pure_twin

pytest.importorskip("amqp_native", reason="needs the cores in C: make native")
from .processes import run

THREADS = 8
# What runs in another interpreter.
INSIDE = """
import sys
sys.path[:] = PATH
import amqp_0_9_1 as amqp
import amqp_1_0 as amqp1
octets = amqp.encode_frame(1, amqp.methods.QueueDeclare(queue="a", arguments={"b": [1, None]}))
assert amqp.encode_frame(*amqp.decode_frames(octets)[0][0]) == octets
octets = amqp1.encode({"a": [1, "b"]})
assert amqp1.decode(octets) == ({"a": [1, "b"]}, len(octets))
print(amqp.ACCELERATED, amqp1.ACCELERATED, flush=True)
"""
# Where the other interpreter has a lock of its own, it gets no module of the limited API.
INSIDE_INGEST = """
import sys
sys.path[:] = PATH
try:
    import amqp_native_ingest as native
except ImportError:
    print(False, flush=True)
else:
    scan = native.Scan(native.FlowBuckets(bytes(1024)), 0, 512)
    print(scan.sums()[0] == 0, flush=True)
"""
PROGRAM = """
import MODULE as interpreters
for _ in range(3):
    other = interpreters.create(OPTIONS)
    problem = interpreters.run_string(other, INSIDE)
    assert problem is None, problem
    interpreters.destroy(other)
"""


@pytest.mark.parametrize("package", ["amqp_0_9_1_rabbitmq", "amqp_1_0"])
def test_each_of_eight_threads_decodes_its_own_stream(package: str) -> None:
    amqp = import_module(package)
    octets = stream(amqp)
    expected = repr(pure_twin(package).decode_frames(octets)[0])
    found: list[str] = []
    start = threading.Barrier(THREADS)

    def decode(size: int) -> None:
        start.wait()
        decoder = amqp.FrameDecoder(max_frame_size=4096)
        frames = [
            frame
            for place in range(0, len(octets), size)
            for frame in decoder.feed(octets[place : place + size])
        ]
        again = b"".join(amqp.encode_frame(*frame) for frame in frames)
        found.append(repr(frames) if again == octets else "other octets")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=decode, args=(50 + number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert found == [expected] * THREADS


def run_in_interpreters(inside: str, shares_lock: bool) -> list[str]:
    """What it prints in three interpreters, one after the other."""
    if sys.version_info[:2] == (3, 12) and not shares_lock:
        pytest.skip(
            "needs another CPython than 3.12: 3.12.1 aborts when such an interpreter ends, in pure Python, too"
        )
    if sys.version_info >= (3, 13):
        module, options = "_interpreters", repr("legacy" if shares_lock else "isolated")
    else:
        module, options = "_xxsubinterpreters", f"isolated={not shares_lock}"
    inside = inside.replace("PATH", repr(sys.path))
    program = PROGRAM.replace("MODULE", module).replace("OPTIONS", options).replace("INSIDE", repr(inside))
    return run(program, {}).split()


@pytest.mark.parametrize("shares_lock", [True, False])
def test_an_interpreter_has_a_core_of_its_own(shares_lock: bool) -> None:
    """Where it has a lock of its own, CPython lets in no module of the limited API, and packages are pure."""
    own_lock = not shares_lock and sys.version_info >= (3, 13)
    assert run_in_interpreters(INSIDE, shares_lock) == [str(not own_lock)] * 6


@pytest.mark.parametrize("shares_lock", [True, False])
def test_an_interpreter_has_types_of_its_own(shares_lock: bool) -> None:
    """Those of ``amqp_native_ingest``, which are in the state of the module."""
    own_lock = not shares_lock and sys.version_info >= (3, 13)
    assert run_in_interpreters(INSIDE_INGEST, shares_lock) == [str(not own_lock)] * 3
