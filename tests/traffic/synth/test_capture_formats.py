"""Capture files: the core finds every packet in each format; so does capinfos."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.capture.segments import read_segments
from amqp_traffic.synth.capture_writer import LINK_TYPES
from amqp_traffic.synth.order import OrderError

from .made_captures import make, plain

CAPINFOS = shutil.which("capinfos")
SIZE = 60_000

FORMATS = [
    {"form": form, "byte_order": order, "time_unit": unit}
    for form in ("pcap", "pcapng")
    for order in ("little", "big")
    for unit in ("us", "ns")
]
BLOCKS = [
    {"form": "pcapng", "packet_block": block, "byte_order": order}
    for block in ("obsolete", "simple")
    for order in ("little", "big")
]


def segments(capture: bytes) -> list[tuple]:
    """Flow, sequence, flags, data, nanoseconds of each segment; everything in the file is one."""
    quarantine = Quarantine()
    found = recognise_capture(capture, quarantine)
    read = [(it[0], it[1], it[3], bytes(it[4]), it[8]) for it in read_segments(found)]
    found.ledger.check()
    assert not quarantine.totals
    assert found.ledger.packets == len(read)
    return read


@pytest.mark.parametrize("fields", [*FORMATS, *BLOCKS], ids=str)
def test_formats_hold_the_same_packets(fields: dict) -> None:
    made = make(size=SIZE, **fields)
    read = segments(made.capture)
    assert len(read) == made.summary.packets
    expected = segments(make(size=SIZE, time_unit="ns").capture)
    assert [it[:-1] for it in read] == [it[:-1] for it in expected]
    unit = 1 if fields.get("time_unit") == "ns" else 1000
    times = [0 if fields.get("packet_block") == "simple" else it[-1] // unit * unit for it in expected]
    assert [it[-1] for it in read] == times


@pytest.mark.parametrize("ip", ["4", "6", "both"])
@pytest.mark.parametrize("link_type", LINK_TYPES)
def test_link_types(link_type: str, ip: str) -> None:
    only = LINK_TYPES[link_type].ip_version
    if only and ip != str(only):
        with pytest.raises(OrderError, match=f"give --ip {only}"):
            make(size=SIZE, link_type=link_type, ip=ip)
        return
    for order in ("little", "big"):
        made = make(size=SIZE, link_type=link_type, ip=ip, byte_order=order)
        assert len(segments(made.capture)) == made.summary.packets


@pytest.mark.skipif(CAPINFOS is None, reason="needs capinfos: it comes with tshark")
@pytest.mark.parametrize(
    "fields", [{}, {"form": "pcapng", "byte_order": "big", "time_unit": "ns"}, {"snaplen": 100}], ids=str
)
def test_capinfos_finds_nothing_wrong(fields: dict, tmp_path: Path) -> None:
    made = make(size=SIZE, **fields)
    file = tmp_path / "capture"
    file.write_bytes(made.capture)
    told = subprocess.run([str(CAPINFOS), "-M", file], capture_output=True, text=True, check=True)
    assert not told.stderr or told.stderr.startswith("Running as user")
    assert int(re.findall(r"Number of packets: +(\d+)", told.stdout)[0]) == made.summary.packets
    assert int(re.findall(r"File size: +(\d+)", told.stdout)[0]) == made.summary.octets


def test_size() -> None:
    assert 300_000 <= plain().summary.octets < 600_000
    made = make(size=3_000_000)
    assert 2_700_000 < made.summary.octets < 3_500_000
