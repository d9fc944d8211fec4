"""The garbage collector looks for cycles whenever some hundred objects were made. Reading captures makes millions that
have none, and keeps many for a while: to look at them again and again takes a fifth of all time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# More objects than there are for a batch of frames: these are gone before anybody looks.
_THRESHOLDS = 600_000, 10, 10


@contextmanager
def rare_collection() -> Iterator[None]:
    """Within this, the garbage collector looks rarely."""
    before = gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
