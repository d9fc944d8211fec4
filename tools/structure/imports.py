"""The modules of a folder and the imports between them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODEGEN = ROOT / "codegen"


@dataclass(frozen=True)
class Import:
    """One import of a module of ours.

    Attributes:
        lazy: It waits for a call.
        for_types: It is for type checkers, and never runs.
    """

    importer: str
    imported: str
    line: int
    lazy: bool
    for_types: bool = False


@dataclass(frozen=True)
class House:
    """Modules, their source files and the imports between them."""

    files: dict[str, Path]
    imports: list[Import]

    @property
    def line_counts(self) -> list[int]:
        """The number of lines of each file."""
        return [len(path.read_text(encoding="utf-8").splitlines()) for path in self.files.values()]


def read_house(codegen: Path = CODEGEN) -> House:
    """Read every module under ``codegen`` and the imports in it."""
    return read_modules({module_name(path, codegen): path for path in sorted(codegen.rglob("*.py"))})


def read_modules(files: dict[str, Path]) -> House:
    """Read the imports between modules, given by their names."""
    packages = {name for name, path in files.items() if path.name == "__init__.py"}
    imports = [found for name, path in files.items() for found in _imports(name, path, files, packages)]
    return House(files, imports)


def module_name(path: Path, top: Path) -> str:
    """Return the name by which the file is imported where ``top`` is on the path."""
    parts = list(path.relative_to(top).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Return what a file says, nothing if it is no more; no file is read twice."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return ast.parse(text, str(path))


def _imports(name: str, path: Path, files: dict[str, Path], packages: set[str]) -> Iterator[Import]:
    tree = syntax_tree(path)
    # An import in a function runs with its call. One for type checkers never runs, but a reader follows it all the same.
    at_once = {
        id(node)
        for outer in tree.body
        for node in [outer, *getattr(outer, "body", [])]
        if not _is_function(outer)
    }
    for_types = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.If) and "TYPE_CHECKING" in ast.unparse(outer.test)
        for node in outer.body
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = absolute(name, name in packages, node)
            targets = [
                f"{base}.{alias.name}" if f"{base}.{alias.name}" in files else base for alias in node.names
            ]
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            continue
        for target in dict.fromkeys(targets):
            if target in files and target != name:
                yield Import(name, target, node.lineno, id(node) not in at_once, id(node) in for_types)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def absolute(name: str, is_package: bool, node: ast.ImportFrom) -> str:
    """Return the module that an import names, seen from the module ``name``."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, node.module] if node.module else base)
