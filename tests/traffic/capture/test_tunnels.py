"""Packets in tunnels: the TCP segment within is read, from all that tshark reads by default."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from amqp_traffic.capture.layers import ethertypes, internet, udp
from amqp_traffic.capture.layers.walk import MOST_LAYERS, find_tcp
from amqp_traffic.capture.quarantine import Reason
from hypothesis import given
from hypothesis import strategies as st

from tests.commands import run_command

from ..capture_builder import Captured, pcap
from . import tunnels
from .test_link_layers import PAYLOAD, V4, V6, expected, reason, segments

INNER = {"IPv4": V4, "IPv6": V6}
CASES = [
    *(
        (1, name, inner, wrap)
        for name, wrap in {**tunnels.TUNNELS, **tunnels.STACKS}.items()
        for inner in INNER
    ),
    *((1, name, "IPv4", wrap) for name, wrap in tunnels.IN_IPV4.items()),
    *((1, name, "IPv6", wrap) for name, wrap in tunnels.IN_IPV6.items()),
    *((link_type, name, inner, wrap) for name, (link_type, wrap) in tunnels.LINKS.items() for inner in INNER),
]
IDS = [f"{name}, {inner}" for _, name, inner, _ in CASES]


@pytest.mark.parametrize(("link_type", "name", "inner", "wrap"), CASES, ids=IDS)
def test_the_segment_within(link_type: int, name: str, inner: str, wrap: tunnels.Wrap) -> None:
    octets = wrap(INNER[inner].octets())
    assert segments(octets, link_type) == [expected(INNER[inner])]
    short = octets[: octets.index(PAYLOAD) + 10]
    (segment,) = segments(short, link_type, len(octets))
    assert (segment[4], segment[5]) == (PAYLOAD[:10], len(PAYLOAD) - 10)


@pytest.mark.parametrize(("link_type", "name", "inner", "wrap"), CASES, ids=IDS)
def test_any_end(link_type: int, name: str, inner: str, wrap: tunnels.Wrap) -> None:
    """Wherever the capture ends, there is a segment or a reason."""
    octets = wrap(INNER[inner].octets())
    for end in range(octets.index(PAYLOAD)):
        found = find_tcp(octets[:end], link_type, len(octets))
        assert found in (Reason.SNAPLEN_CUT, Reason.NON_TCP) or not isinstance(found, Reason)


@given(
    st.sampled_from(range(len(CASES))),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=8),
)
def test_any_octets(case: int, changes: list[tuple[int, int]]) -> None:
    link_type, _, inner, wrap = CASES[case]
    octets = bytearray(wrap(INNER[inner].octets()))
    for at, value in changes:
        octets[at % len(octets)] = value
    found = find_tcp(bytes(octets), link_type, len(octets))
    assert isinstance(found, Reason) or 0 <= found.start <= found.end <= len(octets)


def test_every_reader_has_a_capture() -> None:
    packets = [wrap(V4.octets()) for wrap in (*tunnels.TUNNELS.values(), *tunnels.IN_IPV4.values())]
    packets += [wrap(V6.octets()) for wrap in (*tunnels.TUNNELS.values(), *tunnels.IN_IPV6.values())]
    ports = {int.from_bytes(it[36:38], "big") for it in packets if it[12:14] == b"\x08\x00" and it[23] == 17}
    assert set(udp.TUNNELS) <= ports
    protocols = {it[23] for it in packets if it[12:14] == b"\x08\x00"} | {
        it[20] for it in packets if it[12:14] == b"\x86\xdd"
    }
    assert set(internet.TUNNELS) <= protocols
    kinds = {int.from_bytes(it[12:14], "big") for it in packets}
    assert set(ethertypes.TUNNELS) - {0x9100, 0x9200} <= kinds


def test_tunnels_without_end() -> None:
    octets = V4.octets()
    while len(octets) < 40_000:
        octets = tunnels.ipv4(4, octets)[14:]
    assert find_tcp(octets, 101, len(octets)) is Reason.BAD_PACKET
    tags = b"\x81\x00\x00\x01" * 2 * MOST_LAYERS
    assert find_tcp(bytes(12) + tags, 1, 12 + len(tags)) is Reason.BAD_PACKET


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        (tunnels.udp(53, V4.octets()), Reason.NON_TCP),
        (tunnels.udp(4789, bytes(8) + tunnels.frame(V4.octets())), Reason.NON_TCP),  # without a network
        (tunnels.udp(2152, b"\x30\x01\x00\x00" + bytes(4)), Reason.NON_TCP),  # an echo
        (tunnels.udp(1701, b"\xc8\x02" + bytes(20)), Reason.NON_TCP),  # a control message
        (tunnels.ipv4(115, bytes(20)), Reason.NON_TCP),
        (tunnels.udp(5247, b"\x01" + bytes(20)), Reason.NON_TCP),  # encrypted
        (
            tunnels.udp(5247, bytes.fromhex("0010008000000000") + tunnels.frame(V4.octets())),
            Reason.IP_FRAGMENT,
        ),
        (tunnels.ethernet(0x88E5, b"\x0c" + bytes(60)), Reason.NON_TCP),  # encrypted
        (tunnels.udp(2152, b"\x34\xff\x00\x10" + bytes(7) + b"\x85" + bytes(20)), Reason.BAD_PACKET),
    ],
)
def test_what_is_not_read(octets: bytes, why: Reason) -> None:
    assert reason(octets) is why


@pytest.mark.parametrize("flags", [0x41, 0x02])
def test_wlan_that_is_not_read(flags: int) -> None:
    octets = tunnels.wlan(V4.octets(), 0x08 if flags & 0x40 else 0x80, flags)
    assert reason(octets, 105) is Reason.NON_TCP


# What tshark 4.0 does not read by default, or reads only after it has seen the set-up of the session.
NOT_BY_TSHARK = {
    "VXLAN, port of Linux",
    "CAPWAP, 802.11",
    "L2TP 3",
    "L2TP 3 in UDP",
    "IP in IP, of old",
    "L2TP 3, cookie",
    "L2TP 3, IP",
    "nflog, big-endian",
}


@pytest.mark.skipif(shutil.which("tshark") is None, reason="needs tshark")
@pytest.mark.parametrize(("link_type", "name", "inner", "wrap"), CASES, ids=IDS)
def test_tshark_reads_the_same(
    link_type: int, name: str, inner: str, wrap: tunnels.Wrap, tmp_path: Path
) -> None:
    if name in NOT_BY_TSHARK:
        pytest.skip(f"tshark does not read {name} by default")
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap([Captured(wrap(INNER[inner].octets()))], link_type=link_type))
    told = run_command(["tshark", "-r", str(path), "-T", "fields", "-e", "tcp.srcport", "-e", "tcp.len"])
    assert told.stdout.split() == ["40000", str(len(PAYLOAD))], told.stdout + told.stderr
