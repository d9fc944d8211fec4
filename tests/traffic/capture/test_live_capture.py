"""A real capture: what pika and the broker say to each other, taken from the network by tcpdump and by dumpcap."""

from __future__ import annotations

import uuid
from pathlib import Path

import amqp_0_9_1_rabbitmq as amqp
import pika
import pytest
from amqp_traffic.streams.connection import CapturedConnection

from .. import capture_builder, tshark
from ..loopback_capture import CAPTURERS, PORT, URL, capturing
from ..waiting import wait_until

pytestmark = pytest.mark.broker


def talk(marker: bytes) -> list[bytes]:
    """Publish some messages, small and large, and get them back."""
    bodies = [marker, marker + b"x" * 300_000, b"", marker * 3]
    with pika.BlockingConnection(pika.URLParameters(URL)) as connection:
        channel = connection.channel()
        queue = channel.queue_declare("", exclusive=True).method.queue
        for body in bodies:
            channel.basic_publish("", queue, body, pika.BasicProperties(headers={"n": 1}))
        return [channel.basic_get(queue, auto_ack=True)[2] for _ in bodies]


def read(file: Path, marker: bytes) -> tuple[capture_builder.Reading, CapturedConnection | None]:
    """Read the capture; find our connection among those of others."""
    octets = file.read_bytes() if file.exists() else b""
    if len(octets) < 100:  # not even a packet by now
        return capture_builder.Reading(), None
    reading = capture_builder.read(octets, server_ports=[PORT])
    ours = [it for it in reading.ended if marker in reading.stream(0, it.number)]
    return reading, ours[0] if ours else None


def has_ended(file: Path, marker: bytes) -> bool:
    _, connection = read(file, marker)
    return connection is not None and connection.end_mode != "open"


@pytest.mark.parametrize("tool", CAPTURERS)
def test_pika_on_loopback(tool: str, tmp_path: Path) -> None:
    marker, file = uuid.uuid4().bytes, tmp_path / "capture"
    # Some versions of dumpcap give up their rights, and then may write only where everybody may.
    tmp_path.chmod(0o777)
    with capturing(tool, file):
        bodies = talk(marker)
        wait_until(lambda: has_ended(file, marker), "the end of the connection is captured")
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
        assert {sent, reading.stream(1, number)} in [
            set(it.values()) for it in tshark.streams(file, tshark.connections(file))
        ]


def _bodies(stream: bytes) -> bytes:
    """All content bodies; and there is nothing after the last frame."""
    frames, end = amqp.decode_frames(stream, max_frame_size=1 << 20)
    assert end == len(stream)
    return b"".join(frame.payload for _, frame in frames if isinstance(frame, amqp.ContentBody))
