"""Where in the guides of a site something is that has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diff.change import Action, Change
from ..passes.read_specification import Specification
from .changes import Changes
from .page_plan import Guide


class Places:
    """Finds the element that a change is about: as it is now, or if that is in no guide, as it was."""

    def __init__(self, guides: Sequence[Guide], specifications: Sequence[Specification]) -> None:
        self._found = [
            (specification, _addresses(guide))
            for guide, specification in zip(guides, specifications, strict=True)
        ]

    def of_change(self, changes: Changes, change: Change) -> str:
        """Its address in the folder of the site; empty if no guide has it."""
        key = change.kind, change.path
        sides = [changes.old] if change.action is Action.REMOVED else [changes.new, changes.old]
        found = (
            addresses[key]
            for side in sides
            for specification, addresses in self._found
            if specification is side and key in addresses
        )
        return next(found, "")

    def of_name(self, side: Specification, name: str) -> str:
        """The address of the first thing of that name in the guide of a specification, if that is in the site."""
        found = (
            address
            for specification, addresses in self._found
            if specification is side
            for (_, known), address in addresses.items()
            if known == name
        )
        return next(found, "")


def _addresses(guide: Guide) -> Mapping[tuple[str, str], str]:
    """Kind and name, as search and diff both write them, to address."""
    return {
        (entry.kind, entry.name): f"{guide.folder}{page.path}#{entry.anchor}"
        for page in guide.pages
        for entry in page.search_entries
    }
