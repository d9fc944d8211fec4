"""Reading captures makes millions of objects without cycles, and keeps many of them for a while.

The garbage collector would look at them again and again, which takes a fifth of all time.

How memory is managed while captures are read: many objects, and many small Arrow arrays, live for one batch.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

# More objects than there are for a batch of frames: these are gone before anybody looks.
_THRESHOLDS = 600_000, 10, 10


@contextmanager
def rare_collection() -> Iterator[None]:
    """Within this, the garbage collector looks rarely; afterwards cycles that became garbage are gone.

    What was there before is left alone, unless somebody else has objects frozen.
    """
    before, is_ours = gc.get_threshold(), not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.collect()
        gc.set_threshold(*before)
        if is_ours:
            gc.unfreeze()


@contextmanager
def bulk_memory() -> Iterator[None]:
    """Within this, the garbage collector looks rarely, and Arrow shares the memory of the C library.

    Arrow's own allocator gives the pages of each batch back and gets them again for the next, which takes a twentieth of
    all time, and it holds a few tens of megabytes more.
    """
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        with rare_collection():
            yield
    finally:
        pa.set_memory_pool(before)
