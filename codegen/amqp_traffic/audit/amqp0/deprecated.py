"""Rules about features used by 0-x clients that are deprecated or that RabbitMQ refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from typing import Any, TypeAlias

from ...lake import deprecated_uses as uses
from ..connection_frames import AuditFrame
from ..finding_log import FindingLog
from ..rule import (
    AMQP_1_0,
    INFO,
    RABBITMQ_4_3,
    WARNING,
    AuditRule,
    AuditSeverity,
    Told,
    declared_in,
    rules_on,
)

_Fields: TypeAlias = Mapping[str, Any]

_deprecated = partial(AuditRule, category="deprecated")


def _use(
    use: uses.Use, severity: AuditSeverity, **declared: Any
) -> Callable[[Callable[..., Told]], AuditRule]:
    """Declare a function as the rule about a deprecated use; it words the evidence where the use is found."""

    def declare(words: Callable[..., Told]) -> AuditRule:
        @wraps(words)
        def check(frame: AuditFrame, fields: _Fields) -> Told:
            return words(frame, fields) if use.is_in(fields) else None

        return _deprecated(use.rule_id, severity, on=use.methods, **declared)(check)

    return declare


def _arguments(fields: _Fields, use: uses.Use) -> list[str]:
    """Return one evidence for each argument of a queue that the use is about."""
    queue = f"queue {(fields['queue'] or '')[:80]!r}"
    return [f"{queue} with {name}={value!r:.60}" for name, value in use.found_in(fields).items()]


@_use(
    uses.TRANSIENT_QUEUE,
    WARNING,
    source="RabbitMQ: deprecated feature transient_nonexcl_queues",
    example="queue.declare durable=0 exclusive=0",
    targets=(RABBITMQ_4_3,),
)
def transient_queue(frame: AuditFrame, fields: _Fields) -> Told:
    """A queue that is neither durable nor exclusive: deprecated, and denied where RabbitMQ is configured so."""
    return f"queue {(fields['queue'] or '')[:80]!r} with durable=0 exclusive=0"


@_use(
    uses.GLOBAL_QOS,
    WARNING,
    source="RabbitMQ: deprecated feature global_qos",
    example="basic.qos global=1",
    targets=(RABBITMQ_4_3, AMQP_1_0),
)
def global_qos(frame: AuditFrame, fields: _Fields) -> Told:
    """A prefetch for the whole channel: deprecated, and denied where RabbitMQ is configured so."""
    return f"basic.qos with prefetch-count {fields['prefetch_count']} and global=1"


def _argument_rule(use: uses.ArgumentUse) -> AuditRule:
    return _deprecated(
        use.rule_id,
        WARNING,
        use.purpose,
        source=f"RabbitMQ: arguments of {use.methods[0]}",
        example=use.example,
        targets=(RABBITMQ_4_3,),
        on=use.methods,
        module=__name__,
        check=lambda frame, fields: _arguments(fields, use) if use.is_in(fields) else None,
    )


argument_rules = tuple(map(_argument_rule, uses.ARGUMENT_USES))


@_use(
    uses.MIRRORED_QUEUE,
    WARNING,
    source="RabbitMQ: classic queue mirroring",
    example="queue.declare with x-ha-policy=all",
    targets=(RABBITMQ_4_3,),
)
def mirrored_queue(frame: AuditFrame, fields: _Fields) -> Told:
    """An argument of mirrored queues, which RabbitMQ ignores: since 3.0 a policy mirrors queues, and 4 has none of them."""
    return _arguments(fields, uses.MIRRORED_QUEUE)


@_use(
    uses.RECOVER_WITHOUT_REQUEUE,
    WARNING,
    source="basic.recover.requeue",
    example="basic.recover requeue=0",
    targets=(RABBITMQ_4_3, AMQP_1_0),
)
def recover_without_requeue(frame: AuditFrame, fields: _Fields) -> Told:
    """A basic.recover to the same consumer, which RabbitMQ refuses."""
    return f"{frame.name} with requeue=0"


@_use(uses.RECOVER_ASYNC, WARNING, source="basic.recover-async", example="basic.recover-async requeue=1")
def recover_async(frame: AuditFrame, fields: _Fields) -> Told:
    """The method basic.recover-async, which 0-9-1 deprecates."""
    return "basic.recover-async"


@_use(
    uses.IMMEDIATE_PUBLISH,
    WARNING,
    source="basic.publish.immediate",
    example="basic.publish immediate=1",
    targets=(RABBITMQ_4_3, AMQP_1_0),
)
def immediate_publish(frame: AuditFrame, fields: _Fields) -> Told:
    """The flag immediate, which RabbitMQ has refused since 3.0."""
    return f"basic.publish to exchange {(fields['exchange'] or '')[:80]!r}"


@_use(
    uses.PREFETCH_SIZE,
    WARNING,
    source="basic.qos.prefetch-size",
    example="basic.qos prefetch-size=65536",
    targets=(RABBITMQ_4_3,),
)
def prefetch_size(frame: AuditFrame, fields: _Fields) -> Told:
    """A prefetch in octets, which RabbitMQ refuses."""
    return f"basic.qos with prefetch-size {fields['prefetch_size']}"


@_use(
    uses.CLIENT_FLOW,
    WARNING,
    source="channel.flow.active",
    example="channel.flow active=0 from the client",
    targets=(RABBITMQ_4_3,),
)
def client_flow(frame: AuditFrame, fields: _Fields) -> Told:
    """A client that stops deliveries by channel.flow, which RabbitMQ refuses."""
    return "channel.flow with active=0 from the client"


@_deprecated(
    "access-request",
    WARNING,
    source="access.request",
    example="access.request of /data",
    on=("access.request", "access.request-ok"),
    targets=(RABBITMQ_4_3,),
)
def access_request(frame: AuditFrame, fields: _Fields) -> Told:
    """The class access of 0-8 and 0-9, which 0-9-1 no longer has."""
    return str(frame.name)


@_use(
    uses.AUTO_DELETE_EXCHANGE,
    INFO,
    source="exchange.declare.auto-delete",
    example="exchange.declare auto-delete=1",
)
def auto_delete_exchange(frame: AuditFrame, fields: _Fields) -> Told:
    """An exchange that is deleted when it is no longer used, a flag that 0-9-1 removed."""
    return f"exchange {(fields['exchange'] or '')[:80]!r}"


@_use(uses.NO_LOCAL, INFO, source="basic.consume.no-local", example="basic.consume no-local=1")
def no_local(frame: AuditFrame, fields: _Fields) -> Told:
    """The flag no-local, which RabbitMQ accepts but ignores."""
    return f"basic.consume of queue {(fields['queue'] or '')[:80]!r}"


@_use(uses.TRANSACTIONS, INFO, source="tx.select", example="tx.select")
def transactions(frame: AuditFrame, fields: _Fields) -> Told:
    """Transactions, which are slow in RabbitMQ; publishers can use confirms instead."""
    return "tx.select"


@_deprecated(
    "old-version",
    INFO,
    source="0-9-1 4.2.2",
    example="a client that sends AMQP 1 1 8 0",
    targets=(RABBITMQ_4_3,),
)
def old_version(frame: None, protocol: str) -> Told:
    """A connection that uses 0-8, which RabbitMQ 4.3 no longer speaks, or 0-9."""
    return f"AMQP {protocol}"


_RULES = rules_on(declared_in(globals()))


def check_deprecated(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    """Note the deprecated uses in a method of a client."""
    notes.judge_all(_RULES.get(frame.name, ()), frame, fields)
