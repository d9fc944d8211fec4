"""The same packets give the same tables: in one file or several, in any format, compressed, twice, in another order."""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from amqp_traffic.synth.capture_writer import Pcapng

from .. import zstd_frames
from ..pcap_records import Record, records, with_records
from ..synth.made_captures import make
from .lake_tables import Ingested, assert_same_tables, ingested
from .ledger_checks import check_ledgers
from .normal_form import ORDER, normal_form

_DUPLICATES = ("client_bytes_dup", "server_bytes_dup")
_HEAD = 65_536  # octets by which a capture is named


@pytest.fixture(scope="session")
def capture() -> bytes:
    """Everything there is."""
    return make(seed=11, size=360_000, connections=15).capture


@pytest.fixture(scope="session")
def expected(capture: bytes, tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingest_files({"cap.pcap": capture}, tmp_path_factory.mktemp("expected"))


def ingest_files(files: dict[str, bytes], folder: Path, one_capture: bool = False) -> Ingested:
    """The tables of these files."""
    paths = [folder / name for name in files]
    for path, octets in zip(paths, files.values(), strict=True):
        path.write_bytes(octets)
    found = ingested(paths, folder / "lake", one_capture=one_capture)
    check_ledgers(found)
    return found


def assert_alike(found: Ingested, expected: Ingested, *left_out: str) -> None:
    """The same tables, but for pointers to packets and these columns."""
    mine, theirs = normal_form(found, *left_out), normal_form(expected, *left_out)
    assert theirs["messages"]
    assert_same_tables(mine, theirs, tuple(theirs))


def parts(capture: bytes, count: int) -> list[bytes]:
    """The capture as so many files."""
    all_records = list(records(capture))
    size = len(all_records) // count + 1
    return [with_records(capture, all_records[at : at + size]) for at in range(0, len(all_records), size)]


@pytest.mark.parametrize("count", [2, 4])
def test_ring(count: int, capture: bytes, expected: Ingested, tmp_path: Path) -> None:
    """Its name is that of the whole, if the first file is long enough; so are the names of connections, too."""
    files = {
        f"cap_{number:05}_2026112118{number:02}00.pcap": octets
        for number, octets in enumerate(parts(capture, count), 1)
    }
    assert min(map(len, files.values())) > _HEAD
    found = ingest_files(dict(reversed(files.items())), tmp_path)
    for table in ("connections", "methods", "performatives", "messages", "exchanges"):
        assert_same_tables(found.tables, expected.tables, (table,))
    assert_alike(found, expected)
    assert {row["file_no"] for row in found["captures"]} == {*range(count)}
    _check_pointers(found, list(files.values()))


def _check_pointers(found: Ingested, files: Sequence[bytes]) -> None:
    """Frames begin in the packets that they name."""
    places = []
    for octets in files:
        position, offsets = 24, []
        for header, packet in records(octets):
            offsets.append(position)
            position += len(header) + len(packet)
        places.append(offsets)
    for row in found["frames"]:
        assert places[row["file_no"]][row["pkt_no"] - 1] == row["pkt_off"]


def test_files_of_any_name(capture: bytes, expected: Ingested, tmp_path: Path) -> None:
    files = {f"{name}.pcap": octets for name, octets in zip("zyx", parts(capture, 3), strict=True)}
    found = ingest_files(files, tmp_path, one_capture=True)
    assert len({row["capture_id"] for row in found["captures"]}) == 1
    assert_alike(found, expected)


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcapng(order: str, capture: bytes, expected: Ingested, tmp_path: Path) -> None:
    form = Pcapng(1, order, 1_000)
    octets = form.head() + b"".join(
        form.record(_ns(header), packet, int.from_bytes(header[12:16], "little"))
        for header, packet in records(capture)
    )
    found = ingest_files({"cap.pcapng": octets}, tmp_path)
    assert found["captures"][0]["format"] == "pcapng"
    assert_alike(found, expected)


def _ns(header: bytes) -> int:
    seconds, micros = (int.from_bytes(header[at : at + 4], "little") for at in (0, 4))
    return (seconds * 1_000_000 + micros) * 1000


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstd_frames.compress), (".xz", lzma.compress)]
)
def test_compressed(
    suffix: str, compress: Callable[[bytes], bytes], capture: bytes, expected: Ingested, tmp_path: Path
) -> None:
    found = ingest_files({f"cap.pcap{suffix}": compress(capture)}, tmp_path)
    assert_alike(found, expected)
    (mine,), (theirs,) = found["captures"], expected["captures"]
    assert mine["compression"] and not theirs["compression"]
    assert mine["size"] == theirs["size"]


def test_duplicates(capture: bytes, expected: Ingested, tmp_path: Path) -> None:
    """Some packets are there twice, the second a little later."""
    chance, found, late = random.Random(1), [], []
    for record in records(capture):
        found.append(record)
        if chance.random() < 0.2:
            late.append(record)
        if late and chance.random() < 0.3:
            found.append(late.pop(0))
    alike = ingest_files({"cap.pcap": with_records(capture, [*found, *late])}, tmp_path)
    assert sum(row[name] for row in alike["connections"] for name in _DUPLICATES) > 10_000
    assert_alike(alike, expected, *_DUPLICATES, "end_ns")


def test_neighbours_of_a_direction_change_places(capture: bytes, expected: Ingested, tmp_path: Path) -> None:
    """What one side says comes in another order; what the other side says, before or after it as ever."""
    chance, found = random.Random(2), list(records(capture))
    swapped = 0
    for place in range(len(found) - 1):
        if _flow(found[place]) == _flow(found[place + 1]) and chance.random() < 0.5:
            found[place], found[place + 1] = found[place + 1], found[place]
            swapped += 1
    assert swapped > 25
    alike = ingest_files({"cap.pcap": with_records(capture, found)}, tmp_path)
    assert_alike(alike, expected, *ORDER)


def _flow(record: Record) -> bytes:
    """Addresses and ports of a packet of IPv4 over Ethernet; with SYN, FIN or RST something of its own."""
    header, packet = record
    return header if packet[47] & 7 else packet[26:38]


def test_late_packets(tmp_path: Path, expected: Ingested) -> None:
    """Packets come up to four places late, some twice: each frame is found, with all that is in it."""
    made = make(seed=11, size=360_000, connections=15, reorder=0.05, reorder_within=4, duplicate=0.05)
    found = ingest_files({"cap.pcap": made.capture}, tmp_path)
    mine, theirs = normal_form(found, *ORDER), normal_form(expected, *ORDER)
    for table in ("frames", "methods", "performatives"):
        assert_same_tables(mine, theirs, (table,))
