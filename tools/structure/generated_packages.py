"""The generated packages: what templates make of imports, also of those inside functions."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from .circles import groups
from .imports import ROOT, House, module_name, read_modules

GENERATED = ROOT / "generated"

# Types refer to each other in the specification of 1.0, so their modules do: they may form circles among themselves.
TYPES = ("archetypes", "messaging", "performatives", "sasl", "transactions")


def read_generated(folder: Path = GENERATED) -> House:
    """Read the modules of the generated packages, without the suites that test them."""
    paths = sorted(folder.glob("amqp_*/**/*.py"))
    return read_modules({module_name(path, folder): path for path in paths})


def package_circles(generated: House) -> list[list[str]]:
    """Return the groups of modules that import each other, at whatever time.

    An import for type checkers is not one: an alias of a type that holds itself needs names of both sides.
    """
    edges: dict[str, list[str]] = defaultdict(list)
    for found in generated.imports:
        if not found.for_types:
            edges[found.importer].append(found.imported)
    return [group for group in groups(edges) if not all(_is_of_types(module) for module in group)]


def _is_of_types(module: str) -> bool:
    return f"{module}.".split(".")[1] in TYPES
