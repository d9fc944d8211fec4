"""TOML, from a file or from standard input."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

TOMLDecodeError = tomllib.TOMLDecodeError


_STANDARD_INPUT = Path("-")


def read_text(path: Path) -> str:
    """Return the text of a file; ``-`` is standard input.

    Raises:
        OSError: It cannot be read.
        UnicodeDecodeError: It is not UTF-8.
    """
    if path == _STANDARD_INPUT:
        return sys.stdin.buffer.read().decode() if sys.stdin else ""
    return path.read_text(encoding="utf-8")


def loads(text: str) -> dict[str, Any]:
    """Parse a document; raise ``TOMLDecodeError`` if it is not TOML."""
    return tomllib.loads(text)
