"""The whole way from a raw 1.0 specification to a resolved one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...model.problem import Problems
from ...model.raw1 import RawSpec
from ...model.spec1 import Archetype, Definition, Part, Spec
from ...model.types1 import Choice, Encoding, Field
from ..resolution import Resolution
from .archetypes import resolve_archetypes
from .choices import resolve_choices
from .definitions import Place, resolve_definitions
from .descriptors import check_descriptors
from .encodings import resolve_encodings
from .fields import resolve_fields
from .known_names import KnownNames
from .parts import Resolved, resolve_parts
from .rules import check_paths, error_conditions
from .types import KnownType, know_types


def resolve_amqp1(raw: RawSpec) -> Resolution:
    """Resolves a specification, as read with its overlays merged."""
    draft = _Draft(raw)
    for resolve in _PASSES:
        resolve(draft)
    spec = _spec(draft)
    draft.problems.extend(check_paths(spec.rules))
    return Resolution(None if draft.problems.has_errors else spec, tuple(draft.problems), types=draft.types)


@dataclass(slots=True)
class _Draft:
    """A specification in the making: what is given, what the passes so far have made, and what they found wrong."""

    raw: RawSpec
    problems: Problems = field(default_factory=Problems)
    types: dict[str, KnownType] = field(default_factory=dict)
    conditions: frozenset[str] = frozenset()
    encodings: dict[str, tuple[Encoding, ...]] = field(default_factory=dict)
    choices: dict[str, tuple[Choice, ...]] = field(default_factory=dict)
    archetypes: tuple[Archetype, ...] = ()
    fields: dict[str, tuple[Field, ...]] = field(default_factory=dict)
    definitions: dict[Place, tuple[Definition, ...]] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()

    @property
    def archetypes_by_name(self) -> dict[str, Archetype]:
        return {archetype.name: archetype for archetype in self.archetypes}


def _know_types(draft: _Draft) -> None:
    draft.types = know_types(draft.raw, draft.problems)
    draft.conditions = error_conditions(draft.types)


def _resolve_encodings(draft: _Draft) -> None:
    draft.encodings = resolve_encodings(draft.types.values(), draft.problems)


def _check_descriptors(draft: _Draft) -> None:
    draft.problems.extend(check_descriptors(draft.types.values()))


def _resolve_choices(draft: _Draft) -> None:
    for name, known in draft.types.items():
        draft.choices[name] = resolve_choices(known, draft.types, draft.conditions, draft.problems)


def _resolve_archetypes(draft: _Draft) -> None:
    draft.archetypes = resolve_archetypes(draft.types, draft.problems)


def _resolve_fields(draft: _Draft) -> None:
    names = KnownNames(draft.types, draft.choices, draft.archetypes_by_name, draft.conditions)
    for name, known in draft.types.items():
        draft.fields[name] = resolve_fields(known, names, draft.problems)


def _resolve_definitions(draft: _Draft) -> None:
    draft.definitions = resolve_definitions(draft.raw, draft.problems)


def _resolve_parts(draft: _Draft) -> None:
    resolved = Resolved(
        types=draft.types,
        encodings=draft.encodings,
        choices=draft.choices,
        fields=draft.fields,
        archetypes=draft.archetypes_by_name,
        definitions=draft.definitions,
        conditions=draft.conditions,
    )
    draft.parts = resolve_parts(draft.raw, resolved, draft.problems)


# Each goes on as far as it can with what those before it have made, so that all problems are reported at once.
_PASSES: Sequence[Callable[[_Draft], None]] = (
    _know_types,
    _resolve_encodings,
    _check_descriptors,
    _resolve_choices,
    _resolve_archetypes,
    _resolve_fields,
    _resolve_definitions,
    _resolve_parts,
)


def _spec(draft: _Draft) -> Spec:
    raw = draft.raw
    return Spec(
        version=raw.version,
        title=f"AMQP {raw.version}",
        package=f"amqp_{raw.version.replace('.', '_')}",
        sources=raw.sources,
        parts=draft.parts,
        archetypes=draft.archetypes,
    )
