"""Delivery states of AMQP 1.0 (part 3, section 3.4; part 4, section 4.5.8): their names, and what they mean."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..variant_value import variant_value

# What is in the column ``settle``; of a state that is no outcome nothing.
ACK, NACK, REJECT, NONE = "ack", "nack", "reject", "none"
_MEANINGS = {"accepted": ACK, "declared": ACK, "rejected": REJECT, "released": NACK, "modified": NACK}


@lru_cache(maxsize=1024)
def read_state(variant: tuple[bytes, bytes]) -> tuple[str | None, str | None]:
    """The name of a delivery state that ``PerformativeColumns`` has read, and what it means to the message.

    An outcome in a transaction counts when it is said, whatever becomes of the transaction.

    Returns:
        The name, for example ``accepted``, and ``ACK``, ``NACK``, ``REJECT``, or None for a state that is no outcome.
    """
    state: Any = variant_value(variant)
    if not isinstance(state, dict):
        return None, None
    name = state.get("$type")
    outcome = state.get("outcome")
    meant = outcome.get("$type") if isinstance(outcome, dict) else name
    return name, _MEANINGS.get(str(meant))
