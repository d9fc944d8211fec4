"""Rules about the properties of messages that 0-x clients publish."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, TypeAlias

from ...variant_values import variant_value
from ..connection_frames import AuditFrame
from ..rule import AMQP_1_0, INFO, WARNING, AuditRule, Told, declared_in
from .setting import AuditSetting

_Message: TypeAlias = Mapping[str, Any]  # columns of ``messages``

_MODES = (1, 2)
_HIGHEST_PRIORITY = 9
_YEAR_2200 = 7_258_118_400_000_000  # in microseconds
_properties = partial(AuditRule, category="properties")


@_properties(
    "user-id-other",
    WARNING,
    source="RabbitMQ: validated user-id",
    example="user-id 'root' on a connection of guest",
)
def user_id_other(frame: AuditFrame, message: _Message, user: str | None) -> Told:
    """A message whose user-id is not the user of the connection, which RabbitMQ refuses from most users."""
    user_id = message["user_id"]
    if user_id is None or user is None or user_id == user:
        return None
    return f"user-id {user_id[:40]!r} on a connection of {user[:40]!r}"


@_properties("expiration-not-number", WARNING, source="RabbitMQ: time-to-live", example="expiration '10s'")
def expiration_not_number(frame: AuditFrame, message: _Message, user: str | None) -> Told:
    """An expiration that is not a number of milliseconds, which RabbitMQ refuses."""
    expiration = message["expiration"]
    if expiration is None or (expiration.isascii() and expiration.isdigit()):
        return None
    return f"expiration {expiration[:40]!r}"


@_properties(
    "delivery-mode-unknown", INFO, source="basic.properties.delivery-mode", example="delivery-mode 0"
)
def delivery_mode_unknown(frame: AuditFrame, message: _Message, user: str | None) -> Told:
    """A delivery mode that is neither 1 nor 2."""
    mode = message["delivery_mode"]
    return None if mode is None or mode in _MODES else f"delivery-mode {mode}"


@_properties(
    "priority-above-9", INFO, source="basic.properties.priority", example="priority 200", targets=(AMQP_1_0,)
)
def priority_above_9(frame: AuditFrame, message: _Message, user: str | None) -> Told:
    """A priority above 9, the highest of the specification."""
    priority = message["priority"]
    return f"priority {priority}" if priority is not None and priority > _HIGHEST_PRIORITY else None


@_properties(
    "timestamp-not-seconds", INFO, source="basic.properties.timestamp", example="timestamp 1767225600000"
)
def timestamp_not_seconds(frame: AuditFrame, message: _Message, user: str | None) -> Told:
    """A timestamp after the year 2200: most likely in milliseconds instead of seconds."""
    seconds = _late_timestamp(message)
    return None if seconds is None else f"timestamp {seconds}"


_RULES = tuple(declared_in(globals()))


def check_properties(setting: AuditSetting, frame: AuditFrame, message: _Message) -> None:
    """Check the properties of the message that a basic.publish begins."""
    user = setting.connection.facts.get("user")
    setting.notes.judge_all(_RULES, frame, message, user)


def _late_timestamp(message: _Message) -> int | None:
    """Return a timestamp that is too late to be one in seconds, or None."""
    timestamp = message["timestamp"]
    if timestamp is not None:
        return int(timestamp) // 1_000_000 if timestamp > _YEAR_2200 else None
    misfits = message["misfits"]
    late = variant_value(misfits).get("timestamp") if misfits is not None else None
    return late if isinstance(late, int) else None
