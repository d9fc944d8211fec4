"""The catalogue, fourth part: what only shows across messages, connections and clients."""

from __future__ import annotations

from .rule import AuditRule, AuditSeverity

_INFO, _WARNING, _ERROR = AuditSeverity.INFO, AuditSeverity.WARNING, AuditSeverity.ERROR

TOPOLOGY = (
    AuditRule(
        "queue-declared-differently",
        _WARNING,
        "One queue that is declared in two ways: who comes second is refused",
        "queue.declare.passive/equivalent",
        "durable=1 by one client, durable=0 by another",
    ),
    AuditRule(
        "exchange-declared-differently",
        _WARNING,
        "One exchange that is declared in two ways: who comes second is refused",
        "exchange.declare.passive/equivalent",
        "type 'topic' by one client, 'direct' by another",
    ),
    AuditRule(
        "queue-churn",
        _INFO,
        "A connection that declares more than 100 queues in a minute",
        "RabbitMQ: high churn scenarios",
        "a queue for each request",
    ),
)

PUBLISHING = (
    AuditRule(
        "unroutable-publish",
        _WARNING,
        "Messages that were returned, because no queue wants them",
        "basic.return.reply-code, constant no-route",
        "basic.return 312 NO_ROUTE",
    ),
    AuditRule(
        "published-unconfirmed",
        _INFO,
        "Persistent messages on a channel without confirms and transactions: nobody knows if they arrived",
        "RabbitMQ: publisher confirms",
        "delivery-mode 2 without confirm.select",
    ),
    AuditRule(
        "confirm-missing",
        _WARNING,
        "Messages that were not confirmed within 10 seconds, nor ever",
        "RabbitMQ: publisher confirms",
        "confirm.select, basic.publish, and no basic.ack",
    ),
    AuditRule(
        "confirm-refused",
        _WARNING,
        "Messages that the server did not take, and said so",
        "basic.nack",
        "basic.nack from the server",
    ),
    AuditRule(
        "slow-confirm",
        _WARNING,
        "Confirms of which one of twenty takes more than a second; of at least 20",
        "RabbitMQ: publisher confirms",
        "p95 of 3 seconds",
    ),
    AuditRule(
        "large-message",
        _INFO,
        "Messages of more than 1 MiB, which hold up the others on their connection",
        "RabbitMQ: max_message_size",
        "a body of 5,000,000 octets",
    ),
)

CONSUMING = (
    AuditRule(
        "polling-with-get",
        _WARNING,
        "A channel with more than 100 basic.get of which more than half came back empty",
        "basic.get",
        "basic.get ten times a second",
    ),
    AuditRule(
        "prefetch-unlimited",
        _INFO,
        "A consumer that acknowledges, on a channel without basic.qos: the server sends all there is",
        "basic.qos.prefetch-count",
        "basic.consume without basic.qos",
    ),
    AuditRule(
        "no-ack-consumer",
        _INFO,
        "A consumer that does not acknowledge: what it does not get done is lost",
        "basic.consume.no-ack",
        "basic.consume no-ack=1",
    ),
    AuditRule(
        "slow-ack",
        _INFO,
        "Acknowledgements of which one of twenty takes more than 30 seconds; of at least 20",
        "basic.ack",
        "p95 of 2 minutes",
    ),
    AuditRule(
        "requeue-loop",
        _WARNING,
        "A channel where more than 100 messages came back, which is more than half of all: some are put back again and again",
        "basic.deliver.redelivered, basic.reject.requeue",
        "basic.nack requeue=1 of each delivery",
    ),
)

CLIENTS = (
    AuditRule(
        "reconnect-storm",
        _WARNING,
        "A client that came back more than 20 times in a minute, each time without a clean end",
        "RabbitMQ: high churn scenarios",
        "a connection every second that ends in RST",
    ),
    AuditRule(
        "connection-churn",
        _INFO,
        "A client that opened more than 60 connections in a minute",
        "RabbitMQ: high churn scenarios",
        "a connection for each message",
    ),
    AuditRule(
        "channel-churn",
        _WARNING,
        "A connection that opened more than 100 channels in a minute",
        "RabbitMQ: high churn scenarios",
        "a channel for each message",
    ),
    AuditRule(
        "idle-connection",
        _INFO,
        "A connection of more than a minute on which nothing happened but heartbeats",
        "RabbitMQ: connections",
        "a pool that is larger than needed",
    ),
    AuditRule(
        "client-versions-differ",
        _INFO,
        "One client library in several versions",
        "connection.start-ok.client-properties",
        "pika 1.2.0 and pika 1.3.2",
    ),
    AuditRule(
        "slow-reply",
        _INFO,
        "Requests of which one of twenty takes more than 5 seconds to be answered; of at least 20",
        "0-9-1 2.1.2, synchronous methods",
        "queue.declare with a p95 of 8 seconds",
    ),
    AuditRule(
        "reply-out-of-order",
        _ERROR,
        "A reply before that to an earlier request on the same channel",
        "0-9-1 2.1.2, synchronous methods",
        "queue.declare, queue.bind, queue.bind-ok, queue.declare-ok",
    ),
)
