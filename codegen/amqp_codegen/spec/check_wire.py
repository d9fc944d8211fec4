"""Checks of ``wire.toml`` beyond its form: what would come out as a package that does not work."""

from __future__ import annotations

from collections.abc import Container, Iterator

from ..model.grammar import SENDERS
from ..model.wire import Dialect, Wire
from .wording import quote

KINDS = frozenset(
    {
        *("boolean", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
        *("float", "double", "decimal", "decimal-unsigned", "shortstr", "longstr", "bytes"),
        *("timestamp", "array", "table", "void"),
    }
)


def check_wire(wire: Wire) -> list[str]:
    """What is wrong, a sentence each."""
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
    return problems


def _check_dialect(dialect: Dialect) -> Iterator[str]:
    for letter, kind in dialect.read.items():
        if kind not in KINDS or len(letter) != 1 or not letter.isascii():
            yield f"dialect {quote(dialect.name)}: letter {letter!r} has the unknown kind {kind!r}"
    for letter in (*dialect.integers, *dialect.write.values()):
        if letter not in dialect.read:
            yield f"dialect {quote(dialect.name)} writes the letter {letter!r} but does not read it"
    for letter in dialect.integers:
        if "int" not in dialect.read.get(letter, "int"):
            yield f"dialect {quote(dialect.name)}: the letter {letter!r} carries no integer"


def _unknown(kind: str, name: str, known: Container[str], where: str) -> list[str]:
    return [] if name in known else [f"{where} names the {kind} {name!r}, which is not there"]
