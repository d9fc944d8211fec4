"""Frames of captures without damage are those that tshark finds.

The protocol header must not be cut: then tshark does not know the protocol.
"""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from amqp_traffic.frames.formats import PROTOCOL_HEADER
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise

from ..tshark import needs_tshark, run
from .test_conversations import read_frames

pytestmark = needs_tshark


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("0-9-1-rabbitmq", "amqp.type"),
        ("0-9", "amqp.type"),
        ("1.0", "amqp.performative"),
    ],
)
def test_frames(kind: str, field: str, tmp_path: Path) -> None:
    octets, file = io.BytesIO(), tmp_path / "capture"
    synthesise(CaptureOrder(seed=1, size=400_000, connections=5, mix={kind: 1}, cut=0), octets, io.StringIO())
    file.write_bytes(octets.getvalue())
    ours: Counter[int] = Counter()
    for _, _, frames in read_frames(octets.getvalue()).calls:
        for frame in frames:
            if field == "amqp.type" and frame.type != PROTOCOL_HEADER:
                ours[frame.type] += 1
            elif field == "amqp.performative" and frame.type == 0 and frame.payload:
                ours[frame.payload[2]] += 1
    arguments = ("-o", "tcp.reassemble_out_of_order:TRUE", "-Y", "amqp", "-T", "fields", "-e", field)
    theirs = Counter(int(it) for it in run(file, *arguments).replace(",", "\n").split())
    assert ours == theirs and ours.total() > 300
