"""The pages that show what differs between two specifications, with links into the guides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..diff.change import Action, Change, ConceptMap, SpecComparison
from ..diff.compare import compare
from ..diff.words import counts
from ..reader.inputs import resolve_input
from ..resolve.specification import Specification, read_specification
from .page_plan import Guide

# The built-in versions, each derived from the one before; 1.0 is another protocol.
_CHAIN = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq")
# What is beside the chain, and from which version it is derived.
_BRANCHES = {"0-8-rabbitmq": "0-8", "1.0-rabbitmq": "1.0"}
_OTHER_PROTOCOL = "1.0"
_LAST_BEFORE_OTHER = "0-9-1"


@dataclass(frozen=True, slots=True)
class Changes:
    """The page of what differs from one specification to another.

    Attributes:
        path: The file of the page, in the folder of the site.
        title: ``0-9 to 0-9-1``.
        summary: ``3 WIRE, 1 DOC``; between families, what the page is.
    """

    path: str
    title: str
    summary: str
    found: SpecComparison | ConceptMap
    old: Specification
    new: Specification


def changes_between(pairs: Sequence[tuple[Specification, Specification]]) -> tuple[Changes, ...]:
    """Return a page for each pair."""
    pages: list[Changes] = []
    for old, new in pairs:
        name = f"changes-{old.spec.version}-to-{new.spec.version}"
        again = sum(page.path.startswith(f"{name}.") for page in pages)
        pages.append(_changes(f"{name}.{again + 1}.html" if again else f"{name}.html", old, new))
    return tuple(pages)


def neighbours(specification: Specification) -> Iterator[tuple[Specification, Specification]]:
    """Yield the pairs to compare for a single specification: itself and the built-in ones next to it.

    A user's own specification is compared with the built-in one of its version.
    """
    version = specification.spec.version
    if not _is_built_in(specification):
        yield _built_in(version), specification
    elif version in _BRANCHES:
        yield _built_in(_BRANCHES[version]), specification
    elif version in _CHAIN:
        place = _CHAIN.index(version)
        if place:
            yield _built_in(_CHAIN[place - 1]), specification
        if place + 1 < len(_CHAIN):
            yield specification, _built_in(_CHAIN[place + 1])
    if version == _OTHER_PROTOCOL:
        yield _built_in(_LAST_BEFORE_OTHER), specification
    else:
        yield specification, _built_in(_OTHER_PROTOCOL)


def _is_built_in(specification: Specification) -> bool:
    own = [source.sha256 for source in specification.sources]
    return own == [source.sha256 for source in _built_in(specification.spec.version).sources]


def _built_in(version: str) -> Specification:
    inputs = resolve_input(version)
    return read_specification(inputs.files, inputs.overlays)


def _changes(path: str, old: Specification, new: Specification) -> Changes:
    differences = compare(old, new)
    title = f"{old.spec.version} to {new.spec.version}"
    if old.spec.version == new.spec.version:
        title = f"{differences.old} to {differences.new}"
    return Changes(path, title, _summary(differences), differences, old, new)


def _summary(differences: SpecComparison | ConceptMap) -> str:
    if isinstance(differences, ConceptMap):
        return "another protocol: what stands for what"
    levels = sorted({change.level for change in differences.changes})
    return counts({level: differences.count(level) for level in levels}) or "no differences"


class Places:
    """Finds the element that a change is about: the new one, else, if it is in no guide, the old one."""

    def __init__(self, guides: Sequence[Guide], specifications: Sequence[Specification]) -> None:
        self._found = [
            (specification, _addresses(guide))
            for guide, specification in zip(guides, specifications, strict=True)
        ]

    def of_change(self, changes: Changes, change: Change) -> str:
        """Return the address of the element in the folder of the site; empty if no guide has it."""
        sides = [changes.old] if change.action is Action.REMOVED else [changes.new, changes.old]
        addresses = (self._of(side, (change.kind, change.path)) for side in sides)
        return next(filter(None, addresses), "")

    def of_name(self, side: Specification, name: str) -> str:
        """Return the address of the first element of that name in the guide of a specification; empty if there is none."""
        return self._of(side, ("", name))

    def _of(self, side: Specification, key: tuple[str, str]) -> str:
        guides = (addresses for specification, addresses in self._found if specification is side)
        return next((addresses[key] for addresses in guides if key in addresses), "")


def _addresses(guide: Guide) -> Mapping[tuple[str, str], str]:
    """Map kind and name, written as in search and diff, to the address; a name alone, to the first of that name."""
    addresses: dict[tuple[str, str], str] = {}
    for page in guide.pages:
        for entry in page.search_entries:
            address = f"{guide.folder}{page.path}#{entry.anchor}"
            addresses.setdefault((entry.kind, entry.name), address)
            addresses.setdefault(("", entry.name), address)
    return addresses
