"""Text as Python source: literals, docstrings and comments that no specification text can break out of.

Columns of both families, and how they are laid out.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

LINE_LENGTH = 110

# A docstring is written as a plain triple-quoted string; only these could end or distort it.
_DOCSTRING_ESCAPES = {
    ord("\\"): "\\\\",
    ord("\t"): " ",
    ord("\r"): "\\r",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
    0x85: "\\x85",
}


def literal(value: object) -> str:
    """The Python literal of a string, number or octets; double quotes where that needs no escapes."""
    text = ascii(value)  # not repr: what that escapes depends on the Unicode of the interpreter
    prefix = "b" if text.startswith("b'") else ""
    if isinstance(value, (str, bytes)) and text.endswith("'") and '"' not in text:
        return f'{prefix}"{text[len(prefix) + 1 : -1]}"'
    return text


def tuple_literal(values: Iterable[object]) -> str:
    """The Python literal of a tuple of plain values."""
    return tuple_source([literal(value) for value in values])


def tuple_source(parts: Sequence[str]) -> str:
    """A tuple of expressions."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def import_from(module: str, names: Iterable[str]) -> str:
    """``from module import ...``, the names in the order that import sorters use."""
    return f"from {module} import {', '.join(sorted(names, key=_import_order))}"


def _import_order(name: str) -> tuple[int, str, str]:
    """Constants, then classes, then the rest; each without regard to case, then with."""
    bare = name.lstrip("_")
    if bare.isupper() and len(bare) > 1:
        return 0, name.lower(), name
    return (1 if bare[:1].isupper() else 2), name.lower(), name


def docstring(text: str, indent: int) -> str:
    """A docstring: quotes, escapes, and every line but the first indented.

    Args:
        text: The finished lines; wrapping is done where they are made.
        indent: Columns to indent by.
    """
    text = text.strip()
    # A quote at the end would join the closing ones.
    safe = f'{docstring_text(text[:-1])}\\"' if text.endswith('"') else docstring_text(text)
    lines = safe.split("\n")
    margin = " " * indent
    body = "\n".join([lines[0], *(f"{margin}{line}".rstrip() for line in lines[1:])])
    end = f"\n{margin}" if len(lines) > 1 else ""
    return f'"""{body}{end}"""'


def docstring_text(text: str) -> str:
    """A text inside a docstring: escapes only, no quotes around it."""
    return printable(text.translate(_DOCSTRING_ESCAPES)).replace('"""', '\\"\\"\\"')


def printable(text: str) -> str:
    """The text with control characters, marks of direction and lone surrogates as escapes; line ends stay."""
    return "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    # Which characters are printable depends on the Unicode of the interpreter; the output must not. Every
    # interpreter has the tables of Unicode 3.2 besides its own.
    category = unicodedata.ucd_3_2_0.category(character)
    if character in "\n " or category[0] not in "CZ":
        return character
    return (
        character.encode("ascii", "backslashreplace").decode()
        if ord(character) > 0x7F
        else f"\\x{ord(character):02x}"
    )


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Folds one paragraph to lines of ``width``; ``first`` is what the first line starts with."""
    folded = " ".join(text.split())
    return textwrap.wrap(
        folded,
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def paragraphs(text: str, width: int, indent: str = "") -> list[str]:
    """Folds paragraphs, which blank lines separate, with one blank line between them."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        folded = wrap(part, width, indent)
        if folded:
            lines += ["", *folded] if lines else folded
    return lines


def sentence(text: str) -> str:
    """The text with a capital first letter and a full stop."""
    text = " ".join(text.split())
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."


# Words that linters, type checkers and formatters would take as addressed to them.
_DIRECTIVE = re.compile(r"(type|fmt|noqa|isort|mypy|pyright|ruff|pylint|pragma|yapf|nosec)\b", re.IGNORECASE)


def comment_lines(text: str, width: int = LINE_LENGTH - 8) -> list[str]:
    """The lines of a ``#`` comment: folded, and nothing in them that could end the line or be taken as code."""
    lines = [printable(line.replace("\\", "\\\\")) for line in wrap(text, width)]
    return [f"({line})" if _DIRECTIVE.match(line) else line for line in lines]


def comment_text(text: str) -> str:
    """A text inside a comment line of ours, on one line."""
    return printable(text.replace("\\", "\\\\").replace("\n", "\\n"))


def join_words(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


# Name and type.
Column = tuple[str, str]


def columns_literal(columns: Sequence[Column]) -> str:
    """The columns of a kind of rows."""
    return tuple_source([tuple_literal(column) for column in columns])
