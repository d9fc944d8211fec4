"""What the rules for 1.0 examine: a specification as it is written, with its resolved types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp1 import raw as raw1
from ...reader.element import Element
from ...resolve.amqp1.types import KnownType


@dataclass(frozen=True, slots=True)
class LintedSpec:
    """A 1.0 specification: the trees of its files, what they say, and its types by name."""

    roots: Sequence[Element]
    raw: raw1.RawSpec
    types: Mapping[str, KnownType]

    @property
    def rules(self) -> Iterator[raw1.RawRule]:
        """Every rule, from the outside in."""
        for part in self.raw.parts:
            yield from part.rules
            for section in part.sections:
                yield from section.rules
                for type_ in section.types:
                    yield from type_.rules
                    for field in type_.fields:
                        yield from field.rules
                    for choice in type_.choices:
                        yield from choice.rules
