"""The level words of normative text: MUST, SHOULD and MAY, with and without NOT."""

from __future__ import annotations

import re
from typing import Final

LEVEL: Final = re.compile(r"\b(MUST|SHOULD|MAY)\b(?:\s+(NOT|not)\b)?")


def level_words(text: str) -> tuple[str, ...]:
    """The level words of a text in order; ``MUST not`` counts as ``MUST NOT`` (the files mix both)."""
    return tuple(f"{word} NOT" if negated else word for word, negated in LEVEL.findall(text))
