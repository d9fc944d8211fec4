"""The records of little-endian pcap files, to be put together otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import unpack_from

FILE_HEADER, RECORD_HEADER = 24, 16

# Header and packet.
Record = tuple[bytes, bytes]


def records(octets: bytes) -> Iterator[Record]:
    """The records of a file."""
    position = FILE_HEADER
    while position < len(octets):
        (length,) = unpack_from("<I", octets, position + 8)
        end = position + RECORD_HEADER + length
        yield octets[position : position + RECORD_HEADER], octets[position + RECORD_HEADER : end]
        position = end


def with_records(octets: bytes, wanted: Iterable[Record]) -> bytes:
    """A file like that one, with these records."""
    return octets[:FILE_HEADER] + b"".join(header + packet for header, packet in wanted)
