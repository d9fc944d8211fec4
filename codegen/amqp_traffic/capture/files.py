"""Access to the uncompressed octets of a capture file, at any position, without loading it into memory.

Others may write to a file on disk while it is read: its octets are copied piece by piece (``file_octets.py``). Compressed files
and pipes are copied to an unnamed temporary file first, which is mapped. So memory stays bounded whatever their size.
"""

from __future__ import annotations

import gzip
import io
import lzma
import mmap
import os
import stat
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, TypeAlias

from .file_octets import FileOctets
from .zstd import ZstdError, ZstdReader

Buffer: TypeAlias = "bytes | mmap.mmap"

MOST_OCTETS = 1 << 36  # 64 GiB
_CHUNK = 1 << 20


class CaptureError(ValueError):
    """A file cannot be read as a capture. The message says what to do."""


@dataclass(frozen=True, slots=True)
class CaptureFile:
    """The octets of a capture file.

    Attributes:
        path: The path of the file.
        buffer: The octets, uncompressed. Say ``have`` before you look at any.
        compression: ``gzip``, ``zstd``, ``xz`` or empty.
        damage: Why the end of the file could not be uncompressed; empty if it could. ``buffer`` has what is before.
    """

    path: Path
    buffer: Buffer
    compression: str = ""
    damage: str = ""


class _Uncompressed(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


def _open_gzip(file: IO[bytes]) -> _Uncompressed:
    return gzip.GzipFile(fileobj=file, mode="rb")  # a temporary file could be written, too


def _open_zstd(file: IO[bytes]) -> _Uncompressed:
    try:
        return ZstdReader(file)
    except ImportError as error:
        raise CaptureError(str(error)) from None


# First octets, name and opener of each compression.
_COMPRESSIONS: tuple[tuple[bytes, str, Callable[[IO[bytes]], _Uncompressed]], ...] = (
    (b"\x1f\x8b", "gzip", _open_gzip),
    (b"\x28\xb5\x2f\xfd", "zstd", _open_zstd),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMAFile),
)


@contextmanager
def open_capture(path: str | os.PathLike[str], most: int = MOST_OCTETS) -> Iterator[CaptureFile]:
    """Open a capture file or a pipe. Its first octets, not its name, tell whether it is compressed.

    Raises:
        CaptureError: The file is larger than ``most`` octets uncompressed, or what reads its compression is not installed.
        OSError: It cannot be opened, or there is no memory for it. Later: it has become shorter (``FileChanged``).
    """
    path = Path(path)
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(path.open("rb"))
        is_ours = not stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        if is_ours:
            piped, file = file, stack.enter_context(tempfile.TemporaryFile())
            _copy(path, piped.read, file, most)
            file.seek(0)
        first = file.read(6)
        file.seek(0)
        compression = damage = ""
        for magic, name, opener in _COMPRESSIONS:
            if first.startswith(magic):
                compression, is_ours = name, True
                uncompressed = stack.enter_context(tempfile.TemporaryFile())
                damage = _copy(path, opener(file).read1, uncompressed, most)
                file = uncompressed
        buffer = _map(file, stack) if is_ours else _octets_of(path, file, stack)
        yield CaptureFile(path, buffer, compression, damage)


def is_compressed(path: Path) -> bool:
    """Return whether a file is compressed.

    Raises:
        OSError: It cannot be opened.
    """
    with path.open("rb") as file:
        return file.read(6).startswith(tuple(magic for magic, _, _ in _COMPRESSIONS))


def read_beginning(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first ``size`` octets of a regular file, uncompressed; fewer if the compression is damaged.

    Raises:
        CaptureError: What reads its compression is not installed.
        OSError: The file cannot be opened.
    """
    with Path(path).open("rb") as file:
        beginning = file.read(size)
        for magic, _, opener in _COMPRESSIONS:
            if beginning.startswith(magic):
                file.seek(0)
                return _first(Path(path), opener(file).read1, size)
        return beginning


def _first(path: Path, read: Callable[[int], bytes], size: int) -> bytes:
    target = io.BytesIO()
    _copy(path, lambda most: read(min(most, size - target.tell())), target, size)
    return target.getvalue()


def _copy(path: Path, read: Callable[[int], bytes], target: IO[bytes], most: int) -> str:
    """Copy everything. Return why it ended early; empty if it did not."""
    size = 0
    while True:
        try:
            chunk = read(_CHUNK)
        except (EOFError, OSError, lzma.LZMAError, zlib.error, ZstdError) as error:
            return str(error)
        if not chunk:
            return ""
        size += len(chunk)
        if size > most:
            raise CaptureError(
                f"{path}: more than {most:,} octets when uncompressed; is it really a capture?"
            )
        target.write(chunk)


def _map(file: IO[bytes], stack: ExitStack) -> Buffer:
    file.flush()
    if not os.fstat(file.fileno()).st_size:
        return b""  # an empty file cannot be mapped
    return stack.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _octets_of(path: Path, file: IO[bytes], stack: ExitStack) -> Buffer:
    """Return the octets of a file that others may write to."""
    size = os.fstat(file.fileno()).st_size
    if not size or os.name != "posix":
        return _map(file, stack)  # Windows lets nobody make a mapped file shorter
    return stack.enter_context(FileOctets(path, file, size))
