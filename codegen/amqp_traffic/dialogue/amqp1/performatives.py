"""Performatives as named rows of ``PerformativeColumns`` of the generated package.

``Record._make(row)`` turns a row into a record, ``from_fields`` a mapping of columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

# The two binaries of a VARIANT: its value and its metadata.
Variant: TypeAlias = "tuple[bytes, bytes]"

Record = TypeVar("Record", bound=NamedTuple)


class OpenFields(NamedTuple):
    """The columns of an ``open``."""

    container_id: str
    hostname: str | None
    max_frame_size: int | None
    channel_max: int | None
    idle_time_out: int | None
    outgoing_locales: list[str] | None
    incoming_locales: list[str] | None
    offered_capabilities: list[str] | None
    desired_capabilities: list[str] | None
    properties: Variant | None


class BeginFields(NamedTuple):
    """The columns of a ``begin``."""

    remote_channel: int | None
    next_outgoing_id: int
    incoming_window: int
    outgoing_window: int
    handle_max: int | None
    offered_capabilities: list[str] | None
    desired_capabilities: list[str] | None
    properties: Variant | None


class AttachFields(NamedTuple):
    """The columns of an ``attach``; ``role`` is true for the receiver."""

    name: str
    handle: int
    role: bool
    snd_settle_mode: int | None
    rcv_settle_mode: int | None
    source: Variant | None
    target: Variant | None
    unsettled: Variant | None
    incomplete_unsettled: bool | None
    initial_delivery_count: int | None
    max_message_size: int | None
    offered_capabilities: list[str] | None
    desired_capabilities: list[str] | None
    properties: Variant | None
    misfits: Variant | None


class FlowFields(NamedTuple):
    """The columns of a ``flow``."""

    next_incoming_id: int | None
    incoming_window: int
    next_outgoing_id: int
    outgoing_window: int
    handle: int | None
    delivery_count: int | None
    link_credit: int | None
    available: int | None
    drain: bool | None
    echo: bool | None
    properties: Variant | None


class TransferFields(NamedTuple):
    """The columns of a ``transfer``."""

    handle: int
    delivery_id: int | None
    delivery_tag: bytes | None
    message_format: int | None
    settled: bool | None
    more: bool | None
    rcv_settle_mode: int | None
    state: Variant | None
    resume: bool | None
    aborted: bool | None
    batchable: bool | None


class DispositionFields(NamedTuple):
    """The columns of a ``disposition``; ``role`` is true for the receiver."""

    role: bool
    first: int
    last: int | None
    settled: bool | None
    state: Variant | None
    batchable: bool | None


class DetachFields(NamedTuple):
    """The columns of a ``detach``."""

    handle: int
    closed: bool | None
    error: Variant | None
    error_condition: str | None
    error_description: str | None


class CloseFields(NamedTuple):
    """The columns of a ``close``."""

    error: Variant | None
    error_condition: str | None
    error_description: str | None


# Makes TransferFields of a row in a third of the time of TransferFields._make: there is one for almost every frame.
named_transfer = partial(tuple.__new__, TransferFields)


def from_fields(record: type[Record], fields: Mapping[str, Any]) -> Record:
    """Return a record of columns by name. Missing columns are None, others are ignored."""
    return record._make(map(fields.get, record._fields))
