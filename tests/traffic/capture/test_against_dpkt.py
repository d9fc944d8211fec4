"""dpkt reads the same fields."""

from __future__ import annotations

import io
from typing import Literal

import dpkt
import pytest
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.segments import read_segments
from hypothesis import given
from hypothesis import strategies as st

from .. import capture_builder

numbers = st.integers(0, 2**32 - 1)


def endpoints(version: Literal[4, 6]) -> st.SearchStrategy[tuple[str, int]]:
    return st.tuples(st.ip_addresses(v=version).map(str), st.integers(1, 65535))


def tcp(version: Literal[4, 6]) -> st.SearchStrategy[capture_builder.Tcp]:
    return st.builds(
        capture_builder.Tcp,
        numbers,
        st.binary(max_size=300),
        numbers,
        st.integers(0, 255),
        endpoints(version),
        endpoints(version),
        options=st.sampled_from([b"", b"\x01" * 12, b"\x01" * 40]),
        ip_options=st.sampled_from([b"", b"\x01" * 4, b"\x01" * 40]) if version == 4 else st.just(b""),
    )


packets = st.lists(
    st.builds(
        capture_builder.Captured,
        st.builds(
            lambda packet, tags, padding: capture_builder.ethernet(packet.octets(), *tags, padding=padding),
            tcp(4) | tcp(6),
            st.sampled_from([(), (0x8100,), (0x88A8, 0x8100)]),
            st.integers(0, 20),
        ),
        st.integers(0, 2**32 - 1).map(lambda seconds: seconds * 10**9 + 123_456_000),
    ),
    min_size=1,
    max_size=5,
)


@given(packets, st.sampled_from("<>"))
def test_fields(packets: list[capture_builder.Captured], order: str) -> None:
    file = capture_builder.pcap(packets, order)
    theirs = []
    for seconds, octets in dpkt.pcap.Reader(io.BytesIO(file)):
        ip = dpkt.ethernet.Ethernet(octets).data
        tcp = ip.data
        size = ip.len - ip.hl * 4 if isinstance(ip, dpkt.ip.IP) else ip.plen
        payload = bytes(tcp.data)[: size - tcp.off * 4]
        theirs.append(
            (ip.src + ip.dst, tcp.sport, tcp.dport, tcp.seq, tcp.ack, tcp.flags, payload, int(seconds))
        )
    ours = [
        (
            flow[:-4],
            int.from_bytes(flow[-4:-2], "big"),
            int.from_bytes(flow[-2:], "big"),
            sequence,
            acknowledgment,
            flags,
            data,
            ns // 10**9,
        )
        for flow, sequence, acknowledgment, flags, data, _, _, _, ns in read_segments(recognise_capture(file))
    ]
    assert ours == theirs


@pytest.mark.parametrize("order", "<>")
def test_pcapng(order: str) -> None:
    packets = capture_builder.captured(
        capture_builder.Conversation().open().send(0, capture_builder.octets(2000)).packets
    )
    file = capture_builder.pcapng(packets, order)
    theirs = [octets for _, octets in dpkt.pcapng.Reader(io.BytesIO(file))]
    capture = recognise_capture(file)
    assert [file[data : data + size] for _, data, size, *_ in capture.packets()] == theirs
