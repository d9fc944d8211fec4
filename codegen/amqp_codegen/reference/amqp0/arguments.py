"""What the guide says of the arguments that a broker knows: their values and versions in words, and where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.arguments import ArgumentTable, KnownArgument
from ...support.wording import listing
from ..page_plan import SearchEntry, sentences, slug


def argument_anchor(argument: KnownArgument) -> str:
    """Return the id of the row of an argument."""
    return slug(f"argument.{argument.subject}.{argument.name}")


def argument_values(argument: KnownArgument) -> str:
    """Return the values of an argument: the only ones, or its types and their range."""
    if argument.values:
        return ", ".join(map(str, argument.values))
    types = " or ".join(argument.types)
    if argument.most is not None:
        return f"{types}, {argument.least or 0} to {argument.most}"
    return types if argument.least is None else f"{types}, {argument.least} or more"


def argument_versions(argument: KnownArgument) -> str:
    """Return since when it is known, for each type of queue where they differ, and the last version that heeds it."""
    types: dict[str, list[str]] = {}
    for queue_type, version in argument.queues.items():
        types.setdefault(version, []).append(queue_type)
    since = [f"{version} ({listing(names)})" for version, names in types.items()]
    until = f"; until {argument.until}" if argument.until else ""
    return f"{', '.join(since) or argument.since}{until}"


def argument_entries(table: ArgumentTable) -> Iterator[SearchEntry]:
    """Yield the search entries of arguments."""
    for argument in table.arguments:
        text = sentences(argument.subject, argument_values(argument), argument.doc)
        yield SearchEntry("argument", argument.name, text, argument_anchor(argument))
