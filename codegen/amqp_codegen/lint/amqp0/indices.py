"""Indices that are allowed but asking for trouble."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Finding
from ..subject import Subject0


def check_indices(subject: Subject0) -> Iterator[Finding]:
    """Classes and methods with the index 0, which a close method uses for "none"."""
    hint = "close methods name class 0, method 0 when no method was the cause"
    for owner in subject.raw.classes:
        if owner.index == 0:
            message = f"class {owner.name!r} has the index 0"
            yield Finding("index-zero", message, owner.position, hint)
        for method in owner.methods:
            if method.index == 0:
                message = f"method {owner.name}.{method.name} has the index 0"
                yield Finding("index-zero", message, method.position, hint)
