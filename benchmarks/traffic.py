"""Reads synthetic captures: how fast packets, segments, streams and frames are found, beside dpkt and tshark.

All times are of the processor, on one core, the best of some runs; dpkt and tshark run on the same files in between.
"""

from __future__ import annotations

import io
import random
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import pack

import dpkt
from amqp_traffic.capture.files import Buffer, open_capture
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.frames.frame_reader import Conversations
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise

ROUNDS = 5
CAPTURE_SIZE = 60_000_000
# What is expected at least, in MB/s.
LEAST = {
    "segments": {"mixed": 300},
    "streams": {"mixed": 220},
    "frames": {"AMQP, mixed": 150, "AMQP, hot connection": 90},
}


@dataclass(frozen=True)
class Workload:
    """A capture.

    Attributes:
        connections: How many there are at once.
        payload: How long segments with data are on average, in octets, up to 1,448.
        six: IPv6 instead of IPv4.
        pcapng: Instead of pcap.
        disorder: How many of 1,000 packets come before the one that was sent first.
    """

    connections: int
    payload: int
    six: bool = False
    pcapng: bool = False
    disorder: int = 0


WORKLOADS = {
    "mixed": Workload(200, 1800),
    "mixed, pcapng": Workload(200, 1800, pcapng=True),
    "mixed, IPv6": Workload(200, 1800, six=True),
    "five connections, 1 % out of order": Workload(5, 1800, disorder=10),
    "hot connection": Workload(1, 250),
}

# Captures with frames in them. Small messages take longest.
_0_9_1 = {"0-9-1-rabbitmq": 1}
AMQP_WORKLOADS = {
    "AMQP, mixed": CaptureOrder(1, CAPTURE_SIZE, 100, _0_9_1, body_size=8192),
    "AMQP, hot connection": CaptureOrder(1, CAPTURE_SIZE, 1, _0_9_1, body_size=512),
    "AMQP, mixed, 1 % lost": CaptureOrder(
        1, CAPTURE_SIZE, 100, _0_9_1, body_size=8192, damage=Damage(drop=0.01)
    ),
    "AMQP 1.0, mixed": CaptureOrder(1, CAPTURE_SIZE, 100, {"1.0": 1}, body_size=8192),
}


def frames(workload: Workload) -> Iterator[bytes]:
    """Ethernet frames of connections that have begun before, for ever: a third are acknowledgments without data."""
    chance = random.Random(1)
    body = chance.randbytes(3000)
    sequences = [[chance.getrandbits(32), chance.getrandbits(32)] for _ in range(workload.connections)]
    hosts = [bytes(15) + b"\x01", bytes(15) + b"\x02"] if workload.six else [b"\x0a\0\0\x01", b"\x0a\0\0\x02"]
    options = b"\x01\x01\x08\x0a" + bytes(8)
    while True:
        number, direction = chance.randrange(workload.connections), chance.randrange(2)
        size = 0 if chance.random() < 0.33 else min(1448, 1 + int(chance.expovariate(1 / workload.payload)))
        own, other = sequences[number][direction], sequences[number][1 - direction]
        ports = (40_000 + number, 5672)[:: -1 if direction else 1]
        flags = 0x18 if size else 0x10
        tcp = pack(">HHIIBBHHH", *ports, own, other, 0x80, flags, 500, 0, 0) + options + body[:size]
        sequences[number][direction] = (own + size) % 2**32
        source, target = hosts[:: -1 if direction else 1]
        if workload.six:
            yield bytes(12) + pack(">HIHBB", 0x86DD, 6 << 28, len(tcp), 6, 64) + source + target + tcp
        else:
            head = pack(">HBBHHHBBH", 0x0800, 0x45, 0, 20 + len(tcp), 1, 0x4000, 64, 6, 0)
            yield bytes(12) + head + source + target + tcp


def write(path: Path, workload: Workload) -> None:
    """Write a capture of that kind."""
    chance = random.Random(2)
    source = frames(workload)
    size, microseconds = 0, 1_700_000_000_000_000
    with path.open("wb") as file:
        if workload.pcapng:
            file.write(pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28))
            file.write(pack("<IIHHII", 1, 20, 1, 0, 0, 20))
        else:
            file.write(pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1))
        held = b""
        while size < CAPTURE_SIZE:
            frame = next(source)
            microseconds += 3
            if workload.pcapng:
                padding = bytes(-len(frame) % 4)
                length = 32 + len(frame) + len(padding)
                time_and_size = microseconds >> 32, microseconds & 0xFFFFFFFF, len(frame), len(frame)
                record = pack("<IIIIIII", 6, length, 0, *time_and_size) + frame + padding + pack("<I", length)
            else:
                record = pack("<IIII", *divmod(microseconds, 1_000_000), len(frame), len(frame)) + frame
            size += len(record)
            if not held and chance.randrange(1000) < workload.disorder:
                held = record
                continue
            file.write(record + held)
            held = b""


# --- What is timed. Each returns how many packets there were. ---


def packets(buffer: Buffer) -> int:
    """Record headers only."""
    return sum(1 for _ in recognise_capture(buffer).packets())


def segments(buffer: Buffer) -> int:
    """Down to TCP payload."""
    capture = recognise_capture(buffer)
    for _ in read_segments(capture):
        pass
    return capture.ledger.packets


def streams(buffer: Buffer) -> int:
    """Ordered pieces of streams, with all ledgers."""
    return _tracked(buffer, ConnectionTracker(lambda connection, direction, piece: None))


def amqp_frames(buffer: Buffer) -> int:
    """Frames, with all ledgers; secrets are taken out."""
    conversations = Conversations(lambda conversation, direction, found: None)
    return _tracked(buffer, ConnectionTracker(conversations.on_pieces, conversations.on_end))


def _tracked(buffer: Buffer, connections: ConnectionTracker) -> int:
    capture = recognise_capture(buffer)
    connections.read(read_segments(capture))
    connections.flush()
    capture.ledger.check()
    return capture.ledger.packets


def dpkt_segments(path: Path) -> int:
    """Down to TCP payload, by dpkt."""
    count = 0
    with path.open("rb") as file:
        for _, octets in dpkt.pcap.UniversalReader(file):
            _ = dpkt.ethernet.Ethernet(octets).data.data.data
            count += 1
    return count


def tshark_segments(path: Path) -> int:
    """Down to TCP, by tshark; nothing above TCP is looked at."""
    command = ["tshark", "-n", "-r", str(path), "-d", "tcp.port==5672,data", "-T", "fields", "-e", "tcp.len"]
    return len(subprocess.run(command, check=True, capture_output=True).stdout.splitlines())


def seconds(run: Callable[[], int]) -> float:
    """Time of the processor, of this process and those it started."""

    def now() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    start = now()
    run()
    return now() - start


def measure(path: Path) -> dict[str, tuple[float, int]]:
    """What is read to seconds and packets."""
    with open_capture(path) as file:
        candidates: dict[str, Callable[[], int]] = {
            "packets": lambda: packets(file.buffer),
            "segments": lambda: segments(file.buffer),
            "streams": lambda: streams(file.buffer),
            "frames": lambda: amqp_frames(file.buffer),
            "dpkt, segments": lambda: dpkt_segments(path),
        }
        if shutil.which("tshark"):
            candidates["tshark, segments"] = lambda: tshark_segments(path)
        counts = {name: run() for name, run in candidates.items()}
        assert len(set(counts.values())) == 1, counts
        times: dict[str, list[float]] = {name: [] for name in candidates}
        for number in range(ROUNDS):
            for name, run in candidates.items():
                if number < 1 or "," not in name:  # the others take long
                    times[name].append(seconds(run))
    return {name: (min(taken), counts[name]) for name, taken in times.items()}


def main() -> None:
    """Print a table; end with 1 if something is slower than expected."""
    reached = True
    with tempfile.TemporaryDirectory() as folder:
        workloads: dict[str, Workload | CaptureOrder] = {**WORKLOADS, **AMQP_WORKLOADS}
        for name, workload in workloads.items():
            path = Path(folder) / "capture"
            if isinstance(workload, CaptureOrder):
                with path.open("wb") as file:
                    synthesise(workload, file, io.StringIO())
            else:
                write(path, workload)
            size = path.stat().st_size
            results = measure(path)
            count = results["packets"][1]
            print(f"{name}: {size / 1e6:.0f} MB, {count:,} packets of {size // count} octets")
            ours = results["segments"][0]
            for what, (taken, _) in results.items():
                speed = size / taken / 1e6
                least = LEAST.get(what, {}).get(name)
                verdict = "" if least is None else f", at least {least}: {'yes' if speed >= least else 'NO'}"
                reached = reached and (least is None or speed >= least)
                if "," in what:
                    verdict = f", {taken / ours:.1f} times our time"
                print(f"    {what:17} {speed:6.0f} MB/s, {count / taken:10,.0f} packets/s{verdict}")
    raise SystemExit(not reached)


if __name__ == "__main__":
    main()
