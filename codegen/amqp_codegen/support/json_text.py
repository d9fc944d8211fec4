"""JSON for people and programs: nothing in it acts on a terminal or turns the direction of writing."""

from __future__ import annotations

import json
import re
from typing import Any

# json.dumps has escaped what is below a blank; DEL and C1 act on terminals, too.
_MAY_ACT = re.compile(r"[^\n -~]")


def json_text(value: Any, *, indent: int | None = None, ascii_only: bool = True) -> str:
    """Return a value as JSON, in which all characters that are not printable are escapes; it stands for the same value.

    Args:
        value: What ``json.dumps`` takes.
        indent: The blanks of each level; None for one line.
        ascii_only: Whether all characters beyond ASCII are escapes, too.
    """
    return _MAY_ACT.sub(_escaped, json.dumps(value, indent=indent, ensure_ascii=ascii_only))


def _escaped(found: re.Match[str]) -> str:
    character = found.group()
    return character if character.isprintable() else "".join(f"\\u{unit:04x}" for unit in _units(character))


def _units(character: str) -> list[int]:
    octets = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(octets[at : at + 2], "big") for at in range(0, len(octets), 2)]
