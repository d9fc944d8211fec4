"""Files as they lie on disk: compressed, cut, empty, pipes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from amqp_traffic.capture.files import CaptureError, open_capture, read_beginning
from amqp_traffic.capture.formats import recognise_capture
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.capture.zstd import MISSING

from .. import capture_builder, zstd_frames

CONTENT = capture_builder.pcap(
    capture_builder.captured(
        capture_builder.Conversation().open().send(0, capture_builder.octets(200_000), 1000).packets
    )
)
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstd_frames.compress,
    "xz": lzma.compress,
}
each_compression = pytest.mark.parametrize("name", COMPRESSIONS)


def test_plain(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(CONTENT)
    with open_capture(path) as file:
        assert (file.path, file.compression, file.damage) == (path, "", "")
        assert file.buffer[:] == CONTENT


@each_compression
def test_compressed(name: str, tmp_path: Path) -> None:
    """Its first octets tell, not its name."""
    path = tmp_path / "capture"
    path.write_bytes(COMPRESSIONS[name](CONTENT))
    with open_capture(path) as file:
        assert (file.compression, file.damage) == (name, "")
        assert file.buffer[:] == CONTENT


@each_compression
def test_several_compressed_in_one(name: str, tmp_path: Path) -> None:
    """As ``cat a.gz b.gz > c.gz`` makes them."""
    path = tmp_path / "capture"
    half = len(CONTENT) // 2
    path.write_bytes(COMPRESSIONS[name](CONTENT[:half]) + COMPRESSIONS[name](CONTENT[half:]))
    with open_capture(path) as file:
        assert file.buffer[:] == CONTENT


@each_compression
def test_truncated(name: str, tmp_path: Path) -> None:
    """What can be uncompressed is there."""
    path = tmp_path / "capture"
    compressed = COMPRESSIONS[name](CONTENT)
    path.write_bytes(compressed[: len(compressed) * 3 // 4])
    with open_capture(path) as file:
        assert CONTENT.startswith(file.buffer[:])
        assert file.damage == "Compressed file ended before the end-of-stream marker was reached"
        capture = recognise_capture(file.buffer, damage=file.damage)
        found = len(list(capture.packets()))
        capture.ledger.check()
    assert found > 10
    assert Reason.FILE_TRUNCATED in capture.quarantine.totals


@pytest.mark.parametrize("size", [1000, 65_536, len(CONTENT), len(CONTENT) + 1])
@pytest.mark.parametrize("name", ["", *COMPRESSIONS])
def test_only_the_beginning(name: str, size: int, tmp_path: Path) -> None:
    path = tmp_path / "capture"
    path.write_bytes(COMPRESSIONS[name](CONTENT) if name else CONTENT)
    assert read_beginning(path, size) == CONTENT[:size]


@each_compression
def test_only_the_beginning_of_what_is_cut(name: str, tmp_path: Path) -> None:
    path = tmp_path / "capture"
    path.write_bytes(COMPRESSIONS[name](CONTENT)[:-9])
    found = read_beginning(path, 1 << 20)
    assert found
    assert CONTENT.startswith(found)


@each_compression
def test_damaged(name: str, tmp_path: Path) -> None:
    path = tmp_path / "capture"
    compressed = bytearray(COMPRESSIONS[name](CONTENT))
    middle = len(compressed) * 3 // 4
    compressed[middle : middle + 100] = bytes(100)
    path.write_bytes(compressed)
    with open_capture(path) as file:
        assert file.damage
        assert file.buffer[:] != CONTENT


@each_compression
def test_bombs(name: str, tmp_path: Path) -> None:
    path = tmp_path / "capture"
    path.write_bytes(COMPRESSIONS[name](bytes(30_000_000)))
    with (
        pytest.raises(CaptureError, match="more than 10,000,000 octets when uncompressed"),
        open_capture(path, most=10_000_000),
    ):
        pass


def test_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(b"")
    with open_capture(path) as file:
        assert file.buffer == b""
        with pytest.raises(CaptureError, match="the file is empty"):
            recognise_capture(file.buffer)


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_capture(tmp_path / "a.pcap"):
        pass


def test_other_compression_is_no_capture(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap.bz2"
    path.write_bytes(bz2.compress(CONTENT))
    with open_capture(path) as file, pytest.raises(CaptureError, match="neither pcap nor pcapng"):
        recognise_capture(file.buffer)


def test_nothing_here_reads_zstd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pcap.zst"
    path.write_bytes(zstd_frames.compress(CONTENT))
    for module in ("compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CaptureError) as caught, open_capture(path):
        pass
    assert str(caught.value) == MISSING
    with pytest.raises(CaptureError, match="unzstd the file first"):
        read_beginning(path, 100)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(CONTENT),))
    writer.start()
    with open_capture(path) as file:
        assert file.buffer[:] == CONTENT
    writer.join()
