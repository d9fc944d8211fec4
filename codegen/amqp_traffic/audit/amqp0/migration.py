"""Rules about 0-x features that obstruct a migration to RabbitMQ 4.3 or AMQP 1.0; checked only with that ``--target``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any, TypeAlias

from ...variant_values import variant_value
from ..connection_frames import AuditFrame
from ..finding_log import FindingLog
from ..rule import AMQP_1_0, INFO, RABBITMQ_4_3, WARNING, AuditRule, Told, declared_in, rules_on

_Fields: TypeAlias = Mapping[str, Any]
_LEAST_FRAME_MAX = 8192  # of RabbitMQ from 4.1 on
_DEFAULT_MAX_MESSAGE_SIZE = 16 << 20  # of RabbitMQ from 4.0 on
_X_DEATH = b"x-death"
_PUBLISH = "basic.publish"
_TOPOLOGY = tuple(
    f"{name}{reply}"
    for name in (
        *(f"exchange.{verb}" for verb in ("declare", "delete", "bind", "unbind")),
        *(f"queue.{verb}" for verb in ("declare", "bind", "unbind", "purge", "delete")),
    )
    for reply in ("", "-ok")
)
# What rules judge besides methods: columns of ``messages``, and the headers.
_MESSAGE, _HEADERS = "message", "headers"

_to_4_3 = partial(AuditRule, category="to-rabbitmq-4.3", targets=(RABBITMQ_4_3,), only_for_target=True)
_to_1_0 = partial(
    AuditRule, module=__name__, category="to-amqp-1.0", targets=(AMQP_1_0,), only_for_target=True
)
# A method that is told by its name.
_of_method = partial(_to_1_0, check=lambda frame, fields: frame.name)


def _of_property(name: str, *declared: Any, **more: Any) -> AuditRule:
    """Return the rule about messages with a property; the property and its value are the evidence."""
    label = name.replace("_", "-")

    def check(frame: AuditFrame, message: _Fields) -> Told:
        return None if message[name] is None else f"{label} {message[name]!r:.60}"

    return _to_1_0(*declared, on=(_MESSAGE,), check=check, **more)


def _headers(headers: _Fields, is_one: Callable[[Any], bool], what: str) -> list[str]:
    return [f"header {name[:60]!r} is {what}" for name, value in headers.items() if is_one(value)]


def _is_table(value: Any) -> bool:
    """Return whether a value is a table, not an object that stands for a type VARIANT lacks: ``{"$longstr": ...}``."""
    return isinstance(value, dict) and not (len(value) == 1 and next(iter(value)).startswith("$"))


@_to_4_3(
    "frame-max-below-8192",
    WARNING,
    source="RabbitMQ 4.1: initial frame-max",
    example="tune-ok with frame-max 4096",
)
def frame_max_below_8192(frame: AuditFrame, frame_max: int) -> Told:
    """A client with a frame-max below 8192, which RabbitMQ refuses from 4.1 on."""
    return f"frame-max {frame_max:,}" if 0 < frame_max < _LEAST_FRAME_MAX else None


@_to_4_3(
    "message-above-16-mib",
    WARNING,
    source="RabbitMQ 4.0: max_message_size",
    example="a body of 20,000,000 octets",
)
def message_above_16_mib(frame: AuditFrame, message: _Fields) -> Told:
    """A message of more than 16 MiB, the default limit of RabbitMQ from 4.0 on."""
    size = message["body_size"]
    return f"a body of {size:,} octets" if size is not None and size > _DEFAULT_MAX_MESSAGE_SIZE else None


@_to_4_3(
    "x-death-published",
    WARNING,
    source="RabbitMQ 4.0: x-death header",
    example="a message that is published again with the headers it was delivered with",
)
def x_death_published(frame: AuditFrame, message: _Fields) -> Told:
    """A message published with the header x-death: RabbitMQ continues its counts only up to 3.13."""
    headers = message["headers"]
    # The second part of a VARIANT is its dictionary of names: search that first, it is fast.
    if headers is None or _X_DEATH not in headers[1] or _X_DEATH.decode() not in variant_value(headers):
        return None
    return "basic.publish with the header x-death"


transactions_have_no_counterpart = _of_method(
    "transactions-have-no-counterpart",
    WARNING,
    "Transactions, which RabbitMQ does not support in 1.0",
    source="tx; 1.0 part 4",
    example="tx.select",
    on=("tx.select",),
)
recover_has_no_counterpart = _of_method(
    "recover-has-no-counterpart",
    WARNING,
    "A basic.recover: in 1.0 each message is released separately, or the link is detached",
    source="basic.recover; 1.0 3.4.4",
    example="basic.recover requeue=1",
    on=("basic.recover", "basic.recover-async"),
)


@_to_1_0(
    "nack-multiple-is-a-range",
    INFO,
    source="basic.ack.multiple; 1.0 2.7.6",
    example="basic.ack of 10 with multiple",
    on=("basic.ack", "basic.nack"),
)
def nack_multiple_is_a_range(frame: AuditFrame, fields: _Fields) -> Told:
    """A settlement of all messages up to one: in 1.0 a disposition names the first and the last delivery of the session."""
    if not fields["multiple"]:
        return None
    return f"{frame.name} of {fields['delivery_tag']} with multiple=1"


get_becomes_credit = _of_method(
    "get-becomes-credit",
    INFO,
    "A basic.get: in 1.0 a receiver grants a credit of one and drains",
    source="basic.get; 1.0 2.6.7",
    example="basic.get",
    on=("basic.get",),
)


@_to_1_0(
    "topology-becomes-management",
    INFO,
    source="queue, exchange; RabbitMQ: AMQP 1.0 management",
    example="queue.declare",
    on=_TOPOLOGY,
)
def topology_becomes_management(frame: AuditFrame, fields: _Fields) -> Told:
    """Queues, exchanges and bindings that are declared or deleted: in 1.0 with requests to the management node."""
    return f"{frame.name}: a queue, an exchange or a binding"


flow_becomes_credit = _of_method(
    "flow-becomes-credit",
    INFO,
    "A channel.flow: in 1.0 a receiver stops granting credit",
    source="channel.flow; 1.0 2.6.7",
    example="channel.flow active=0",
    on=("channel.flow",),
)


@_to_1_0(
    "mandatory-becomes-outcome",
    INFO,
    source="basic.publish.mandatory; 1.0 3.4.4",
    example="basic.publish mandatory=1",
    on=("basic.publish",),
)
def mandatory_becomes_outcome(frame: AuditFrame, fields: _Fields) -> Told:
    """Mandatory messages: in 1.0 an unroutable message is released instead of returned."""
    return "basic.publish with mandatory=1" if fields["mandatory"] else None


confirm_becomes_settlement = _of_method(
    "confirm-becomes-settlement",
    INFO,
    "Confirms: in 1.0 each delivery has an outcome, and messages are not counted",
    source="confirm.select; 1.0 2.6.12",
    example="confirm.select",
    on=("confirm.select",),
)
secret_by_management = _of_method(
    "secret-by-management",
    INFO,
    "A new secret on an open connection: in 1.0 with a request to the management node",
    source="connection.update-secret",
    example="connection.update-secret",
    on=("connection.update-secret",),
)


@_to_1_0(
    "header-nested",
    WARNING,
    source="basic.properties.headers; 1.0 3.2.5",
    example="headers with x-death",
    on=(_HEADERS,),
)
def header_nested(frame: AuditFrame, headers: _Fields) -> Told:
    """A header that is a table or an array: application properties of 1.0 hold only simple values."""
    arrays = _headers(headers, lambda value: isinstance(value, list), "an array")
    return [*arrays, *_headers(headers, _is_table, "a table")]


@_to_1_0(
    "header-decimal",
    WARNING,
    source="0-9-1 4.2.5.5; 1.0 1.6.13",
    example="a header of the type 'D'",
    on=(_HEADERS,),
)
def header_decimal(frame: AuditFrame, headers: _Fields) -> Told:
    """A header that is a decimal: 1.0 encodes decimals differently, and most clients do not support them."""
    return _headers(headers, lambda value: isinstance(value, Decimal), "a decimal")


@_to_1_0(
    "header-timestamp",
    INFO,
    source="0-9-1 4.2.5.4; 1.0 1.6.17",
    example="a header of the type 'T'",
    on=(_HEADERS,),
)
def header_timestamp(frame: AuditFrame, headers: _Fields) -> Told:
    """A header that is a timestamp: in 1.0 in milliseconds instead of seconds."""
    return _headers(headers, lambda value: isinstance(value, datetime), "a timestamp")


timestamp_becomes_milliseconds = _of_property(
    "timestamp",
    "timestamp-becomes-milliseconds",
    INFO,
    "The property timestamp: in 1.0 it is creation-time, in milliseconds",
    source="basic.properties.timestamp; 1.0 3.2.4",
    example="a message with a timestamp",
)
expiration_becomes_ttl = _of_property(
    "expiration",
    "expiration-becomes-ttl",
    INFO,
    "The property expiration, a string: in 1.0 it is ttl, a number of at most 4,294,967,295",
    source="basic.properties.expiration; 1.0 3.2.1",
    example="expiration '60000'",
)
user_id_becomes_binary = _of_property(
    "user_id",
    "user-id-becomes-binary",
    INFO,
    "The property user-id, a string: in 1.0 it is binary",
    source="basic.properties.user-id; 1.0 3.2.4",
    example="user-id 'guest'",
)
app_id_has_no_counterpart = _of_property(
    "app_id",
    "app-id-has-no-counterpart",
    INFO,
    "The property app-id, which 1.0 does not have; RabbitMQ converts it to an application property",
    source="basic.properties.app-id; 1.0 3.2.4",
    example="app-id 'billing'",
)
type_has_no_counterpart = _of_property(
    "type",
    "type-has-no-counterpart",
    INFO,
    "The property type, which 1.0 does not have; RabbitMQ converts it to the annotation x-basic-type",
    source="basic.properties.type; 1.0 3.2.4",
    example="type 'order'",
)
cluster_id_has_no_counterpart = _of_property(
    "cluster_id",
    "cluster-id-has-no-counterpart",
    WARNING,
    "The property cluster-id, which 1.0 does not have and 0-9-1 reserves",
    source="basic.properties.reserved; 1.0 3.2.4",
    example="cluster-id 'c'",
)


_RULES = rules_on(declared_in(globals()))


def check_to_rabbitmq(notes: FindingLog, frame: AuditFrame, message: _Fields) -> None:
    """Note what RabbitMQ 4.3 refuses in a message or treats differently."""
    notes.judge(message_above_16_mib, frame, message)
    notes.judge(x_death_published, frame, message)


def check_to_1_0(notes: FindingLog, frame: AuditFrame, fields: _Fields) -> None:
    """Note what a method of a client, and its message, become in AMQP 1.0."""
    notes.judge_all(_RULES.get(frame.name, ()), frame, fields)
    if frame.name != _PUBLISH or frame.message is None:
        return
    notes.judge_all(_RULES[_MESSAGE], frame, frame.message)
    if frame.message["headers"] is None:
        return
    headers = variant_value(frame.message["headers"])
    if isinstance(headers, dict):
        notes.judge_all(_RULES[_HEADERS], frame, headers)
