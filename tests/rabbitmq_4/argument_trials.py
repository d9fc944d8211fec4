"""Methods with one argument each, good and bad values, and what the table of arguments says each version answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amqp_0_9_1_rabbitmq import BasicProperties, methods
from amqp_codegen.model.amqp0.arguments import QUEUE_TYPES, ArgumentTable, KnownArgument
from amqp_codegen.resolve.amqp0.arguments import read_arguments
from amqp_codegen.support.resources import arguments_file

TABLE: ArgumentTable = read_arguments(*arguments_file())
VERSIONS = TABLE.versions
# A value of each of the types that all brokers tell apart.
VALUES: dict[str, Any] = {"integer": 1, "text": "yes", "boolean": True}


@dataclass(frozen=True)
class Trial:
    """An argument with a value, for one type of queue or for what has no type.

    Attributes:
        is_good: False if versions that look at it refuse the value.
    """

    argument: KnownArgument
    queue_type: str
    value: Any
    is_good: bool

    def method(self, queue: str, exchange: str) -> Any:
        """The method that has it; of a message, the properties."""
        table = {self.argument.name: self.value}
        if self.argument.subject == "queue":
            needed = {self.argument.needs: ""} if self.argument.needs else {}
            return methods.QueueDeclare(
                queue, durable=True, arguments={"x-queue-type": self.queue_type, **needed, **table}
            )
        if self.argument.subject == "consumer":
            return methods.BasicConsume(queue, arguments=table)
        if self.argument.subject == "exchange":
            return methods.ExchangeDeclare(exchange, "fanout", arguments=table)
        if self.argument.subject == "binding":
            return methods.QueueBind(queue, "amq.headers", arguments=table)
        return BasicProperties(headers=table)

    def is_refused(self, version: str) -> bool:
        """Return whether a version refuses it, by the table."""
        argument, at = self.argument, VERSIONS.index(version)
        since = [*map(VERSIONS.index, argument.queues.values() or [argument.since])]
        if min(since) > at:
            return False
        if argument.until and VERSIONS.index(argument.until) < at:
            is_own = self.queue_type in argument.queues
            return bool(argument.refused) and (not is_own or argument.refused != "elsewhere")
        if argument.queues and self.queue_type not in argument.queues:
            return not argument.elsewhere or VERSIONS.index(argument.elsewhere) <= at
        if argument.queues and VERSIONS.index(argument.queues[self.queue_type]) > at:
            return True
        is_over = version == VERSIONS[-1] and argument.newest and self.value not in argument.newest
        return not self.is_good or bool(is_over and argument.unchecked != "value")


def trials(argument: KnownArgument) -> Iterator[Trial]:
    """Yield the good and the bad values of an argument, for every type of queue that there is."""
    types = QUEUE_TYPES if argument.queues else ("",)
    for queue_type in types:
        for value in (queue_type,) if argument.name == "x-queue-type" else _good(argument):
            yield Trial(argument, queue_type, value, True)
        for value in _bad(argument):
            yield Trial(argument, queue_type, value, False)


def _good(argument: KnownArgument) -> Iterator[Any]:
    if argument.values or argument.unchecked == "value":
        yield from argument.values or (1,)
        return
    for kind in argument.types:
        if kind == "integer":
            yield from {argument.least or 0, 20 if argument.most is None else argument.most}
        elif kind == "text":
            yield "1h" if argument.pattern else "name"
        elif kind == "boolean":
            yield True
        elif kind == "texts":
            yield ["a", "b"]


def _bad(argument: KnownArgument) -> Iterator[Any]:
    """Yield values of other types, and those outside of what the argument allows."""
    if argument.unchecked == "value":
        return
    if argument.unchecked == "type":
        yield from ([1], [])
        return
    yield next(value for kind, value in VALUES.items() if kind not in argument.types)
    if argument.values:
        yield 99 if argument.types == ("integer",) else "strange"
    if argument.least is not None:
        yield argument.least - 1
    if argument.most is not None:
        yield argument.most + 1
    if argument.pattern:
        yield "soon"
