"""The garbage collector looks rarely for a while, and then as before."""

from __future__ import annotations

import gc
from weakref import ref

import pytest
from amqp_traffic.ingest.memory import rare_collection


def test_thresholds_are_put_back() -> None:
    before = gc.get_threshold()
    with pytest.raises(RuntimeError), rare_collection():
        assert gc.get_threshold()[0] > 100 * before[0]
        raise RuntimeError
    assert gc.get_threshold() == before


def test_a_batch_is_not_looked_at() -> None:
    with rare_collection():
        gc.collect()
        collections = gc.get_stats()[0]["collections"]
        kept = [(number, (number,)) for number in range(200_000)]
        assert gc.get_stats()[0]["collections"] == collections and len(kept) == 200_000


class _Node:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_cycles_are_gone_afterwards() -> None:
    with rare_collection():
        gone = ref(_Node())
    assert gone() is None


def is_frozen(kept: object) -> bool:
    """Whether the collector never looks at an object that it knows; the count of frozen ones falls when one dies."""
    return gc.is_tracked(kept) and not any(known is kept for known in gc.get_objects())


def test_what_others_have_frozen_stays_so() -> None:
    kept = [_Node()]
    gc.freeze()
    try:
        with rare_collection():
            assert is_frozen(kept)
        assert is_frozen(kept)
    finally:
        gc.unfreeze()
    with rare_collection():
        assert is_frozen(kept)
    assert not is_frozen(kept)
