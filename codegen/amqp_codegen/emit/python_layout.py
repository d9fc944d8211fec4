"""Lays out bracketed lists the way the formatter does, so that formatting has nothing left to do."""

from __future__ import annotations

from collections.abc import Sequence

from .python_text import LINE_LENGTH, literal

_STEP = "    "


def fold(prefix: str, parts: Sequence[str], suffix: str, indent: int, one_each: bool = False) -> list[str]:
    """A bracketed list on one line if it fits, else inside the brackets on one line, else one part a line.

    Args:
        prefix: What stands before the parts, its opening bracket last.
        parts: The parts, without commas.
        suffix: What stands after them, its closing bracket first.
        indent: Columns that the caller will indent every line by.
        one_each: Never use the form with all parts on one inner line (imports never have it).

    Returns:
        The lines, without that indent.
    """
    inner = ", ".join(parts)
    if indent + len(prefix) + len(inner) + len(suffix) <= LINE_LENGTH:
        return [f"{prefix}{inner}{suffix}"]
    if not one_each and indent + len(_STEP) + len(inner) <= LINE_LENGTH:
        return [prefix, f"{_STEP}{inner}", suffix]
    return [prefix, *(f"{_STEP}{part}," for part in parts), suffix]


def fold_join(parts: Sequence[str], indent: int) -> list[str]:
    """``return b"".join((...))`` over as many lines as it needs."""
    inner = ", ".join(parts)
    if indent + len(inner) + len('return b"".join(())') <= LINE_LENGTH:
        return [f'return b"".join(({inner}))']
    if indent + len(_STEP) + len(inner) + 2 <= LINE_LENGTH:
        return ['return b"".join(', f"{_STEP}({inner})", ")"]
    return ['return b"".join(', f"{_STEP}(", *(f"{_STEP * 2}{part}," for part in parts), f"{_STEP})", ")"]


def fold_or(target: str, parts: Sequence[str], indent: int) -> list[str]:
    """``target = a | b | ...`` over as many lines as it needs."""
    return fold_operator(f"{target} =", parts, "|", "", indent)


def fold_operator(prefix: str, parts: Sequence[str], operator: str, suffix: str, indent: int) -> list[str]:
    """``prefix a or b ...suffix`` over as many lines as it needs; the operator has blanks around it."""
    inner = f" {operator} ".join(parts)
    if indent + len(prefix) + len(inner) + len(suffix) + 1 <= LINE_LENGTH:
        return [f"{prefix} {inner}{suffix}"]
    if indent + len(_STEP) + len(inner) <= LINE_LENGTH:
        return [f"{prefix} (", f"{_STEP}{inner}", f"){suffix}"]
    rest = [f"{_STEP}{operator} {part}" for part in parts[1:]]
    return [f"{prefix} (", f"{_STEP}{parts[0]}", *rest, f"){suffix}"]


def import_lines(module: str, names: Sequence[str]) -> list[str]:
    """``from module import ...``, the names in the order that import sorters use."""
    ordered = sorted(names, key=_import_order)
    one_line = f"from {module} import {', '.join(ordered)}"
    if len(one_line) <= LINE_LENGTH:
        return [one_line]
    return [f"from {module} import (", *(f"{_STEP}{name}," for name in ordered), ")"]


def _import_order(name: str) -> tuple[int, str, str]:
    """Constants, then classes, then the rest; each without regard to case, then with."""
    bare = name.lstrip("_")
    if bare.isupper() and len(bare) > 1:
        return 0, name.lower(), name
    return (1 if bare[:1].isupper() else 2), name.lower(), name


def fold_tuple(prefix: str, parts: Sequence[str], indent: int) -> list[str]:
    """A keyword argument whose value is a tuple of expressions, its closing bracket and comma included."""
    if len(parts) == 1:
        line = f"{prefix}{parts[0]},),"
        return [line] if indent + len(line) <= LINE_LENGTH else [prefix, f"{_STEP}{parts[0]},", "),"]
    return fold(prefix, parts, "),", indent, one_each=True)


def fold_literals(prefix: str, values: Sequence[str], suffix: str, indent: int) -> list[str]:
    """A bracketed list of string literals."""
    return fold(prefix, [literal(value) for value in values], suffix, indent, one_each=True)
