"""Frames of AMQP 1.0."""

from __future__ import annotations

from typing import Any

from amqp_codegen.support.packages import load_package

from ..capture.stream_data import Direction
from .utterance import Mark, Said, SaidKind

HEARTBEAT = "heartbeat"  # what an empty frame is for


class Vocabulary1:
    """What can be said in AMQP 1.0.

    Attributes:
        amqp: The generated package.
    """

    def __init__(self) -> None:
        self.amqp = load_package("amqp_1_0")

    def say(self, direction: Direction, channel: int, performative: Any) -> Said:
        """A frame; an empty one if there is no performative."""
        octets: bytes = self.amqp.encode_frame(channel, performative)
        name = HEARTBEAT if performative is None else performative.NAME
        return Said(direction, octets, (_mark(octets, channel, name),))

    def transfer(
        self, direction: Direction, channel: int, transfer: Any, message: bytes, frame_max: int
    ) -> Said:
        """The frames of a delivery."""
        frames: list[bytes] = list(self.amqp.split_transfer(transfer, message, frame_max, channel))
        return Said(direction, b"".join(frames), tuple(_mark(frame, channel, "transfer") for frame in frames))


def _mark(frame: bytes, channel: int, name: str) -> Mark:
    return Mark(SaidKind.FRAME, len(frame), frame[5], channel, name)
