"""Class names with more than one meaning, in our code and against the generated packages."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

from .imports import House, syntax_tree

# Names that a class of ours and one of a generated package share on purpose, at most `MOST_KEPT` of them.
KEPT = {
    "Dialect": "a set of field-table letters, in the model and in the packages",
    "Spec": "the specification: the model, and what every package says of its source",
    "Target": "what is to be generated, as pyproject.toml calls it; the composite of 1.0 has its name from the standard",
}
MOST_KEPT = 3


def class_places(house: House) -> dict[str, list[str]]:
    """Return the modules that define a public class, by its name."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, path in house.files.items():
        for node in syntax_tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    return places


def repeated_names(house: House) -> dict[str, list[str]]:
    """Return the public class names that several modules define, twins in ``amqp0/`` and ``amqp1/`` of one folder aside."""
    places = sorted(class_places(house).items())
    return {name: modules for name, modules in places if len(_meanings(modules)) > 1}


def _meanings(modules: list[str]) -> set[str]:
    """Return what is left of the modules when twins count once: the part before the family's folder."""
    return {re.split(r"\.amqp[01]\b", module, maxsplit=1)[0] for module in modules}


def shared_names(house: House, generated: House) -> dict[str, list[str]]:
    """Return the public class names that our code shares with generated packages: the modules of ours."""
    theirs = class_places(generated)
    return {name: modules for name, modules in sorted(class_places(house).items()) if name in theirs}
