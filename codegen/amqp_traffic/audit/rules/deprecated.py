"""The catalogue, part of 0-x: what is deprecated, or what RabbitMQ refuses."""

from __future__ import annotations

from .rule import AMQP_1_0, RABBITMQ_4_3, AuditRule, AuditSeverity

_INFO, _WARNING = AuditSeverity.INFO, AuditSeverity.WARNING

DEPRECATED = (
    AuditRule(
        "transient-queue",
        _WARNING,
        "A queue that is neither durable nor exclusive: denied from RabbitMQ 4.3 on",
        "RabbitMQ: deprecated feature transient_nonexcl_queues",
        "queue.declare durable=0 exclusive=0",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "global-qos",
        _WARNING,
        "A prefetch for the whole channel: denied from RabbitMQ 4.3 on",
        "RabbitMQ: deprecated feature global_qos",
        "basic.qos global=1",
        (RABBITMQ_4_3, AMQP_1_0),
    ),
    AuditRule(
        "queue-mode",
        _WARNING,
        "The argument x-queue-mode, which has no effect since RabbitMQ 3.12, and is denied from 4.3 on",
        "RabbitMQ: lazy queues",
        "queue.declare with x-queue-mode=lazy",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "queue-master-locator",
        _WARNING,
        "The argument x-queue-master-locator, which is denied from RabbitMQ 4.3 on",
        "RabbitMQ: deprecated feature queue_master_locator",
        "queue.declare with x-queue-master-locator=min-masters",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "queue-version-1",
        _WARNING,
        "The first version of classic queues, which RabbitMQ 4 does not have",
        "RabbitMQ: classic queue storage",
        "queue.declare with x-queue-version=1",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "mirrored-queue",
        _WARNING,
        "An argument of mirrored queues, which RabbitMQ 4 does not have",
        "RabbitMQ: classic queue mirroring",
        "queue.declare with x-ha-policy=all",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "recover-without-requeue",
        _WARNING,
        "A basic.recover to the same consumer, which RabbitMQ refuses",
        "basic.recover.requeue",
        "basic.recover requeue=0",
        (RABBITMQ_4_3, AMQP_1_0),
    ),
    AuditRule(
        "recover-async",
        _WARNING,
        "The method basic.recover-async, which 0-9-1 deprecates",
        "basic.recover-async",
        "basic.recover-async requeue=1",
    ),
    AuditRule(
        "immediate-publish",
        _WARNING,
        "The flag immediate, which RabbitMQ refuses since 3.0",
        "basic.publish.immediate",
        "basic.publish immediate=1",
        (RABBITMQ_4_3, AMQP_1_0),
    ),
    AuditRule(
        "prefetch-size",
        _WARNING,
        "A prefetch in octets, which RabbitMQ refuses",
        "basic.qos.prefetch-size",
        "basic.qos prefetch-size=65536",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "client-flow",
        _WARNING,
        "A client that stops deliveries by channel.flow, which RabbitMQ refuses",
        "channel.flow.active",
        "channel.flow active=0 from the client",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "access-request",
        _WARNING,
        "The class access of 0-8 and 0-9, which 0-9-1 does not have",
        "access.request",
        "access.request of /data",
        (RABBITMQ_4_3,),
    ),
    AuditRule(
        "auto-delete-exchange",
        _INFO,
        "An exchange that is deleted when it is not used any more, which 0-9-1 took out",
        "exchange.declare.auto-delete",
        "exchange.declare auto-delete=1",
    ),
    AuditRule(
        "no-local",
        _INFO,
        "The flag no-local, which RabbitMQ takes and does not act on",
        "basic.consume.no-local",
        "basic.consume no-local=1",
    ),
    AuditRule(
        "transactions",
        _INFO,
        "Transactions, which are slow in RabbitMQ; confirms do the same for publishers",
        "tx.select",
        "tx.select",
    ),
    AuditRule(
        "old-version",
        _INFO,
        "A connection of 0-8 or 0-9",
        "0-9-1 4.2.2",
        "a client that sends AMQP 1 1 8 0",
    ),
)
