"""The header of the PROXY protocol, as octets."""

from __future__ import annotations

import pytest
from amqp_traffic.streams.proxy_protocol import may_be_proxy_header, read_proxy_header

V2 = b"\r\n\r\n\x00\r\nQUIT\n"
V6 = bytes.fromhex("20010db8" + "00" * 11 + "01")


@pytest.mark.parametrize(
    ("header", "client"),
    [
        (b"PROXY TCP4 203.0.113.7 192.0.2.1 56324 5672\r\n", ("203.0.113.7", 56324)),
        (b"PROXY TCP6 2001:db8::1 2001:db8::2 4124 5672\r\n", ("2001:db8::1", 4124)),
        (b"PROXY UNKNOWN\r\n", None),
        (b"PROXY UNKNOWN ffff:f::1 ffff::1 65535 65535\r\n", None),
        (V2 + b"\x21\x11\x00\x0c\xcb\x00\x71\x07\xc0\x00\x02\x01\xdc\x04\x16\x28", ("203.0.113.7", 56324)),
        (V2 + b"\x21\x21\x00\x24" + V6 + V6 + b"\x10\x1c\x16\x28", ("2001:db8::1", 4124)),
        # with a field of type, length and value behind the addresses
        (
            V2 + b"\x21\x11\x00\x10\xcb\x00\x71\x07\xc0\x00\x02\x01\xdc\x04\x16\x28\x04\x00\x01x",
            ("203.0.113.7", 56324),
        ),
        (V2 + b"\x20\x00\x00\x00", None),  # the proxy itself
        (V2 + b"\x21\x31\x00\xd8" + bytes(216), None),  # a socket of Unix
        (V2 + b"\x21\x11\x00\x02ab", None),  # too short for addresses
    ],
)
def test_headers(header: bytes, client: tuple[str, int] | None) -> None:
    for end in range(1, len(header)):
        assert may_be_proxy_header(header[:end])
        assert read_proxy_header(header[:end]) is None
    for rest in (b"", b"AMQP\x00\x00\x09\x01"):
        found = read_proxy_header(header + rest)
        assert found == (len(header), client)


@pytest.mark.parametrize(
    "head",
    [
        b"PROXY TCP4 203.0.113.7 192.0.2.1 56324\r\n",
        b"PROXY TCP4 nowhere 192.0.2.1 56324 5672\r\n",
        b"PROXY TCP4 203.0.113.7 192.0.2.1 port 5672\r\n",
        b"PROXY TCP4 203.0.113.7 192.0.2.1 65536 5672\r\n",
        b"PROXY TCP4 203.0.113.7 192.0.2.1 99999999999 5672\r\n",
        b"PROXY TCP4 203.0.113.7 192.0.2.1 -1 5672\r\n",
        b"PROXY TCP6 fe80::1%eth0 2001:db8::2 4124 5672\r\n",
        b"PROXY TCP5 203.0.113.7 192.0.2.1 56324 5672\r\n",
        b"PROXY " + b"x" * 101,
        V2 + b"\x11\x11\x00\x00",
        b"AMQP\x00\x00\x09\x01",
        b"PROXZ",
        b"\r\n\r\n\x01",
    ],
)
def test_no_header(head: bytes) -> None:
    with pytest.raises(ValueError):
        read_proxy_header(head)
