"""A test case, in words and values that belong to no programming language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

# What JSON can hold. docs/conformance.md says how each wire type is written.
Neutral: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Case:
    """One case.

    Attributes:
        id: Unique in its document: the element, a slash, and what is special about the case, for example
            ``queue.declare/maximum``.
        element: The path in the specification of what is tested: ``queue.declare.queue``, ``frame-end``.
        kind: What the octets are (``method``, ``header``, ``frame``, ``table``, ``value``, ``composite`` ...) or,
            without octets, what is asked for (``constant``, ``reply``, ``direction``, ``assert`` ...).
        input: The value; for questions the right answer. None where octets stand for no value.
        octets: What the value is on the wire; None where there is nothing on the wire.
        verdict: ``accept``, or ``reject`` if a correct implementation refuses.
        error: Why it refuses: ``truncated``, ``malformed``, ``unknown``, ``limit`` (a bound of the implementation),
            ``range`` (a value that its type cannot hold), ``assert`` or ``order``; empty with ``accept``.
        way: ``both``; ``decode`` if nothing encodes to these octets; ``encode`` if there are no octets to decode;
            ``ask`` for a question.
        options: What the implementation must be told besides, for example ``{"dialect": "rabbitmq"}``.
        note: Why it is so, with a reference to the specification; empty if the id says enough.
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


def refused_octets(
    element: str,
    what: str,
    kind: str,
    octets: bytes,
    error: str,
    note: str = "",
    options: Mapping[str, str | int] | None = None,
) -> Case:
    """The case of octets that must not be decoded; the arguments are attributes of it, ``what`` ends its id."""
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
