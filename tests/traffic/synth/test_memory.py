"""A capture is never in memory as a whole."""

from __future__ import annotations

import os
import tracemalloc

from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import CaptureOrder
from amqp_traffic.synth.synthesis import synthesise


def test_memory_does_not_grow_with_the_capture() -> None:
    order = CaptureOrder(5, 4_500_000, connections=4, body_size=2_000, damage=Damage(drop=0.01, reorder=0.01))
    peaks: list[int] = []  # of the first and of the last third

    def watch(octets: int) -> None:
        if octets > (1_500_000, 3_000_000, 1 << 60)[len(peaks)]:
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.reset_peak()

    with open(os.devnull, "wb") as capture, open(os.devnull, "w") as labels:
        tracemalloc.start()
        try:
            summary = synthesise(order, capture, labels, watch)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert summary.frames > 3_000
    assert peaks[2] < 1.5 * peaks[0]  # some batches of messages are larger than others
