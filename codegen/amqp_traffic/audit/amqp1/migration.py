"""What connections of AMQP 1.0 use that stands in the way of a migration to RabbitMQ 4.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialogue.amqp1.link import address_of
from ..connection_frames import AuditFrame
from ..finding_log import FindingLog

# What addresses of the format 2 begin with; that of the management node is in no format.
_FORMAT_2 = ("/queues/", "/exchanges/", "/management")


def check_address(notes: FindingLog, frame: AuditFrame, fields: Mapping[str, Any]) -> None:
    """Note an address that RabbitMQ 4 is to do without.

    Args:
        notes: Takes it.
        frame: Of an attach from the client.
        fields: Its fields.
    """
    address = address_of(fields["source" if fields["role"] else "target"])
    if address and not address.startswith(_FORMAT_2):
        notes.add("address-of-version-1", frame, f"attach to {address[:80]!r}")
