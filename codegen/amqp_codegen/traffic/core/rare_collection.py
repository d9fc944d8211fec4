"""Reading captures makes millions of objects without cycles, and keeps many of them for a while.

The garbage collector would look at them again and again, which takes a fifth of all time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
