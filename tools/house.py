"""Measure the structure of the code: files, lines, repeated class names, import circles, arrows that run back.

    python tools/house.py              # the figures
    python tools/house.py --check      # and fail on circles, back arrows and class names with two meanings

The arrows of the house are data here (`ARROWS`); `tools/house_picture.py` draws them.
"""

from __future__ import annotations

import argparse
import ast
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODEGEN = ROOT / "codegen"
PACKAGES = ("amqp_codegen", "amqp_conformance", "amqp_traffic")

# Which folders a folder may import from. A folder of another package is named with its package. "." is what stands directly
# in the package: its public functions. Every folder may import from itself.
_GENERATOR = {
    "model": "",
    "support": "model",
    "reader": "model support",
    "resolve": "reader model support",
    "vectors": "resolve reader model support",
    "emit": "vectors resolve reader model support",
    "lint": "resolve reader model support",
    "diff": "resolve reader model support",
    "export": "resolve reader model support",
    "decode": "emit resolve reader model support",
    "encode": "model support",
    "reference": "decode diff emit vectors resolve reader model support",
    ".": "encode decode lint diff export reference emit vectors resolve reader model support",
    "cli": ". encode decode lint diff export reference emit vectors resolve reader model support",
    # Backends call it; nothing of ours does.
    "build": ". emit model support",
}
# What the other two packages use of the generator.
_PUBLIC = "amqp_codegen/. amqp_codegen/model amqp_codegen/support"
_CONFORMANCE = {
    "engine": _PUBLIC,
    "amqp0": f"engine {_PUBLIC}",
    "amqp1": f"engine {_PUBLIC}",
    "drivers": f"amqp0 amqp1 engine {_PUBLIC}",
    "reports": f"engine {_PUBLIC}",
    ".": f"engine {_PUBLIC}",
    "cli": f"reports drivers amqp0 amqp1 engine {_PUBLIC} amqp_codegen/cli",
}
_TRAFFIC_GROUND = (
    *("recipes", "schemas", "rows", "variant_values", "variant_parts", "secret_names", "variant_redaction"),
)
_TRAFFIC_CORE = (*_TRAFFIC_GROUND, "capture", "streams", "frames", "decode", "dialogue", "messages", "logs")
_TRAFFIC_ABOVE = ("lake", "tasks", "synth", "ingest", "audit", "show", "explain", "report")
_ground = " ".join(_TRAFFIC_GROUND)
_TRAFFIC = {
    **{name: " ".join((*_TRAFFIC_CORE[:index], _PUBLIC)) for index, name in enumerate(_TRAFFIC_CORE)},
    "tasks": f"{_ground} {_PUBLIC}",
    "lake": f"tasks {_ground} {_PUBLIC}",
}
_core = " ".join(_TRAFFIC_CORE)
_TRAFFIC["synth"] = f"{_core} {_PUBLIC}"
_TRAFFIC["ingest"] = f"tasks lake {_core} {_PUBLIC}"
_TRAFFIC["show"] = f"{_core} {_PUBLIC}"
_TRAFFIC["audit"] = f"tasks lake {_core} {_PUBLIC}"
_TRAFFIC["explain"] = f"show audit lake {_core} {_PUBLIC}"
_TRAFFIC["report"] = f"audit lake {_core} {_PUBLIC}"
_TRAFFIC["."] = " ".join((*_TRAFFIC_CORE, *_TRAFFIC_ABOVE, _PUBLIC))
_TRAFFIC["cli"] = f". {' '.join(_TRAFFIC_ABOVE)} {_core} {_PUBLIC} amqp_codegen/cli"

ARROWS: dict[str, dict[str, str]] = {
    "amqp_codegen": _GENERATOR,
    "amqp_conformance": _CONFORMANCE,
    "amqp_traffic": _TRAFFIC,
}


@dataclass(frozen=True)
class Import:
    """One import of a module of ours: who imports, what, in which line, and whether the import waits for a call."""

    importer: str
    imported: str
    line: int
    lazy: bool


@dataclass(frozen=True)
class House:
    """All modules under codegen/, their source files and the imports between them."""

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
                yield Import(name, target, node.lineno, id(node) not in at_once)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def absolute(name: str, is_package: bool, node: ast.ImportFrom) -> str:
    """Return the module that an import names, seen from the module ``name``."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, node.module] if node.module else base)


def room(module: str, house: House) -> tuple[str, str]:
    """Return package and folder of a module; a module or a package's own ``__init__`` stands in the folder "."."""
    package, _, rest = module.partition(".")
    if rest == "__main__":  # it only calls the command line
        return package, "cli"
    folder, _, inner = rest.partition(".")
    alone = not folder or (
        not inner and house.files[module].name != "__init__.py" and folder not in ARROWS.get(package, {})
    )
    return package, "." if alone else folder


def back_arrows(house: House) -> list[str]:
    """Return a line for each import that `ARROWS` does not allow."""
    return [
        f"{found.importer}, line {found.line}: {'/'.join(room(found.importer, house))} imports {found.imported}; "
        "this arrow runs back"
        for found in house.imports
        if not is_allowed(found, house)
    ]


def is_allowed(found: Import, house: House) -> bool:
    """Return whether `ARROWS` allows an import."""
    (package, folder), (other, target) = room(found.importer, house), room(found.imported, house)
    if (package, folder) == (other, target) or package not in ARROWS:
        return True
    if (
        found.imported in PACKAGES
    ):  # for its version; the functions that a package offers import the rest late
        return True
    return (target if package == other else f"{other}/{target}") in ARROWS[package].get(folder, "").split()


def circles(house: House) -> list[list[str]]:
    """Return the groups of modules that import each other when they are imported (Tarjan's algorithm)."""
    edges: dict[str, list[str]] = defaultdict(list)
    for found in house.imports:
        if not found.lazy:
            edges[found.importer].append(found.imported)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for target in edges[module]:
            if target not in index:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in stack:
                low[module] = min(low[module], index[target])
        if low[module] == index[module]:
            start = stack.index(module)
            if len(stack) - start > 1:
                groups.append(sorted(stack[start:]))
            del stack[start:]

    for module in house.files:
        if module not in index:
            visit(module)
    return groups


def repeated_names(house: House) -> dict[str, list[str]]:
    """Return the public class names that several modules define, twins in ``amqp0/`` and ``amqp1/`` of one folder aside."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, path in house.files.items():
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    return {name: modules for name, modules in sorted(places.items()) if len(_meanings(modules)) > 1}


def _meanings(modules: list[str]) -> set[str]:
    """Return what is left of the modules when twins count once: the part before the family's folder."""
    return {re.split(r"\.amqp[01]\b", module, maxsplit=1)[0] for module in modules}


def main() -> int:
    """Print the figures; with ``--check`` return 1 if the house is not in order."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="fail on circles, back arrows and repeated class names"
    )
    arguments = parser.parse_args()
    house = read_house()
    lines = house.line_counts
    print(
        f"{len(lines)} files, {sum(lines)} lines, median {statistics.median(lines):g}, longest {max(lines)}"
    )
    print(
        f"{sum(count <= 60 for count in lines)} files of at most 60 lines, {sum(count > 400 for count in lines)} of more than 400"
    )
    repeated = repeated_names(house)
    print(f"{len(repeated)} public class names with more than one meaning")
    for name, modules in repeated.items():
        print(f"  {name}: {', '.join(modules)}")
    found = circles(house)
    print(f"{len(found)} import circles")
    for group in found:
        print(f"  {' <-> '.join(group)}")
    back = back_arrows(house)
    print(f"{len(back)} arrows that run back")
    for line in back:
        print(f"  {line}")
    return int(arguments.check and bool(found or back or repeated))


if __name__ == "__main__":
    sys.exit(main())
