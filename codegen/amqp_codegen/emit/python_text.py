"""Python source text: literals, docstrings and comments that no specification text can break out of."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

LINE_LENGTH = 110

# Docstrings are plain triple-quoted strings; only these characters could end or change them.
_DOCSTRING_ESCAPES = {
    ord("\\"): "\\\\",
    ord("\t"): " ",
    ord("\r"): "\\r",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
    0x85: "\\x85",
}


def literal(value: object) -> str:
    """Return the Python literal of a string, number or octets; in double quotes where that needs no escapes."""
    text = ascii(value)  # not repr: its escapes depend on the Unicode version of the interpreter
    prefix = "b" if text.startswith("b'") else ""
    if isinstance(value, (str, bytes)) and text.endswith("'") and '"' not in text:
        return f'{prefix}"{text[len(prefix) + 1 : -1]}"'
    return text


def tuple_literal(values: Iterable[object]) -> str:
    """Return the Python literal of a tuple of plain values."""
    return tuple_source([literal(value) for value in values])


def mapping_source(entries: Mapping[str, object]) -> str:
    """Return a dictionary whose keys are source: names of classes."""
    return "{" + ", ".join(f"{key}: {value!r}" for key, value in entries.items()) + "}"


def tuple_source(parts: Sequence[str]) -> str:
    """Return the source of a tuple of expressions."""
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


_DIGITS = "0123456789"
_NUMBER_OR_LETTER = re.compile(f"[{_DIGITS}]+|.", re.DOTALL)


def import_from(module: str, names: Iterable[str]) -> str:
    """Return ``from module import ...`` with the names in the order of import sorters."""
    return f"from {module} import {', '.join(sorted(names, key=import_order))}"


def export_list(names: Iterable[str]) -> str:
    """Return the list for ``__all__``, in the same order."""
    return f"[{', '.join(literal(name) for name in sorted(names, key=import_order))}]"


def import_order(name: str) -> tuple[int, tuple[object, ...], tuple[object, ...]]:
    """Return the sort key: constants, then classes, then the rest; case decides last."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, natural_order(name.lower()), natural_order(name)


def natural_order(text: str) -> tuple[object, ...]:
    """Return the sort key by which numbers in names are ordered by their values: ``map8`` before ``map32``."""
    return tuple(
        ("0", int(part)) if part[0] in _DIGITS else (part, 0) for part in _NUMBER_OR_LETTER.findall(text)
    )


def docstring(text: str, indent: int) -> str:
    """Return a docstring of wrapped lines: quoted, escaped, and every line but the first indented."""
    text = text.strip()
    # A quote at the end would merge with the closing ones.
    safe = f'{docstring_text(text[:-1])}\\"' if text.endswith('"') else docstring_text(text)
    first, _, rest = safe.partition("\n")
    # Black takes off what all lines but the first begin with; before 25.1, it left modules alone.
    lines = [first, *(textwrap.dedent(rest).split("\n") if rest else [])]
    margin = " " * indent
    body = "\n".join([lines[0], *(f"{margin}{line}".rstrip() for line in lines[1:])])
    end = f"\n{margin}" if len(lines) > 1 else ""
    return f'"""{body}{end}"""'


def docstring_text(text: str) -> str:
    """Return a text for the inside of a docstring: escaped, without quotes."""
    return printable(text.translate(_DOCSTRING_ESCAPES)).replace('"""', '\\"\\"\\"')


def printable(text: str) -> str:
    """Escape control characters, directional marks and lone surrogates in a text; line ends stay."""
    return "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    # Which characters are printable depends on the interpreter's Unicode version; the output must not. Every
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
    """Fold one paragraph to lines of ``width``; ``first`` starts the first line."""
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
    """Fold paragraphs separated by blank lines; leave one blank line between them."""
    lines: list[str] = []
    for part in text.split("\n\n"):
        folded = wrap(part, width, indent)
        if folded:
            lines += ["", *folded] if lines else folded
    return lines


def sentence(text: str) -> str:
    """Return the text with a capital first letter and a full stop."""
    text = " ".join(text.split())
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else f"{text}."


# Words that linters, type checkers and formatters take as directives.
_DIRECTIVE = re.compile(r"(type|fmt|noqa|isort|mypy|pyright|ruff|pylint|pragma|yapf|nosec)\b", re.IGNORECASE)


def comment_lines(text: str, width: int = LINE_LENGTH - 8) -> list[str]:
    """Return the folded lines of a ``#`` comment; nothing in them ends the line or is read as code."""
    lines = [printable(line.replace("\\", "\\\\")) for line in wrap(text, width)]
    return [f"({line})" if _DIRECTIVE.match(line) else line for line in lines]


def join_words(words: Sequence[str]) -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
