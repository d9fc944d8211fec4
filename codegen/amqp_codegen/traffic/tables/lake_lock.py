"""One at a time changes what a lake has. Who is killed holds nothing any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Waits until nobody else in any process of this machine is in here with the same file.

    Args:
        path: The file; it is made, and stays.
    """
    with path.open("ab") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)  # closing the file lets go
        yield
