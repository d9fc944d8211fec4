"""Cases of malicious octets: wrong sizes and counts, deep nesting, invalid text."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case
from .case_factory import CaseFactory
from .values import NULL, ArrayValue, DescribedValue, ListValue, MapValue, Value, string, symbol, uint

MAX_DEPTH = 64
LIMIT = "no more than 65536 elements: a bound of the implementation, not of the specification"
NESTING = "no more than 64 levels: a bound of the implementation, not of the specification"


def malformed_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield the octets that are known to have broken decoders."""
    for element, name, error, octets, note in (*_sizes(), *_counts(), *_maps(), *_arrays(), *_texts()):
        yield factory.rejected_octets(element, name, bytes.fromhex(octets), error, note, "value")
    yield from _nesting(factory)


def _sizes() -> Iterator[tuple[str, str, str, str, str]]:
    note = "the size counts the count and all items (1.4)"
    yield "list", "size-without-count", "malformed", "c0 00 00", note
    yield "list", "size-within-count", "malformed", "d0 00000003 00000000", note
    yield "list", "size-too-small", "truncated", "c0 02 01 54 01", note
    yield "list", "size-too-large", "malformed", "c0 04 01 54 01 40", note
    yield "list", "inner-size-beyond-outer", "truncated", "c0 05 01 c0 05 01 54 01 40 40", note
    yield "map", "size-without-count", "malformed", "c1 00 00", note
    yield "map", "size-too-large", "malformed", "c1 06 02 40 54 01 40 40", note
    yield "array", "size-without-count", "malformed", "e0 00 00 54", note
    yield "array", "size-without-constructor", "truncated", "e0 01 00", note
    yield "array", "size-too-small", "truncated", "e0 03 02 54 01 02", note
    yield "array", "size-too-large", "malformed", "e0 05 02 54 01 02 03", note
    note = "the size goes beyond the octets"
    for element, code in (
        ("binary", "b0"),
        ("string", "b1"),
        ("symbol", "b3"),
        ("list", "d0"),
        ("map", "d1"),
    ):
        for name, size in (("2-31-less-1", "7fffffff"), ("2-31", "80000000"), ("2-32-less-1", "ffffffff")):
            yield element, f"size-{name}", "truncated", f"{code} {size} 00000001 40", note


def _counts() -> Iterator[tuple[str, str, str, str, str]]:
    note = "the count is the number of items (1.2.3)"
    yield "list", "count-too-large", "truncated", "c0 03 02 54 01", note
    yield "list", "count-too-small", "malformed", "c0 04 01 40 54 01", note
    yield "list", "count-beyond-limit", "limit", "d0 00000005 00010001 40", LIMIT
    yield "list", "count-2-32-less-1", "limit", "d0 00000005 ffffffff 40", LIMIT
    yield "map", "count-2-32-less-2", "limit", "d1 00000005 fffffffe 40", LIMIT
    yield "array", "count-2-32-less-1", "limit", "f0 00000006 ffffffff 54 01", LIMIT
    for name, code in (("null", "40"), ("true", "41"), ("uint0", "43"), ("list0", "45")):
        note = f"elements without data; {LIMIT}"
        yield "array", f"2-32-less-1-of-{name}", "limit", f"f0 00000005 ffffffff {code}", note


def _maps() -> Iterator[tuple[str, str, str, str, str]]:
    yield "map", "odd-count", "malformed", "c1 04 03 40 54 01", "each key has a value (1.6.23)"
    yield "map", "one-item", "malformed", "c1 02 01 40", "each key has a value (1.6.23)"
    note = "no key twice (1.6.23)"
    yield "map", "key-twice", "malformed", "c1 0b 04 a1 01 6b 54 01 a1 01 6b 54 02", note
    yield "map", "key-twice-in-other-encodings", "malformed", "c1 06 04 43 40 52 00 40", note
    yield "map", "null-key-twice", "malformed", "c1 07 04 40 54 01 40 54 02", note


def _arrays() -> Iterator[tuple[str, str, str, str, str]]:
    yield "array", "unknown-element", "unknown", "e0 03 01 01 00", "no type has this format code (1.2)"
    yield "array", "no-constructor-after-descriptor", "truncated", "e0 04 01 00 53 10", "1.2.4"
    yield "array", "element-cut-off", "truncated", "e0 04 01 a0 05 61", "an element goes beyond the array"


def _texts() -> Iterator[tuple[str, str, str, str, str]]:
    note = "it is no UTF-8 (1.6.20)"
    yield "string", "stray-continuation", "malformed", "a1 01 80", note
    yield "string", "cut-off-character", "malformed", "a1 02 e2 98", note
    yield "string", "overlong", "malformed", "a1 02 c0 80", note
    yield "string", "surrogate", "malformed", "a1 03 ed a0 80", note
    yield "string", "beyond-unicode", "malformed", "a1 04 f4 90 80 80", note
    yield "string", "latin-1", "malformed", "b1 00000001 e9", note
    yield "symbol", "high-octet", "malformed", "a3 01 80", "it is no ASCII (1.6.21)"
    yield "symbol", "utf-8", "malformed", "b3 00000002 c3 a9", "it is no ASCII (1.6.21)"
    note = "0 or 1 (1.6.2)"
    yield "boolean", "octet-2", "malformed", "56 02", note
    yield "boolean", "octet-255", "malformed", "56 ff", note
    yield "array", "boolean-octet-2", "malformed", "e0 03 01 56 02", note
    note = "a Unicode character (1.6.16)"
    for point in ("0000d800", "0000dfff", "00110000", "ffffffff"):
        yield "char", f"code-point-{point}", "malformed", f"73 {point}", note
    note = "there is more than one value"
    yield "value", "octets-after-it", "malformed", "40 40", note
    yield "value", "descriptor-alone", "truncated", "00 53 10", "a value follows the descriptor (1.2)"


def _nesting(factory: CaseFactory) -> Iterator[Case]:
    """Yield nested compounds and descriptors: at the allowed depth, and deeper."""
    for name, wrap in (
        ("list", lambda inner: ListValue((inner,))),
        ("map", lambda inner: MapValue(((string("k"), inner),))),
        ("described", lambda inner: DescribedValue(symbol("x"), inner)),
        ("array", _array_of),
    ):
        value: Value = ArrayValue("uint", (uint(1),)) if name == "array" else NULL
        levels = 1 if name == "array" else 0
        while levels < MAX_DEPTH:
            value = wrap(value)
            levels += 1
        yield factory.accepted(name, f"{MAX_DEPTH}-levels", value)
        octets = factory.encoder.encode(wrap(value))
        yield factory.rejected_octets(name, f"{MAX_DEPTH + 1}-levels", octets, "limit", NESTING, "value")
    yield factory.rejected_octets("described", "1000-descriptors", bytes(1000), "limit", NESTING, "value")


def _array_of(inner: Value) -> Value:
    return ArrayValue("array", (inner,))
