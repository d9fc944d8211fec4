"""Memory management while captures are read: millions of objects and small Arrow arrays, which live for one batch.

The objects have no cycles, but the garbage collector would scan them again and again, which takes a fifth of all time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

# The first is more than the objects of a batch of frames, so they are gone before a collection.
_COLLECTION_THRESHOLDS = 600_000, 10, 10


@contextmanager
def rare_collection() -> Iterator[None]:
    """Within this context, collect garbage rarely; collect once at its end.

    Objects from before are frozen meanwhile, unless other code has frozen objects.
    """
    before, is_ours = gc.get_threshold(), not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    gc.set_threshold(*_COLLECTION_THRESHOLDS)
    try:
        yield
    finally:
        gc.collect()
        gc.set_threshold(*before)
        if is_ours:
            gc.unfreeze()


@contextmanager
def bulk_memory() -> Iterator[None]:
    """Within this context, collect garbage rarely, and let Arrow use the allocator of the C library.

    Arrow's own allocator returns the pages of each batch and requests them again for the next. This takes a twentieth of
    all time, and it holds tens of megabytes more.
    """
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        with rare_collection():
            yield
    finally:
        pa.set_memory_pool(before)
