"""Reads ``wire.toml``, the wire facts that no specification XML states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import toml
from ..model.position import Position
from ..model.problem import Problem, SpecError
from ..model.wire import Dialect, Profile, Wire, WireOverlay, WireVersion

KINDS = frozenset(
    [
        "boolean",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float",
        "double",
        "decimal",
        "decimal-unsigned",
        "shortstr",
        "longstr",
        "bytes",
        "timestamp",
        "array",
        "table",
        "void",
    ]
)


def read_wire(data: bytes, file: str) -> Wire:
    """Reads the file.

    Raises:
        SpecError: It is no TOML, a key is missing, or a letter or kind is not one we know.
    """
    try:
        document = toml.loads(data.decode())
        wire = _wire(document)
    except (toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(
            [Problem("wire-file", f"not readable as TOML: {error}", Position(file, 1, 1))]
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"a key is missing or has the wrong form: {error}"
        raise SpecError([Problem("wire-file", message, Position(file, 1, 1))]) from None
    problems = [
        Problem(
            "wire-file",
            f"dialect {dialect.name!r}: letter {letter!r} has the unknown kind {kind!r}",
            Position(file, 1, 1),
        )
        for dialect in wire.dialects.values()
        for letter, kind in dialect.read.items()
        if kind not in KINDS or len(letter) != 1 or not letter.isascii()
    ]
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
            name: WireOverlay(entry["base"], entry["version"], entry["title"], entry["dialect"], entry["package"])
            for name, entry in document["overlays"].items()
        },
        types=dict(document["types"]),
        aliases=aliases,
        profiles={
            name: Profile(name, entry["reason"], entry["dialect"], tuple(entry["skip"]))
            for name, entry in document["profiles"].items()
        },
    )


def _dialect(name: str, entry: Mapping[str, Any]) -> Dialect:
    write = dict(entry["write"])
    integers = tuple(write.pop("integers"))
    return Dialect(name, entry["doc"], dict(entry["read"]), integers, write)


def _version(name: str, entry: Mapping[str, Any]) -> WireVersion:
    return WireVersion(
        name=name,
        header=bytes.fromhex(entry["header"]),
        other_headers=tuple(bytes.fromhex(each) for each in entry["also"]),
        dialect=entry["dialect"],
        overhead=entry["overhead"],
        frame_end=entry["frame-end"],
        min_frame_size=entry["min-frame-size"],
        heartbeat=bytes.fromhex(entry["heartbeat"]),
        frames=dict(entry["frames"]),
    )


def _aliases(entries: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {path: tuple(names) for path, names in entries.items()}
