"""What clients of 0-x use that is deprecated, or that RabbitMQ refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...decode.variant_values import variant_value
from ..connection_frames import AuditFrame
from ..finding_log import FindingLog

_Fields = Mapping[str, Any]
_ACCESS = 30  # class id
# Arguments of queue.declare that are deprecated whatever their value.
_ARGUMENTS = {
    "x-queue-mode": "queue-mode",
    "x-queue-master-locator": "queue-master-locator",
    "x-ha-policy": "mirrored-queue",
    "x-ha-nodes": "mirrored-queue",
}


def check_deprecated(notes: FindingLog, frame: AuditFrame, key: int, fields: _Fields) -> None:
    """Note what a method of a client uses.

    Args:
        notes: Takes it.
        frame: The frame, from the client.
        key: Class id << 16 | method id.
        fields: The arguments of the method.
    """
    handler = _HANDLERS.get(key)
    if handler is not None:
        handler(notes, frame, fields)
    elif frame.class_id == _ACCESS:
        notes.add("access-request", frame, str(frame.name))


def _queue_declare(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if fields["passive"]:
        return
    queue = f"queue {(fields['queue'] or '')[:80]!r}"
    if not fields["durable"] and not fields["exclusive"]:
        notes.add("transient-queue", frame, f"{queue} with durable=0 exclusive=0")
    arguments = {} if fields["arguments"] is None else variant_value(fields["arguments"])
    if not isinstance(arguments, dict):
        return
    for name, rule in _ARGUMENTS.items():
        if name in arguments:
            notes.add(rule, frame, f"{queue} with {name}={arguments[name]!r:.60}")
    if arguments.get("x-queue-version") == 1:
        notes.add("queue-version-1", frame, f"{queue} with x-queue-version=1")


def _exchange_declare(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if fields.get("auto_delete") and not fields["passive"]:
        notes.add("auto-delete-exchange", frame, f"exchange {(fields['exchange'] or '')[:80]!r}")


def _qos(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if fields["global_"]:
        notes.add(
            "global-qos", frame, f"basic.qos with prefetch-count {fields['prefetch_count']} and global=1"
        )
    if fields["prefetch_size"]:
        notes.add("prefetch-size", frame, f"basic.qos with prefetch-size {fields['prefetch_size']}")


def _consume(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if fields["no_local"]:
        notes.add("no-local", frame, f"basic.consume of queue {(fields['queue'] or '')[:80]!r}")


def _publish(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if fields["immediate"]:
        notes.add(
            "immediate-publish", frame, f"basic.publish to exchange {(fields['exchange'] or '')[:80]!r}"
        )


def _recover(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if not fields["requeue"]:
        notes.add("recover-without-requeue", frame, f"{frame.name} with requeue=0")
    if frame.name == "basic.recover-async":
        notes.add("recover-async", frame, "basic.recover-async")


def _flow(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    if not fields["active"]:
        notes.add("client-flow", frame, "channel.flow with active=0 from the client")


def _tx(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    notes.add("transactions", frame, "tx.select")


_HANDLERS: Mapping[int, Callable[[FindingLog, AuditFrame, _Fields], None]] = {
    0x00140014: _flow,
    0x0028000A: _exchange_declare,
    0x0032000A: _queue_declare,
    0x003C000A: _qos,
    0x003C0014: _consume,
    0x003C0028: _publish,
    0x003C0064: _recover,
    0x003C006E: _recover,
    0x005A000A: _tx,
}
