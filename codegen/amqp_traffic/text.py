"""Text from the wire, and names of files, as valid UTF-8 for columns, whatever the octets.

Octets that are not UTF-8 become escapes, as Python's ``backslashreplace`` writes them.
"""

from __future__ import annotations


def decode_text(octets: bytes) -> str:
    """Return octets as text."""
    return octets.decode("utf-8", "backslashreplace")


def valid_text(text: str) -> str:
    """Return text without surrogates: those that stand for octets become escapes of the octets."""
    try:
        return decode_text(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
