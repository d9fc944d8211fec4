"""Byte splits of capture files: together they have every packet once, or it is told that they have not."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest
from amqp_traffic.capture import pcap, pcapng
from amqp_traffic.capture.files import CaptureError
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.packets import Packet
from amqp_traffic.capture.quarantine import Quarantine, Quarantined, Reason
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.splitting.splits import (
    SectionState,
    Split,
    SplitReport,
    check_proof,
    exact_splits,
    join_ledgers,
    open_split,
    plan_splits,
    split_report,
)
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import FileShape
from hypothesis import given
from hypothesis import strategies as st

from .. import capture_builder
from ..frames.test_damage import damage, damaged
from .split_engine import make

pytestmark = pytest.mark.slow  # whole captures or sites, several times each

SHAPES = [
    FileShape(),
    FileShape(byte_order="big", time_unit="ns"),
    FileShape("pcapng"),
    FileShape("pcapng", "big", "ns", "sll2"),
    FileShape("pcapng", packet_block="simple"),
    FileShape("pcapng", packet_block="obsolete"),
]
Plan = Callable[[bytes, int], list[Split]]


def read_one(file: bytes, split: Split) -> tuple[list[Packet], SplitReport, list[Quarantined]]:
    quarantine = Quarantine()
    capture = open_split(file, split, quarantine)
    packets = list(capture.packets())
    capture.ledger.packets = len(packets)
    return packets, pickle.loads(pickle.dumps(split_report(capture, split))), quarantine.rows


def read_all(file: bytes, splits: list[Split]) -> tuple[list[Packet], list[Quarantined]]:
    """The packets of splits that prove themselves."""
    found = [read_one(file, pickle.loads(pickle.dumps(split))) for split in splits]
    reports = [it for _, it, _ in found]
    assert check_proof(reports, len(file)) == ""
    ledger = join_ledgers(reports, len(file))
    ledger.check()
    assert ledger.packets == sum(len(packets) for packets, _, _ in found)
    return [it for packets, _, _ in found for it in packets], [it for _, _, rows in found for it in rows]


def read_whole(file: bytes) -> tuple[list[Packet], list[Quarantined]]:
    capture = recognise_capture(file)
    return list(capture.packets()), capture.quarantine.rows


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("contents", ["text", "capture"])
@pytest.mark.parametrize("plan", [plan_splits, exact_splits])
def test_every_packet_is_in_one_split(shape: FileShape, contents: str, plan: Plan) -> None:
    """Captures in bodies are not taken for the capture that they are in."""
    file = make(seed=1, size=1_500_000, file=shape, contents=contents)
    for count in (1, 2, 7, 64):
        splits = plan(file, len(file) // count + 1)
        assert len(splits) > count * 0.7
        assert read_all(file, splits) == read_whole(file)


def test_boundaries_are_found_without_reading_the_file() -> None:
    """Both ways find the same, for a packet begins where it begins."""
    file = make(seed=2, size=2_000_000, contents="capture")
    assert plan_splits(file, 400_000)[1:] == exact_splits(file, 400_000)[1:]


@pytest.mark.parametrize("plan", [plan_splits, exact_splits])
def test_what_is_smaller_than_a_split(plan: Plan) -> None:
    file = capture_builder.pcap(
        capture_builder.captured(capture_builder.Conversation().open().close().packets)
    )
    assert plan(file, 1 << 20) == [Split(0, len(file))]
    assert plan(file[:24], 10)[0] == Split(0, 24)
    with pytest.raises(CaptureError, match="neither pcap nor pcapng"):
        plan(b"x" * 100, 10)


def test_a_split_of_each_packet() -> None:
    for file in (
        capture_builder.pcap(
            capture_builder.captured(
                capture_builder.Conversation().open().send(0, capture_builder.octets(3000)).packets
            )
        ),
        capture_builder.pcapng(
            capture_builder.captured(
                capture_builder.Conversation().open().send(0, capture_builder.octets(3000)).packets
            )
        ),
    ):
        splits = exact_splits(file, 1)
        packets, _ = read_whole(file)
        assert [it.start for it in splits] == [0, *(packet[0] for packet in packets)][: len(splits)]
        assert read_all(file, splits)[0] == packets


# --- Proof ---


def reports_of(file: bytes, splits: list[Split]) -> list[SplitReport]:
    return [read_one(file, split)[1] for split in splits]


@pytest.mark.parametrize("shape", [FileShape(), FileShape("pcapng")], ids=str)
def test_a_wrong_boundary_is_found_out(shape: FileShape) -> None:
    """One that is a record of the capture in a body."""
    packets = capture_builder.captured(
        capture_builder.Conversation().open().send(0, FILES["pcap"] * 9, 1400).packets
    )
    file = capture_builder.pcap(packets) if shape.form == "pcap" else capture_builder.pcapng(packets)
    one, other = exact_splits(file, len(file) // 2)[:2]
    inner = file.index(FILES["pcap"][:24], other.start) + 24
    splits = [Split(0, inner), replace(other, start=inner, end=len(file))]
    assert "but what is before it ends at" in check_proof(reports_of(file, splits), len(file))
    assert check_proof(reports_of(file, [one]), len(file)).startswith("the last split ends at")
    assert check_proof([], 10) == "the last split ends at 0, but the file at 10"


def test_interfaces_that_are_described_later() -> None:
    """Splits after them know it, or it is told that they do not."""
    packets = capture_builder.captured(
        capture_builder.Conversation().open().send(0, capture_builder.octets(30_000), 1000).packets
    )
    cooked = [
        replace(it, octets=capture_builder.linux_cooked(it.octets[14:])) for it in packets[10:]
    ]  # another link type
    one, two = capture_builder.pcapng(packets[:10]), capture_builder.pcapng(cooked, link_type=113)
    file = one + two
    splits = exact_splits(file, len(file) // 5)
    assert len(splits) > 3
    assert read_all(file, splits) == read_whole(file)
    guessed = [*splits[:-1], replace(splits[-1], section=SectionState("<"))]
    assert "does not know the section" in check_proof(reports_of(file, guessed), len(file))


def test_packets_that_need_those_before_them() -> None:
    """Exported PDUs have no sequence numbers: they are read in one piece."""
    packets = capture_builder.Conversation().send(0, capture_builder.octets(5000)).packets
    captured = [
        capture_builder.Captured(capture_builder.exported_pdu(it), 1_000_000 * number)
        for number, it in enumerate(packets)
    ]
    for file in (
        capture_builder.pcap(captured, link_type=252),
        capture_builder.pcapng(captured, link_type=252),
    ):
        assert plan_splits(file, 500) == exact_splits(file, 500) == [Split(0, len(file))]


# --- Damage ---


@pytest.mark.parametrize("shape", [FileShape(), FileShape("pcapng")], ids=str)
def test_damaged_files(shape: FileShape) -> None:
    file = make(seed=4, size=2_000_000, file=shape, damage=Damage(garbage=5, truncate=True))
    whole = read_whole(file)
    assert {it.reason for it in whole[1]} == {Reason.FILE_CORRUPT, Reason.FILE_TRUNCATED}
    for count in (2, 7, 64):
        assert read_all(file, exact_splits(file, len(file) // count)) == whole


SMALL = capture_builder.captured(
    capture_builder.Conversation().open().send(0, capture_builder.octets(3000)).close().packets
)
FILES = {
    "pcap": capture_builder.pcap(SMALL),
    "pcapng": capture_builder.pcapng(SMALL),
    "pcapng >": capture_builder.pcapng(SMALL, ">"),
}


@given(
    name=st.sampled_from([*FILES]),
    blows=st.lists(damage, max_size=4),
    size=st.integers(1, 3000),
    far=st.booleans(),
)
def test_exact_splits_equal_one_pass_whatever_happens(
    name: str, blows: list[tuple[str, int, bytes]], size: int, far: bool
) -> None:
    file = FILES[name]
    for how, at, what in blows:
        file = damaged(file, how, at, what) or file
    file = file + FILES["pcapng"] if far and name != "pcap" else file  # another section
    try:
        whole = read_whole(file)
    except CaptureError:
        return  # the file header is damaged
    assert read_all(file, exact_splits(file, size)) == whole


@given(name=st.sampled_from([*FILES]), blows=st.lists(damage, max_size=4), size=st.integers(100, 3000))
def test_splits_that_prove_themselves_equal_one_pass(
    name: str, blows: list[tuple[str, int, bytes]], size: int
) -> None:
    file = FILES[name]
    for how, at, what in blows:
        file = damaged(file, how, at, what) or file
    try:
        splits = plan_splits(file, size)
    except CaptureError:
        return
    found = [read_one(file, split) for split in splits]
    if check_proof([it for _, it, _ in found], len(file)) == "":
        packets, rows = read_whole(file)
        assert [it for each, _, _ in found for it in each] == packets
        assert [it for _, _, each in found for it in each] == rows


def test_damage_at_the_end_of_a_file_that_was_not_uncompressed_is_told_once() -> None:
    file = FILES["pcap"]
    told = []
    for split in exact_splits(file, 1000):
        quarantine = Quarantine()
        list(read_segments(open_split(file, split, quarantine, "cut")))
        told += [it.detail for it in quarantine.rows]
    assert told == ["cut"]


def test_looking_for_a_packet_ends_where_it_was_told() -> None:
    file = make(seed=5, size=600_000)
    header = pcap.read_header(file)
    assert header is not None
    records = [record for record, *_ in recognise_capture(file).packets()]
    assert pcap.find_pcap_record(file, header, records[5] + 1, records[6]) is None
    assert pcap.find_pcap_record(file, header, records[5] + 1, records[6] + 1) == records[6]
    assert pcap.find_pcap_record(file, header, len(file), len(file)) is None
    file = make(seed=5, size=600_000, file=FileShape("pcapng"))
    capture = recognise_capture(file)
    records = [record for record, *_ in capture.packets()]
    assert pcapng.find_packet(file, capture.section, records[5] + 1, records[6]) is None
    assert pcapng.find_packet(file, capture.section, records[5] + 1, records[6] + 1) == records[6]
