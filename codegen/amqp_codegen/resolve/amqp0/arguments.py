"""The reader of ``arguments.toml``, the arguments that a broker knows in the tables of its methods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from ...model.amqp0.arguments import QUEUE_TYPES, SUBJECTS, VALUE_TYPES, ArgumentTable, KnownArgument
from ...model.amqp0.spec import Spec
from ...model.problem import Position, Problem, SpecError
from ...support import toml
from ...support.resources import arguments_file
from ...support.wording import quote

# The keys of an argument with the type of the value of each, and whether it must be there.
_KEYS: Mapping[str, tuple[type | tuple[type, ...], bool]] = {
    "doc": (str, True),
    "type": ((str, list), True),
    "values": (list, False),
    "newest": (list, False),
    "least": (int, False),
    "most": (int, False),
    "pattern": (str, False),
    "needs": (str, False),
    "unchecked": (str, False),
    "queues": (dict, False),
    "since": (str, False),
    "elsewhere": (str, False),
    "until": (str, False),
    "refused": (str, False),
    "source": (str, False),
}
_HEAD = ("version", "profile", "versions")


def arguments_of(spec: Spec) -> ArgumentTable | None:
    """Return the arguments that a specification has, of those that the generator knows; None if it has none."""
    table = built_in_arguments()
    return table if spec.version == table.version else None


@cache
def built_in_arguments() -> ArgumentTable:
    """Return the arguments that the generator knows."""
    return read_arguments(*arguments_file())


def read_arguments(data: bytes, file: str) -> ArgumentTable:
    """Read ``arguments.toml``.

    Raises:
        SpecError: It is not TOML, a key is missing or unknown, or a value does not fit the others.
    """
    place = Position(file, 1, 1)
    try:
        table = _table(toml.loads(data.decode()))
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError([Problem("wire-file", f"not readable as TOML: {error}", place)]) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"a key is missing or has the wrong form: {error}"
        raise SpecError([Problem("wire-file", message, place)]) from None
    problems = [
        Problem("wire-file", f"{argument.subject}.{argument.name}: {message}", place)
        for argument in table.arguments
        for message in _faults(argument, table)
    ]
    if problems:
        raise SpecError(problems)
    return table


def _table(document: Mapping[str, Any]) -> ArgumentTable:
    unknown = sorted(document.keys() - {*_HEAD, *SUBJECTS})
    if unknown:
        raise ValueError(f"there is no {unknown[0]}")
    return ArgumentTable(
        str(document["version"]),
        str(document["profile"]),
        tuple(map(str, document["versions"])),
        tuple(
            _argument(subject, name, entry)
            for subject in SUBJECTS
            for name, entry in document[subject].items()
        ),
    )


def _argument(subject: str, name: str, entry: Mapping[str, Any]) -> KnownArgument:
    path = f"{subject}.{name}"
    for key, value in entry.items():
        if key not in _KEYS:
            raise ValueError(f"{path} has the unknown key {quote(key)}")
        if not isinstance(value, _KEYS[key][0]) or isinstance(value, bool):
            raise TypeError(f"{key} of {path} has the wrong type")
    for key, (_, needed) in _KEYS.items():
        if needed and key not in entry:
            raise KeyError(f"{path}.{key}")
    queues = dict(entry.get("queues", {}))
    since, elsewhere = entry.get("since", ""), entry.get("elsewhere", "")
    types, values = entry["type"], tuple(entry.get("values", ()))
    return KnownArgument(
        subject,
        name,
        entry["doc"],
        (types,) if isinstance(types, str) else tuple(types),
        values,
        tuple(entry.get("newest", values)),
        entry.get("least"),
        entry.get("most"),
        entry.get("pattern", ""),
        entry.get("needs", ""),
        entry.get("unchecked", ""),
        queues,
        since,
        elsewhere,
        entry.get("until", ""),
        entry.get("refused", ""),
        entry.get("source", ""),
    )


def _faults(argument: KnownArgument, table: ArgumentTable) -> Iterator[str]:
    """Yield what is wrong with an argument, one sentence each."""
    for kind in argument.types:
        if kind not in VALUE_TYPES:
            yield f"there is no type {quote(str(kind))}"
    for value in argument.values:
        if ("integer" if type(value) is int else "text") not in argument.types:
            yield f"the value {value!r} does not have the type"
    if not set(argument.newest) <= set(argument.values):
        yield "newest has a value that is not among the values"
    if argument.unchecked not in ("", "value", "type"):
        yield f"unchecked is value or type, not {quote(argument.unchecked)}"
    if argument.refused not in ("", "channel", "connection", "elsewhere") or (
        argument.refused and not argument.until
    ):
        yield "refused is channel, connection or elsewhere, and goes with until"
    if argument.needs and argument.needs not in (other.name for other in table.of(argument.subject)):
        yield f"it needs {quote(argument.needs)}, which is not there"
    if bool(argument.queues) != (argument.subject in ("queue", "consumer")) or bool(argument.since) == bool(
        argument.queues
    ):
        yield "those of queues and consumers have queues, others since"
    for queue_type in argument.queues:
        if queue_type not in QUEUE_TYPES:
            yield f"there is no queue of the type {quote(queue_type)}"
    named = (argument.since, argument.elsewhere, argument.until, *argument.queues.values())
    for version in filter(None, named):
        if version not in table.versions:
            yield f"no broker of version {quote(str(version))} was asked"
    try:
        re.compile(argument.pattern)
    except re.error as error:
        yield f"its pattern is not one: {error}"
