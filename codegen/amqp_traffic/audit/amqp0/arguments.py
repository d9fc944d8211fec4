"""Rules about the arguments of 0-x methods: whether they can be decoded, what is reserved, what asserts forbid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_module, load_package

from ...capture.quarantine import Reason
from ...variant_values import variant_value
from ..connection_frames import HEADER, AuditFrame
from ..rule import ERROR, INFO, WARNING, AuditRule, Told
from .setting import AuditSetting

_Fields: TypeAlias = Mapping[str, Any]

# Methods sent for each message. Only their exchange has asserts, and few exchanges are in use: valid ones are remembered.
_FREQUENT = frozenset(("basic.publish", "basic.deliver", "basic.get-ok"))
_MOST_EXCHANGES = 1024
_TEXTS = frozenset(("shortstr", "longstr"))
# Secrets are not stored in a lake, so they cannot be checked. Some mechanisms leave them empty, too.
_SECRETS = {
    "connection.start-ok": "response",
    "connection.secure": "challenge",
    "connection.secure-ok": "response",
    "connection.update-secret": "new-secret",
}
_SECRET_PATHS = frozenset(f"{method}.{field}" for method, field in _SECRETS.items())
# Its asserts compare it with the tune of the server: ``tune-ok-above-tune`` checks them.
_TUNE_OK = "connection.tune-ok"
_RESERVED_PREFIX = "amq."
# Predeclared exchanges may be declared again; generated names come from the server.
_PREDECLARED = frozenset(f"amq.{kind}" for kind in ("direct", "fanout", "topic", "headers", "match"))
_GENERATED = ("amq.gen", "amq.rabbitmq.")
_DECLARES = {"exchange.declare": "exchange", "queue.declare": "queue"}
# The key under which a VARIANT holds a table with repeated names, as a list of pairs.
_PAIRS = "$table"
# The grammar has no hyphens, but all argument names of RabbitMQ do.
_FIELD_NAME = re.compile(r"[A-Za-z$#][A-Za-z0-9_$#.:-]{0,127}\Z")
_TAGS = frozenset(("basic.deliver", "basic.get-ok", "basic.ack", "basic.reject", "basic.nack"))
# Positions in the payload of a content header.
_WEIGHT, _FLAGS, _LAST_FLAG = slice(2, 4), slice(12, 14), 15

_arguments = partial(AuditRule, module=__name__, category="arguments")

unknown_method = _arguments(
    "unknown-method",
    ERROR,
    "A method, or the class of a content header, that the protocol version does not define",
    source="0-9-1 4.2.4",
    example="class 60, method 99",
)
arguments_truncated = _arguments(
    "arguments-truncated",
    ERROR,
    "Arguments or properties that end too early",
    source="0-9-1 4.2.4",
    example="basic.publish without its last octet",
)
arguments_trailing = _arguments(
    "arguments-trailing",
    ERROR,
    "Octets after the last argument or property",
    source="0-9-1 4.2.4",
    example="channel.open with three octets too many",
)
text_not_utf8 = _arguments(
    "text-not-utf8",
    ERROR,
    "A short string that is not valid UTF-8",
    source="0-9-1 4.2.5.3",
    example="a queue name with the octet 0xFF",
)
table_type_unknown = _arguments(
    "table-type-unknown",
    ERROR,
    "A value of an unknown type in a field table",
    source="0-9-1 4.2.5.5",
    example="an argument of the type 'Z'",
)
arguments_undecodable = _arguments(
    "arguments-undecodable",
    ERROR,
    "Arguments or properties that cannot be decoded for another reason",
    source="0-9-1 4.2.5",
    example="a field table that is longer than its frame",
)


@_arguments(
    "our-limit", INFO, source="amqp-codegen: limits of decoding", example="a table in a table, 65 levels deep"
)
def our_limit(frame: AuditFrame, what: str) -> Told:
    """Legal octets that this program does not decode: over 64 levels of nesting, 65,536 values in a list, or 16 MiB in a frame."""
    return f"{what}, beyond our limit; the protocol has none"


@_arguments("header-weight", ERROR, source="0-9-1 4.2.6.1", example="a content header with weight 1")
def header_weight(frame: AuditFrame, weight: int) -> Told:
    """A content header whose weight is not zero: RabbitMQ closes the connection."""
    return f"a content header with weight {weight}"


@_arguments(
    "reserved-not-zero", INFO, source="0-9-1 reserved fields", example="queue.declare with reserved-1 = 7"
)
def reserved_not_zero(frame: AuditFrame, name: str, value: Any) -> Told:
    """A reserved argument that is neither zero nor empty: peers ignore it."""
    return f"{frame.name}: {name} is {value!r:.60}"


@_arguments(
    "spare-bits-set", WARNING, source="0-9-1 4.2.5.2", example="queue.declare with bit 7 of its flags"
)
def spare_bits_set(frame: AuditFrame, name: str, bits: int) -> Told:
    """Unused bits that are set."""
    return f"{frame.name}: {bits:#04x} in the octet of {name}"


assert_broken = _arguments(
    "assert-broken",
    ERROR,
    "An argument that both an assert of the specification and RabbitMQ forbid",
    source="0-9-1 assert",
    example="connection.open with an empty virtual-host",
)
assert_broken_tolerated = _arguments(
    "assert-broken-tolerated",
    INFO,
    "An argument that an assert of the specification forbids but RabbitMQ accepts",
    source="0-9-1 assert",
    example="a queue name with a space in it",
)


@_arguments("table-key", INFO, source="0-9-1 4.2.5.5", example="an argument with the name '1st'")
def table_key(frame: AuditFrame, name: Any) -> Told:
    """A field name in a table that does not begin with a letter, '$' or '#', or is longer than 128 characters."""
    if isinstance(name, str) and _FIELD_NAME.match(name):
        return None
    return f"{frame.name} with the field name {name!r:.60}"


@_arguments("table-key-twice", WARNING, source="0-9-1 4.2.5.5", example="arguments with x-max-length twice")
def table_key_twice(frame: AuditFrame, names: Sequence[Any]) -> Told:
    """A table with several fields of the same name: peers differ in which one they use."""
    times = Counter(map(repr, names))
    return [f"{frame.name} with the field name {name:.60} {n} times" for name, n in times.items() if n > 1]


@_arguments(
    "reserved-name",
    ERROR,
    source="queue.declare.queue/reserved, exchange.declare.exchange/reserved",
    example="queue.declare of amq.mine",
)
def reserved_name(frame: AuditFrame, fields: _Fields) -> Told:
    """A queue or an exchange declared with a name that begins with 'amq.'."""
    name = fields[_DECLARES[frame.name or ""]] or ""
    is_free = not name.startswith(_RESERVED_PREFIX) or name.startswith(_GENERATED) or name in _PREDECLARED
    return None if is_free or fields["passive"] else f"{frame.name} of {name[:80]!r}"


@_arguments(
    "delivery-tag-zero", ERROR, source="delivery-tag/non-zero", example="basic.reject of delivery tag 0"
)
def delivery_tag_zero(frame: AuditFrame, fields: _Fields) -> Told:
    """The delivery tag 0, which no message has."""
    is_zero = fields["delivery_tag"] == 0 and not fields.get("multiple")
    return f"{frame.name} with delivery-tag 0" if is_zero else None


_UNREAD = {
    Reason.UNKNOWN_METHOD.value: unknown_method,
    Reason.ARGS_TRUNCATED.value: arguments_truncated,
    Reason.ARGS_TRAILING.value: arguments_trailing,
    Reason.BAD_UTF8.value: text_not_utf8,
    Reason.TABLE_TAG.value: table_type_unknown,
    Reason.DECODE_ERROR.value: arguments_undecodable,
}


class ArgumentAudit:
    """Judges the arguments of each method by itself, whatever came before."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._is_certain = setting.is_version_exact
        self._exchanges: set[tuple[int, str]] = set()  # without violations

    def undecodable(self, frame: AuditFrame) -> None:
        """Note why a frame could not be decoded."""
        setting = self._setting
        if frame.err == Reason.OUR_LIMIT.value:
            setting.notes.judge(our_limit, frame, f"{frame.name} of {frame.size:,} octets")
            return
        # The payload of a frame that may hold a secret is not kept if it cannot be decoded.
        broken = arguments_undecodable if frame.name in _SECRETS else _UNREAD.get(frame.err or "")
        if broken is None or setting.lost[frame.direction] or not self._is_certain:
            return
        sample = setting.samples.get((frame.direction, frame.offset), b"")
        header_fault = None
        if frame.type == HEADER:
            weight = int.from_bytes(sample[_WEIGHT], "big")
            if weight:
                setting.notes.judge(header_weight, frame, weight)
                return
            header_fault = _examine_header(sample, setting.package)
        if header_fault is not None:
            header_rule, evidence = header_fault
            setting.notes.add(header_rule, frame, evidence, spec_ref="0-9-1 4.2.6.1")
            return
        name = frame.name or f"class {frame.class_id}, method {frame.method_id}"
        why = "which may not be shown" if frame.name in _SECRETS else frame.err
        setting.notes.judge(broken, frame, f"{name} of {frame.size:,} octets: {why}")

    def check(self, frame: AuditFrame, fields: _Fields) -> None:
        """Check the arguments of a method."""
        if not self._is_certain:
            return
        if fields["misfits"] is not None:
            self._misfits(frame, fields["misfits"])
        name, judge = frame.name, self._setting.notes.judge
        if name in _FREQUENT:
            self._frequent_asserts(frame, fields)
        elif name in _checked(self._setting.package):
            self._asserts(frame, fields)
        if fields.get("arguments") is not None:
            self._table(frame, variant_value(fields["arguments"]))
        if name in _DECLARES:
            judge(reserved_name, frame, fields)
        if name in _TAGS and not fields["delivery_tag"]:
            judge(delivery_tag_zero, frame, fields)

    def _misfits(self, frame: AuditFrame, misfits: Any) -> None:
        for name, value in variant_value(misfits).items():
            if name.startswith("bits of ") and not name.startswith("bits of reserved"):
                self._setting.notes.judge(spare_bits_set, frame, name[8:], value)
            elif "reserved" in name and self._setting.connection.facts.get("protocol") != "0-9":
                # Who asks RabbitMQ for 0-9 may send the tickets of 0-9, which 0-9-1 reserves.
                self._setting.notes.judge(reserved_not_zero, frame, name, value)
            elif isinstance(value, bytes):  # the octets of a text
                self._setting.notes.judge(text_not_utf8, frame, f"{frame.name} with {name} {value!r:.60}")

    def header(self, frame: AuditFrame, misfits: Any) -> None:
        """Check what of a content header fits no column: ``misfits`` of the row of its message."""
        setting = self._setting
        if setting.lost[frame.direction] or not self._is_certain:
            return
        values = variant_value(misfits)
        weight = values.pop("$weight", 0)
        if weight:
            setting.notes.judge(header_weight, frame, weight)
        flags = values.pop("$flags", None)
        about_flags = None if flags is None else _examine_flags(flags[0], frame.class_id, setting.package)
        if about_flags is not None:
            rule, evidence = about_flags
            setting.notes.add(rule, frame, evidence, spec_ref="0-9-1 4.2.6.1")
        for name, value in values.items():
            if isinstance(value, bytes):
                setting.notes.judge(text_not_utf8, frame, f"a content header with {name} {value!r:.60}")

    def _table(self, frame: AuditFrame, table: Any) -> None:
        """Check the names of a table. A table with repeated names is a list of pairs."""
        pairs = table.get(_PAIRS) if isinstance(table, dict) else None
        names = [pair[0] for pair in pairs] if isinstance(pairs, list) else list(table)
        for name in names:
            self._setting.notes.judge(table_key, frame, name)
        self._setting.notes.judge(table_key_twice, frame, names)

    def _frequent_asserts(self, frame: AuditFrame, fields: _Fields) -> None:
        exchange = frame.key, fields["exchange"] or ""
        if exchange in self._exchanges or self._asserts(frame, fields):
            return
        if len(self._exchanges) < _MOST_EXCHANGES:
            self._exchanges.add(exchange)

    def _asserts(self, frame: AuditFrame, fields: _Fields) -> bool:
        """Check the asserts. Return whether any is violated."""
        package = self._setting.package
        method_class = load_package(package).METHODS[frame.key]
        validation = load_module(package, "validation")
        method = method_class(
            **{field.name: _value(field, fields) for field in method_class.FIELDS if not field.reserved}
        )
        unjudged = _SECRET_PATHS | _paths_of_octets(frame, fields)
        violated = [text for text in validation.violations(method) if _path(text) not in unjudged]
        if not violated:
            return False
        refused = frozenset(validation.violations(method, "rabbitmq"))
        for text in violated:
            about = assert_broken if text in refused else assert_broken_tolerated
            self._setting.notes.judge(about, frame, text, spec_ref=_path(text))
        return True


def _path(violation: str) -> str:
    """Return the field that a violation is about."""
    return violation.partition(" ")[0].replace("_", "-")


def _paths_of_octets(frame: AuditFrame, fields: _Fields) -> frozenset[str]:
    """Return the fields whose texts are not UTF-8: columns have these with escapes, and there is a finding already."""
    if fields["misfits"] is None:
        return frozenset()
    misfits = variant_value(fields["misfits"])
    names = (name for name, value in misfits.items() if isinstance(value, bytes))
    return frozenset(f"{frame.name}.{name}".replace("_", "-") for name in names)


def _value(field: Any, fields: Any) -> Any:
    """Return the value of an argument, or the empty value of its type. No assert is about a table."""
    if field.type == "table":
        return {}
    value = fields.get(field.name)
    if value is not None:
        return value
    return {"shortstr": "", "longstr": b"", "bit": False}.get(field.type, 0)


@cache
def _checked(package: str) -> frozenset[str]:
    """Return the methods that asserts may be about: all that have strings."""
    return frozenset(
        kind.NAME
        for kind in load_package(package).METHODS.values()
        if kind.NAME != _TUNE_OK and any(field.type in _TEXTS for field in kind.FIELDS)
    )


def _examine_header(sample: bytes, package: str) -> tuple[AuditRule, str] | None:
    """Return the rule that an undecodable content header breaks, and the evidence.

    Args:
        sample: The beginning of the payload.
        package: The generated package.

    Returns:
        None if nothing more exact is known than the reason in the quarantine.
    """
    flags = sample[_FLAGS]
    if len(flags) < len(range(_FLAGS.start, _FLAGS.stop)):
        return None
    return _examine_flags(int.from_bytes(flags, "big"), int.from_bytes(sample[:2], "big"), package)


def _examine_flags(flags: int, class_id: int | None, package: str) -> tuple[AuditRule, str] | None:
    """Return the rule that the first word of property flags breaks, and the evidence; None if it breaks none."""
    properties = load_module(package, "content").PROPERTIES.get(class_id)
    if properties is None:
        return None
    known = sum(1 << _LAST_FLAG - place for place in range(len(properties.FIELDS)))
    unknown = flags & ~known
    if unknown == 1:
        return arguments_undecodable, "a content header with a second word of property flags"
    if unknown:
        return spare_bits_set, f"a content header with property flags {unknown:#06x} that stand for nothing"
    return None
