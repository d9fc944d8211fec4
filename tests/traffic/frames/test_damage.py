"""Files that are cut or overwritten: what is left is read, and every octet is accounted for."""

from __future__ import annotations

from functools import partial

import pytest
from amqp_traffic.capture.files import CaptureError
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.ledgers import FileLedger
from amqp_traffic.capture.quarantine import Quarantine, Reason
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LARGEST_EXPONENT, lines, time_exponent

from .. import capture_builder

PACKETS = capture_builder.captured(
    capture_builder.Conversation().open().send(0, capture_builder.octets(3000)).close().packets
)
FILES = {f"pcap {order}": capture_builder.pcap(PACKETS, order) for order in "<>"}
FILES |= {f"pcapng {order}": capture_builder.pcapng(PACKETS, order) for order in "<>"}
NANO = {f"pcap {order} ns": capture_builder.pcap(PACKETS, order, nano=True) for order in "<>"}
each_file = pytest.mark.parametrize("name", [*FILES, *NANO])


def packets_of(file: bytes) -> tuple[list[bytes], FileLedger, Quarantine]:
    capture = recognise_capture(file)
    found = [bytes(file[data : data + captured]) for _, data, captured, *_ in capture.packets()]
    capture.ledger.check()
    assert capture.ledger.skipped == sum(total.octets for total in capture.quarantine.totals.values())
    return found, capture.ledger, capture.quarantine


def file_named(name: str) -> bytes:
    return {**FILES, **NANO}[name]


def records(file: bytes) -> list[int]:
    return [record for record, *_ in recognise_capture(file).packets()]


ALL = [it.octets for it in PACKETS]


@each_file
def test_truncation(name: str) -> None:
    """At every octet: the packets before are there, what is left of the next is skipped."""
    file = file_named(name)
    starts = [*records(file), len(file)]
    for size in range(starts[0], len(file)):
        found, ledger, quarantine = packets_of(file[:size])
        whole = sum(end <= size for end in starts[1:])
        assert found == ALL[:whole]
        assert ledger.skipped == size - starts[whole]
        assert set(quarantine.totals) == ({Reason.FILE_TRUNCATED} if ledger.skipped else set()), size


@each_file
@pytest.mark.parametrize("size", [1, 3, 4, 16, 100, 4096])
def test_garbage_between_records(name: str, size: int) -> None:
    """It is skipped, nothing else."""
    file = file_named(name)
    garbage = bytes((number * 7 + 13) % 251 + 5 for number in range(size))
    for start in records(file)[1::7]:
        found, ledger, quarantine = packets_of(file[:start] + garbage + file[start:])
        assert found == ALL
        assert ledger.skipped == size
        (row,) = quarantine.rows
        assert (row.reason, row.packet_offset, row.length) == (Reason.FILE_CORRUPT, start, size)


@each_file
def test_garbage_at_the_end(name: str) -> None:
    file = file_named(name)
    found, ledger, _ = packets_of(file + b"\xa5" * 300)
    assert (found, ledger.skipped) == (ALL, 300)


@each_file
def test_zeros_are_no_packets(name: str) -> None:
    """A hole in a file, as after a crash."""
    file = file_named(name)
    start = records(file)[10]
    found, ledger, _ = packets_of(file[:start] + bytes(4096) + file[start:])
    assert found == ALL
    assert ledger.skipped == 4096


@each_file
def test_overwritten(name: str) -> None:
    """Packets that touch the damage may be lost, no others."""
    file = bytearray(file_named(name))
    starts = records(bytes(file))
    file[starts[10] : starts[12] + 5] = b"\xa5" * (starts[12] + 5 - starts[10])
    found, _, _ = packets_of(bytes(file))
    assert found == ALL[:10] + ALL[13:]


@each_file
def test_two_places(name: str) -> None:
    file = file_named(name)
    starts = records(file)
    damaged = (
        file[: starts[5]] + b"\xa5" * 50 + file[starts[5] : starts[20]] + b"\x5a" * 50 + file[starts[20] :]
    )
    found, ledger, quarantine = packets_of(damaged)
    assert (found, ledger.skipped) == (ALL, 100)
    assert quarantine.totals[Reason.FILE_CORRUPT].count == 2


damage = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, 10_000), st.just(b"")),
    st.tuples(st.just("flip"), st.integers(0, 10_000), st.integers(1, 255).map(lambda it: bytes([it]))),
    st.tuples(st.just("insert"), st.integers(0, 10_000), st.binary(min_size=1, max_size=4096)),
    st.tuples(st.just("overwrite"), st.integers(0, 10_000), st.binary(min_size=1, max_size=4096)),
    st.tuples(st.just("insert"), st.integers(0, 10_000), st.just(capture_builder.octets(4096, 99))),
)


def damaged(file: bytes, how: str, at: int, what: bytes) -> bytes:
    at %= len(file)
    if how == "cut":
        return file[:at]
    if how == "flip":
        return file[:at] + bytes([file[at] ^ what[0]]) + file[at + 1 :]
    return file[:at] + what + file[at + (len(what) if how == "overwrite" else 0) :]


@given(name=st.sampled_from([*FILES, *NANO]), blows=st.lists(damage, min_size=1, max_size=6))
def test_ledgers_hold_whatever_happens(name: str, blows: list[tuple[str, int, bytes]]) -> None:
    """``capture_builder.read`` checks the ledgers of the file and of every stream, and that pieces join."""
    file = file_named(name)
    for how, at, what in blows:
        file = damaged(file, how, at, what) or file
    try:
        capture_builder.read(file)
    except CaptureError:
        return  # the file header is damaged


@given(st.binary(max_size=2000), st.sampled_from([*FILES, *NANO]))
def test_any_octets_after_a_header(octets: bytes, name: str) -> None:
    file = file_named(name)
    capture_builder.read(file[: records(file)[0]] + octets)


each_garbage = pytest.mark.parametrize(
    ("name", "unit"),
    [
        (name, unit)
        for name in ("pcap <", "pcap > ns", "pcapng <")
        for unit in (b"\x00", b"\xa5", b"\x06\x00\x00\x00\x20\x00\x00\x00", b"\x01\x00\x00\x00")
    ],
)


def with_garbage(name: str, unit: bytes, size: int) -> bytes:
    file = file_named(name)
    return file[: records(file)[0]] + unit * (size // len(unit))


@each_garbage
def test_the_work_on_garbage_is_linear(name: str, unit: bytes) -> None:
    """In lines and calls, which are the same at every run: of twice as much twice, not four times."""
    once, twice = (lines(packets_of, with_garbage(name, unit, size)) for size in (150_000, 300_000))
    assert twice <= 3 * once + 100


@pytest.mark.full
@each_garbage
def test_garbage_takes_linear_time(name: str, unit: bytes) -> None:
    assert time_exponent(partial(with_garbage, name, unit), packets_of, 75_000) <= LARGEST_EXPONENT
