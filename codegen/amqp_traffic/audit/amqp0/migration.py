"""What 0-x connections use that stands in the way of a migration: to RabbitMQ 4.3, and to AMQP 1.0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from ...decode.variant_values import variant_value
from ..connection_frames import AuditFrame
from ..finding_log import FindingLog

_Fields = Mapping[str, Any]
_MOST_OCTETS = 16 << 20
_X_DEATH = b"x-death"
_TOPOLOGY = (40, 50)  # class ids
_TOPOLOGY_EVIDENCE = "a queue, an exchange or a binding"
_SETTLEMENTS = (0x003C0050, 0x003C0078)
_PUBLISH = 0x003C0028
# Methods that a client of 1.0 has no counterpart of, or another way for.
_METHODS = {
    0x00140014: "flow-becomes-credit",
    0x000A0046: "secret-by-management",
    0x003C0046: "get-becomes-credit",
    0x003C0064: "recover-has-no-counterpart",
    0x003C006E: "recover-has-no-counterpart",
    0x0055000A: "confirm-becomes-settlement",
    0x005A000A: "transactions-have-no-counterpart",
}
_PROPERTIES = {
    "timestamp": "timestamp-becomes-milliseconds",
    "expiration": "expiration-becomes-ttl",
    "user_id": "user-id-becomes-binary",
    "app_id": "app-id-has-no-counterpart",
    "type": "type-has-no-counterpart",
    "cluster_id": "cluster-id-has-no-counterpart",
}


def check_to_rabbitmq(notes: FindingLog, frame: AuditFrame, message: _Fields) -> None:
    """Note what a message has that RabbitMQ 4.3 refuses, or does otherwise with."""
    size = message["body_size"]
    if size is not None and size > _MOST_OCTETS:
        notes.add("message-above-16-mib", frame, f"a body of {size:,} octets")
    headers = message["headers"]
    # The second part of a VARIANT has all names that are in it.
    if headers is not None and _X_DEATH in headers[1] and _X_DEATH.decode() in variant_value(headers):
        notes.add("x-death-published", frame, "basic.publish with the header x-death")


def check_to_1_0(notes: FindingLog, frame: AuditFrame, key: int, fields: _Fields) -> None:
    """Note what a method of a client is in AMQP 1.0.

    Args:
        notes: Takes it.
        frame: The frame, from the client.
        key: Class id << 16 | method id.
        fields: The arguments of the method.
    """
    rule = _METHODS.get(key)
    if rule is not None:
        notes.add(rule, frame, str(frame.name))
    elif frame.class_id in _TOPOLOGY:
        notes.add("topology-becomes-management", frame, f"{frame.name}: {_TOPOLOGY_EVIDENCE}")
    elif key in _SETTLEMENTS and fields["multiple"]:
        tag = fields["delivery_tag"]
        notes.add("nack-multiple-is-a-range", frame, f"{frame.name} of {tag} with multiple=1")
    elif key == _PUBLISH:
        if fields["mandatory"]:
            notes.add("mandatory-becomes-outcome", frame, "basic.publish with mandatory=1")
        if frame.message is not None:
            _properties(notes, frame, frame.message)


def _properties(notes: FindingLog, frame: AuditFrame, message: _Fields) -> None:
    for name, rule in _PROPERTIES.items():
        value = message[name]
        if value is not None:
            notes.add(rule, frame, f"{name.replace('_', '-')} {value!r:.60}")
    if message["headers"] is None:
        return
    headers = variant_value(message["headers"])
    if isinstance(headers, dict):
        for name, rule, what in _headers(headers):
            notes.add(rule, frame, f"header {name[:60]!r} is {what}")


def _headers(headers: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Headers with values that 1.0 does not have alike: name, rule, what the value is."""
    for name, value in headers.items():
        for is_one, rule, what in _KINDS:
            if is_one(value):
                yield name, rule, what


_KINDS: tuple[tuple[Callable[[Any], bool], str, str], ...] = (
    (lambda value: isinstance(value, list), "header-nested", "an array"),
    (lambda value: isinstance(value, dict) and not _is_scalar(value), "header-nested", "a table"),
    (lambda value: isinstance(value, Decimal), "header-decimal", "a decimal"),
    (lambda value: isinstance(value, datetime), "header-timestamp", "a timestamp"),
)


def _is_scalar(value: Mapping[str, Any]) -> bool:
    """Whether it is an object that stands for a value which VARIANT lacks: ``{"$longstr": ...}``."""
    return len(value) == 1 and next(iter(value)).startswith("$")
