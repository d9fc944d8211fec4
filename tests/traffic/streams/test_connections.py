"""What TCP does, and what captures do to it: each case by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.streams.connections import ConnectionTracker
from amqp_traffic.streams.reassembly import HELD_CHUNKS, HELD_OCTETS

from .. import capture_builder
from ..capture_builder import Conversation, octets, read_packets
from ..whole_conversation import ONE, TWO, made_segments, whole


def test_whole_conversation() -> None:
    reading = read_packets(whole().packets)
    (connection,) = reading.connections
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert (connection.start_mode, connection.end_mode, connection.role_by) == ("syn", "fin", "syn")
    assert (connection.client, connection.server) == (capture_builder.CLIENT, capture_builder.SERVER)
    assert str(connection) == "connection 1 (10.0.0.1:40000 -> 10.0.0.2:5672)"
    assert connection.start_ns == capture_builder.START_NS
    assert connection.end_ns == capture_builder.START_NS + (len(whole().packets) - 1) * 1_000_000
    assert reading.quarantine.totals == {}
    assert reading.stray == 0


def test_pieces_say_where_they_are() -> None:
    conversation = whole()
    file = capture_builder.pcap(capture_builder.captured(conversation.packets))
    for piece in capture_builder.read(file).pieces[1, 0]:
        packet = conversation.packets[piece.packet_no - 1]
        assert packet.payload == piece.data
        assert piece.ns == capture_builder.START_NS + (piece.packet_no - 1) * 1_000_000
        record = file[piece.packet_offset : piece.packet_offset + 16 + 54 + 100]
        assert record.endswith(piece.data)


def test_ipv6() -> None:
    conversation = (
        Conversation(("2001:db8::1", 40000), ("2001:db8::2", 5672)).open().send(0, ONE).send(1, TWO)
    )
    reading = read_packets(conversation.packets)
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert reading.connections[0].client == ("2001:db8::1", 40000)


@pytest.mark.parametrize("before_wrap", [0, 1, 99, 100, 150, 999, 1000, 1001])
def test_sequence_numbers_go_round(before_wrap: int) -> None:
    first = (2**32 - 1 - before_wrap) % 2**32
    conversation = Conversation(sequences=[first, 2**32 - 1]).open().send(0, ONE).send(1, TWO).close()
    reading = read_packets(conversation.packets)
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert reading.quarantine.totals == {}


# --- Order ---


def test_neighbours_in_the_wrong_order() -> None:
    conversation = Conversation().open().send(0, ONE, ack=False)
    packets = conversation.packets
    for at in range(3, len(packets) - 1):
        swapped = [*packets[:at], packets[at + 1], packets[at], *packets[at + 2 :]]
        reading = read_packets(swapped)
        assert reading.stream(0) == ONE
        assert [piece.packet_no for piece in reading.pieces[1, 0]] == [
            number + (number == at + 1) - (number == at + 2) for number in range(4, len(packets) + 1)
        ]


def test_syn_after_data() -> None:
    packets = Conversation().open().send(0, ONE).send(1, TWO).packets
    for order in ([1, 0, 2, 3], [3, 0, 1, 2], [0, 3, 2, 1], [3, 2, 1, 0], [1, 2, 0, 3]):
        reading = read_packets([packets[at] for at in order] + packets[4:])
        assert len(reading.ended) == 1
        assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
        assert (reading.gaps(0), reading.gaps(1)) == ([], [])


@pytest.mark.parametrize("is_after_others", [False, True])
def test_octets_before_the_beginning_are_dropped(is_after_others: bool) -> None:
    """The receiver drops them: they would hide what it gets. They come before the SYN, or before its acknowledgment alone."""
    syn, both, *rest = whole().packets
    first = next(packet for packet in rest if packet.payload)
    before = replace(first, sequence=syn.sequence - 19, payload=b"x" * 30)  # 20 octets before the beginning
    packets = [first, before, syn, both, *rest] if is_after_others else [before, both, *rest]
    reading = read_packets(packets)
    (connection,) = reading.connections
    assert (reading.stream(0)[10:], reading.stream(1)) == (ONE[10:], TWO)
    assert connection.streams[0].discarded == 20


def test_acknowledgment_before_the_data() -> None:
    packets = Conversation().open().send(0, ONE).packets
    swapped = [*packets[:3], packets[4], packets[3], *packets[5:]]
    assert read_packets(swapped).stream(0) == ONE


def test_every_packet_twice() -> None:
    reading = read_packets([it for packet in whole().packets for it in (packet, packet)])
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert [stream.duplicate for stream in reading.ended[0].streams] == [len(ONE), len(TWO)]
    assert reading.quarantine.totals == {}


def test_overlap_with_what_was_delivered() -> None:
    conversation = Conversation().open().send(0, ONE[:500])
    conversation.sequences[0] -= 150
    conversation.send(0, ONE[350:], size=200)
    reading = read_packets(conversation.packets)
    assert reading.stream(0) == ONE
    assert reading.ended[0].streams[0].duplicate == 150
    assert reading.quarantine.totals == {}


def test_retransmission_with_other_content_is_told() -> None:
    conversation = Conversation().open().send(0, ONE)
    again = replace(conversation.packets[7], payload=b"x" * 100)
    reading = read_packets([*conversation.packets, again])
    assert reading.stream(0) == ONE
    (row,) = reading.quarantine.rows
    assert (row.reason, row.stream_offset, row.length) == (Reason.OVERLAP_CONFLICT, 200, 100)
    assert (row.packet_no, row.connection, row.direction) == (len(conversation.packets) + 1, 1, 0)
    assert row.detail == ""


def test_overlap_of_what_is_held() -> None:
    """The first copy counts, in each octet."""
    packets = Conversation().open().send(0, ONE, ack=False).packets
    start = packets[3].sequence
    middle = replace(packets[3], sequence=start + 300, payload=ONE[300:400])
    around = replace(packets[3], sequence=start + 250, payload=ONE[250:300] + b"?" * 100 + ONE[400:450])
    reading = read_packets([*packets[:3], middle, around, *packets[3:]])
    assert reading.stream(0) == ONE
    rows = [row for row in reading.quarantine.rows if row.reason is Reason.OVERLAP_CONFLICT]
    assert {(row.stream_offset, row.length) for row in rows} == {(300, 100)}
    assert reading.ended[0].streams[0].duplicate == 200 + 100


def test_keep_alives_are_no_data() -> None:
    for payload in (b"", b"\x00"):
        conversation = Conversation().open().send(0, ONE)
        conversation.packets += [
            replace(it, sequence=it.sequence - 1, payload=payload)
            for it in (conversation.packet(0), conversation.packet(1))
        ] * 3
        conversation.send(0, TWO).send(1, TWO)
        reading = read_packets(conversation.packets)
        assert (reading.stream(0), reading.stream(1)) == (ONE + TWO, TWO)
        assert reading.quarantine.totals == {}


def test_zero_window_probe() -> None:
    """The first octet of what waits is sent over and over until there is room; then all of it."""
    conversation = Conversation().open().send(0, ONE)
    for _ in range(3):
        conversation.packet(0, TWO[:1])
        conversation.sequences[0] -= 1
    reading = read_packets(conversation.send(0, TWO).packets)
    assert reading.stream(0) == ONE + TWO
    assert reading.quarantine.totals == {}


# --- Loss ---


@pytest.mark.parametrize("lost", range(5))
def test_lost_segment(lost: int) -> None:
    """What the peer has acknowledged, and the capture never had, is lost. What follows is not."""
    packets = Conversation().open().send(0, ONE).close().packets
    at = 3 + 2 * lost
    reading = read_packets([*packets[:at], *packets[at + 1 :]])
    start = 100 * lost
    assert reading.gaps(0) == [(start, 100)]
    assert reading.stream(0) == ONE[:start] + b"?" * 100 + ONE[start + 100 :]
    (row,) = reading.quarantine.rows
    assert (row.reason, row.stream_offset, row.length) == (Reason.SEQ_GAP, start, 100)


def test_loss_is_told_after_a_few_packets() -> None:
    """Not only at the end: a capture may go on for ever."""
    conversation = Conversation().open().send(0, ONE)
    del conversation.packets[5]
    end = len(conversation.packets)
    conversation.send(0, octets(6000), size=100)
    first = next(piece for piece in read_packets(conversation.packets).pieces[1, 0] if piece.offset == 100)
    assert first.gap == 100
    seen: list[int] = []
    connections = ConnectionTracker(lambda *it: seen.extend(piece.offset for piece in it[2]))
    for number, packet in enumerate(conversation.packets, 1):
        before = len(seen)
        connections.read(made_segments([packet], number))
        if before < len(seen) and seen[-1] > 100:
            break
    assert 32 <= number <= end + 32


def test_a_hole_that_was_not_acknowledged_is_waited_for() -> None:
    """Lost on the way, not by the capture: it is sent again."""
    packets = Conversation().open().send(0, ONE, size=5, ack=False).packets
    late = [*packets[:5], *packets[6:], packets[5]]
    assert read_packets(late).stream(0) == ONE
    assert read_packets(late).gaps(0) == []


def test_loss_at_the_end() -> None:
    conversation = Conversation().open().send(0, ONE)
    del conversation.packets[-2]
    reading = read_packets(conversation.packets)
    assert reading.gaps(0) == [(900, 100)]
    conversation.close()
    assert read_packets(conversation.packets).gaps(0) == [(900, 100)]


def test_a_lost_fin_is_no_lost_octet() -> None:
    packets = whole().packets
    for at in (-3, -2):
        reading = read_packets([it for it in packets if it is not packets[at]])
        assert (reading.gaps(0), reading.gaps(1)) == ([], [])


def test_one_direction_only() -> None:
    """Half of the packets went another way. What they had is lost, as the other half says."""
    packets = whole().packets
    for direction, (seen, missed) in enumerate(((ONE, TWO), (TWO, ONE))):
        source = (capture_builder.CLIENT, capture_builder.SERVER)[direction]
        reading = read_packets([packet for packet in packets if packet.source == source])
        assert reading.stream(direction) == seen
        assert sum(length for _, length in reading.gaps(1 - direction)) in (len(missed), len(missed) + 1)
        assert reading.stream(1 - direction).strip(b"?") == b""
        assert (reading.ended[0].client, reading.ended[0].role_by) == (capture_builder.CLIENT, "syn")


def test_one_direction_only_with_a_hole() -> None:
    """Without acknowledgments, more than a mebibyte tells that octets are lost."""
    data = octets(HELD_OCTETS + 400_000)
    packets = Conversation().open().send(0, data, size=50_000, ack=False).packets
    del packets[4]
    seen: list[int] = []
    connections = ConnectionTracker(lambda *it: seen.extend(piece.offset for piece in it[2]))
    connections.read(made_segments(packets, 1))
    assert len(seen) > 20
    connections.flush()
    assert read_packets(packets).gaps(0) == [(50_000, 50_000)]


def test_old_acknowledgments_are_not_taken_for_new_ones() -> None:
    """Only one direction was captured, and it goes on for longer than half the sequence numbers."""
    reading = read_packets(Conversation().open().send(0, ONE[:100]).packets)
    stream = reading.ended[0].streams[0]
    assert stream.acknowledged_offset() == 100
    for gibibytes in range(1, 10):
        stream.advance(1 << 30)
        assert stream.offset == 100 + (gibibytes << 30)
        assert stream.acknowledged_offset() == 100


def test_held_segments_are_bounded_in_number() -> None:
    packets = Conversation().open().send(0, octets(HELD_CHUNKS + 100), size=1, ack=False).packets
    del packets[3]
    held = 0
    connections = ConnectionTracker(lambda *_: None)
    for segment in made_segments(packets, 1):
        connections.add(segment)
        held = max(held, *(len(stream.held.chunks) for stream in connections._streams.values()))
    assert held == HELD_CHUNKS
    assert read_packets(packets).gaps(0) == [(0, 1)]


def test_cut_by_the_snaplen() -> None:
    packets = [it.cut(54 + 40) for it in capture_builder.captured(whole().packets)]
    for file in (capture_builder.pcap(packets), capture_builder.pcapng(packets)):
        reading = capture_builder.read(file)
        assert reading.gaps(0) == [(start + 40, 60) for start in range(0, 1000, 100)]
        assert reading.stream(0) == b"".join(ONE[at : at + 40] + b"?" * 60 for at in range(0, 1000, 100))
        assert reading.octets(Reason.SNAPLEN_CUT) == 60 * 17
        assert reading.count(Reason.SEQ_GAP) == 0
    headers_only = capture_builder.read(capture_builder.pcap([it.cut(54) for it in packets]))
    assert headers_only.stream(0) == b"?" * 1000
    assert headers_only.count(Reason.NO_DATA) == 1
