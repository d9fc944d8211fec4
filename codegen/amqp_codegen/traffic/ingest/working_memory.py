"""How memory is managed while captures are read: many objects, and many small Arrow arrays, live for one batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from ..core.rare_collection import rare_collection


@contextmanager
def working_memory() -> Iterator[None]:
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
