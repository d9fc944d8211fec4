"""Classes and methods that say nothing of themselves."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.raw0 import RawClass, RawMethod
from ..finding import Finding
from ..subject import Subject0


def check_docs(subject: Subject0) -> Iterator[Finding]:
    """Classes and methods without a word, in a file where others have some: a stripped one has none at all."""
    entries: list[tuple[str, RawClass | RawMethod]] = [
        *((f"class {owner.name!r}", owner) for owner in subject.raw.classes),
        *((f"method {owner.name}.{method.name}", method) for owner, method in subject.methods),
    ]
    for what, entry in entries if any(each.doc for _, each in entries) else ():
        if not entry.doc and not entry.label:
            message = f"{what} has neither a label nor a doc"
            yield Finding("undocumented", message, entry.position, "say in a <doc> what it is for")
