"""The catalogue, third part: what stands in the way of a migration. Looked for only with its ``--target``."""

from __future__ import annotations

from functools import partial

from .rule import RABBITMQ_4_3, AuditRule, Severity

_WARNING = Severity.WARNING

_to_4_3 = partial(AuditRule, targets=(RABBITMQ_4_3,), only_for_target=True)

TO_RABBITMQ_4_3 = (
    _to_4_3(
        "address-of-version-1",
        _WARNING,
        "An address of the format before RabbitMQ 4.0, which 4 takes only as long as a deprecated feature is permitted",
        "RabbitMQ: deprecated feature amqp_address_v1",
        "attach to /topic/orders instead of /exchanges/amq.topic/orders",
    ),
)
