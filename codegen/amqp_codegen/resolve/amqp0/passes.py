"""The whole way from a raw 0-x specification to a resolved one."""

from __future__ import annotations

from ...model.amqp0.raw import RawSpec
from ...model.amqp0.spec import Constant, Spec
from ...model.amqp0.wire import Wire, WireOverlay, WireVersion
from ...model.problem import Problem, Severity
from ..names import suggest
from .class_grammars import resolve_grammars
from .classes import Aliases, resolve_classes
from .constants import resolve_constants
from .domains import resolve_domains


def resolve_amqp0(
    raw: RawSpec, version: str, wire: Wire, dialect: str = ""
) -> tuple[Spec | None, list[Problem]]:
    """Resolves a specification.

    Args:
        raw: As read, overlays merged.
        version: The name of the known version: ``0-8``, ``0-9`` or ``0-9-1``.
        wire: The wire facts.
        dialect: The default field-table dialect; empty for the version's own.

    Returns:
        The specification, None when a problem is an error; and all problems.
    """
    facts = wire.versions[version]
    overlay = next((wire.overlays[each.name] for each in raw.sources[1:] if each.name in wire.overlays), None)
    if overlay is not None and overlay.base != version:
        overlay = None
    dialect = dialect or (overlay.dialect if overlay else facts.dialect)
    problems: list[Problem] = []
    if dialect not in wire.dialects:
        hint = suggest(dialect, wire.dialects)
        problems.append(Problem("unknown-dialect", f"there is no dialect {dialect!r}", None, hint))
    constants, found = resolve_constants(raw.constants)
    problems += found
    problems += _check_frame_types(constants, facts)
    names = frozenset(each.name for each in constants)
    domains, found = resolve_domains(raw, names)
    problems += found
    classes, found = resolve_classes(raw, domains, names, _aliases(wire, version))
    problems += found
    if not any(each.methods for each in raw.classes):
        problems.append(Problem("no-methods", "the specification has no methods", raw.position))
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, problems
    classes, found = resolve_grammars(classes, facts.senders)
    problems += found
    identity = overlay or WireOverlay(
        version, version, f"AMQP {version}", dialect, f"amqp_{version.replace('-', '_')}"
    )
    spec = Spec(
        version=identity.version,
        title=identity.title,
        package=identity.package,
        major=raw.major,
        minor=raw.minor,
        revision=raw.revision,
        port=raw.port,
        sources=raw.sources,
        wire=facts,
        dialect=wire.dialects[dialect],
        dialects=tuple(wire.dialects.values()),
        profiles=tuple(wire.profiles.values()),
        constants=tuple(constants),
        domains=tuple(domains.values()),
        classes=tuple(classes),
    )
    return spec, problems


def _aliases(wire: Wire, version: str) -> Aliases:
    return {**wire.aliases.get("any", {}), **wire.aliases.get(version, {})}


def _check_frame_types(constants: list[Constant], facts: WireVersion) -> list[Problem]:
    """A frame type that both the XML and ``wire.toml`` state must be the same number in both."""
    known = {each.name: each for each in constants}
    problems = []
    for meaning, number in facts.frames.items():
        stated = known.get(f"frame-{meaning}")
        if stated is not None and stated.value != number:
            message = f"constant {stated.name!r} is {stated.value}, but frames of this version have {number}"
            problems.append(Problem("frame-type", message, stated.position))
    end = known.get("frame-end")
    if end is not None and end.value != facts.frame_end:
        message = (
            f"constant {end.name!r} is {end.value}, but frames of this version end with {facts.frame_end}"
        )
        problems.append(Problem("frame-type", message, end.position))
    return problems
