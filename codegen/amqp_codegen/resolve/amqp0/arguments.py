"""The reader of ``arguments.toml``, the arguments that a broker knows in the tables of its methods.

``argument_checks.py`` has what must hold of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from ...model.amqp0.arguments import SUBJECTS, ArgumentTable, KnownArgument
from ...model.amqp0.spec import Spec
from ...model.problem import Position, Problem, SpecError
from ...support import toml
from ...support.resources import arguments_file
from ...support.wording import did_you_mean, quote
from .argument_checks import ArgumentFault, ArgumentPlaces, check_arguments

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
_HEAD: Mapping[str, type] = {"version": str, "profile": str, "versions": list}
_TOML_PLACE = re.compile(r" *\(at line (\d+), column (\d+)\)")


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
        SpecError: It is not TOML, a key is missing, unknown or of the wrong form, or a value does not fit the others; with
            every problem.
    """
    try:
        text = data.decode()
        document = toml.loads(text)
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError([_unreadable(str(error), file)]) from None
    places = ArgumentPlaces(file, text)
    problems = list(map(places.problem, _faults_of_head(document)))
    for subject in SUBJECTS:
        entries = document.get(subject)
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            problems += [places.problem(fault, subject, name) for fault in _faults_of_form(entry)]
    if not problems:
        table = _table(document)
        problems += check_arguments(table, places)
    if problems:
        raise SpecError(problems)
    return table


def _unreadable(reason: str, file: str) -> Problem:
    place = _TOML_PLACE.search(reason)
    position = Position(file, int(place[1]), int(place[2])) if place else Position(file, 1, 1)
    return Problem("wire-file", f"not readable as TOML: {_TOML_PLACE.sub('', reason)}", position)


def _faults_of_head(document: Mapping[str, Any]) -> Iterator[ArgumentFault]:
    """Yield what is wrong with the keys at the top."""
    known = (*_HEAD, *SUBJECTS)
    for key in document:
        if key not in known:
            yield ArgumentFault("argument-form", key, f"there is no {quote(key)}", did_you_mean(key, known))
    for key in known:
        value = document.get(key)
        if not isinstance(value, _HEAD.get(key, dict)):
            state = "is missing" if value is None else "has the wrong type"
            yield ArgumentFault("argument-form", key, f"{key} {state}")


def _faults_of_form(entry: Any) -> Iterator[ArgumentFault]:
    """Yield what is wrong with the keys of an argument."""
    if not isinstance(entry, dict):
        yield ArgumentFault("argument-form", "", "it is not a table")
        return
    for key, (_, is_needed) in _KEYS.items():
        if is_needed and key not in entry:
            yield ArgumentFault("argument-form", "", f"{key} is missing")
    for key, value in entry.items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS)
            yield ArgumentFault("argument-form", key, f"there is no key {quote(key)}", hint)
        elif not _has_form(key, value):
            yield ArgumentFault("argument-form", key, f"{key} has the wrong type")


def _has_form(key: str, value: Any) -> bool:
    if not isinstance(value, _KEYS[key][0]) or isinstance(value, bool):
        return False
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    kinds = (str, int) if key in ("values", "newest") else (str,)
    return all(type(item) in kinds for item in items)


def _table(document: Mapping[str, Any]) -> ArgumentTable:
    return ArgumentTable(
        document["version"],
        document["profile"],
        tuple(map(str, document["versions"])),
        tuple(
            _argument(subject, name, entry)
            for subject in SUBJECTS
            for name, entry in document[subject].items()
        ),
    )


def _argument(subject: str, name: str, entry: Mapping[str, Any]) -> KnownArgument:
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
        dict(entry.get("queues", {})),
        entry.get("since", ""),
        entry.get("elsewhere", ""),
        entry.get("until", ""),
        entry.get("refused", ""),
        entry.get("source", ""),
    )
