"""The whole way from a raw 1.0 specification to a resolved one."""

from __future__ import annotations

from ...model.problem import Problem, Severity
from ...model.raw1 import RawSpec
from ...model.spec1 import Spec
from .archetypes import resolve_archetypes
from .choices import resolve_choices
from .definitions import resolve_definitions
from .descriptors import check_descriptors
from .encodings import resolve_encodings
from .fields import resolve_fields
from .parts import Resolved, resolve_parts
from .rules import check_paths, error_conditions
from .types import know_types


def resolve_amqp1(raw: RawSpec) -> tuple[Spec | None, list[Problem]]:
    """Resolves a specification.

    Every pass goes on as far as it can with what those before it have found, so that all problems are
    reported at once.

    Args:
        raw: As read, overlays merged.

    Returns:
        The specification, None when a problem is an error; and all problems.
    """
    types, problems = know_types(raw)
    conditions = error_conditions(types)
    encodings, found = resolve_encodings(types.values())
    problems += found
    problems += check_descriptors(types.values())
    choices = {}
    for name, known in types.items():
        choices[name], found = resolve_choices(known, types, conditions)
        problems += found
    archetypes, found = resolve_archetypes(types)
    problems += found
    by_name = {archetype.name: archetype for archetype in archetypes}
    fields = {}
    for name, known in types.items():
        fields[name], found = resolve_fields(known, types, choices, by_name, conditions)
        problems += found
    definitions, found = resolve_definitions(raw)
    problems += found
    resolved = Resolved(types, encodings, choices, fields, by_name, definitions, conditions)
    parts, found = resolve_parts(raw, resolved)
    problems += found
    spec = Spec(
        version=raw.version,
        title=f"AMQP {raw.version}",
        package=f"amqp_{raw.version.replace('.', '_')}",
        sources=raw.sources,
        parts=parts,
        archetypes=archetypes,
    )
    problems += check_paths(spec.rules)
    return None if any(problem.severity is Severity.ERROR for problem in problems) else spec, problems
