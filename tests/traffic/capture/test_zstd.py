"""Files that zstd compressed are read alike by the standard library and by the package zstandard.

Only one of them is used on each Python: the same expectations hold on all.
"""

from __future__ import annotations

import io
import random
import sys

import pytest
from amqp_traffic.capture.zstd import MISSING, ZstdError, ZstdReader

from ..zstd_frames import compress

MAGIC = b"\x28\xb5\x2f\xfd"
# Frames with one block of one octet, uncompressed, and a window: 10 exponents of 2 above 1 KiB, and eighths of that.
SMALL_BLOCK = b"\x09\0\0A"
SKIPPED = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
TRUNCATED = "Compressed file ended before the end-of-stream marker was reached"
HALF_RANDOM = b"".join(number.to_bytes(4, "big") for number in range(100_000))


def read(octets: bytes, size: int = 1 << 20) -> tuple[bytes, str]:
    """Return what comes out, and the message of the error that ends it."""
    reader, found = ZstdReader(io.BytesIO(octets)), b""
    try:
        while octets := reader.read1(size):
            assert size < 0 or len(octets) <= size
            found += octets
    except (EOFError, ZstdError) as error:
        return found, str(error)
    assert reader.read1(size) == b""
    return found, ""


@pytest.fixture(scope="module")
def frames() -> list[bytes]:
    """Frames of all kinds of blocks: raw, of one octet many times, compressed, empty; headers of each length."""
    chance = random.Random(1)
    texts = [b"", *(chance.randbytes(size) for size in (1, 9, 300)), bytes(300), bytes(70_000), b"abc" * 100]
    return [*map(compress, texts), SKIPPED, MAGIC + b"\0\0" + SMALL_BLOCK]


@pytest.mark.parametrize("size", [1, 7, 1000, 1 << 20, -1])
def test_frames_one_after_the_other(frames: list[bytes], size: int) -> None:
    found, fault = read(b"".join(frames), size)
    assert (len(found), fault) == (1 + 9 + 300 + 300 + 70_000 + 300 + 1, "")
    assert found == b"".join(read(frame)[0] for frame in frames)


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_many_blocks(size: int) -> None:
    assert read(compress(HALF_RANDOM) * 2, size) == (HALF_RANDOM * 2, "")


def test_truncated_at_each_octet(frames: list[bytes]) -> None:
    whole = b"".join(frames)
    ends = {sum(map(len, frames[:count])) for count in range(1, len(frames) + 1)}
    content = read(whole)[0]
    for end in range(1, len(whole) + 1):
        found, fault = read(whole[:end])
        assert fault == ("" if end in ends else TRUNCATED), end
        assert content.startswith(found)


def test_what_is_before_the_end_of_a_truncated_file() -> None:
    found, fault = read(compress(HALF_RANDOM)[:-5])
    assert fault == TRUNCATED
    assert len(found) >= 2 << 17  # all whole blocks, of 128 KiB
    assert HALF_RANDOM.startswith(found)


def with_a_wrong_checksum() -> bytes:
    octets = bytearray(compress(b"a text"))
    octets[-1] ^= 1
    return bytes(octets)


@pytest.mark.parametrize(
    ("octets", "reason"),
    [
        pytest.param(
            with_a_wrong_checksum, "Restored data doesn't match checksum", id="of which an octet is wrong"
        ),
        pytest.param(lambda: compress(b"a text") + bytes(8), "Unknown frame descriptor", id="trailing zeros"),
        pytest.param(
            # The window of 2**28 octets is beyond the bound of the library.
            lambda: MAGIC + bytes((0, 18 << 3)) + SMALL_BLOCK,
            "Frame requires too much memory for decoding",
            id="a window of 256 MiB",
        ),
        pytest.param(lambda: MAGIC + b"\x21\x07\x01" + SMALL_BLOCK, "Dictionary mismatch", id="a dictionary"),
    ],
)
def test_damaged(octets: object, reason: str) -> None:
    assert callable(octets)
    assert read(octets())[1] == f"damaged zstd data: {reason}"


def test_the_largest_window() -> None:
    assert read(MAGIC + bytes((0, 17 << 3)) + SMALL_BLOCK) == (b"A", "")


def test_a_bomb_comes_out_in_parts() -> None:
    reader = ZstdReader(io.BytesIO(compress(bytes(30_000_000))))
    assert all(0 < len(reader.read1(1 << 20)) <= 1 << 20 for _ in range(20))


def test_nothing_here_can_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from_library = sys.version_info >= (3, 14)
    monkeypatch.setitem(sys.modules, "compression.zstd" if from_library else "zstandard", None)
    with pytest.raises(ImportError) as caught:
        ZstdReader(io.BytesIO())
    assert str(caught.value) == MISSING
    assert ("compression.zstd" in MISSING, "pip install '.[traffic]'" in MISSING) == (
        from_library,
        not from_library,
    )
