"""The files of a conformance suite, and test stubs for the rules that no test can be derived from."""

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
from ..vectors.case import Case, Schema, vectors_text
from .python_text import LINE_LENGTH, paragraphs, wrap
from .source_text import MARK
from .target import PlannedFile

Rule = spec.Rule | types.Rule
_DOCSTRING_WIDTH = LINE_LENGTH - 4
_SEPARATORS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Stub:
    """A test that a user has to complete.

    Attributes:
        path: The path of its rule.
        function: The unique name of the test, made from the path.
        text: The docstring: level and actor of the rule, its text, and how to test it.
    """

    path: str
    function: str
    text: str


def rule_stubs(rules: Iterable[Rule]) -> list[Stub]:
    """Return a stub for each rule, in order."""
    stubs: list[Stub] = []
    names: set[str] = set()
    for rule in rules:
        name = _unused(f"test_{_SEPARATORS.sub('_', rule.path.lower()).strip('_')}", names)
        names.add(name)
        stubs.append(Stub(rule.path, name, "\n".join(_docstring(rule))))
    return stubs


def _unused(name: str, names: set[str]) -> str:
    """Return the name, with a number appended if another path gave the same one."""
    number = 2
    candidate = name
    while candidate in names:
        candidate, number = f"{name}_{number}", number + 1
    return candidate


def _docstring(rule: Rule) -> list[str]:
    level = ", ".join(dict.fromkeys(rule.levels)) or "no level"
    section = f"; section {rule.section}" if isinstance(rule, types.Rule) and rule.section else ""
    lines = wrap(f"{rule.path}: {level}; duty of: {rule.actor}{section}.", _DOCSTRING_WIDTH - 3)
    lines += ["", *paragraphs(rule.text, _DOCSTRING_WIDTH)]
    if rule.scenario:
        lines += ["", *wrap(rule.scenario, _DOCSTRING_WIDTH, "    ", "Scenario: ")]
    if rule.on_failure:
        lines += ["", f"On failure: {rule.on_failure}."]
    return lines


# Files of every suite, from templates/conformance/common/.
_COMMON_FILES = (
    "__init__.py",
    "broker_socket.py",
    "cases.py",
    "checks.py",
    "conftest.py",
    "deviations.py",
    "peer.py",
    "rule_fixtures.py",
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
    """The content that a family adds to its suites.

    Attributes:
        family: The folder of its templates, ``amqp0`` or ``amqp1``. It has ``package_peer.py``, the adapter for
            the generated package, ``broker.py``, a broker over it, and ``vectors.schema.json``, which extends the
            common schema.
        modules: The other files of the family, each with a template of that name.
        truncatable: The kinds of cases of which every proper prefix must be refused as truncated.
        schema: The names and types of the specification.
        rules: The rules that no test can be derived from.
    """

    family: str
    modules: Sequence[str]
    cases: Sequence[Case]
    truncatable: Sequence[str]
    schema: Schema
    rules: Sequence[Rule]
    context: Mapping[str, Any] = field(default_factory=dict)


def suite_folder(package: str) -> str:
    """Return the folder of the suite of a package, relative to the output folder."""
    return f"conformance/{package}"


def suite_files(
    suite: Suite, spec: spec0.Spec | spec1.Spec, package: str, sources: Sequence[RawSource]
) -> list[PlannedFile]:
    """Return every file of a suite; by default, it tests ``package``."""
    generator = f"amqp-codegen {__version__}"
    context = {
        "spec": spec,
        "package": package,
        "stubs": rule_stubs(suite.rules),
        "generator": generator,
        "vectors": vectors_text(
            generator, spec.version, sources, suite.truncatable, suite.schema, suite.cases
        ),
        **suite.context,
    }
    folder = suite_folder(package)
    files = [
        PlannedFile(f"{folder}/{name}", f"conformance/common/{name}.jinja", context) for name in _COMMON_FILES
    ]
    files += [
        PlannedFile(f"{folder}/{name}", f"conformance/{suite.family}/{name}.jinja", context)
        for name in ("broker.py", "package_peer.py", _SCHEMA, *suite.modules)
    ]
    # The folder of all suites; its text does not depend on the specification.
    mark = f"{MARK}{__version__}; do not edit, generate again."
    return [
        *files,
        PlannedFile("conformance/__init__.py", "conformance/common/package.py.jinja", {"header": mark}),
    ]
