"""The catalogue, third part: what stands in the way of a migration. Looked for only with its ``--target``."""

from __future__ import annotations

from functools import partial

from .rule import AMQP_1_0, RABBITMQ_4_3, AuditRule, AuditSeverity

_INFO, _WARNING = AuditSeverity.INFO, AuditSeverity.WARNING

_to_4_3 = partial(AuditRule, targets=(RABBITMQ_4_3,), only_for_target=True)
_to_1_0 = partial(AuditRule, targets=(AMQP_1_0,), only_for_target=True)

TO_RABBITMQ_4_3 = (
    _to_4_3(
        "frame-max-below-8192",
        _WARNING,
        "A client with a frame-max below 8192, which RabbitMQ refuses from 4.1 on",
        "RabbitMQ 4.1: initial frame-max",
        "tune-ok with frame-max 4096",
    ),
    _to_4_3(
        "message-above-16-mib",
        _WARNING,
        "A message of more than 16 MiB, the most that RabbitMQ takes from 4.0 on unless told otherwise",
        "RabbitMQ 4.0: max_message_size",
        "a body of 20,000,000 octets",
    ),
    _to_4_3(
        "x-death-published",
        _WARNING,
        "A message that is published with the header x-death: RabbitMQ counts on from there only up to 3.13",
        "RabbitMQ 4.0: x-death header",
        "a message that is published again with the headers it was delivered with",
    ),
    _to_4_3(
        "address-of-version-1",
        _WARNING,
        "An address of the format before RabbitMQ 4.0, which 4 takes only as long as a deprecated feature is permitted",
        "RabbitMQ: deprecated feature amqp_address_v1",
        "attach to /topic/orders instead of /exchanges/amq.topic/orders",
    ),
)

TO_AMQP_1_0 = (
    _to_1_0(
        "transactions-have-no-counterpart",
        _WARNING,
        "Transactions, which RabbitMQ does not have in 1.0",
        "tx; 1.0 part 4",
        "tx.select",
    ),
    _to_1_0(
        "recover-has-no-counterpart",
        _WARNING,
        "A basic.recover: in 1.0 each message is released by itself, or the link is detached",
        "basic.recover; 1.0 3.4.4",
        "basic.recover requeue=1",
    ),
    _to_1_0(
        "nack-multiple-is-a-range",
        _INFO,
        "A settlement of all messages up to one: in 1.0 a disposition has a first and a last delivery of the session",
        "basic.ack.multiple; 1.0 2.7.6",
        "basic.ack of 10 with multiple",
    ),
    _to_1_0(
        "get-becomes-credit",
        _INFO,
        "A basic.get: in 1.0 a receiver gives a credit of one, and drains",
        "basic.get; 1.0 2.6.7",
        "basic.get",
    ),
    _to_1_0(
        "topology-becomes-management",
        _INFO,
        "Queues, exchanges and bindings that are declared or deleted: in 1.0 by requests to the management node",
        "queue, exchange; RabbitMQ: AMQP 1.0 management",
        "queue.declare",
    ),
    _to_1_0(
        "flow-becomes-credit",
        _INFO,
        "A channel.flow: in 1.0 a receiver gives no more credit",
        "channel.flow; 1.0 2.6.7",
        "channel.flow active=0",
    ),
    _to_1_0(
        "mandatory-becomes-outcome",
        _INFO,
        "Mandatory messages: in 1.0 what cannot be routed is released instead of returned",
        "basic.publish.mandatory; 1.0 3.4.4",
        "basic.publish mandatory=1",
    ),
    _to_1_0(
        "confirm-becomes-settlement",
        _INFO,
        "Confirms: in 1.0 the outcome of each delivery, and no count of messages",
        "confirm.select; 1.0 2.6.12",
        "confirm.select",
    ),
    _to_1_0(
        "secret-by-management",
        _INFO,
        "A new secret on an open connection: in 1.0 by a request to the management node",
        "connection.update-secret",
        "connection.update-secret",
    ),
    _to_1_0(
        "header-nested",
        _WARNING,
        "A header that is a table or an array: application properties of 1.0 are simple values only",
        "basic.properties.headers; 1.0 3.2.5",
        "headers with x-death",
    ),
    _to_1_0(
        "header-decimal",
        _WARNING,
        "A header that is a decimal: those of 1.0 are others, and most clients do not have them",
        "0-9-1 4.2.5.5; 1.0 1.6.13",
        "a header of the type 'D'",
    ),
    _to_1_0(
        "header-timestamp",
        _INFO,
        "A header that is a timestamp: in 1.0 of milliseconds instead of seconds",
        "0-9-1 4.2.5.4; 1.0 1.6.17",
        "a header of the type 'T'",
    ),
    _to_1_0(
        "timestamp-becomes-milliseconds",
        _INFO,
        "The property timestamp: in 1.0 creation-time, in milliseconds",
        "basic.properties.timestamp; 1.0 3.2.4",
        "a message with a timestamp",
    ),
    _to_1_0(
        "expiration-becomes-ttl",
        _INFO,
        "The property expiration, a text: in 1.0 ttl, a number of at most 4,294,967,295",
        "basic.properties.expiration; 1.0 3.2.1",
        "expiration '60000'",
    ),
    _to_1_0(
        "user-id-becomes-binary",
        _INFO,
        "The property user-id, a text: in 1.0 octets",
        "basic.properties.user-id; 1.0 3.2.4",
        "user-id 'guest'",
    ),
    _to_1_0(
        "app-id-has-no-counterpart",
        _INFO,
        "The property app-id, which 1.0 has not; RabbitMQ makes an application property of it",
        "basic.properties.app-id; 1.0 3.2.4",
        "app-id 'billing'",
    ),
    _to_1_0(
        "type-has-no-counterpart",
        _INFO,
        "The property type, which 1.0 has not; RabbitMQ makes the annotation x-basic-type of it",
        "basic.properties.type; 1.0 3.2.4",
        "type 'order'",
    ),
    _to_1_0(
        "cluster-id-has-no-counterpart",
        _WARNING,
        "The property cluster-id, which 1.0 has not, and 0-9-1 reserves",
        "basic.properties.reserved; 1.0 3.2.4",
        "cluster-id 'c'",
    ),
)
