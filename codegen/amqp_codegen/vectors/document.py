"""Cases as the text of ``vectors.json``: one case a line, so that a change shows where it is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..model.raw0 import RawSource
from .case import Case

FORMAT = 1


def vectors_text(
    generator: str,
    version: str,
    sources: Sequence[RawSource],
    truncatable: Sequence[str],
    cases: Sequence[Case],
) -> str:
    """The text of the document.

    Args:
        generator: Name and version of the generator.
        version: The protocol version.
        sources: The specification files.
        truncatable: The kinds of which every proper prefix must be refused as truncated.
        cases: The cases, in the order in which they are written.

    Raises:
        ValueError: Two cases have the same id.
    """
    repeated = [name for name, count in Counter(case.id for case in cases).items() if count > 1]
    if repeated:
        raise ValueError(f"several cases are called {', '.join(repeated)}")
    head = {
        "generator": generator,
        "$schema": "vectors.schema.json",
        "format": FORMAT,
        "version": version,
        "sources": [{"name": source.name, "sha256": source.sha256} for source in sources],
        "truncatable": list(truncatable),
    }
    # A file may be called anything, even something that is no text.
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    rows = ",\n".join(
        f"    {json.dumps(case_data(case), ensure_ascii=False, allow_nan=False)}" for case in cases
    )
    return "\n".join(["{", *lines, '  "cases": [', *([rows] if rows else []), "  ]", "}", ""])


def case_data(case: Case) -> Mapping[str, Any]:
    """A case as JSON data; what is empty or as usual is left out."""
    data: dict[str, Any] = {"id": case.id, "element": case.element, "kind": case.kind, "way": case.way}
    if case.options:
        data["options"] = dict(case.options)
    data["input"] = case.input
    if case.octets is not None:
        data["bytes"] = case.octets.hex()
    data["verdict"] = case.verdict
    if case.error:
        data["error"] = case.error
    if case.note:
        data["note"] = case.note
    return data
