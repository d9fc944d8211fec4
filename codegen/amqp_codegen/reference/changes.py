"""The pages of a site that tell what differs between two specifications: those of ``diff``, with a way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..diff.change import Comparison, ConceptMap
from ..diff.compare import compare
from ..diff.phrases import counts
from ..reader.inputs import resolve_input
from ..resolve.specification import Specification, read_specification

# The built-in versions, each made from the one before; the last is another protocol.
_CHAIN = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq")
_OTHER = "1.0"
_BEFORE_OTHER = "0-9-1"


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from one specification to another.

    Attributes:
        path: The file of the page, in the folder of the site.
        title: ``0-9 to 0-9-1``.
        summary: ``3 WIRE, 1 DOC``; of another protocol, what the page is.
        found: What there is to tell.
        old: The old specification.
        new: The new one.
    """

    path: str
    title: str
    summary: str
    found: Comparison | ConceptMap
    old: Specification
    new: Specification


def changes_between(pairs: Sequence[tuple[Specification, Specification]]) -> tuple[Changes, ...]:
    """A page for each pair."""
    found: list[Changes] = []
    for old, new in pairs:
        name = f"changes-{old.spec.version}-to-{new.spec.version}"
        again = sum(each.path.startswith(f"{name}.") for each in found)
        found.append(_changes(f"{name}.{again + 1}.html" if again else f"{name}.html", old, new))
    return tuple(found)


def neighbours(specification: Specification) -> Iterator[tuple[Specification, Specification]]:
    """The pairs of a specification alone: with the built-in ones next to it.

    If it is not itself built in, it is one of somebody's own, to be compared with the built-in one of its version.
    """
    version = specification.spec.version
    if not _is_built_in(specification):
        yield _built_in(version), specification
    elif version in _CHAIN:
        place = _CHAIN.index(version)
        if place:
            yield _built_in(_CHAIN[place - 1]), specification
        if place + 1 < len(_CHAIN):
            yield specification, _built_in(_CHAIN[place + 1])
    if version == _OTHER:
        yield _built_in(_BEFORE_OTHER), specification
    else:
        yield specification, _built_in(_OTHER)


def _is_built_in(specification: Specification) -> bool:
    own = [source.sha256 for source in specification.sources]
    return own == [source.sha256 for source in _built_in(specification.spec.version).sources]


def _built_in(version: str) -> Specification:
    inputs = resolve_input(version)
    return read_specification(inputs.files, inputs.overlays)


def _changes(path: str, old: Specification, new: Specification) -> Changes:
    found = compare(old, new)
    title = f"{old.spec.version} to {new.spec.version}"
    if old.spec.version == new.spec.version:
        title = f"{found.old} to {found.new}"
    return Changes(path, title, _summary(found), found, old, new)


def _summary(found: Comparison | ConceptMap) -> str:
    if isinstance(found, ConceptMap):
        return "another protocol: what stands for what"
    levels = sorted({change.level for change in found.changes})
    return counts({level: found.count(level) for level in levels}) or "no differences"
