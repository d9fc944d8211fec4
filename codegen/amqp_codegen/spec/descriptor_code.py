"""The numbers of descriptors: a domain and an id in it, ``0x00000000:0x00000010``."""

from __future__ import annotations

from .check_value import parse_number

_HALF = 0xFFFF_FFFF
_WHOLE = 0xFFFF_FFFF_FFFF_FFFF


def parse_descriptor_code(text: str) -> int | None:
    """Return ``domain << 32 | id``, also for the whole number written at once; None for anything else."""
    if code_complaint(text):
        return None
    domain, _, identity = text.rpartition(":")
    return (parse_number(domain or "0") or 0) << 32 | (parse_number(identity) or 0)


def code_complaint(text: str) -> str:
    """Return what is wrong with a code, to follow "code <code>"; empty if nothing is."""
    numbers = [parse_number(part) for part in text.split(":")]
    if len(numbers) > 2 or None in numbers:
        return "is not two numbers parted by a colon, like 0x00000000:0x00000010"
    if len(numbers) == 1:
        return f"is larger than {_WHOLE:#x}" if (numbers[0] or 0) > _WHOLE else ""
    for what, number in zip(("a domain", "an id"), numbers, strict=True):
        if (number or 0) > _HALF:
            return f"has {what} larger than {_HALF:#x}"
    return ""
