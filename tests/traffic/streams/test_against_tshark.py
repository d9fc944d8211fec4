"""tshark reads the same: the same segments, the same streams."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.streams.connection import endpoint

from .. import capture_builder, tshark
from ..capture_builder import Conversation, octets

pytestmark = tshark.needs_tshark


def conversations(shuffled: bool = False) -> list[capture_builder.Tcp]:
    """Many of them, mixed: both address families, sequence numbers that go round, the same ports again.

    Args:
        shuffled: What one side sends in a turn comes in any order, but before it is acknowledged: what is acknowledged
            before it comes, tshark takes for lost.
    """
    chance = random.Random(7)
    made_up = []
    for number in range(12):
        six = number % 3 == 0
        client = ("2001:db8::1" if six else "10.0.0.1", 40_000 + number)
        server = ("2001:db8::2" if six else "10.0.0.2", 5672)
        sequences = [chance.choice([5, 2**32 - 700]), chance.choice([9, 2**32 - 1])]
        conversation = Conversation(client, server, sequences=sequences).open()
        for _ in range(6):
            direction, length, size = chance.randrange(2), chance.randrange(1, 900), chance.randrange(50, 500)
            before = len(conversation.packets)
            conversation.send(direction, octets(length, chance.randrange(10**6)), size, ack=False)
            if shuffled:
                turn = conversation.packets[before:]
                conversation.packets[before:] = chance.sample(turn, len(turn))
            conversation.packet(1 - direction)
        made_up.append(conversation.close().packets)
    mixed = []
    while any(made_up):
        mixed.append(chance.choice([it for it in made_up if it]).pop(0))
    again = Conversation(("10.0.0.1", 40_001), sequences=[77_000, 88_000]).open().send(0, octets(300)).close()
    return mixed + again.packets


@pytest.mark.parametrize(
    ("writer", "order", "link_type"),
    [
        (capture_builder.pcap, "<", 1),
        (capture_builder.pcap, ">", 113),
        (capture_builder.pcap, "<", 0),
        (capture_builder.pcapng, "<", 1),
        (capture_builder.pcapng, ">", 276),
        (capture_builder.pcapng, "<", 101),
    ],
)
def test_segments(writer, order: str, link_type: int, tmp_path: Path) -> None:
    packets = [it.cut(200) for it in capture_builder.captured(conversations(), link_type)]
    file = tmp_path / "capture"
    file.write_bytes(writer(packets, order, link_type=link_type))
    names = (
        "frame.number",
        "tcp.seq",
        "tcp.ack",
        "tcp.len",
        "tcp.srcport",
        "tcp.dstport",
        "frame.time_epoch",
    )
    theirs = [(*map(int, it[:6]), int(it[6].replace(".", ""))) for it in tshark.fields(file, *names)]
    ours = [
        (
            packet_no,
            sequence,
            acknowledgment,
            len(data) + missing,
            int.from_bytes(flow[-4:-2], "big"),
            int.from_bytes(flow[-2:], "big"),
            ns,
        )
        for flow, sequence, acknowledgment, _, data, missing, packet_no, _, ns in read_segments(
            recognise_capture(file.read_bytes())
        )
    ]
    assert len(ours) > 100
    assert ours == theirs


@pytest.mark.parametrize("damage", ["none", "order", "duplicates", "both"])
def test_streams(damage: str, tmp_path: Path) -> None:
    chance = random.Random(3)
    packets = conversations(shuffled=damage in ("order", "both"))
    if damage in ("duplicates", "both"):
        packets = [it for packet in packets for it in [packet] * chance.choice([1, 1, 2])]
    file = tmp_path / "capture.pcap"
    file.write_bytes(capture_builder.pcap(capture_builder.captured(packets)))
    reading = capture_builder.read(file.read_bytes())
    by_start = sorted(reading.ended, key=lambda it: it.packet_no)
    assert len(by_start) == 13
    followed = tshark.streams(file, len(by_start))
    for theirs, connection in zip(followed, by_start, strict=True):
        ours = {_name(it.flow): reading.stream(it.direction, connection.number) for it in connection.streams}
        assert ours == theirs


def _name(flow: bytes) -> str:
    address, port = endpoint(flow)
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
