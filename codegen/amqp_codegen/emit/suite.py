"""The files of a suite: those that both families have, and those of the family.

The rules that no machine can derive a test from, as stubs of tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import __version__
from ..model.amqp0 import spec
from ..model.amqp0 import spec as spec0
from ..model.amqp0.raw import RawSource
from ..model.amqp1 import spec as spec1
from ..model.amqp1 import types
from ..vectors.case import Case, vectors_text
from .output_file import MARK, PlannedFile
from .python_text import LINE_LENGTH, paragraphs, wrap

Rule = spec.Rule | types.Rule
_WIDTH = LINE_LENGTH - 4
_NO_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Stub:
    """A test that waits for a driver.

    Attributes:
        path: The path of its rule.
        function: The name of the test, after the path; unique.
        text: The docstring: the level, whose duty it is, what it demands, how to test it.
    """

    path: str
    function: str
    text: str


def rule_stubs(rules: Iterable[Rule]) -> list[Stub]:
    """A stub for each rule, in order."""
    stubs: list[Stub] = []
    names: set[str] = set()
    for rule in rules:
        name = _unused(f"test_{_NO_WORD.sub('_', rule.path.lower()).strip('_')}", names)
        names.add(name)
        stubs.append(Stub(rule.path, name, "\n".join(_docstring(rule))))
    return stubs


def _unused(name: str, names: set[str]) -> str:
    """The name, with a number behind it if another path gives the same."""
    number = 2
    candidate = name
    while candidate in names:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _docstring(rule: Rule) -> list[str]:
    level = ", ".join(dict.fromkeys(rule.levels)) or "no level"
    lines = wrap(f"{rule.path}: {level}; duty of: {rule.actor}.", _WIDTH - 3)
    lines += ["", *paragraphs(rule.text, _WIDTH)]
    if rule.scenario:
        lines += ["", *wrap(rule.scenario, _WIDTH, "    ", "Scenario: ")]
    if rule.on_failure:
        lines += ["", f"On failure: {rule.on_failure}."]
    return lines


# What every suite has, from templates/conformance/common/.
_COMMON = (
    "__init__.py",
    "cases.py",
    "conftest.py",
    "peer.py",
    "rules.py",
    "test_constants.py",
    "test_rules.py",
    "test_truncation.py",
    "test_vectors.py",
    "vectors.json",
)
_SCHEMA = "vectors.schema.json"


@dataclass(frozen=True, slots=True)
class Suite:
    """What a family puts into its suites.

    Attributes:
        family: The folder of its templates, ``amqp0`` or ``amqp1``. It has ``package_peer.py``, the module of the
            adapter for the generated package, and ``vectors.schema.json``, which extends the common one.
        modules: The family's own files besides these two, each with a template of that name.
        cases: The test cases.
        truncatable: The kinds of cases of which every proper prefix must be refused as truncated.
        rules: The rules that no machine can derive a test from.
        context: Variables for its templates.
    """

    family: str
    modules: Sequence[str]
    cases: Sequence[Case]
    truncatable: Sequence[str]
    rules: Sequence[Rule]
    context: Mapping[str, Any] = field(default_factory=dict)


def suite_folder(package: str) -> str:
    """Where the suite of a package is, relative to the output folder."""
    return f"conformance/{package}"


def suite_files(
    suite: Suite, spec: spec0.Spec | spec1.Spec, package: str, sources: Sequence[RawSource]
) -> list[PlannedFile]:
    """Every file of the suite of a package.

    Args:
        suite: What the family puts into it.
        spec: The specification.
        package: The name of the package that it tests unless told otherwise.
        sources: The files of the specification.
    """
    generator = f"amqp-codegen {__version__}"
    context = {
        "spec": spec,
        "package": package,
        "stubs": rule_stubs(suite.rules),
        "generator": generator,
        "vectors": vectors_text(generator, spec.version, sources, suite.truncatable, suite.cases),
        **suite.context,
    }
    folder = suite_folder(package)
    files = [PlannedFile(f"{folder}/{name}", f"conformance/common/{name}.jinja", context) for name in _COMMON]
    files += [
        PlannedFile(f"{folder}/{name}", f"conformance/{suite.family}/{name}.jinja", context)
        for name in ("package_peer.py", _SCHEMA, *suite.modules)
    ]
    return [*files, _package_of_suites()]


def _package_of_suites() -> PlannedFile:
    """The folder of all suites; the same whatever the specification, for many share it."""
    mark = f"{MARK}{__version__}; do not edit, generate again."
    return PlannedFile("conformance/__init__.py", "conformance/common/package.py.jinja", {"mark": mark})
