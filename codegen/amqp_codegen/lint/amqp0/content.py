"""Content: methods that carry it belong to a class that has properties, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from ..finding import Finding
from ..subject import Subject0


def check_content(subject: Subject0) -> Iterator[Finding]:
    """Content without properties, and properties that no content brings."""
    for owner in subject.raw.classes:
        carrying = [method for method in owner.methods if method.content]
        if carrying and not owner.fields:
            message = (
                f"{owner.name}.{carrying[0].name} carries content, but class {owner.name!r} has no properties"
            )
            hint = "its content headers have a size and nothing else; is that meant?"
            yield Finding("content-without-properties", message, carrying[0].position, hint)
        if owner.fields and not carrying:
            message = f"class {owner.name!r} has properties, but none of its methods carries content"
            hint = 'write content="1" at the methods that do'
            yield Finding("properties-without-content", message, owner.fields[0].position, hint)
