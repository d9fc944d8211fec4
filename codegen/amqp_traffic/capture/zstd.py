"""Files that zstd compressed: a reader from the standard library, or from a package where that has none.

Python has ``compression.zstd`` from 3.14 on; below, the package ``zstandard`` reads. Both use the same library in C, and
``ZstdReader`` makes them alike: several frames one after the other, a bounded window, the same errors.
"""

from __future__ import annotations

import io
import sys
from typing import IO, Protocol, cast

from amqp_codegen.support.extras import install_line

MISSING = (
    "a .zst file needs the module compression.zstd, which this Python was built without: unzstd the file first"
    if sys.version_info >= (3, 14)
    else f"a .zst file needs the package zstandard: {install_line('traffic')}, or unzstd the file first"
)
# What the standard library says about truncated files of every compression.
_TRUNCATED = "Compressed file ended before the end-of-stream marker was reached"


class ZstdError(ValueError):
    """A file is damaged. The message says how, in the words of the library in C."""


class _Frames(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


class ZstdReader:
    """The uncompressed octets of a file."""

    def __init__(self, file: IO[bytes]) -> None:
        """Begin to read; ImportError with the message ``MISSING`` if nothing here can."""
        try:
            self._frames, self._error = _open_frames(file)
        except ImportError:
            raise ImportError(MISSING) from None

    def read1(self, size: int = -1, /) -> bytes:
        """Return the next octets, at most ``size``; empty at the end.

        Raises:
            EOFError: The file is truncated.
            ZstdError: It is damaged.
        """
        try:
            return self._frames.read1(size)
        except self._error as error:
            # "zstd decompress error: ..." or "Unable to decompress Zstandard data: ..."
            reason = str(error).rpartition(": ")[2]
            raise ZstdError(f"damaged zstd data: {reason}") from None


def _open_frames(file: IO[bytes]) -> tuple[_Frames, type[Exception]]:
    """Return what reads the frames of a file, and the class of its errors."""
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError as DamageError
        from compression.zstd import ZstdFile

        return ZstdFile(file), DamageError
    else:
        import zstandard

        source = _WithLastFrames(file)
        # Of a file, the reader only uses ``read``.
        reader = zstandard.ZstdDecompressor().stream_reader(
            cast("IO[bytes]", source), read_across_frames=True
        )
        return _ToLastFrames(source, reader, zstandard.ZstdError), zstandard.ZstdError


# A frame that is skipped, then one with one octet: magic number, flags, size, header of the block, the octet (RFC 8878, 3.1).
# The first is longer than any header, and its octets are not valid in a frame: they are of no use to one that is cut.
_LAST_OCTET = b"."
_LAST_FRAMES = (
    b"\x50\x2a\x4d\x18\x20\0\0\0" + b"\xff" * 32 + b"\x28\xb5\x2f\xfd\x20\x01\x09\0\0" + _LAST_OCTET
)


class _WithLastFrames:
    """A file and, after it, ``_LAST_FRAMES``.

    Attributes:
        is_read: True after the end of the file: what is read then is no longer of the file.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._last_frames = io.BytesIO(_LAST_FRAMES)
        self.is_read = False

    def read(self, size: int = -1, /) -> bytes:
        octets = b"" if self.is_read else self._file.read(size)
        if octets:
            return octets
        self.is_read = True
        # One by one: after a header that is cut, the library in C takes a whole frame for a new one.
        return self._last_frames.read(1)


class _ToLastFrames:
    """The octets before the last frames.

    The reader of ``zstandard`` ends a truncated file as it ends a whole one. So frames of our own follow the file: after a
    frame that is cut, they are taken for its rest, and the last octet does not come out alone.
    """

    def __init__(self, source: _WithLastFrames, reader: _Frames, error: type[Exception]) -> None:
        self._source = source
        self._reader = reader
        self._error = error
        self._is_complete = False

    def read1(self, size: int = -1, /) -> bytes:
        if self._is_complete or not size:
            return b""
        try:
            octets = self._reader.read1(size)
        except self._error:
            if not self._source.is_read:
                raise
            octets = b""
        if not self._source.is_read:
            return octets
        self._is_complete = octets == _LAST_OCTET
        if not self._is_complete:
            raise EOFError(_TRUNCATED)
        return b""
