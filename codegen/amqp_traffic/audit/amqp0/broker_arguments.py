"""Rules about arguments that RabbitMQ knows: what its version refuses, or takes and forgets, and what 4.3 refuses.

The facts are those of the table of arguments (``specs/arguments.toml``). Arguments that the newest version no longer heeds have
rules of their own in ``deprecated.py``, from the same table; nothing is said of them here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from amqp_codegen.api import known_arguments
from amqp_codegen.support.wording import did_you_mean

from ...lake.deprecated_uses import ARGUMENT_USES, MIRRORED_QUEUE
from ...variant_values import variant_value
from ..connection_frames import CLIENT, AuditFrame
from ..rule import INFO, RABBITMQ_4_3, WARNING, AuditRule, Told
from .argument_answers import ArgumentAnswer, ArgumentAnswers, answers_of, newest_answers, queue_type_of
from .setting import AuditSetting

_Fields: TypeAlias = Mapping[str, Any]

# Of queues and exchanges whose type is known, on a connection.
_MOST_NAMES = 1024
_PREFIX = "x-"
_HEADERS_EXCHANGES = ("amq.headers", "amq.match")
_USES = (*ARGUMENT_USES, MIRRORED_QUEUE)
_arguments = partial(AuditRule, category="arguments")


@_arguments(
    "argument-refused",
    WARNING,
    source="RabbitMQ: arguments of its version",
    example="queue.declare with x-max-priority=256",
)
def argument_refused(frame: AuditFrame, place: str, answers: list[ArgumentAnswer]) -> Told:
    """An argument that the broker refuses: its type or value is wrong, it needs another one, or it is not for this type of queue."""
    return [_told(place, answer) for answer in answers if answer.is_refused]


@_arguments(
    "argument-ignored",
    INFO,
    source="RabbitMQ: arguments of its version",
    example="queue.declare with x-consumer-timeout on RabbitMQ 3.10",
)
def argument_ignored(frame: AuditFrame, place: str, answers: list[ArgumentAnswer]) -> Told:
    """An argument that the broker takes and forgets, as its version does not know it."""
    return [_told(place, answer) for answer in answers if not answer.is_refused]


@_arguments(
    "argument-unknown",
    INFO,
    source="RabbitMQ: arguments of queue.declare and basic.consume",
    example="queue.declare with x-max-lenght",
)
def argument_unknown(frame: AuditFrame, place: str, unknown: Mapping[str, str]) -> Told:
    """An argument of a queue or a consumer that no version of RabbitMQ knows: it is taken and forgotten, unless a plugin knows it."""
    return [f"{place} with {name[:60]}, which RabbitMQ does not know{hint}" for name, hint in unknown.items()]


@AuditRule(
    "argument-newly-refused",
    WARNING,
    category="to-rabbitmq-4.3",
    source="RabbitMQ 4.3: arguments",
    example="queue.declare of a classic queue with x-consumer-timeout, which 3.10 and 4.0 do not know",
    targets=(RABBITMQ_4_3,),
    only_for_target=True,
)
def argument_newly_refused(frame: AuditFrame, place: str, answers: list[ArgumentAnswer]) -> Told:
    """An argument that the broker takes and RabbitMQ 4.3 refuses."""
    return [_told(place, answer) for answer in answers if answer.is_refused]


def _told(place: str, answer: ArgumentAnswer) -> str:
    return f"{place} with {answer.name}={answer.value!r:.60}, which {answer.reason}"


class BrokerArgumentAudit:
    """Judges the arguments of a connection by what its broker knows.

    The type of queue that a consumer reads from is known if this connection has declared the queue, and got an answer.
    """

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        facts = setting.connection.facts
        self._answers = answers_of(facts.get("server_product"), facts.get("server_version"))
        self._is_certain = setting.is_version_exact
        self._declared: dict[tuple[int, str], str] = {}  # by channel and name, until the server answers
        self._queue_types: dict[str, str] = {}
        self._headers_exchanges = set(_HEADERS_EXCHANGES)

    def check(self, frame: AuditFrame, fields: _Fields) -> None:
        """Check the arguments of a method."""
        if frame.direction != CLIENT:
            if frame.name == "queue.declare-ok":
                self._take_queue(frame.channel, fields["queue"] or "")
            return
        judge = _JUDGES.get(frame.name)
        if judge is not None and self._is_certain and not fields.get("passive"):
            judge(self, frame, fields)

    def _take_queue(self, channel: int, name: str) -> None:
        """Take the type of a queue that is declared, by the name that the client or else the server gave it."""
        key = (channel, name) if (channel, name) in self._declared else (channel, "")
        queue_type = self._declared.pop(key, None)
        if queue_type is not None and (name in self._queue_types or len(self._queue_types) < _MOST_NAMES):
            self._queue_types[name] = queue_type

    def _queue(self, frame: AuditFrame, fields: _Fields) -> None:
        table, name = _table(fields), fields["queue"] or ""
        # Without x-queue-type, the default of the virtual host holds for queues that last.
        is_lasting = fields["durable"] and not fields["exclusive"] and not fields["auto_delete"]
        if not fields["no_wait"] and len(self._declared) < _MOST_NAMES:
            self._declared[frame.channel, name] = queue_type_of(table, is_classic=not is_lasting)
        queue_type = queue_type_of(table, is_classic=True)
        self._judge(frame, fields, "queue", f"queue {_short(name)}", table, queue_type)

    def _consumer(self, frame: AuditFrame, fields: _Fields) -> None:
        place = f"consumer of queue {_short(fields['queue'])}"
        is_lost = any(self._setting.lost)  # it may have been declared anew
        queue_type = "" if is_lost else self._queue_types.get(fields["queue"] or "", "")
        self._judge(frame, fields, "consumer", place, _table(fields), queue_type)

    def _exchange(self, frame: AuditFrame, fields: _Fields) -> None:
        if fields["type"] == "headers" and len(self._headers_exchanges) < _MOST_NAMES:
            self._headers_exchanges.add(fields["exchange"])
        self._judge(frame, fields, "exchange", f"exchange {_short(fields['exchange'])}", _table(fields))

    def _binding(self, frame: AuditFrame, fields: _Fields) -> None:
        exchange = fields["exchange"] if frame.name == "queue.bind" else fields["source"]
        if exchange in self._headers_exchanges:
            self._judge(frame, fields, "binding", f"binding to exchange {_short(exchange)}", _table(fields))

    def _message(self, frame: AuditFrame, fields: _Fields) -> None:
        headers = None if frame.message is None else frame.message["headers"]
        # The second part of a VARIANT is its dictionary of names: search that first, it is fast.
        if headers is None or not any(name in headers[1] for name in _judged_headers()):
            return
        table = variant_value(headers)
        if isinstance(table, dict):
            place = f"message to exchange {_short(fields['exchange'])}"
            self._judge(frame, fields, "message", place, table)

    def _judge(
        self,
        frame: AuditFrame,
        fields: _Fields,
        subject: str,
        place: str,
        table: Mapping[str, Any],
        queue_type: str = "",
    ) -> None:
        if not table:
            return
        told = {name for use in _USES if frame.name in use.methods for name in use.found_in(fields)}
        rest = {name: value for name, value in table.items() if name not in told}
        notes, now = self._setting.notes, self._answers
        answers = [] if now is None else list(now.to(subject, rest, queue_type))
        notes.judge(argument_refused, frame, place, answers)
        notes.judge(argument_ignored, frame, place, answers)
        refused = {answer.name for answer in answers if answer.is_refused}
        newest = newest_answers().to(subject, rest, queue_type)
        newly = [answer for answer in newest if answer.name not in refused]
        notes.judge(argument_newly_refused, frame, place, newly)
        if now is not None and subject in ("queue", "consumer"):
            notes.judge(argument_unknown, frame, place, _unknown(now, subject, rest))


def _unknown(answers: ArgumentAnswers, subject: str, table: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments that no version knows, with a hint at a similar one."""
    known = [argument.name for argument in answers.table.of(subject)]
    names = [name for name in table if name.startswith(_PREFIX) and name not in known]
    hints = {name: did_you_mean(name, known) for name in names}
    return {name: f": {hint}" if hint else "" for name, hint in hints.items()}


@cache
def _judged_headers() -> tuple[bytes, ...]:
    """Return the names of headers whose values brokers look at."""
    headers = known_arguments().of("message")
    return tuple(header.name.encode() for header in headers if header.unchecked != "value")


def _table(fields: _Fields) -> Mapping[str, Any]:
    """Return the arguments of a method; none of those with repeated names, which are a list of pairs."""
    table = None if fields["arguments"] is None else variant_value(fields["arguments"])
    return table if isinstance(table, dict) else {}


def _short(name: str | None) -> str:
    return repr((name or "")[:80])


_JUDGES: Mapping[str | None, Callable[[BrokerArgumentAudit, AuditFrame, _Fields], None]] = {
    "queue.declare": BrokerArgumentAudit._queue,
    "basic.consume": BrokerArgumentAudit._consumer,
    "exchange.declare": BrokerArgumentAudit._exchange,
    "queue.bind": BrokerArgumentAudit._binding,
    "exchange.bind": BrokerArgumentAudit._binding,
    "basic.publish": BrokerArgumentAudit._message,
}
