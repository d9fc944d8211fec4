"""The specification whose rules are tried: a built-in one, or a user's own that extends or repeats a built-in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from amqp_codegen.api import import_package, load
from amqp_codegen.model.amqp1 import spec as spec1
from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.resources import load_package

from .framing import all_rules
from .level import SpecRule
from .registry import SPECS

if TYPE_CHECKING:
    from amqp_codegen.api import Specification

# What logs in, and declares and removes entities.
_NEEDED = (
    *(
        f"connection.{name}"
        for name in ("start", "start-ok", "tune", "tune-ok", "open", "open-ok", "close", "close-ok")
    ),
    *(f"channel.{name}" for name in ("open", "open-ok", "close", "close-ok")),
    *(f"queue.{name}" for name in ("declare", "declare-ok", "delete", "delete-ok")),
    "exchange.delete",
    "exchange.delete-ok",
)


@dataclass(frozen=True, slots=True)
class SpecUnderTest:
    """A specification and its rules.

    Attributes:
        name: As the user names it, for messages and reports.
        base: The built-in one whose drivers, reasons and known deviations hold for it, too; of a built-in one itself.
        rules: Its own, and those of the catalogue of rules on frames.
    """

    name: str
    base: str
    specification: Specification
    rules: tuple[SpecRule, ...]

    @property
    def is_built_in(self) -> bool:
        """Whether it is the built-in one, unchanged."""
        return self.name == self.base

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of its rules."""
        return tuple(rule.path for rule in self.rules)

    @property
    def known_paths(self) -> tuple[str, ...]:
        """The paths that a file of expectations may name: those of the base, too, if it leaves some out."""
        if self.is_built_in:
            return self.paths
        base = load_spec_under_test(self.base)
        return tuple(dict.fromkeys((*self.paths, *base.paths)))

    def load_package(self) -> ModuleType:
        """Return the generated package; that of a user's own specification is made in memory."""
        if self.is_built_in:
            return load_package(self.specification.spec.package)
        return import_package(self.specification)


def load_spec_under_test(spec: str | Sequence[str], overlays: Sequence[Path] = ()) -> SpecUnderTest:
    """Load a specification: built-in names, files and folders, and overlays that change it.

    Raises:
        SpecError: It is wrong or missing.
    """
    specs = (spec,) if isinstance(spec, str) else tuple(spec)
    specification = load(specs[0] if len(specs) == 1 else specs, overlays=overlays)
    name = " ".join((*specs, *map(str, overlays)))
    version = specification.spec.version
    base = name if name in SPECS else version
    under_test = SpecUnderTest(name, base, specification, all_rules(base, specification.spec))
    if not under_test.is_built_in:
        _require_methods(under_test)
    return under_test


def _require_methods(spec: SpecUnderTest) -> None:
    """Find out whether a user's own specification of 0-x has what every run needs.

    Raises:
        SpecError: A method is missing.
    """
    model = spec.specification.spec
    if isinstance(model, spec1.Spec):  # our end of a connection of 1.0 has a package of its own
        return
    names = {method.full_name for method in model.methods}
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        message = f"{spec.name} has no method {missing[0]}, without which no rule can be tried"
        hint = f"name a file of extensions beside what it extends: --spec {spec.base} --overlay FILE"
        raise SpecError([Problem("no-such-method", message, None, hint)])
