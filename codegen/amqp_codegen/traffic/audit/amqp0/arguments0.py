"""The arguments of methods of 0-x: whether they can be decoded, what is reserved, what asserts forbid."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from ....packages import load_module, load_package
from ...core.quarantine import Reason
from ...core.variant_value import variant_value
from ..trail import HEADER, TrailFrame
from .header0 import examine_header
from .setting0 import Setting0

_RULES = {
    Reason.UNKNOWN_METHOD.value: "unknown-method",
    Reason.ARGS_TRUNCATED.value: "arguments-truncated",
    Reason.ARGS_TRAILING.value: "arguments-trailing",
    Reason.BAD_UTF8.value: "text-not-utf8",
    Reason.TABLE_TAG.value: "table-type-unknown",
    Reason.DECODE_ERROR.value: "arguments-undecodable",
}
# What is sent for each message: only the exchange has asserts, and there are few of them.
_FREQUENT = frozenset((0x003C0028, 0x003C003C, 0x003C0047))
_MOST_EXCHANGES = 1024
_TEXTS = frozenset(("shortstr", "longstr"))
# Secrets, which no lake has: nothing can be said of what stands there instead. Some mechanisms leave them empty, too.
_SECRETS = {
    "connection.start-ok": "response",
    "connection.secure": "challenge",
    "connection.secure-ok": "response",
    "connection.update-secret": "new-secret",
}
_SECRET_PATHS = frozenset(f"{method}.{field}" for method, field in _SECRETS.items())
# Its asserts compare with what the server said, and are checked as ``tune-ok-above-tune``.
_TUNE_OK = 0x000A001F
_RESERVED_PREFIX = "amq."
# There from the beginning, or named by the server: who declares them finds them.
_PREDECLARED = frozenset(f"amq.{kind}" for kind in ("direct", "fanout", "topic", "headers", "match"))
_GENERATED = ("amq.gen", "amq.rabbitmq.")
_DECLARES = {0x0028000A: "exchange", 0x0032000A: "queue"}
# What stands for a table that VARIANT cannot hold as an object.
_PAIRS = "$table"
# Hyphens are not in the grammar, but in the names of all arguments of RabbitMQ.
_FIELD_NAME = re.compile(r"[A-Za-z$#][A-Za-z0-9_$#.:-]{0,127}\Z")
_TAGS = {
    0x003C003C: "basic.deliver",
    0x003C0047: "basic.get-ok",
    0x003C0050: "basic.ack",
    0x003C005A: "basic.reject",
    0x003C0078: "basic.nack",
}


class Arguments0:
    """Looks at methods without regard to what came before."""

    __slots__ = ("_exchanges", "_setting")

    def __init__(self, setting: Setting0) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._exchanges: set[tuple[int, str]] = set()  # without violations

    def undecodable(self, frame: TrailFrame) -> None:
        """A frame could not be decoded."""
        setting = self._setting
        # Of what may have a secret there is nothing left if it cannot be decoded, and that has an error of its own.
        rule = "arguments-undecodable" if frame.name in _SECRETS else _RULES.get(frame.err or "")
        if rule is None or setting.lost[frame.direction] or not setting.is_version_certain:
            return
        sample = setting.samples.get((frame.direction, frame.offset), b"")
        found = examine_header(sample, setting.package) if frame.type == HEADER else None
        if found is not None:
            setting.notes.add(found[0], frame, found[1], spec_ref="0-9-1 4.2.6.1")
            return
        name = frame.name or f"class {frame.class_id}, method {frame.method_id}"
        why = "which may not be shown" if frame.name in _SECRETS else frame.err
        setting.notes.add(rule, frame, f"{name} of {frame.size:,} octets: {why}")

    def check(self, frame: TrailFrame, key: int, fields: Any) -> None:
        """Check the arguments of a method."""
        if fields["misfits"] is not None:
            self._misfits(frame, fields["misfits"])
        if key in _FREQUENT:
            self._frequent_asserts(frame, key, fields)
        elif key in _checked(self._setting.package):
            self._asserts(frame, key, fields)
        if fields.get("arguments") is not None:
            self._table(frame, variant_value(fields["arguments"]))
        if key in _DECLARES:
            self._reserved_name(frame, fields[_DECLARES[key]] or "", fields)
        if key in _TAGS and fields["delivery_tag"] == 0 and not fields.get("multiple"):
            self._setting.notes.add("delivery-tag-zero", frame, f"{_TAGS[key]} with delivery-tag 0")

    def _misfits(self, frame: TrailFrame, misfits: Any) -> None:
        for name, value in variant_value(misfits).items():
            if name.startswith("bits of ") and not name.startswith("bits of reserved"):
                self._setting.notes.add(
                    "spare-bits-set", frame, f"{frame.name}: {value:#04x} in the octet of {name[8:]}"
                )
            elif "reserved" in name:
                self._setting.notes.add("reserved-not-zero", frame, f"{frame.name}: {name} is {value!r:.60}")

    def _table(self, frame: TrailFrame, table: Any) -> None:
        """Check the names of a table. Where a name is there twice, it is a list of pairs."""
        pairs = table.get(_PAIRS) if isinstance(table, dict) else None
        names = [pair[0] for pair in pairs] if isinstance(pairs, list) else list(table)
        for name in names:
            if not (isinstance(name, str) and _FIELD_NAME.match(name)):
                self._setting.notes.add("table-key", frame, f"{frame.name} with the field name {name!r:.60}")
        if len(set(map(repr, names))) < len(names):
            self._setting.notes.add("table-key-twice", frame, f"{frame.name} with a field name twice")

    def _frequent_asserts(self, frame: TrailFrame, key: int, fields: Any) -> None:
        exchange = key, fields["exchange"] or ""
        if exchange in self._exchanges or self._asserts(frame, key, fields):
            return
        if len(self._exchanges) < _MOST_EXCHANGES:
            self._exchanges.add(exchange)

    def _asserts(self, frame: TrailFrame, key: int, fields: Any) -> bool:
        """Check the asserts; returns whether any is violated."""
        package = self._setting.package
        kind, validation = load_package(package).METHODS[key], load_module(package, "validation")
        method = kind(**{each.name: _value(each, fields) for each in kind.FIELDS if not each.reserved})
        found = [text for text in validation.violations(method) if _path(text) not in _SECRET_PATHS]
        if not found:
            return False
        refused = frozenset(validation.violations(method, "rabbitmq"))
        for text in found:
            rule = "assert-broken" if text in refused else "assert-broken-tolerated"
            self._setting.notes.add(rule, frame, text, spec_ref=_path(text))
        return True

    def _reserved_name(self, frame: TrailFrame, name: str, fields: Any) -> None:
        is_free = not name.startswith(_RESERVED_PREFIX) or name.startswith(_GENERATED) or name in _PREDECLARED
        if not is_free and not fields["passive"]:
            self._setting.notes.add("reserved-name", frame, f"{frame.name} of {name[:80]!r}")


def _path(violation: str) -> str:
    """The field that a violation is about."""
    return violation.partition(" ")[0].replace("_", "-")


def _value(field: Any, fields: Any) -> Any:
    """What stands for an argument. No assert is about a table."""
    if field.type == "table":
        return {}
    value = fields.get(field.name)
    if value is not None:
        return value
    return {"shortstr": "", "longstr": b"", "bit": False}.get(field.type, 0)


@cache
def _checked(package: str) -> frozenset[int]:
    """The methods that asserts may be about: all that have texts."""
    methods = load_package(package).METHODS
    return frozenset(
        key
        for key, kind in methods.items()
        if key != _TUNE_OK and any(field.type in _TEXTS for field in kind.FIELDS)
    )
