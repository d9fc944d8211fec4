"""A content header of 0-x that could not be decoded: what is wrong with it, by its octets in the quarantine."""

from __future__ import annotations

from typing import Any

from ....packages import load_module

_WEIGHT = slice(2, 4)
_FLAGS = slice(12, 14)
_LAST_FLAG = 15


def examine_header(sample: bytes, package: str) -> tuple[str, str] | None:
    """A rule, and what is there; None if it cannot be said more exactly.

    Args:
        sample: The beginning of the payload.
        package: The generated package.
    """
    weight, flags = sample[_WEIGHT], sample[_FLAGS]
    properties = load_module(package, "content").PROPERTIES.get(int.from_bytes(sample[:2], "big"))
    if properties is None or len(flags) < len(range(_FLAGS.start, _FLAGS.stop)):
        return None
    if weight != b"\x00\x00":
        return "reserved-not-zero", f"a content header with weight {int.from_bytes(weight, 'big')}"
    unknown = int.from_bytes(flags, "big") & ~_known(properties)
    if unknown == 1:
        return "arguments-undecodable", "a content header with a second word of property flags"
    if unknown:
        return "spare-bits-set", f"a content header with property flags {unknown:#06x} that stand for nothing"
    return None


def _known(properties: Any) -> int:
    return sum(1 << _LAST_FLAG - place for place in range(len(properties.FIELDS)))
