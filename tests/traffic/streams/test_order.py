"""Properties of reassembly: whatever the order, the splits and the duplicates, the streams are the same."""

from __future__ import annotations

from collections.abc import Callable

from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.capture.segments import EXPORTED_PDU
from amqp_traffic.streams.connections import SLACK
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .. import capture_builder
from ..capture_builder import Captured, Conversation, Reading, Tcp, octets, read_packets

turns = st.lists(
    st.tuples(st.integers(0, 1), st.integers(1, 400), st.integers(20, 200), st.booleans()),
    min_size=1,
    max_size=12,
)
sequences = st.tuples(*[st.sampled_from([0, 1000, 2**31 - 200, 2**32 - 300, 2**32 - 1])] * 2).map(list)


def conversation(
    turns: list[tuple[int, int, int, bool]], sequences: list[int], begun: bool = True
) -> Conversation:
    """Both take turns; each turn is of some length, in segments of some size, acknowledged at once or not."""
    made_up = Conversation(sequences=list(sequences))
    if begun:
        made_up.open()
    for number, (direction, length, size, ack) in enumerate(turns):
        made_up.send(direction, octets(length, 1000 * number), size, ack)
    return made_up


def sent(packets: list[Tcp], direction: int) -> bytes:
    source = (capture_builder.CLIENT, capture_builder.SERVER)[direction]
    return b"".join(it.payload for it in packets if it.source == source)


def moved(packets: list[Tcp], by: list[int]) -> list[Tcp]:
    """Each packet at most so many places from where it was."""
    places = [place + by[place % len(by)] for place in range(len(packets))]
    return [packets[place] for place in sorted(range(len(packets)), key=places.__getitem__)]


few_places = st.lists(st.integers(0, SLACK // 4), min_size=1, max_size=7)


@given(turns, sequences, few_places, st.booleans())
def test_any_order(turns: list, sequences: list[int], by: list[int], close: bool) -> None:
    whole = conversation(turns, sequences)
    if close:
        whole.close()
    # What comes before the SYNs, and after the end, is tried elsewhere.
    packets = whole.packets[:3] + moved(whole.packets[3:], by)
    reading = read_packets(packets)
    for direction in (0, 1):
        assert reading.stream(direction) == sent(whole.packets, direction)
    assert set(reading.quarantine.totals) <= {Reason.NO_DATA}


@given(turns, sequences, few_places)
def test_any_order_in_mid_stream(turns: list, sequences: list[int], by: list[int]) -> None:
    whole = conversation(turns, sequences, begun=False)
    reading = read_packets(moved(whole.packets, by))
    for direction in (0, 1):
        assert reading.stream(direction) == sent(whole.packets, direction)


@given(turns, sequences, st.sets(st.integers(0, 2)), st.booleans())
def test_pieces_come_in_the_order_of_packets(
    turns: list, sequences: list[int], without: set[int], close: bool
) -> None:
    """Also if a SYN is missing, or that of both sides."""
    whole = conversation(turns, sequences)
    if close:
        whole.close()
    reading = read_packets([it for at, it in enumerate(whole.packets) if at not in without])
    assert numbers(reading) == sorted(numbers(reading))


@given(turns, sequences)
def test_exported_pdus_come_in_their_order(turns: list, sequences: list[int]) -> None:
    packets = conversation(turns, sequences, begun=False).packets
    pdus = [Captured(capture_builder.exported_pdu(it)) for it in packets if it.payload]
    reading = capture_builder.read(capture_builder.pcapng(pdus, link_type=EXPORTED_PDU))
    assert numbers(reading) == list(range(1, len(pdus) + 1))


def numbers(reading: Reading) -> list[int]:
    """The packets that the pieces of a connection are of, one after the other."""
    return [piece.packet_no for _, _, piece in reading.order]


@given(turns, sequences, st.data())
def test_duplicates(turns: list, sequences: list[int], data: st.DataObject) -> None:
    """Any packets again, anywhere later."""
    whole = conversation(turns, sequences)
    packets = list(whole.packets)
    for at in data.draw(st.lists(st.integers(3, len(packets) - 1), max_size=8)):
        packets.insert(data.draw(st.integers(at + 1, len(packets))), whole.packets[at])
    reading = read_packets(packets)
    for direction in (0, 1):
        assert reading.stream(direction) == sent(whole.packets, direction)
    assert set(reading.quarantine.totals) <= {Reason.NO_DATA}
    extra = sum(len(it.payload) for it in packets) - sum(len(it.payload) for it in whole.packets)
    assert sum(stream.duplicate for it in reading.ended for stream in it.streams) == extra


@given(
    st.integers(1, 2000),
    sequences,
    st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 600)), max_size=20),
)
def test_any_splits_and_overlaps(length: int, sequences: list[int], more: list[tuple[int, int]]) -> None:
    """Segments that cut the same octets in other ways, at any time, change nothing."""
    whole = octets(length)
    start = Conversation(sequences=list(sequences)).open()
    first, other = start.sequences
    segments = [(at % length, size) for at, size in more]
    segments += [(at, 150) for at in range(0, length, 150)]
    packets = [*start.packets, *(Tcp(first + at, whole[at : at + size], other) for at, size in segments)]
    reading = read_packets(packets)
    assert reading.stream(0) == whole
    assert reading.quarantine.totals == {}


@examples(200)
@given(turns, sequences, st.data())
def test_dropped_packets_only_remove_themselves(
    turns: list, sequences: list[int], data: st.DataObject
) -> None:
    whole = conversation(turns, sequences)
    candidates = [at for at, it in enumerate(whole.packets) if it.payload]
    dropped = data.draw(st.sets(st.sampled_from(candidates), max_size=5))
    reading = read_packets([it for at, it in enumerate(whole.packets) if at not in dropped])
    for direction, source in enumerate((capture_builder.CLIENT, capture_builder.SERVER)):
        expected = b"".join(
            b"?" * len(it.payload) if at in dropped else it.payload
            for at, it in enumerate(whole.packets)
            if it.source == source
        )
        # Loss at the very end is only known if it was acknowledged.
        found = reading.stream(direction)
        assert expected.startswith(found)
        assert expected[len(found) :].strip(b"?") == b""


@given(turns, sequences, few_places)
def test_fast_way_and_whole_way_are_one(turns: list, sequences: list[int], by: list[int]) -> None:
    packets = moved(conversation(turns, sequences).close().packets, by)
    file = capture_builder.pcap(capture_builder.captured(packets))
    fast, whole = capture_builder.read(file), capture_builder.read(file, one_by_one=True)
    assert fast.order == whole.order
    assert fast.quarantine.rows == whole.quarantine.rows


places = st.sampled_from([0, 10, 20, 30, 50, 100, -10, 2**20 + 5, 2**30 + 9, 2**31]) | st.integers(
    0, 2**32 - 1
)
anything = st.builds(
    lambda direction, place, acknowledged, flags, size, content: Tcp(
        2**32 - 50 + place,
        octets(size, content),
        2**31 - 20 + acknowledged,
        flags,
        capture_builder.SERVER if direction else capture_builder.CLIENT,
        capture_builder.CLIENT if direction else capture_builder.SERVER,
    ),
    st.integers(0, 1),
    places,
    places,
    st.sampled_from([capture_builder.ACK, capture_builder.PSH | capture_builder.ACK]) | st.integers(0, 255),
    st.sampled_from([0, 1, 10, 20, 50]),
    st.integers(0, 2),
)


@given(st.lists(anything, max_size=60), st.sampled_from([0, 1, 4, SLACK]), st.integers(54, 120))
def test_anything_goes(packets: list[Tcp], slack: int, snaplen: int) -> None:
    """Packets that make no sense together: ledgers hold, pieces join, and both ways are one."""
    file = capture_builder.pcap([it.cut(snaplen) for it in capture_builder.captured(packets)])
    fast, whole = capture_builder.read(file, slack=slack), capture_builder.read(
        file, slack=slack, one_by_one=True
    )
    assert fast.order == whole.order
    assert fast.quarantine.rows == whole.quarantine.rows


@given(turns, sequences, st.sampled_from([1, 113, 276, 0, 108, 101]))
def test_formats_are_one(turns: list, sequences: list[int], link_type: int) -> None:
    packets = capture_builder.captured(conversation(turns, sequences).packets, link_type)
    readings = [
        capture_builder.read(writer(packets, order, link_type=link_type)) for writer, order in WRITERS
    ]
    pieces = [[(*it[:2], it[2]._replace(packet_offset=0)) for it in reading.order] for reading in readings]
    assert pieces == pieces[:1] * len(pieces)


WRITERS: list[tuple[Callable[..., bytes], str]] = [
    (writer, order) for writer in (capture_builder.pcap, capture_builder.pcapng) for order in "<>"
]
