"""The reader of ``wire.toml``, the wire facts that no specification XML states.

Its checks go beyond the form: they refuse what would lead to a package that does not work.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from ...model.amqp0.class_grammar import SENDERS
from ...model.amqp0.field_types import TABLE_NUMBERS
from ...model.amqp0.wire import (
    Conduct,
    Dialect,
    FieldDefault,
    Profile,
    PropertyCheck,
    Wire,
    WireOverlay,
    WireVersion,
)
from ...model.problem import Position, Problem, SpecError
from ...support import toml
from ...support.wording import quote

_OTHER_KINDS = "boolean decimal decimal-unsigned shortstr longstr bytes array table void"
KINDS = frozenset({*TABLE_NUMBERS, *_OTHER_KINDS.split()})


def check_wire(wire: Wire) -> list[str]:
    """Return the faults, one sentence for each."""
    problems = [text for dialect in wire.dialects.values() for text in _check_dialect(dialect)]
    for version in wire.versions.values():
        problems += _unknown("dialect", version.dialect, wire.dialects, f"version {version.name}")
        for sender in version.senders.values():
            problems += _unknown("sender", sender, SENDERS, f"version {version.name}")
    for name, overlay in wire.overlays.items():
        problems += _unknown("version", overlay.base, wire.versions, f"overlay {name}")
        problems += _unknown("dialect", overlay.dialect, wire.dialects, f"overlay {name}")
    for profile in wire.profiles.values():
        problems += _unknown("dialect", profile.dialect, wire.dialects, f"profile {profile.name}")
    for letter, kind in wire.lenient.items():
        if not _is_letter(letter, kind):
            problems.append(f"lenient reading: letter {letter!r} has the unknown kind {kind!r}")
    return problems


def _is_letter(letter: str, kind: object) -> bool:
    return kind in KINDS and len(letter) == 1 and letter.isascii()


def _check_dialect(dialect: Dialect) -> Iterator[str]:
    for letter, kind in dialect.read.items():
        if not _is_letter(letter, kind):
            yield f"dialect {quote(dialect.name)}: letter {letter!r} has the unknown kind {kind!r}"
    for letter in (*dialect.integers, *dialect.write.values()):
        if letter not in dialect.read:
            yield f"dialect {quote(dialect.name)} writes the letter {letter!r} but does not read it"
    for letter in dialect.integers:
        if "int" not in dialect.read.get(letter, "int"):
            yield f"dialect {quote(dialect.name)}: the letter {letter!r} carries no integer"


def _unknown(kind: str, name: str, known: Container[str], where: str) -> list[str]:
    return [] if name in known else [f"{where} names the {kind} {name!r}, which is not there"]


def read_wire(data: bytes, file: str) -> Wire:
    """Read ``wire.toml``.

    Raises:
        SpecError: It is not TOML, a key is missing, or a letter or kind is unknown.
    """
    place = Position(file, 1, 1)
    try:
        text = data.decode()
        wire = _wire(toml.loads(text), file, text)
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError([Problem("wire-file", f"not readable as TOML: {error}", place)]) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"a key is missing or has the wrong form: {error}"
        raise SpecError([Problem("wire-file", message, place)]) from None
    problems = [Problem("wire-file", message, place) for message in check_wire(wire)]
    if problems:
        raise SpecError(problems)
    return wire


def _wire(document: Mapping[str, Any], file: str, text: str) -> Wire:
    aliases = {"any": _aliases(document["aliases"]["any"])}
    aliases |= {version: _aliases(entries) for version, entries in document["aliases"]["version"].items()}
    dialects = {name: _dialect(name, entry) for name, entry in document["dialects"].items()}
    return Wire(
        dialects=dialects,
        versions={name: _version(name, entry) for name, entry in document["versions"].items()},
        overlays={
            name: WireOverlay(
                entry["base"], entry["version"], entry["title"], entry["dialect"], entry["package"]
            )
            for name, entry in document["overlays"].items()
        },
        types=dict(document["types"]),
        aliases=aliases,
        profiles={name: _profile(name, entry) for name, entry in document["profiles"].items()},
        defaults={
            path: _default(path, entry, Position(file, _line_of(path, text), 1))
            for path, entry in document["defaults"].items()
        },
        required=_reasons(document["required"], "required", "class.method.field or *.method.field"),
        text=_reasons(document["text"], "text", "class.method.field"),
        conduct=_conduct(document["conduct"]),
        lenient={**dialects[document["lenient"]["dialect"]].read, **document["lenient"]["read"]},
    )


def _conduct(entry: Mapping[str, Any]) -> Conduct:
    names = ("consumes", "cancels", "delivers", "fetched", "returns", "voids", "undoes", "flows")
    methods = {name: _texts(entry[name], name) for name in names}
    states = {machine: dict(steps) for machine, steps in entry["states"].items()}
    settles = dict(entry["settles"])
    if not all(isinstance(good, bool) for good in settles.values()):
        raise TypeError("settles must be true or false for each method")
    return Conduct(
        states=states,
        modes=dict(entry["modes"]),
        needed_modes=dict(entry["needed-modes"]),
        settles=settles,
        **methods,
    )


def _reasons(entries: Mapping[str, Any], table: str, form: str) -> dict[str, str]:
    """Return the fields of a table, and the reason for each."""
    for path, reason in entries.items():
        if len(path.split(".")) != 3 or not isinstance(reason, str) or not reason:
            raise TypeError(f"{table} is a {form}, with a reason: {path}")
    return dict(entries)


def _profile(name: str, entry: Mapping[str, Any]) -> Profile:
    finite, checks = entry.get("finite", False), entry.get("properties", {})
    if not isinstance(finite, bool):
        raise TypeError(f"finite of the profile {name} must be true or false")
    return Profile(
        name,
        entry["reason"],
        entry["dialect"],
        _texts(entry["skip"], "skip"),
        finite,
        tuple(_property_check(path, check) for path, check in checks.items()),
    )


def _property_check(path: str, entry: Mapping[str, Any]) -> PropertyCheck:
    if len(path.split(".")) != 3 or path.split(".")[1] != "properties" or len(entry) != 1:
        raise TypeError(f"a check is for a class.properties.property, one for each: {path}")
    [(check, value)] = entry.items()
    if check == "user" and value is True:
        return PropertyCheck(path, check)
    if check == "arrays":
        return PropertyCheck(path, check, keys=_texts(value, path))
    if check not in ("values", "decimal") or not isinstance(value, list):
        raise TypeError(f"{path} has no check {check!r}; known: values, decimal, user = true, arrays")
    if not value or not all(type(part) is int for part in value) or (check == "decimal" and len(value) != 2):
        raise TypeError(f"{check} of {path} must be a list of numbers; decimal has two")
    return PropertyCheck(path, check, tuple(value))


def _default(path: str, entry: Mapping[str, Any], position: Position) -> FieldDefault:
    value, reason = entry["value"], entry["reason"]
    if len(path.split(".")) != 3 or not isinstance(value, (bool, int, str)):
        raise TypeError(f"a default is for a class.method.field, and is a boolean, number or string: {path}")
    if not isinstance(reason, str) or not reason:
        raise TypeError(f"the default of {path} needs a reason")
    return FieldDefault(value, reason, position)


def _line_of(path: str, text: str) -> int:
    """Return the line on which a quoted key first stands."""
    found = re.search(re.escape(f'"{path}"'), text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _dialect(name: str, entry: Mapping[str, Any]) -> Dialect:
    write = dict(entry["write"])
    integers = _texts(write.pop("integers"), "integers")
    return Dialect(name, entry["doc"], dict(entry["read"]), integers, write)


def _version(name: str, entry: Mapping[str, Any]) -> WireVersion:
    return WireVersion(
        name=name,
        header=bytes.fromhex(entry["header"]),
        other_headers=tuple(bytes.fromhex(header) for header in entry["also"]),
        dialect=entry["dialect"],
        overhead=_number(entry, "overhead"),
        frame_end=_number(entry, "frame-end"),
        min_frame_size=_number(entry, "min-frame-size"),
        heartbeat=bytes.fromhex(entry["heartbeat"]),
        frames=dict(entry["frames"]),
        senders=dict(entry.get("senders", {})),
    )


def _aliases(entries: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {path: _texts(names, path) for path, names in entries.items()}


def _texts(value: object, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"{key} must be a list of strings")
    return tuple(value)


def _number(entry: Mapping[str, Any], key: str) -> int:
    value = entry[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} must be a number")
    return value
