"""The properties of messages that clients of 0-x publish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.variant_value import variant_value
from ..trail import TrailFrame
from .setting0 import Setting0

_MODES = (1, 2)
_HIGHEST_PRIORITY = 9
_YEAR_2200 = 7_258_118_400_000_000  # in microseconds


def check_properties(setting: Setting0, frame: TrailFrame, message: Mapping[str, Any]) -> None:
    """Check the properties of a message.

    Args:
        setting: That of the connection.
        frame: Of basic.publish.
        message: Columns of ``messages``.
    """
    note = setting.notes.add
    user_id, user = message["user_id"], setting.connection.facts.get("user")
    if user_id is not None and user is not None and user_id != user:
        note("user-id-other", frame, f"user-id {user_id[:40]!r} on a connection of {user[:40]!r}")
    expiration = message["expiration"]
    if expiration is not None and not (expiration.isascii() and expiration.isdigit()):
        note("expiration-not-number", frame, f"expiration {expiration[:40]!r}")
    mode = message["delivery_mode"]
    if mode is not None and mode not in _MODES:
        note("delivery-mode-unknown", frame, f"delivery-mode {mode}")
    priority = message["priority"]
    if priority is not None and priority > _HIGHEST_PRIORITY:
        note("priority-above-9", frame, f"priority {priority}")
    seconds = _late_timestamp(message)
    if seconds is not None:
        note("timestamp-not-seconds", frame, f"timestamp {seconds}")


def _late_timestamp(message: Mapping[str, Any]) -> int | None:
    """A timestamp in seconds that is most likely not meant so."""
    timestamp = message["timestamp"]
    if timestamp is not None:
        return int(timestamp) // 1_000_000 if timestamp > _YEAR_2200 else None
    misfits = message["misfits"]
    late = variant_value(misfits).get("timestamp") if misfits is not None else None
    return late if isinstance(late, int) else None
