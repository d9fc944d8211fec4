"""How a capture is shared out: shares of about the same octets, by a sample of its files.

The sample decides how even the shares are. Which rows come out does not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from os import SEEK_CUR
from pathlib import Path

from ...capture.files import CaptureError, is_compressed, read_beginning
from ...capture.formats import recognise_capture
from ...capture.segments import read_segments
from ...streams.raw_streams import is_raw_stream
from ..inputs import CaptureInput
from .buckets import ALL_BUCKETS, BucketReading, Buckets

# Below, another task takes longer to start than it saves.
OCTETS_PER_SHARE = 32_000_000
# Each share reads all packets, and drops those of the others: more shares would drop longer than they decode.
_MOST_READERS = 64
# The same if each share has to decompress the files.
_MOST_READERS_OF_COMPRESSED = 2
# A share is worth a task if it has as much of the octets of the heaviest bucket.
_LEAST_SHARE = 0.1

_PIECE = 16 << 10  # octets
_PIECES = 512  # of a capture
_LEAST_PIECES = 4  # of a file


def count_shares(capture: CaptureInput, workers: int, octets_per_share: int = OCTETS_PER_SHARE) -> int:
    """Return the number of tasks that are worth it, by the size of the capture.

    Raw streams have no flows, and a pipe can be read only once: they are one share.
    """
    if is_raw_stream(capture.files[0]) or not all(path.is_file() for path in capture.files):
        return 1
    return max(1, min(workers, capture.size // octets_per_share))


def is_shuffle_better(capture: CaptureInput, count: int) -> bool:
    """Return whether so many shares of a capture should get their segments instead of reading the files."""
    if count > _MOST_READERS_OF_COMPRESSED and any(map(is_compressed, capture.files)):
        return True
    return count > _MOST_READERS


def plan_shares(capture: CaptureInput, count: int) -> list[Buckets]:
    """Return the shares of a capture, each of which is to read the files.

    ``count`` is the largest number of shares. There are fewer if a connection has so many octets that its share takes
    longest.
    """
    if count == 1:
        return [ALL_BUCKETS]
    weights = sample_weights(capture.files)
    return share_out(weights, min(count, _MOST_READERS, count_useful_shares(weights)))


def count_useful_shares(weights: Mapping[int, int]) -> int:
    """Return how many shares are worth it: none can be smaller than the heaviest bucket."""
    return max(1, ceil(sum(weights.values()) / max(weights.values()) - _LEAST_SHARE))


def share_out(weights: Mapping[int, int], count: int) -> list[Buckets]:
    """Return shares of about the same weight, the heaviest first.

    Args:
        weights: The weight of each bucket.
        count: The largest number of shares; none is empty.
    """
    shares: list[set[int]] = [set() for _ in range(min(count, len(weights)))]
    loads = [0] * len(shares)
    for bucket in sorted(weights, key=lambda bucket: (-weights[bucket], bucket)):
        lightest = loads.index(min(loads))
        shares[lightest].add(bucket)
        loads[lightest] += weights[bucket]
    order = sorted(range(len(shares)), key=lambda share: -loads[share])
    return [frozenset(shares[share]) for share in order]


def sample_weights(paths: Sequence[Path]) -> dict[int, int]:
    """Return the weight of each bucket: its octets in a sample of the files, and one for those that the sample does not have.

    Raises:
        CaptureError: A file needs a package that is not installed.
        OSError: A file cannot be read.
    """
    buckets = BucketReading(lambda bucket: False)
    pieces = max(_LEAST_PIECES, _PIECES // len(paths))
    for path in paths:
        sample = _sample(path, pieces)
        try:
            capture = recognise_capture(sample)
        except CaptureError:
            continue  # a log, or nothing that can be read
        for _ in read_segments(capture, is_wanted=buckets.is_wanted):
            pass
    sums = buckets.sums()
    return {bucket: 1 + sums[bucket].octets if bucket in sums else 1 for bucket in ALL_BUCKETS}


def _sample(path: Path, pieces: int) -> bytes:
    """Return pieces of a file, one behind the other. Its reader finds the packets in them, as it does after damage."""
    if is_compressed(path):
        return read_beginning(path, pieces * _PIECE)
    step = max(_PIECE, path.stat().st_size // pieces)
    sample = bytearray()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            sample += piece
            file.seek(step - len(piece), SEEK_CUR)
    return bytes(sample)
