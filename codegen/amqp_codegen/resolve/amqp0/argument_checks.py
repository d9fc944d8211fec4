"""What must hold of the arguments in ``arguments.toml``, and where it does not: the rules of lint about arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...model.amqp0.arguments import QUEUE_TYPES, VALUE_TYPES, ArgumentTable, KnownArgument
from ...model.problem import Position, Problem
from ...support.wording import did_you_mean, listing, quote

_ANSWERS = ("channel", "connection", "elsewhere")
_UNCHECKED = ("value", "type")
_OF_QUEUES = ("queue", "consumer")
# The type that an argument must have for a key to mean something.
_TYPE_OF_KEY = {"least": "integer", "most": "integer", "pattern": "text"}
_HEADER = re.compile(r"\s*\[\s*([\w-]+)(?:\s*\.\s*\"?([^\"\]]+?)\"?)?\s*\]")
_KEY = re.compile(r"\s*\"?([\w-]+)\"?\s*=")


class ArgumentFault(NamedTuple):
    """What is wrong with a table or an argument.

    Attributes:
        rule_id: The rule of lint.
        key: The key that is wrong; empty if it is the table.
        message: What is wrong, one sentence without a full stop.
        hint: What to do about it, if it is more exact than the hint of the rule.
    """

    rule_id: str
    key: str
    message: str
    hint: str = ""


class ArgumentPlaces:
    """The lines of the file on which its tables and keys stand."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._lines: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.splitlines(), 1):
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                table = tuple(filter(None, header.groups()))
                self._lines.setdefault(table[:1], number)
                self._lines.setdefault(table, number)
            elif key:
                self._lines.setdefault((*table, key[1]), number)

    def problem(self, fault: ArgumentFault, *table: str) -> Problem:
        """Return a fault as a problem, at its key or at the innermost table around it that the file has."""
        path = (*table, fault.key)
        lines = (self._lines.get(path[:end]) for end in range(len(path), 0, -1))
        position = Position(self._file, next(filter(None, lines), 1), 1)
        message = f"{'.'.join(table)}: {fault.message}" if table else fault.message
        return Problem(fault.rule_id, message, position, fault.hint)


def check_arguments(table: ArgumentTable, places: ArgumentPlaces) -> list[Problem]:
    """Return what is wrong with arguments of the right form."""
    faults = list(_versions(table))
    if faults:  # all else is compared with them
        return list(map(places.problem, faults))
    return [
        places.problem(fault, argument.subject, argument.name)
        for argument in table.arguments
        for check in _CHECKS
        for fault in check(argument, table)
    ]


def _versions(table: ArgumentTable) -> Iterator[ArgumentFault]:
    numbers = [re.fullmatch(r"(\d+)\.(\d+)", version) for version in table.versions]
    if not all(numbers):
        yield ArgumentFault("argument-version", "versions", "a version has two numbers, such as '4.3'")
        return
    order = [(int(number[1]), int(number[2])) for number in numbers if number]
    if not order or any(later <= earlier for earlier, later in pairwise(order)):
        yield ArgumentFault("argument-version", "versions", "versions are listed once, the oldest first")


def _types(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    if not argument.types:
        yield ArgumentFault("argument-type", "type", "it has no type")
    for kind in argument.types:
        if kind not in VALUE_TYPES:
            hint = did_you_mean(kind, VALUE_TYPES) or f"known are {listing(VALUE_TYPES)}"
            yield ArgumentFault("argument-type", "type", f"there is no type {quote(kind)}", hint)
    for value in argument.values:
        if ("integer" if isinstance(value, int) else "text") not in argument.types:
            yield ArgumentFault("argument-type", "values", f"the value {value!r} does not have the type")
    for key, kind in _TYPE_OF_KEY.items():
        if getattr(argument, key) not in (None, "") and kind not in argument.types:
            yield ArgumentFault("argument-type", key, f"{key} is of {kind}, which is not among its types")


def _values(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    if len(set(argument.values)) < len(argument.values):
        yield ArgumentFault("argument-values", "values", "a value is listed twice")
    if not set(argument.newest) <= set(argument.values):
        yield ArgumentFault("argument-values", "newest", "newest has a value that is not among the values")
    if argument.least is not None and argument.most is not None and argument.most < argument.least:
        message = f"no number is at least {argument.least} and at most {argument.most}"
        yield ArgumentFault("argument-range", "most", message)
    try:
        re.compile(argument.pattern)
    except re.error as error:
        yield ArgumentFault("argument-pattern", "pattern", f"its pattern is not one: {error}")


def _needs(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    if not argument.needs:
        return
    others = {other.name: other for other in table.of(argument.subject) if other is not argument}
    needed = others.get(argument.needs)
    if needed is None:
        hint = did_you_mean(argument.needs, others)
        yield ArgumentFault(
            "argument-needs", "needs", f"it needs {quote(argument.needs)}, which is not there", hint
        )
    elif not argument.queues.keys() <= needed.queues.keys():
        types = listing([name for name in argument.queues if name not in needed.queues])
        message = f"it needs {quote(argument.needs)}, which is not for queues of the type {types}"
        yield ArgumentFault("argument-needs", "needs", message)


def _queues(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    if bool(argument.queues) != (argument.subject in _OF_QUEUES) or bool(argument.since) == bool(
        argument.queues
    ):
        key = "since" if argument.since else "queues"
        yield ArgumentFault("argument-queues", key, "those of queues and consumers have queues, others since")
    for queue_type in argument.queues:
        if queue_type not in QUEUE_TYPES:
            hint = did_you_mean(queue_type, QUEUE_TYPES) or f"known are {listing(QUEUE_TYPES)}"
            message = f"there is no queue of the type {quote(queue_type)}"
            yield ArgumentFault("argument-queues", "queues", message, hint)


def _life(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    first = [("since", argument.since), *(("queues", version) for version in argument.queues.values())]
    ends = [("elsewhere", argument.elsewhere), ("until", argument.until)]
    unknown = [
        (key, version) for key, version in [*first, *ends] if version and version not in table.versions
    ]
    for key, version in unknown:
        hint = f"asked were {listing(table.versions)}"
        yield ArgumentFault("argument-version", key, f"no broker of version {quote(version)} was asked", hint)
    if unknown:
        return
    begins = [table.versions.index(version) for _, version in first if version]
    for key, version in ends:
        if version and begins and table.versions.index(version) < min(begins):
            message = f"{key} is {version}, before the first version that knows it"
            yield ArgumentFault("argument-version", key, message)
    if argument.until == table.versions[-1]:
        message = f"until is {argument.until}, the newest version: no later one was asked"
        yield ArgumentFault("argument-version", "until", message, "leave until out")


def _answers(argument: KnownArgument, table: ArgumentTable) -> Iterator[ArgumentFault]:
    if argument.unchecked and argument.unchecked not in _UNCHECKED:
        message = f"unchecked is value or type, not {quote(argument.unchecked)}"
        yield ArgumentFault("argument-answer", "unchecked", message)
    if argument.refused and argument.refused not in _ANSWERS:
        message = f"refused is channel, connection or elsewhere, not {quote(argument.refused)}"
        yield ArgumentFault("argument-answer", "refused", message)
    if argument.refused and not argument.until:
        yield ArgumentFault("argument-answer", "refused", "refused goes with until")
    if (argument.refused == "elsewhere" or argument.elsewhere) and not argument.queues:
        key = "elsewhere" if argument.elsewhere else "refused"
        yield ArgumentFault(
            "argument-answer", key, "elsewhere is about other types of queue, and it has none"
        )


_CHECKS: Iterable[Callable[[KnownArgument, ArgumentTable], Iterator[ArgumentFault]]] = (
    _types,
    _values,
    _needs,
    _queues,
    _life,
    _answers,
)
