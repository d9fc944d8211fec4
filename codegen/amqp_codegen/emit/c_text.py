"""Text and octets as string literals of C and its kin."""

from __future__ import annotations

# A question mark could be part of a trigraph.
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}


def c_string(value: str | bytes) -> str:
    r"""The string literal of a text, in UTF-8, or of octets; what is not printable ASCII as ``\ooo``."""
    octets = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return f'"{"".join(map(_character, octets))}"'


def _character(octet: int) -> str:
    # Three digits always: less would take in a digit that follows.
    return _ESCAPES.get(octet, chr(octet)) if 0x20 <= octet < 0x7F else f"\\{octet:03o}"
