"""What can be told of TLS without keys: that it is TLS, and what the client's first message says in the clear."""

from __future__ import annotations

_HANDSHAKE = 22
_RECORDS = frozenset(range(20, 24))  # change cipher spec, alert, handshake, application data
_LONGEST_RECORD = (1 << 14) + 2048
_CLIENT_HELLO = 1
_SERVER_NAME = 0
_VERSIONS = {0: "SSL 3.0", 1: "TLS 1.0", 2: "TLS 1.1", 3: "TLS 1.2", 4: "TLS 1.3"}


def is_tls(head: bytes) -> bool:
    """Whether a stream begins with a TLS record (RFC 8446, section 5.1)."""
    return (
        len(head) >= 5
        and head[0] in _RECORDS
        and head[1] == 3
        and head[2] in _VERSIONS
        and 0 < int.from_bytes(head[3:5], "big") <= _LONGEST_RECORD
    )


def describe_hello(head: bytes) -> str:
    """Version and server name of a ClientHello, as far as it is there (RFC 8446, section 4.1.2; RFC 6066, section 3).

    Returns:
        For example ``TLS 1.2, broker.example``. The version is that of the layout; TLS 1.3 looks like 1.2.
    """
    described = [_VERSIONS[head[2]]]
    if head[0] == _HANDSHAKE and head[5:6] == bytes([_CLIENT_HELLO]) and len(head) > 44:
        described[0] = _VERSIONS.get(head[10], described[0])
        name = _server_name(head)
        if name:
            described.append(name)
    return ", ".join(described)


def _server_name(head: bytes) -> str:
    """The host name in the extension server_name; nothing if it is not there."""
    position = 43  # record, handshake, version, random
    position += 1 + head[position]  # session id
    position += 2 + int.from_bytes(head[position : position + 2], "big")  # cipher suites
    position += 1 + int.from_bytes(head[position : position + 1], "big")  # compression methods
    position += 2  # length of the extensions
    while len(head) >= position + 4:
        kind, size = (int.from_bytes(head[at : at + 2], "big") for at in (position, position + 2))
        content = head[position + 4 : position + 4 + size]
        if kind == _SERVER_NAME:
            length = int.from_bytes(content[3:5], "big")
            name = content[5 : 5 + length].decode("ascii", "replace")
            return name if len(name) == length and name.isascii() and name.isprintable() else ""
        position += 4 + size
    return ""
