"""Files that zstd compressed: a reader on the standard library, or on a package where that has none.

Python has ``compression.zstd`` from 3.14 on; below, the package ``zstandard`` reads. Both use the same library in C, a frame
at a time; ``ZstdReader`` is the rest: several frames one after the other, octets in bounded parts, the same errors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import IO, Protocol

from amqp_codegen.support.extras import install_line

MISSING = (
    "a .zst file needs the module compression.zstd, which this Python was built without: unzstd the file first"
    if sys.version_info >= (3, 14)
    else f"a .zst file needs the package zstandard: {install_line('traffic')}, or unzstd the file first"
)
# What the standard library says about truncated files of every compression.
_TRUNCATED = "Compressed file ended before the end-of-stream marker was reached"
# So many octets are decompressed at once. Four can stand for 128 KiB (RFC 8878, 3.1.1.2), so 16 MiB may come out.
_PIECE = 512


class ZstdError(ValueError):
    """A file is damaged. The message says how, in the words of the library in C."""


class _Frame(Protocol):
    """What reads one frame."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class ZstdReader:
    """The uncompressed octets of a file."""

    def __init__(self, file: IO[bytes]) -> None:
        """Begin to read; ImportError with the message ``MISSING`` if nothing here can."""
        try:
            self._begin_frame, self._error = _library()
        except ImportError:
            raise ImportError(MISSING) from None
        self._file = file
        self._frame: _Frame | None = None
        self._compressed = b""
        self._octets = b""
        self._position = 0

    def read1(self, size: int = -1, /) -> bytes:
        """Return the next octets, at most ``size``; empty at the end.

        Raises:
            EOFError: The file is truncated.
            ZstdError: It is damaged.
        """
        while size and self._position == len(self._octets):
            piece = self._compressed or self._file.read(_PIECE)
            if not piece and self._frame is not None:
                raise EOFError(_TRUNCATED)
            if not piece:
                return b""
            self._decompress(piece)
        start = self._position
        self._position = len(self._octets) if size < 0 else min(start + size, len(self._octets))
        return self._octets[start : self._position]

    def _decompress(self, piece: bytes) -> None:
        frame = self._frame or self._begin_frame()
        try:
            self._octets, self._position = frame.decompress(piece), 0
        except self._error as error:
            # "zstd decompress error: ..." or "Unable to decompress Zstandard data: ..."
            reason = str(error).rpartition(": ")[2]
            raise ZstdError(f"damaged zstd data: {reason}") from None
        self._compressed = frame.unused_data
        self._frame = None if frame.eof else frame


def _library() -> tuple[Callable[[], _Frame], type[Exception]]:
    """Return what begins to read a frame, and the class of its errors."""
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor
        from compression.zstd import ZstdError as DamageError

        return ZstdDecompressor, DamageError
    else:
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
