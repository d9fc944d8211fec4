"""Shares the connections of a capture out to tasks that write what was said on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import ceil

from ..ingest.job import LakeTarget, ReadSettings
from ..ingest.numbering import Numbering
from .conversation_writing import Counts, Mapped, SplitOfBucket, WriteConversations
from .read_splits import FilesRead
from .split_numbers import SplitNumbers
from .split_reading import bucket_of
from .stitching import Seam, Stitched, StitchPlan

_OCTETS_PER_TASK = 96_000_000  # of capture files

_NOTHING: Counts = ((0, 0), (0, 0))


def conversation_tasks(
    plan: StitchPlan, read: FilesRead, numbers: SplitNumbers, target: LakeTarget, settings: ReadSettings
) -> Iterator[WriteConversations]:
    """Tasks, each for the connections of some buckets; together they write everything.

    There are as many as are worth it: each has files of its own, and small ones take time. The largest comes first.

    Args:
        plan: The connections.
        read: The splits.
        numbers: What their numbers mean.
        target: Where tables go.
        settings: How captures are read.
    """
    connections: dict[int, list[Stitched]] = {}
    for it in plan.connections:
        connections.setdefault(bucket_of(it.flow), []).append(it)
    octets = sum(file.size for file in read.files)
    work = _work(plan.connections, read, numbers)
    weights = {bucket: sum(work[it.record.number] for it in theirs) for bucket, theirs in connections.items()}
    for share, buckets in enumerate(share_out(weights, ceil(octets / _OCTETS_PER_TASK))):
        theirs = sorted(
            (it for bucket in buckets for it in connections[bucket]), key=lambda it: it.record.number
        )
        yield _task(share, buckets, theirs, read, numbers, target, settings)


def share_out(weights: Mapping[int, int], count: int) -> list[list[int]]:
    """Shares of about the same weight, the heaviest first.

    Args:
        weights: The weight of each thing.
        count: How many shares there are at most; none is empty.

    Returns:
        The things in each share, in their order.
    """
    shares: list[list[int]] = [[] for _ in range(min(count, len(weights)))]
    loads = [0] * len(shares)
    for thing in sorted(weights, key=lambda it: (-weights[it], it)):
        lightest = loads.index(min(loads))
        shares[lightest].append(thing)
        loads[lightest] += weights[thing]
    return [sorted(shares[it]) for it in sorted(range(len(shares)), key=lambda it: -loads[it])]


def _work(connections: Iterable[Stitched], read: FilesRead, numbers: SplitNumbers) -> Counter[int]:
    """How much there is to do for each connection, by its number in the capture: its frames, and its own row."""
    found = Counter({it.record.number: 1 for it in connections})
    for split, result in enumerate(read.results):
        for local, (number, _) in numbers.parts(split).items():
            frames, _ = result.counts.get(local, _NOTHING)
            found[number] += sum(frames)
    return found


def _task(
    share: int,
    buckets: Iterable[int],
    connections: list[Stitched],
    read: FilesRead,
    numbers: SplitNumbers,
    target: LakeTarget,
    settings: ReadSettings,
) -> WriteConversations:
    # Numbers in the task, from 1.
    places = {it.record.number: place for place, it in enumerate(connections, 1)}
    seams: list[list[Seam]] = [
        [] for _ in range(len(read.results) + 1)
    ]  # the last for the end of the capture
    for it in connections:
        for part in it.parts:
            if isinstance(part, Seam):
                seams[part.split].append(replace(part, number=places[part.number]))
    counts: dict[int, Counts] = {}
    splits = []
    for split, result in enumerate(read.results):
        mapped = {}
        for local, (number, part) in numbers.parts(split).items():
            place = places.get(number)
            if place is not None:
                mapped[local] = Mapped(place, part.frame_base, part.offset_base)
                counts[place] = _sum(counts.get(place, _NOTHING), result.counts.get(local, _NOTHING))
        events = [name for bucket in buckets for name in result.events.get(bucket, ())] if mapped else []
        splits.append(SplitOfBucket(tuple(events), mapped, tuple(seams[split])))
    splits.append(SplitOfBucket((), {}, tuple(seams[-1])))
    originals = [it.record.number for it in connections]
    return WriteConversations(
        target,
        target.blobs,
        settings,
        tuple(splits),
        Numbering(
            [None, *(numbers.conn_ids[number] for number in originals)],
            ["", *(numbers.dates[number] for number in originals)],
            "",
            packets_before=numbers.packets_before,
        ),
        tuple(replace(it.record, number=places[it.record.number]) for it in connections),
        counts,
        tuple(originals),
        f"conversations-{share:02}",
    )


def _sum(one: Counts, other: Counts) -> Counts:
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    return (a + e, b + f), (c + g, d + h)
