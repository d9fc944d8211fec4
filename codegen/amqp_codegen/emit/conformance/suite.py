"""The files of a suite: those that both families have, and those of the family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import __version__
from ...model import spec0, spec1
from ...model.raw0 import RawSource
from ...vectors.case import Case, vectors_text
from ..header import MARK
from ..plan import PlannedFile
from .stubs import Rule, rule_stubs

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
