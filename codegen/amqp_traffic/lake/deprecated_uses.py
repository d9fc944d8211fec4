"""Deprecated or refused features that 0-x clients use, and how to detect them in the arguments of a method.

This is the only table of them. The audit applies it to each method of a client, the view ``v_uses`` to the table
``methods``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..variant_values import variant_value

_DENIED, _GONE, _REFUSED = "denied from 4.3 on", "gone", "refused, as before"
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
    value: int | None = None
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


def _queue(
    rule_id: str, rabbitmq_4: str, *arguments: str, value: int | None = None, clear: tuple[str, ...] = ()
) -> Use:
    return Use(
        rule_id,
        ("queue.declare",),
        clear=(*_PASSIVE, *clear),
        arguments=arguments,
        value=value,
        rabbitmq_4=rabbitmq_4,
    )


TRANSIENT_QUEUE = _queue("transient-queue", _DENIED, clear=("durable", "exclusive"))
QUEUE_MODE = _queue("queue-mode", _DENIED, "x-queue-mode")
QUEUE_MASTER_LOCATOR = _queue("queue-master-locator", _DENIED, "x-queue-master-locator")
QUEUE_VERSION_1 = _queue("queue-version-1", _GONE, "x-queue-version", value=1)
MIRRORED_QUEUE = _queue("mirrored-queue", _GONE, "x-ha-policy", "x-ha-nodes")
GLOBAL_QOS = Use(
    "global-qos",
    ("basic.qos",),
    set=("global_",),
    what="concat('prefetch-count ', m.prefetch_count)",
    rabbitmq_4=_DENIED,
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

USES = tuple(use for use in list(globals().values()) if isinstance(use, Use))
