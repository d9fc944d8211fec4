"""A conversation that was captured as a whole, for tests to take something from, and the segments of such."""

from __future__ import annotations

from amqp_codegen.traffic.core.capture import recognise
from amqp_codegen.traffic.core.segments import read_segments
from amqp_codegen.traffic.core.stream import Segment

from . import made
from .made import Conversation, octets

ONE, TWO = octets(1000), octets(700, 5000)


def whole() -> Conversation:
    """Three packets to open; 20 for each direction of 100 octets and an acknowledgment; three to close."""
    return Conversation().open().send(0, ONE).send(1, TWO).close()


def made_segments(packets: list[made.Tcp], packet_no: int) -> list[Segment]:
    """The segments of a capture of these packets, the first of which has this number."""
    return list(read_segments(recognise(made.pcap(made.captured(packets))), packet_no - 1))
