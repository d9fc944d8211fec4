"""What the specifications say, in the words of ``specs/``, where the audit names one of their elements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ..tables.spec_rows import built_in_rows

_BETWEEN = re.compile(r"[,;] ")
_KIND = re.compile(r"^(?:constant|type|1\.0 [\d.-]+) ")
# Where an element is looked for: the table, and the column or columns that name it.
_PLACES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("spec_rules", ("path",), "text"),
    ("spec_fields", ("owner", "name"), "doc"),
    ("spec_methods", ("name",), "doc"),
    ("spec_constants", ("name",), "doc"),
    ("spec_domains", ("name",), "doc"),
    ("spec_classes", ("name",), "doc"),
)
_MOST = 700  # characters


def spec_words(reference: str, version: str | None) -> list[tuple[str, str]]:
    """The elements of a reference about which there is something to say, with that.

    Args:
        reference: Such as ``basic.ack.multiple/exists, 0-9-1 4.2.6``.
        version: What is spoken: ``0-9-1``.
    """
    found = []
    said = _said()
    for element in _BETWEEN.split(reference):
        name = _KIND.sub("", element).replace(".properties.", ".")
        text = next((said[each, name] for each in _versions(version) if (each, name) in said), None)
        if text is not None:
            found.append((element, text if len(text) <= _MOST else f"{text[:_MOST - 3]}..."))
    return found


def _versions(version: str | None) -> tuple[str, ...]:
    """Where to look first. RabbitMQ's 0-9-1 has all that is in the document, and says what it changes."""
    own = {"0-9-1": ("0-9-1-rabbitmq", "0-9-1"), None: ()}.get(version, (version or "",))
    return tuple(dict.fromkeys((*own, "0-9-1-rabbitmq", "1.0", "0-9", "0-8")))


@cache
def _said() -> Mapping[tuple[str, str], str]:
    """What is said, by version and element. Reading the specifications takes a while."""
    tables = built_in_rows()
    found: dict[tuple[str, str], str] = {}
    for table, columns, text in _PLACES:
        for row in tables[table]:
            if row.get(text):
                name = ".".join(str(row.get(column)) for column in columns)
                found.setdefault((row["version"], name), " ".join(str(row[text]).split()))
    return found
