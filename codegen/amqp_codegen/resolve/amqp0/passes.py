"""The resolution of a raw 0-x specification: the list of passes, what they work on, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model.amqp0.raw import RawSpec
from ...model.amqp0.spec import Class, Constant, Domain, Spec
from ...model.amqp0.wire import Wire, WireOverlay, WireVersion
from ...model.problem import Problem, Problems
from ..names import suggest
from .class_grammars import resolve_grammars
from .classes import Aliases, KnownNames, resolve_classes
from .constants import check_frame_types, resolve_constants
from .domains import resolve_domains


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolved specification, or the valid parts of one with errors.

    Attributes:
        spec: The resolved model; None if a problem is an error.
        problems: The problems that the passes found, in their order.
        domains: The domains by normalised name, without those that could not be resolved.
    """

    raw: RawSpec
    spec: Spec | None
    problems: tuple[Problem, ...]
    domains: Mapping[str, Domain]


def resolve_amqp0(raw: RawSpec, wire: Wire, dialect: str = "") -> Resolution:
    """Resolve a specification; an empty ``dialect`` means the default field-table dialect of the version."""
    facts = wire.versions[raw.version]
    identity = _identity(raw, wire, facts)
    draft = _Draft(raw, wire, facts, identity, dialect or identity.dialect)
    for resolve in _PASSES:
        resolve(draft)
    spec = None if draft.problems.has_errors else _spec(draft)
    return Resolution(raw, spec, tuple(draft.problems), draft.domains)


@dataclass(slots=True)
class _Draft:
    """A specification in progress: the input, and the results and problems of the passes so far."""

    raw: RawSpec
    wire: Wire
    facts: WireVersion
    identity: WireOverlay
    dialect: str
    problems: Problems = field(default_factory=Problems)
    constants: list[Constant] = field(default_factory=list)
    domains: dict[str, Domain] = field(default_factory=dict)
    classes: list[Class] = field(default_factory=list)

    @property
    def constant_names(self) -> frozenset[str]:
        return frozenset(constant.name for constant in self.constants)


def _check_dialect(draft: _Draft) -> None:
    if draft.dialect not in draft.wire.dialects:
        hint = suggest(draft.dialect, draft.wire.dialects)
        draft.problems.add(Problem("unknown-dialect", f"there is no dialect {draft.dialect!r}", None, hint))


def _resolve_constants(draft: _Draft) -> None:
    draft.constants = resolve_constants(draft.raw.constants, draft.problems)


def _check_frame_types(draft: _Draft) -> None:
    check_frame_types(draft.constants, draft.facts, draft.problems)


def _resolve_domains(draft: _Draft) -> None:
    draft.domains = resolve_domains(draft.raw, draft.constant_names, draft.problems)


def _resolve_classes(draft: _Draft) -> None:
    aliases = _aliases(draft.wire, draft.raw.version)
    names = KnownNames(
        draft.domains,
        draft.constant_names,
        aliases,
        draft.wire.defaults,
        frozenset(draft.wire.required),
        frozenset(draft.wire.text),
        draft.facts.senders,
    )
    draft.classes = resolve_classes(draft.raw.classes, names, draft.problems)


def _check_methods(draft: _Draft) -> None:
    if not any(entry.methods for entry in draft.raw.classes):
        draft.problems.add(Problem("no-methods", "the specification has no methods", draft.raw.position))


def _resolve_grammars(draft: _Draft) -> None:
    if not draft.problems.has_errors:  # automata need valid methods
        draft.classes = resolve_grammars(draft.classes, draft.facts.senders, draft.problems)


# Each pass does what it can with the results of those before it, so that all problems are reported at once.
_PASSES: Sequence[Callable[[_Draft], None]] = (
    _check_dialect,
    _resolve_constants,
    _check_frame_types,
    _resolve_domains,
    _resolve_classes,
    _check_methods,
    _resolve_grammars,
)


def _identity(raw: RawSpec, wire: Wire, facts: WireVersion) -> WireOverlay:
    """Return the identity of a specification, which an overlay in ``wire.toml`` may change."""
    version = raw.version
    known = next(
        (wire.overlays[source.name] for source in raw.sources[1:] if source.name in wire.overlays), None
    )
    if known is not None and known.base == version:
        return known
    package = f"amqp_{version.replace('-', '_')}"
    return WireOverlay(version, version, f"AMQP {version}", facts.dialect, package)


def _spec(draft: _Draft) -> Spec:
    raw, wire = draft.raw, draft.wire
    return Spec(
        version=draft.identity.version,
        title=draft.identity.title,
        package=draft.identity.package,
        major=raw.major,
        minor=raw.minor,
        revision=raw.revision,
        port=raw.port,
        sources=raw.sources,
        wire=draft.facts,
        dialect=wire.dialects[draft.dialect],
        dialects=tuple(wire.dialects.values()),
        lenient=wire.lenient,
        profiles=tuple(wire.profiles.values()),
        conduct=wire.conduct,
        constants=tuple(draft.constants),
        domains=tuple(draft.domains.values()),
        classes=tuple(draft.classes),
    )


def _aliases(wire: Wire, version: str) -> Aliases:
    return {**wire.aliases.get("any", {}), **wire.aliases.get(version, {})}
