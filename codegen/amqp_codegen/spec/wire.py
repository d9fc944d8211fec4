"""Reads ``wire.toml``, the wire facts that no specification XML states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import toml
from ..model.position import Position
from ..model.problem import Problem, SpecError
from ..model.wire import Dialect, Profile, Wire, WireOverlay, WireVersion
from .check_wire import check_wire


def read_wire(data: bytes, file: str) -> Wire:
    """Reads the file.

    Raises:
        SpecError: It is no TOML, a key is missing, or a letter or kind is not one we know.
    """
    place = Position(file, 1, 1)
    try:
        wire = _wire(toml.loads(data.decode()))
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError([Problem("wire-file", f"not readable as TOML: {error}", place)]) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"a key is missing or has the wrong form: {error}"
        raise SpecError([Problem("wire-file", message, place)]) from None
    problems = [Problem("wire-file", message, place) for message in check_wire(wire)]
    if problems:
        raise SpecError(problems)
    return wire


def _wire(document: Mapping[str, Any]) -> Wire:
    aliases = {"any": _aliases(document["aliases"]["any"])}
    aliases |= {version: _aliases(entries) for version, entries in document["aliases"]["version"].items()}
    return Wire(
        dialects={name: _dialect(name, entry) for name, entry in document["dialects"].items()},
        versions={name: _version(name, entry) for name, entry in document["versions"].items()},
        overlays={
            name: WireOverlay(
                entry["base"], entry["version"], entry["title"], entry["dialect"], entry["package"]
            )
            for name, entry in document["overlays"].items()
        },
        types=dict(document["types"]),
        aliases=aliases,
        profiles={
            name: Profile(name, entry["reason"], entry["dialect"], _texts(entry["skip"], "skip"))
            for name, entry in document["profiles"].items()
        },
    )


def _dialect(name: str, entry: Mapping[str, Any]) -> Dialect:
    write = dict(entry["write"])
    integers = _texts(write.pop("integers"), "integers")
    return Dialect(name, entry["doc"], dict(entry["read"]), integers, write)


def _version(name: str, entry: Mapping[str, Any]) -> WireVersion:
    return WireVersion(
        name=name,
        header=bytes.fromhex(entry["header"]),
        other_headers=tuple(bytes.fromhex(each) for each in entry["also"]),
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
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(f"{key} must be a list of strings")
    return tuple(value)


def _number(entry: Mapping[str, Any], key: str) -> int:
    value = entry[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} must be a number")
    return value
