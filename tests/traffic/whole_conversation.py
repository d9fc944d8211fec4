"""A conversation that was captured as a whole, for tests to take something from, and the segments of such."""

from __future__ import annotations

from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.capture.stream_data import Segment

from . import capture_builder
from .capture_builder import Conversation, octets

ONE, TWO = octets(1000), octets(700, 5000)


def whole() -> Conversation:
    """Three packets to open; 20 for each direction of 100 octets and an acknowledgment; three to close."""
    return Conversation().open().send(0, ONE).send(1, TWO).close()


def made_segments(packets: list[capture_builder.Tcp], packet_no: int) -> list[Segment]:
    """The segments of a capture of these packets, the first of which has this number."""
    return list(
        read_segments(
            recognise_capture(capture_builder.pcap(capture_builder.captured(packets))), packet_no - 1
        )
    )
