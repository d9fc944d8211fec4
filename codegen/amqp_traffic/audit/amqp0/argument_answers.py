"""What a version of RabbitMQ answers to the arguments of a method, by the table of arguments (``specs/arguments.toml``)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from amqp_codegen.api import known_arguments
from amqp_codegen.model.amqp0.arguments import QUEUE_TYPES, ArgumentTable, KnownArgument

_RABBITMQ = "RabbitMQ"
_QUEUE_TYPE = "x-queue-type"
_TAG = "$"  # the only key of an object that stands for a value which VARIANT lacks begins with it
_WORDS = {
    "integer": "a whole number",
    "text": "text",
    "boolean": "true or false",
    "timestamp": "a time",
    "texts": "an array of texts",
}


class ArgumentAnswer(NamedTuple):
    """The answer to one argument.

    Attributes:
        name: The argument.
        value: Its value.
        is_refused: True if the broker refuses it, false if it takes it and forgets it.
        reason: What is wrong: a part of a sentence that goes on from the argument.
    """

    name: str
    value: Any
    is_refused: bool
    reason: str


@dataclass(frozen=True, slots=True)
class ArgumentAnswers:
    """The answers of one version.

    Attributes:
        table: The table of arguments.
        version: The number of the version in ``table.versions``.
    """

    table: ArgumentTable
    version: int

    def to(
        self, subject: str, arguments: Mapping[str, Any], queue_type: str = ""
    ) -> Iterator[ArgumentAnswer]:
        """Yield the answers to arguments that this version refuses or forgets; those that no version knows are left out.

        Args:
            subject: What they are about, one of ``SUBJECTS``.
            arguments: Names and values, as ``variant_value`` returns them.
            queue_type: The type of the queue; empty if it is not known, or there is none.
        """
        for known in self.table.of(subject):
            if known.name in arguments:
                value = arguments[known.name]
                answer = self._at_large(known, queue_type) or self._on_value(known, value, arguments)
                if answer:
                    yield ArgumentAnswer(known.name, value, *answer)

    def _number(self, version: str) -> int:
        return self.table.versions.index(version)

    def _at_large(self, known: KnownArgument, queue_type: str) -> tuple[bool, str] | None:
        """Return the answer to an argument that this version does not know, or not for this type of queue, whatever its value."""
        since = min(map(self._number, known.queues.values() or [known.since]))
        if since > self.version:
            return False, f"is known from {self.table.versions[since]} on"
        is_elsewhere = bool(queue_type) and bool(known.queues) and queue_type not in known.queues
        if known.until and self._number(known.until) < self.version:
            if known.refused in ("channel", "connection"):
                return True, f"is refused after {known.until}"
            if not (known.refused and is_elsewhere):
                return False, f"is not heeded after {known.until}"
        if is_elsewhere:
            is_refused = not known.elsewhere or self._number(known.elsewhere) <= self.version
            return is_refused, f"is for queues of the type {' or '.join(known.queues)}, not {queue_type}"
        if queue_type and known.queues and self._number(known.queues[queue_type]) > self.version:
            return True, f"is for queues of the type {queue_type} from {known.queues[queue_type]} on"
        return None

    def _on_value(self, known: KnownArgument, value: Any, others: Collection[str]) -> tuple[bool, str] | None:
        """Return the answer to a value that is wrong, or to a missing argument."""
        reason = "" if known.unchecked == "value" else self._fault(known, value)
        if not reason and known.needs and known.needs not in others:
            reason = f"needs {known.needs}"
        return (True, reason) if reason else None

    def _fault(self, known: KnownArgument, value: Any) -> str:
        """Return what is wrong with a value; empty if nothing is, or it is of a type that cannot be judged."""
        kind = _type_of(value)
        if kind is None:
            return ""
        if kind not in known.types:
            types = " or ".join(_WORDS[name] for name in known.types)
            return "" if known.unchecked == "type" else f"must be {types}"
        is_newest = self.version == len(self.table.versions) - 1
        values = known.newest if is_newest else known.values
        if values and value not in values:
            return f"must be {' or '.join(map(repr, values))}"
        if kind == "integer" and known.least is not None and value < known.least:
            return f"must be at least {known.least}"
        if kind == "integer" and known.most is not None and value > known.most:
            return f"must be at most {known.most}"
        if kind == "text" and known.pattern and not re.fullmatch(known.pattern, value):
            return f"must match {known.pattern}"
        if kind == "texts" and known.unchecked == "type" and not any(isinstance(one, str) for one in value):
            return "must have at least one text"
        return ""


def answers_of(product: str | None, version: str | None) -> ArgumentAnswers | None:
    """Return the answers of a broker: those of the last version that was asked and is not after it.

    Args:
        product: What the broker says that it is.
        version: Its version, such as ``4.0.5``.

    Returns:
        None if it is not RabbitMQ, or does not say which.
    """
    if product != _RABBITMQ or not version:
        return None
    table = known_arguments()
    asked = _numbers(version)
    number = sum(_numbers(one) <= asked for one in table.versions) - 1
    return ArgumentAnswers(table, max(number, 0))


@cache
def newest_answers() -> ArgumentAnswers:
    """Return the answers of the last version that was asked."""
    table = known_arguments()
    return ArgumentAnswers(table, len(table.versions) - 1)


def queue_type_of(arguments: Mapping[str, Any], is_classic: bool) -> str:
    """Return the type of queue that a declaration asks for; empty if there is no such type, or it is not known.

    ``is_classic`` tells what a queue is whose arguments do not name the type.
    """
    value = arguments.get(_QUEUE_TYPE, "classic" if is_classic else "")
    return value if isinstance(value, str) and value in QUEUE_TYPES else ""


def _numbers(version: str) -> tuple[int, ...]:
    """Return major and minor number."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _type_of(value: Any) -> str | None:
    """Return the type of a value; empty for one that no argument has, None if it is not certain."""
    if isinstance(value, dict):
        return None if len(value) == 1 and next(iter(value)).startswith(_TAG) else ""
    if isinstance(value, bool):
        return "boolean"
    types = {int: "integer", str: "text", datetime: "timestamp", list: "texts"}
    return next((name for kind, name in types.items() if isinstance(value, kind)), "")
