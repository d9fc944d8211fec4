"""The rule about AMQP 1.0 features that obstruct a migration to RabbitMQ 4.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialogue.amqp1.link import address_of
from ..connection_frames import AuditFrame
from ..rules.rule import RABBITMQ_4_3, AuditSeverity, Told, rule

# The prefixes of addresses in format 2, and the address of the management node, which has no format.
_FORMAT_2 = ("/queues/", "/exchanges/", "/management")


@rule(
    "address-of-version-1",
    AuditSeverity.WARNING,
    category="to-rabbitmq-4.3",
    source="RabbitMQ: deprecated feature amqp_address_v1",
    example="attach to /topic/orders instead of /exchanges/amq.topic/orders",
    targets=(RABBITMQ_4_3,),
    only_for_target=True,
)
def address_of_version_1(frame: AuditFrame, fields: Mapping[str, Any]) -> Told:
    """An address in the format of RabbitMQ before 4.0, which 4 accepts only while a deprecated feature is permitted."""
    address = address_of(fields["source" if fields["role"] else "target"])
    return f"attach to {address[:80]!r}" if address and not address.startswith(_FORMAT_2) else None
