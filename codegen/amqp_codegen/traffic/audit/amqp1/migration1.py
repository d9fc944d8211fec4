"""What connections of AMQP 1.0 use that stands in the way of a migration to RabbitMQ 4.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.variant_value import variant_value
from ..notes import Notes
from ..trail import TrailFrame

# What addresses of the format 2 begin with; that of the management node is in no format.
_FORMAT_2 = ("/queues/", "/exchanges/", "/management")


def check_address(notes: Notes, frame: TrailFrame, fields: Mapping[str, Any]) -> None:
    """Note an address that RabbitMQ 4 is to do without.

    Args:
        notes: Takes it.
        frame: Of an attach from the client.
        fields: Its fields.
    """
    terminus = fields["source" if fields["role"] else "target"]
    value = {} if terminus is None else variant_value(terminus)
    address = value.get("address") if isinstance(value, dict) else None
    if isinstance(address, str) and address and not address.startswith(_FORMAT_2):
        notes.add("address-of-version-1", frame, f"attach to {address[:80]!r}")
