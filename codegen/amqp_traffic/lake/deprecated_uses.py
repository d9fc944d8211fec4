"""Deprecated or refused features that 0-x clients use, and how to detect them in the arguments of a method.

This is the only table of them; those of arguments come from the table of arguments (``specs/arguments.toml``). The audit
applies it to each method of a client, the view ``v_uses`` to the table ``methods``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from amqp_codegen.api import known_arguments
from amqp_codegen.model.amqp0.arguments import SUBJECTS, ArgumentTable, KnownArgument

from ..variant_values import variant_value

_PERMITTED, _IGNORED, _REFUSED = "permitted for now", "ignored", "refused, as before"
_PASSIVE = ("passive",)


@dataclass(frozen=True, slots=True)
class Use:
    """A feature, and the condition under which a method uses it.

    Attributes:
        rule_id: The audit rule about it.
        methods: The methods that may use it.
        set, clear: Columns that must be true or above 0; columns that must be false.
        arguments: One of these names must be in the argument table; empty for no such condition.
        value: The value that this argument must have; None for any.
        what: The subject of the use: an SQL expression about a row ``m`` of ``methods``.
        rabbitmq_4: What RabbitMQ 4 does about it; empty if it accepts it.
    """

    rule_id: str
    methods: tuple[str, ...]
    set: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    value: str | int | None = None
    what: str = "m.queue"
    rabbitmq_4: str = ""

    def is_in(self, fields: Mapping[str, Any]) -> bool:
        """True if a method, one of ``methods``, with these fields uses the feature."""
        if not all(fields.get(name) for name in self.set) or any(fields.get(name) for name in self.clear):
            return False
        return not self.arguments or bool(self.found_in(fields))

    def found_in(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the entries of the argument table that use the feature."""
        variant = fields.get("arguments")
        table = {} if variant is None else variant_value(variant)
        if not isinstance(table, dict):
            return {}
        names = (name for name in self.arguments if name in table)
        return {name: table[name] for name in names if self.value in (None, table[name])}

    @property
    def sql(self) -> str:
        """Return the conditions, including that on the method, as SQL about a row ``m`` of ``methods``."""
        methods = ", ".join(f"'{name}'" for name in self.methods)
        parts = [f"m.method IN ({methods})"]
        parts += [f"CAST(m.{name} AS int) > 0" for name in self.set]
        parts += [f"NOT m.{name}" for name in self.clear]
        if self.arguments:
            texts = [f"""variant_get(m.arguments, '$["{name}"]', 'string')""" for name in self.arguments]
            test = "IS NOT NULL" if self.value is None else f"= '{self.value}'"
            parts.append(f"coalesce({', '.join(texts)}) {test}")
        return " AND ".join(parts)


@dataclass(frozen=True, slots=True)
class ArgumentUse(Use):
    """An argument that the newest version of RabbitMQ no longer heeds, or one of its values.

    Attributes:
        purpose: What it is, and what RabbitMQ does about it: a sentence without a full stop.
        example: A method with it.
    """

    purpose: str = ""
    example: str = ""


def _argument_uses(table: ArgumentTable) -> Iterator[ArgumentUse]:
    for argument in table.arguments:
        if argument.until:
            after = table.versions[table.versions.index(argument.until) + 1]
            if argument.refused in ("channel", "connection"):
                answer, effect = f"refused from {after} on", f"RabbitMQ refuses from {after} on"
            else:
                others = f", and refuses elsewhere than for {' and '.join(argument.queues)} queues"
                answer = _IGNORED
                effect = f"RabbitMQ {after} no longer heeds{others if argument.refused else ''}"
            yield _argument_use(argument, None, answer, f"The argument {argument.name}, which {effect}")
        for value in argument.values:
            if value not in argument.newest:
                newest = table.versions[-1]
                purpose = (
                    f"The value {value} of the argument {argument.name}, which RabbitMQ {newest} refuses"
                )
                yield _argument_use(argument, value, f"refused from {newest} on", purpose)


def _argument_use(
    argument: KnownArgument, value: str | int | None, rabbitmq_4: str, purpose: str
) -> ArgumentUse:
    methods = SUBJECTS[argument.subject]
    example = value or (argument.values or ("true",))[-1]
    suffix = "" if value is None else f"-{value}"
    return ArgumentUse(
        f"{argument.name.removeprefix('x-')}{suffix}",
        methods,
        clear=_PASSIVE if argument.subject == "queue" else (),
        arguments=(argument.name,),
        value=value,
        rabbitmq_4=rabbitmq_4,
        purpose=purpose,
        example=f"{methods[0]} with {argument.name}={example}",
    )


TRANSIENT_QUEUE = Use(
    "transient-queue", ("queue.declare",), clear=(*_PASSIVE, "durable", "exclusive"), rabbitmq_4=_PERMITTED
)
ARGUMENT_USES = tuple(_argument_uses(known_arguments()))
# No version of the table of arguments knows these.
MIRRORED_QUEUE = Use(
    "mirrored-queue",
    ("queue.declare",),
    clear=_PASSIVE,
    arguments=("x-ha-policy", "x-ha-nodes"),
    rabbitmq_4=_IGNORED,
)
GLOBAL_QOS = Use(
    "global-qos",
    ("basic.qos",),
    set=("global_",),
    what="concat('prefetch-count ', m.prefetch_count)",
    rabbitmq_4=_PERMITTED,
)
PREFETCH_SIZE = Use(
    "prefetch-size",
    ("basic.qos",),
    set=("prefetch_size",),
    what="concat('prefetch-size ', m.prefetch_size)",
    rabbitmq_4=_REFUSED,
)
RECOVER_WITHOUT_REQUEUE = Use(
    "recover-without-requeue",
    ("basic.recover", "basic.recover-async"),
    clear=("requeue",),
    what="m.method",
    rabbitmq_4=_REFUSED,
)
RECOVER_ASYNC = Use("recover-async", ("basic.recover-async",), what="m.method")
IMMEDIATE_PUBLISH = Use(
    "immediate-publish", ("basic.publish",), set=("immediate",), what="m.exchange", rabbitmq_4=_REFUSED
)
CLIENT_FLOW = Use("client-flow", ("channel.flow",), clear=("active",), what="m.method", rabbitmq_4=_REFUSED)
AUTO_DELETE_EXCHANGE = Use(
    "auto-delete-exchange", ("exchange.declare",), set=("auto_delete",), clear=_PASSIVE, what="m.exchange"
)
NO_LOCAL = Use("no-local", ("basic.consume",), set=("no_local",))
TRANSACTIONS = Use("transactions", ("tx.select",), what="m.method")

USES = (*(use for use in list(globals().values()) if isinstance(use, Use)), *ARGUMENT_USES)
