"""Values as the octets state them: what has a descriptor stays a descriptor and a value, whatever its type is."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from .packages import amqp


@contextmanager
def no_known_types(package: Any = amqp) -> Generator[None, None, None]:
    """A package that knows the primitive types alone, and does not ask the core in C, which knows the others."""
    with ExitStack() as patches:
        for known in (package._limits.READERS, package.described.CLASSES):
            patches.enter_context(patch.dict(known, clear=True))
        for module in (package._codec, package.frames, package.message):
            patches.enter_context(patch.object(module, "CORE", None))
        yield


def bare(octets: bytes, package: Any = amqp, **options: Any) -> Any:
    """Decode octets, which are one value."""
    with no_known_types(package):
        value, end = package.decode(octets, **options)
    assert end == len(octets)
    return value
