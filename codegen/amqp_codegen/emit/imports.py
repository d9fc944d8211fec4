"""The import statements of generated modules: what a module does not use is removed, the rest is sorted.

Templates import whatever they may need. This pass keeps the names that the code uses, also in quoted annotations,
and those in ``__all__``. It sorts each block of imports as the rule ``I`` of ruff does. A comment on a line of its
own divides blocks; ``# isort: split`` does so for ruff, too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from .python_text import LINE_LENGTH, import_order, natural_order

_LINE_END = re.compile("\r\n|\r|\n")
_DEFINITION = re.compile("def |class |@|async def ")
# The sections of a block, in order.
_FUTURE, _STANDARD, _INSTALLED, _OWN = range(4)
_HAVE_TYPES = (ast.AnnAssign, ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.Call)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name that an import statement binds; ``module`` is None for ``import name``."""

    level: int
    module: str | None
    name: str
    alias: str
    comment: str

    @property
    def bound(self) -> str:
        """The name that it binds."""
        return self.alias or (self.name if self.module is not None else self.name.partition(".")[0])

    @property
    def section(self) -> int:
        """The section of the block that it belongs to."""
        top = (self.name if self.module is None else self.module).partition(".")[0]
        if self.level:
            return _OWN
        if top == "__future__":
            return _FUTURE
        return _STANDARD if top in sys.stdlib_module_names else _INSTALLED

    @property
    def statement(self) -> tuple[int, bool, int, tuple[object, ...], str, str]:
        """What names of one statement have in common; names with an alias or a comment have one of their own."""
        module = self.name if self.module is None else self.module
        alone = f"{self.name} {self.alias} {self.comment}" if self.alias or self.comment else ""
        return self.section, self.module is not None, -self.level, natural_order(module), module, alone

    @property
    def source(self) -> str:
        """The name as the statement has it."""
        return f"{self.name} as {self.alias}" if self.alias else self.name


def tidy_imports(text: str) -> str:
    """Return the text of a module with the imports that it uses, sorted; a text that is no Python unchanged."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text  # black says what is wrong, and where
    blocks = list(_blocks(tree.body))
    if not blocks:
        return text
    used = _used_names(tree)
    lines = _LINE_END.split(text)
    for block in reversed(blocks):
        _tidy_block(lines, block, used)
    return "\n".join(lines)


def _blocks(body: Sequence[ast.stmt]) -> Iterator[list[ast.Import | ast.ImportFrom]]:
    """Yield the runs of import statements in a module, also below ``if``."""
    for is_import, statements in groupby(
        body, key=lambda entry: isinstance(entry, (ast.Import, ast.ImportFrom))
    ):
        if is_import:
            yield [entry for entry in statements if isinstance(entry, (ast.Import, ast.ImportFrom))]
            continue
        for statement in statements:
            if isinstance(statement, ast.If):
                yield from _blocks(statement.body)
                yield from _blocks(statement.orelse)


def _tidy_block(lines: list[str], block: Sequence[ast.Import | ast.ImportFrom], used: set[str]) -> None:
    """Replace the lines of a block; from the last part to the first, so that the numbers of lines stay true."""
    for part in reversed(list(_parts(lines, block))):
        start, end = part[0].lineno - 1, part[-1].end_lineno or part[-1].lineno
        names = [name for statement in part for name in _names(statement, lines)]
        kept = [name for name in names if name.section == _FUTURE or name.bound in used or name.name == "*"]
        indent = " " * part[0].col_offset
        if indent and not kept:
            continue  # it may be all that the branch has
        if not indent:
            while end < len(lines) and not lines[end].strip():
                end += 1
        sorted_lines = [f"{indent}{line}" if line else "" for line in _sorted_lines(kept)]
        if kept and not indent:
            sorted_lines += ["", ""] if end < len(lines) and _DEFINITION.match(lines[end]) else [""]
        lines[start:end] = sorted_lines


def _parts(
    lines: Sequence[str], block: Sequence[ast.Import | ast.ImportFrom]
) -> Iterator[list[ast.Import | ast.ImportFrom]]:
    """Yield the parts of a block that lines of comments divide; none that shares its lines with other code."""
    part: list[ast.Import | ast.ImportFrom] = []
    for statement in block:
        if part and any(line.strip() for line in lines[part[-1].end_lineno or 0 : statement.lineno - 1]):
            yield part
            part = []
        part.append(statement)
    if not any(";" in line for line in lines[part[0].lineno - 1 : part[-1].end_lineno]):
        yield part


def _names(statement: ast.Import | ast.ImportFrom, lines: Sequence[str]) -> Iterator[_Name]:
    last = lines[(statement.end_lineno or statement.lineno) - 1]
    comment = last[last.index("#") :] if "#" in last else ""
    for name in statement.names:
        if isinstance(statement, ast.Import):
            yield _Name(0, None, name.name, name.asname or "", comment)
        else:
            yield _Name(statement.level, statement.module or "", name.name, name.asname or "", comment)


def _sorted_lines(names: Iterable[_Name]) -> list[str]:
    """Return the statements for names, with an empty line between sections."""
    statements: dict[tuple[object, ...], list[_Name]] = {}
    for name in sorted(set(names), key=lambda name: (import_order(name.name), name.alias)):
        statements.setdefault(name.statement, []).append(name)
    lines: list[str] = []
    section = None
    for members in sorted(
        statements.values(), key=lambda members: (*members[0].statement[:5], import_order(members[0].name))
    ):
        if section not in (None, members[0].section):
            lines.append("")
        section = members[0].section
        lines += _statement_lines(members)
    return lines


def _statement_lines(names: Sequence[_Name]) -> list[str]:
    """Return a statement as black folds it."""
    first = names[0]
    start = "import" if first.module is None else f"from {'.' * first.level}{first.module} import"
    sources = [name.source for name in names]
    line = f"{start} {', '.join(sources)}{f'  {first.comment}' if first.comment else ''}"
    if len(line) <= LINE_LENGTH or first.module is None or first.comment:
        return [line]
    return [f"{start} (", *(f"    {source}," for source in sources), ")"]


def _used_names(tree: ast.AST) -> set[str]:
    """Return the names that code uses, also in quoted types and in ``__all__``."""
    names: set[str] = set()
    stack: list[object] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(
                node.ctx, ast.Store
            ):  # a member of an enum may have the name of something imported
                names.add(node.id)
        elif isinstance(node, ast.AST):
            if isinstance(node, _HAVE_TYPES):
                for type_ in _types(node):
                    names |= _names_in_quotes(type_)
            elif isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
                names |= {str(leaf.value) for leaf in ast.walk(node.value) if isinstance(leaf, ast.Constant)}
            for value in node.__dict__.values():
                if isinstance(value, list):
                    stack += value
                elif isinstance(value, ast.AST):
                    stack.append(value)
    return names


def _types(
    node: ast.AnnAssign | ast.arg | ast.FunctionDef | ast.AsyncFunctionDef | ast.Call,
) -> list[ast.expr | None]:
    """Return the types that are written at a node."""
    match node:
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return [node.value]
        case ast.AnnAssign() | ast.arg():
            return [node.annotation]
        case ast.Call(func=ast.Name("cast"), args=[type_, _]):
            return [type_]
        case ast.Call():
            return [keyword.value for keyword in node.keywords if keyword.arg == "bound"]
        case _:
            return [node.returns]


def _names_in_quotes(type_: ast.expr | None) -> set[str]:
    """Return the names in the quoted parts of a type."""
    names: set[str] = set()
    for node in ast.walk(type_) if type_ else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError):  # of a literal, not of a type
                names |= _used_names(ast.parse(node.value, mode="eval"))
    return names
