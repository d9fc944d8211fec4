"""The header of the PROXY protocol, with which proxies tell a broker the address of the client.

It stands once at the beginning of what the client sends: a line of text (version 1), or octets (version 2). See
https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple

from ..capture.stream_data import Direction, StreamPiece
from .wrappers import InnerStream, LeaveOut, inner_streams

_TEXT, _TEXT_END = b"PROXY ", b"\r\n"
_LONGEST_TEXT = 107  # its end included
_LAST_PORT = 65_535
_SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
_HEAD = 16  # of version 2: signature, version and command, family, length
_VERSION_2 = 0x2
_PROXY_COMMAND = 1  # 0: the proxy speaks for itself, for example to see whether the broker lives
_ADDRESS_SIZES = {1: 4, 2: 16}  # by family: IPv4, IPv6


class ProxyHeader(NamedTuple):
    """The header.

    Attributes:
        size: Its octets.
        client: Address and port of the client; None if the header has none.
    """

    size: int
    client: tuple[str, int] | None


def may_be_proxy_header(head: bytes) -> bool:
    """Return whether a header of the PROXY protocol begins there, or may when more octets have come."""
    return any(head.startswith(begin[: len(head)]) for begin in (_TEXT, _SIGNATURE)) and bool(head)


def read_proxy_header(head: bytes) -> ProxyHeader | None:
    """Read the header at the beginning of a stream.

    Raises:
        ValueError: It is none.

    Returns:
        The header; None if more octets are needed.
    """
    if not may_be_proxy_header(head):
        raise ValueError("neither of the two headers")
    if head.startswith(_TEXT):
        return _read_text(head)
    if len(head) < _HEAD:
        return None
    if head[12] >> 4 != _VERSION_2:
        raise ValueError("a version that is not known")
    size = _HEAD + int.from_bytes(head[14:16], "big")
    return (
        ProxyHeader(size, _read_addresses(head[12], head[13], head[_HEAD:size]))
        if len(head) >= size
        else None
    )


def _read_text(head: bytes) -> ProxyHeader | None:
    end = head.find(_TEXT_END, 0, _LONGEST_TEXT)
    if end < 0:
        if len(head) >= _LONGEST_TEXT:
            raise ValueError("no end of the line")
        return None
    match head[len(_TEXT) : end].split(b" "):
        case [b"TCP4" | b"TCP6", source, _, port, _]:
            return ProxyHeader(end + len(_TEXT_END), (_read_address(source), _read_port(port)))
        case [b"UNKNOWN", *_]:
            return ProxyHeader(end + len(_TEXT_END), None)
        case _:
            raise ValueError("neither TCP4, TCP6 nor UNKNOWN")


def _read_address(text: bytes) -> str:
    address = ip_address(text.decode("ascii"))  # raises ValueError
    if b"%" in text:
        raise ValueError("a zone, which no packet has")
    return str(address)


def _read_port(text: bytes) -> int:
    if not text.isdigit() or int(text) > _LAST_PORT:
        raise ValueError("no port")
    return int(text)


def _read_addresses(command: int, family: int, rest: bytes) -> tuple[str, int] | None:
    size = _ADDRESS_SIZES.get(family >> 4)
    if command & 0xF != _PROXY_COMMAND or size is None or len(rest) < 2 * size + 4:
        return None
    return str(ip_address(rest[:size])), int.from_bytes(rest[2 * size : 2 * size + 2], "big")


class ProxyWrapper:
    """Takes the header off what the client sends.

    Attributes:
        name, inner: See ``Wrapper``.
        client: Address and port of the client; None if the header has none.
    """

    def __init__(self, header: ProxyHeader, leave_out: LeaveOut) -> None:
        self.name = "proxy"
        self.inner: tuple[InnerStream, InnerStream] = inner_streams(leave_out)
        self.client = header.client
        self._left = header.size

    def unwrap(self, direction: Direction, piece: StreamPiece) -> list[tuple[Direction, StreamPiece]]:
        """See ``Wrapper``; the header has no gap, or it would not be known."""
        inner, data = self.inner[direction], piece.data
        if piece.gap:
            return [(direction, inner.gap(piece.gap, piece[3:]))]
        if direction is Direction.client_to_server and self._left:
            around = min(self._left, len(data))
            inner.wrapped += around
            self._left -= around
            data = data[around:]
        return [(direction, inner.data(data, piece[3:]))] if data else []

    def finish(self) -> list[tuple[Direction, StreamPiece]]:
        """See ``Wrapper``; nothing is held."""
        return []
