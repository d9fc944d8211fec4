"""A real capture: what pika and the broker say to each other, taken from the network by tcpdump and by dumpcap."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import pika
import pytest
from amqp_codegen.traffic.core.connection import Connection

from . import made, tshark

pytestmark = pytest.mark.broker

URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
PORT = urlsplit(URL).port or 5672
# Both write each packet at once; buffers of 64 MiB, as a busy machine may let them wait.
CAPTURERS = {
    "tcpdump": ["-i", "lo", "-B", "65536", "-U", "--immediate-mode", "-w"],
    "dumpcap": ["-i", "lo", "-B", "64", "-q", "-w"],
}
DROPPED = re.compile(r"(\d+) packets? dropped by|dropped on interface [^:]*: \d+/(\d+)")


@contextlib.contextmanager
def capturing(tool: str, file: Path) -> Iterator[None]:
    """Capture from the loopback interface while the body runs."""
    program = shutil.which(tool)
    if program is None or urlsplit(URL).hostname not in ("localhost", "127.0.0.1", "::1"):
        pytest.skip(f"{tool} is not installed, or the broker is elsewhere")
    command = [program, *CAPTURERS[tool], str(file)]
    command += [f"tcp port {PORT}"] if tool == "tcpdump" else ["-f", f"tcp port {PORT}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = ""
            for line in process.stderr:
                said += line
                if "listening on" in line or "File:" in line:
                    break
            else:
                pytest.skip(f"{tool} cannot capture here: {said.strip()}")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=10)[1]
    if any(int(number) for found in DROPPED.findall(said) for number in found if number):
        pytest.skip(f"{tool} was too slow for this machine: {said.strip()}")


def talk(marker: bytes) -> list[bytes]:
    """Publish some messages, small and large, and get them back."""
    bodies = [marker, marker + b"x" * 300_000, b"", marker * 3]
    with pika.BlockingConnection(pika.URLParameters(URL)) as connection:
        channel = connection.channel()
        queue = channel.queue_declare("", exclusive=True).method.queue
        for body in bodies:
            channel.basic_publish("", queue, body, pika.BasicProperties(headers={"n": 1}))
        return [channel.basic_get(queue, auto_ack=True)[2] for _ in bodies]


def read(file: Path, marker: bytes) -> tuple[made.Reading, Connection | None]:
    """Read the capture; find our connection among those of others."""
    octets = file.read_bytes() if file.exists() else b""
    if len(octets) < 100:  # not even a packet by now
        return made.Reading(), None
    reading = made.read(octets, server_ports=[PORT])
    ours = [it for it in reading.ended if marker in reading.stream(0, it.number)]
    return reading, ours[0] if ours else None


@pytest.mark.parametrize("tool", CAPTURERS)
def test_pika_on_loopback(tool: str, tmp_path: Path) -> None:
    marker, file = uuid.uuid4().bytes, tmp_path / "capture"
    # Some versions of dumpcap give up their rights, and then may write only where everybody may.
    tmp_path.chmod(0o777)
    with capturing(tool, file):
        bodies = talk(marker)
        deadline = time.monotonic() + 10
        while True:
            _, connection = read(file, marker)
            if connection is not None and connection.end_mode != "open":
                break
            assert time.monotonic() < deadline, "the end of the connection was not captured"
            time.sleep(0.2)
    reading, connection = read(file, marker)
    assert connection is not None
    number = connection.number
    # RabbitMQ answers pika's FIN with a RST.
    assert (connection.start_mode, connection.end_mode, connection.role_by) == ("syn", "rst", "syn")
    assert (reading.gaps(0, number), reading.gaps(1, number)) == ([], [])

    sent = reading.stream(0, number)
    assert sent.startswith(amqp.PROTOCOL_HEADER)
    published, received = _bodies(sent[8:]), _bodies(reading.stream(1, number))
    assert published == received == b"".join(bodies)

    if tshark.TSHARK is not None:
        streams = [tshark.streams(file, at) for at in range(tshark.connections(file))]
        assert {sent, reading.stream(1, number)} in [set(it.values()) for it in streams]


def _bodies(stream: bytes) -> bytes:
    """All content bodies; and there is nothing after the last frame."""
    frames, end = amqp.decode_frames(stream, max_frame_size=1 << 20)
    assert end == len(stream)
    return b"".join(frame.payload for _, frame in frames if isinstance(frame, amqp.ContentBody))
