"""Where in the guides of a site something is that has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..diff.change import Action, Change
from ..resolve.specification import Specification
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
        sides = [changes.old] if change.action is Action.REMOVED else [changes.new, changes.old]
        found = (self._of(side, (change.kind, change.path)) for side in sides)
        return next(filter(None, found), "")

    def of_name(self, side: Specification, name: str) -> str:
        """The address of the first thing of that name in the guide of a specification, if that is in the site."""
        return self._of(side, ("", name))

    def _of(self, side: Specification, key: tuple[str, str]) -> str:
        guides = (addresses for specification, addresses in self._found if specification is side)
        return next((addresses[key] for addresses in guides if key in addresses), "")


def _addresses(guide: Guide) -> Mapping[tuple[str, str], str]:
    """Kind and name, as search and diff both write them, to address; without a kind, the first of that name."""
    found: dict[tuple[str, str], str] = {}
    for page in guide.pages:
        for entry in page.search_entries:
            address = f"{guide.folder}{page.path}#{entry.anchor}"
            found.setdefault((entry.kind, entry.name), address)
            found.setdefault(("", entry.name), address)
    return found
