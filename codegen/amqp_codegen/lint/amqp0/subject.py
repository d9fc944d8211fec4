"""What the rules for 0-x examine: a specification as it is written, with its resolved domains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...model.amqp0 import raw as raw0
from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Domain
from ...reader.element import Element
from ...resolve.names import normalise


@dataclass(frozen=True, slots=True)
class LintedSpec:
    """A 0-x specification.

    Attributes:
        root: Its tree, overlays merged.
        raw: What it says.
        domains: Its domains by normalised name, without those that could not be resolved.
    """

    root: Element
    raw: raw0.RawSpec
    domains: Mapping[str, Domain]

    @property
    def methods(self) -> Iterator[tuple[raw0.RawClass, raw0.RawMethod]]:
        """Every method after its class, in file order."""
        return ((owner, method) for owner in self.raw.classes for method in owner.methods)

    @property
    def fields(self) -> Iterator[raw0.RawField]:
        """Every content property and every field of a method, in file order."""
        for owner in self.raw.classes:
            yield from owner.fields
            for method in owner.methods:
                yield from method.fields

    @property
    def asserted(self) -> Iterator[raw0.RawDomain | raw0.RawField]:
        """Yield whatever may have asserts: domains, then fields."""
        yield from self.raw.domains
        yield from self.fields

    def type_of(self, field: raw0.RawField) -> WireType | None:
        """Return the elementary type of a field, or None if its domain cannot be resolved."""
        domain = self.domains.get(normalise(field.type or field.domain))
        return domain.type if domain else None

    @property
    def rules(self) -> Iterator[raw0.RawRule]:
        """Every rule, in file order but for those of domains, which come first."""
        for domain in self.raw.domains:
            yield from domain.rules
        for owner in self.raw.classes:
            yield from owner.rules
            for field in owner.fields:
                yield from field.rules
            for method in owner.methods:
                yield from method.rules
                for field in method.fields:
                    yield from field.rules
