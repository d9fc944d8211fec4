"""TOML from the standard library, or from its backport on Python 3.10."""

from __future__ import annotations

import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TOMLDecodeError = tomllib.TOMLDecodeError


def loads(text: str) -> dict[str, Any]:
    """Parse a document; raise ``TOMLDecodeError`` if it is not TOML."""
    return tomllib.loads(text)
