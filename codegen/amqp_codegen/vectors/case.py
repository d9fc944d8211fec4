"""A test case with its expected result, and ``vectors.json``, the document of all cases."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any, TypeAlias

from ..model.amqp0.raw import RawSource

# A JSON value. docs/conformance.md defines the form of each wire type.
Neutral: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        id: Unique in its document: the element, a slash, and a name of the case, for example
            ``queue.declare/maximum``.
        element: The path in the specification of the tested element: ``queue.declare.queue``, ``frame-end``.
        kind: The kind of the octets (``method``, ``header``, ``frame``, ``table``, ``value``, ``composite`` ...)
            or, without octets, of the question (``constant``, ``reply``, ``direction``, ``assert`` ...).
        input: The value; for questions the right answer. None if the octets stand for no value.
        octets: The value on the wire; None if nothing is on the wire.
        verdict: ``accept``, or ``reject`` if a correct implementation refuses.
        error: The reason for ``reject``: ``truncated``, ``malformed``, ``unknown``, ``limit`` (a bound of the
            implementation), ``range`` (a value that its type cannot hold), ``assert`` or ``order``.
        way: ``both``; ``decode`` if nothing encodes to these octets; ``encode`` if there are no octets to decode;
            ``ask`` for a question.
        free: True if the specification lets an encoder write the value in other octets, too.
        options: Options for the implementation, for example ``{"dialect": "rabbitmq"}``.
        note: The reason, with a reference to the specification; empty if the id suffices.
    """

    id: str
    element: str
    kind: str
    input: Neutral
    octets: bytes | None = None
    verdict: str = "accept"
    error: str = ""
    way: str = "both"
    options: Mapping[str, str | int] = field(default_factory=dict)
    note: str = ""
    free: bool = False

    @property
    def is_encoded(self) -> bool:
        """True if an implementation has to make these octets of the value."""
        return self.verdict == "accept" and self.way in ("both", "encode")


def refused_octets(
    element: str,
    what: str,
    kind: str,
    octets: bytes,
    error: str,
    note: str = "",
    options: Mapping[str, str | int] | None = None,
) -> Case:
    """Return the case of octets that must not be decoded; ``what`` ends its id, the others are its attributes."""
    return Case(
        id=f"{element}/{what}",
        element=element,
        kind=kind,
        input=None,
        octets=octets,
        verdict="reject",
        error=error,
        way="decode",
        options=options or {},
        note=note,
    )


def with_unique_ids(cases: Iterable[Case]) -> list[Case]:
    """Return cases of which each has an id of its own; a repeated id gets the kind of its case, or a number, behind it.

    A class may have a method whose name is that of a part of it: ``list.properties`` is then a method and a set of properties.
    """
    taken: set[str] = set()
    unique: list[Case] = []
    for case in cases:
        candidates = chain(
            (case.id, f"{case.id}-{case.kind}"), (f"{case.id}-{number}" for number in count(2))
        )
        name = next(candidate for candidate in candidates if candidate not in taken)
        taken.add(name)
        unique.append(case if name == case.id else replace(case, id=name))
    return unique


FORMAT = 1

# Lists of names and types, by what they are: ``methods``, ``types`` ...
Schema: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]


def vectors_text(
    generator: str,
    version: str,
    sources: Sequence[RawSource],
    truncatable: Sequence[str],
    schema: Schema,
    cases: Sequence[Case],
) -> str:
    """Return the text of the document; each entry of the schema and each case has a line of its own.

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
    # ASCII only: the name of a file may have bytes that are not valid text.
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    lists = [f"    {json.dumps(name)}: {_json_lines(entries, 6)}" for name, entries in schema.items()]
    lines += ['  "schema": {', ",\n".join(lists), "  },"]
    lines.append(f'  "index": {json.dumps(_index(cases))},')
    lines.append(f'  "cases": {_json_lines([case_data(case) for case in cases], 4)}')
    return "\n".join(["{", *lines, "}", ""])


def _json_lines(entries: Sequence[Mapping[str, Any]], indent: int) -> str:
    """Return a JSON array with an entry a line."""
    rows = ",\n".join(
        f"{' ' * indent}{json.dumps(entry, ensure_ascii=False, allow_nan=False)}" for entry in entries
    )
    return "\n".join(["[", *([rows] if rows else []), f"{' ' * (indent - 2)}]"])


def _index(cases: Sequence[Case]) -> Mapping[str, Sequence[int]]:
    """Return the positions of the cases of each kind."""
    index: dict[str, list[int]] = {}
    for position, case in enumerate(cases):
        index.setdefault(case.kind, []).append(position)
    return index


def case_data(case: Case) -> Mapping[str, Any]:
    """Return a case as JSON data, without its empty attributes."""
    data: dict[str, Any] = {"id": case.id, "element": case.element, "kind": case.kind, "way": case.way}
    if case.options:
        data["options"] = dict(case.options)
    data["input"] = case.input
    if case.octets is not None:
        data["bytes"] = case.octets.hex()
    if case.is_encoded:
        data["encoding"] = "free" if case.free else "exact"
    data["verdict"] = case.verdict
    if case.error:
        data["error"] = case.error
    if case.note:
        data["note"] = case.note
    return data
