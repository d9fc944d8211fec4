"""How connections begin and end, whether that was captured or not."""

from __future__ import annotations

import pytest
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.streams.connections import ConnectionTracker

from .. import capture_builder
from ..capture_builder import ACK, FIN, PSH, RST, SYN, Conversation, read_packets
from ..whole_conversation import ONE, TWO, made_segments, whole


@pytest.mark.parametrize("before", range(1, 12))
def test_mid_stream(before: int) -> None:
    """The stream begins with the first octet that was captured."""
    packets = whole().packets[before:]
    reading = read_packets(packets)
    seen = b"".join(it.payload for it in packets if it.source == capture_builder.CLIENT)
    assert (reading.stream(0), reading.stream(1)) == (seen, TWO)
    assert (reading.gaps(0), reading.gaps(1)) == ([], [])
    (connection,) = reading.connections
    assert connection.client == capture_builder.CLIENT
    assert connection.start_mode == ("syn" if before == 1 else "mid-stream")


def test_mid_stream_in_the_wrong_order() -> None:
    packets = Conversation().send(0, ONE, ack=False).packets
    reading = read_packets([packets[2], packets[0], packets[1], *packets[3:]])
    assert reading.stream(0) == ONE


def test_mid_stream_with_loss_in_a_direction_that_was_silent() -> None:
    """The peer has acknowledged more and more before any data of it was captured."""
    conversation = Conversation().send(0, ONE).send(1, ONE).send(1, TWO)
    lost = {id(it) for it in conversation.packets[20:40] if it.payload}
    reading = read_packets([it for it in conversation.packets if id(it) not in lost])
    assert reading.stream(1) == b"?" * 1000 + TWO


def test_repeated_syn() -> None:
    packets = whole().packets
    reading = read_packets([packets[0], packets[0], packets[1], packets[1], *packets[2:], packets[0]])
    assert len(reading.ended) == 1
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)


@pytest.mark.parametrize("closed", [True, False])
def test_ports_used_again(closed: bool) -> None:
    first = Conversation().open().send(0, ONE).send(1, TWO)
    if closed:
        first.close()
    second = Conversation(sequences=[900_000, 1]).open().send(0, TWO).send(1, ONE).close()
    reading = read_packets(first.packets + second.packets)
    assert [it.number for it in reading.ended] == [1, 2]
    assert [it.end_mode for it in reading.ended] == ["fin" if closed else "open", "fin"]
    assert [reading.stream(0, 1), reading.stream(1, 1)] == [ONE, TWO]
    assert [reading.stream(0, 2), reading.stream(1, 2)] == [TWO, ONE]


def test_ports_used_again_without_syn() -> None:
    """After the end, data far from where the stream was belongs to another connection."""
    first = whole()
    second = Conversation(sequences=[3_000_000_000, 2_000_000_000]).send(0, TWO).send(1, ONE)
    reading = read_packets(first.packets + second.packets)
    assert [it.start_mode for it in reading.ended] == ["syn", "mid-stream"]
    assert [reading.stream(0, 2), reading.stream(1, 2)] == [TWO, ONE]


def test_data_on_a_syn() -> None:
    conversation = Conversation()
    conversation.packet(0, ONE[:100], SYN)
    conversation.packet(1, b"", SYN | ACK)
    reading = read_packets(conversation.send(0, ONE[100:]).close().packets)
    assert reading.stream(0) == ONE


def test_data_on_a_fin() -> None:
    conversation = Conversation().open().send(0, ONE)
    conversation.packet(0, TWO, FIN | PSH | ACK)
    conversation.packet(1, b"", FIN | ACK)
    packets = [*conversation.packets, conversation.packets[-2]]
    reading = read_packets(packets)
    assert reading.stream(0) == ONE + TWO
    assert reading.ended[0].end_mode == "fin"
    assert reading.ended[0].streams[0].duplicate == len(TWO)


def test_data_before_a_fin_comes_late() -> None:
    packets = whole().packets
    reading = read_packets([*packets[:21], *packets[22:], packets[21]])
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)


def test_a_fin_is_all_that_was_captured_of_a_side() -> None:
    """The peer has acknowledged what is missing before it."""
    packets = Conversation().open().send(0, ONE).send(1, TWO).close().packets
    reading = read_packets([it for it in packets if it.source == capture_builder.CLIENT or it.flags & FIN])
    assert (reading.stream(0), reading.stream(1)) == (ONE, b"?" * len(TWO))
    assert reading.gaps(1) == [(0, len(TWO))]


def test_half_closed() -> None:
    """A FIN closes one direction; the other may go on."""
    conversation = Conversation().open().send(0, ONE)
    conversation.packet(0, b"", FIN | ACK)
    conversation.send(1, TWO)
    conversation.packet(1, b"", FIN | ACK)
    reading = read_packets(conversation.packets)
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert reading.ended[0].end_mode == "fin"


def test_reset() -> None:
    """What a RST brings along is no data; what was under way still is."""
    conversation = Conversation().open().send(0, ONE)
    conversation.packet(0, b"reset by admin", RST | ACK)
    conversation.sequences[0] -= len(b"reset by admin")
    conversation.send(1, TWO, ack=False)
    reading = read_packets(conversation.packets)
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    (connection,) = reading.ended
    assert connection.end_mode == "rst"
    assert connection.streams[0].discarded == len(b"reset by admin")


def test_connection_that_is_refused() -> None:
    conversation = Conversation()
    conversation.packet(0, b"", SYN)
    conversation.packet(1, b"", RST | ACK)
    reading = read_packets(conversation.packets)
    assert reading.pieces == {}
    assert reading.ended[0].end_mode == "rst"
    assert reading.count(Reason.NO_DATA) == 1


def test_packets_of_no_connection() -> None:
    conversation = Conversation()
    conversation.packet(0)
    conversation.packet(0, b"", FIN | ACK)
    conversation.packet(1, b"", RST)
    reading = read_packets(conversation.packets)
    assert (reading.ended, reading.stray) == ([], 3)


def test_connections_are_given_up_after_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is for what is open, not for all there was."""
    monkeypatch.setattr("amqp_traffic.streams.connections._LINGER_PACKETS", 100)
    connections = ConnectionTracker(lambda *_: None)
    packets: list[capture_builder.Tcp] = []
    for port in range(1000, 1300):
        peer = ("10.0.0.3", port)
        packets += Conversation(peer).open().send(0, b"x").close().packets
        packets += Conversation(("10.0.0.4", port)).open().packets[:1]  # without answer
    most = 0
    for segment in made_segments(packets, 1):
        connections.read([segment])
        most = max(most, len(connections._streams))
    assert most < 100


def test_other_connections_do_not_matter() -> None:
    one = Conversation(("10.0.0.5", 1111)).open().send(0, ONE).send(1, TWO).close().packets
    other = (
        Conversation(("10.0.0.6", 1111), sequences=[5, 6]).open().send(1, ONE).send(0, TWO).close().packets
    )
    reading = read_packets([it for both in zip(one, other, strict=True) for it in both])
    assert [reading.stream(0, 1), reading.stream(1, 1)] == [ONE, TWO]
    assert [reading.stream(0, 2), reading.stream(1, 2)] == [TWO, ONE]


def test_several_files_continue_each_other() -> None:
    """A ring of files: connections span them, and packets are counted on."""
    packets = whole().packets
    reading = capture_builder.Reading()
    connections = ConnectionTracker(reading.on_pieces, reading.on_end)
    for start in range(0, len(packets), 10):
        connections.read(made_segments(packets[start : start + 10], start + 1))
    connections.flush()
    assert (reading.stream(0), reading.stream(1)) == (ONE, TWO)
    assert reading.pieces[1, 1][-1].packet_no == 36
