"""Redaction of secrets in VARIANT values: of values whose names are those of secrets, and of texts that are secret themselves.

A value is written again with the same names, so the metadata stays. ``native/ingest/secrets.c`` finds the values that may need
this, and leaves them to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias

from .secret_names import MARKER, any_secret_text, is_secret_name, is_secret_text, secret_names
from .variant_parts import OBJECT, variant_names, variant_parts

Variant: TypeAlias = "tuple[bytes, bytes]"

# A string of up to 63 octets: its size and type in the first octet.
_MARKER = bytes((len(MARKER) << 2 | 1,)) + MARKER.encode()
_TAG = "$"  # begins names of objects that stand for types that VARIANT lacks
_PAIR = 2
_VARIANT = "variant"  # the type of a column


def redacted_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without secrets; the row itself if it has none."""
    return _redacted_at(row, range(len(row)))


def redacting(read: Callable[..., Any], columns: Iterable[tuple[str, str]]) -> Callable[..., Any]:
    """Return a reader of rows of these columns that leaves out secrets."""
    places = _variants(columns)
    return (lambda *arguments: _redacted_at(read(*arguments), places)) if places else read


def redacting_beginning(read: Callable[..., Any], columns: Iterable[tuple[str, str]]) -> Callable[..., Any]:
    """Return the same of a reader that returns a row and where it ends."""
    places = _variants(columns)
    if not places:
        return read

    def redacted(*arguments: Any) -> tuple[tuple[Any, ...], int]:
        row, end = read(*arguments)
        return _redacted_at(row, places), end

    return redacted


def _variants(columns: Iterable[tuple[str, str]]) -> tuple[int, ...]:
    return tuple(place for place, (_, kind) in enumerate(columns) if kind == _VARIANT)


def _redacted_at(row: tuple[Any, ...], places: Iterable[int]) -> tuple[Any, ...]:
    # A plain loop, as this runs for every row.
    for place in places:
        value = row[place]
        if type(value) is tuple and _may_have_secret(value):
            return tuple(redacted_variant(value) if type(value) is tuple else value for value in row)
    return row


def redacted_variant(variant: Variant) -> Variant:
    """Return a VARIANT without secrets; the same object if it has none."""
    if not _may_have_secret(variant):
        return variant
    value, metadata = variant
    names = variant_names(metadata)
    found = _redacted(value, names)
    return variant if found is value else (found, metadata)


def _may_have_secret(variant: Variant) -> bool:
    value, metadata = variant
    if _has_secret_name(metadata):
        return True
    for last in _last_octets():
        if last in value:  # which is rare, and faster to find than a text
            return any_secret_text(value)
    return False


@cache
def _last_octets() -> tuple[bytes, ...]:
    known = secret_names()
    return tuple({text[-1:].encode() for text in (*known.beginnings, *known.parts)})


@lru_cache(maxsize=4096)
def _has_secret_name(metadata: bytes) -> bool:
    """Return whether a name is that of a secret, or of a value that may have keys of its own: a map as an array of pairs."""
    return any(name in _PAIRS or is_secret_name(name) for name in variant_names(metadata))


_PAIRS = frozenset(("$map", "$table"))


def _redacted(value: bytes, names: Sequence[str]) -> bytes:
    """Return a value without secrets; the same object if it has none."""
    nested = variant_parts(value)
    if nested is None:
        text = _text(value)
        return _MARKER if text is not None and is_secret_text(text) else value
    parts = [_redacted(part, names) for part in nested.parts]
    if nested.kind == OBJECT:
        for number, place in zip(nested.ids, nested.order, strict=True):
            if not names[number].startswith(_TAG) and is_secret_name(names[number]):
                parts[place] = _MARKER
    elif len(parts) == _PAIR and _is_secret_key(nested.parts[0]):
        parts[1] = _MARKER
    if all(new is part for new, part in zip(parts, nested.parts, strict=True)):
        return value
    return nested.joined(parts)


def _is_secret_key(octets: bytes) -> bool:
    """Return whether the first of a pair is the name of a secret: a text, or an object with it, such as a symbol."""
    nested = variant_parts(octets)
    if nested is not None:  # a symbol has one part, a value with a descriptor two
        return nested.kind == OBJECT and len(nested.parts) <= _PAIR and any(map(_is_secret_key, nested.parts))
    key = _text(octets)
    return key is not None and is_secret_name(key.decode(errors="replace"))


_SHORT_STRING, _STRING, _BINARY = 1, 0x40, 0x3C


def _text(octets: bytes) -> bytes | None:
    """Return the octets of a string or a binary."""
    first = octets[0]
    if first & 3 == _SHORT_STRING:
        return octets[1:]
    return octets[5:] if first in (_STRING, _BINARY) else None
