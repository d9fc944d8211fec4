"""What the search of a site reads: a script that needs no server, so that it works from a file as well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from .page_plan import Guide

FILE = "search-data.js"


def search_data(guides: Sequence[Guide]) -> str:
    """One line an entry: kind, name, text, address in the folder of the site."""
    lines = [json.dumps(entry) for entry in _entries(guides)]
    return f"window.searchData = [\n{','.join(f'{line}{chr(10)}' for line in lines)}];\n"


def _entries(guides: Sequence[Guide]) -> Iterator[tuple[str, str, str, str]]:
    for guide in guides:
        label = f", {guide.version}" if len(guides) > 1 else ""
        for page in guide.pages:
            for entry in page.search_entries:
                address = f"{guide.folder}{page.path}#{entry.anchor}"
                yield f"{entry.kind}{label}", entry.name, entry.text, address
