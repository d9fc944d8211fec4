"""The place of every element of a 1.0 specification: its page and its anchor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...model.amqp1.spec import Archetype, Definition, Part, Rule, Section, Spec
from ...model.amqp1.types import Choice, Composite, Encoding, Field, Primitive, Restricted, Type
from ..page_plan import Ids

_ARCHETYPE = "error-condition"


@dataclass(frozen=True, slots=True)
class ErrorCondition:
    """An error condition.

    Attributes:
        symbol: ``amqp:not-found``.
        type: The restricted type of which it is a choice.
        rules: The rules whose violation it reports.
    """

    symbol: str
    type: Restricted
    choice: Choice
    rules: tuple[Rule, ...]


def error_conditions(spec: Spec) -> Iterator[ErrorCondition]:
    """Yield the choices of the types that provide ``error-condition``, in file order."""
    reported: dict[str, list[Rule]] = {}
    for rule in spec.rules:
        reported.setdefault(rule.on_failure, []).append(rule)
    for type_ in spec.enumerations:
        if _ARCHETYPE in type_.provides:
            for choice in type_.choices:
                symbol = str(choice.value)
                yield ErrorCondition(symbol, type_, choice, tuple(reported.get(symbol, ())))


Anchored = Part | Section | Type | Encoding | Field | Choice | Definition | Archetype | Rule

FIRST_PAGE = "index.html"


class Anchors:
    """Element to id: ``anchors[field]`` is ``open.container-id``, its address ``transport.html#open.container-id``.

    Ids are unique in the whole guide: ``type.open``, ``open.container-id``, ``role.sender``,
    ``encoding.uint.smalluint``, ``archetype.outcome``, ``constant.max-frame-size``, ``part.transport``,
    ``section.transport.performatives``, ``rule.open.channel-max.highest-number``. Each has a dot; the ids of the page
    frame have none.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec  # ids go by ``id()`` of the elements, so these must stay alive
        self._pages = _pages(spec)
        self._places: dict[int, tuple[str, str]] = {}
        ids = Ids()
        for element, part, wanted in _wanted(spec):
            page = self._pages[part] if part else FIRST_PAGE
            self._places[id(element)] = (page, ids.take(wanted))
        self._types = {type_.name: type_ for type_ in spec.types}
        self._archetypes = {archetype.name: archetype for archetype in spec.archetypes}
        self._conditions = {condition.symbol: condition.choice for condition in error_conditions(spec)}

    def __getitem__(self, element: Anchored) -> str:
        """Return the id of an element of the specification."""
        return self._places[id(element)][1]

    def address(self, element: Anchored) -> str:
        """Return the link to an element, from any page of the guide."""
        page, anchor = self._places[id(element)]
        return f"{page}#{anchor}"

    def page(self, part: Part) -> str:
        """Return the page of a part."""
        return self._pages[part.name]

    def type(self, name: str) -> str:
        """Return the link to the type of that name; empty for ``*``."""
        return self.address(self._types[name]) if name in self._types else ""

    def archetype(self, name: str) -> str:
        """Return the link to the archetype of that name; empty if there is none."""
        return self.address(self._archetypes[name]) if name in self._archetypes else ""

    def condition(self, symbol: str) -> str:
        """Return the link to the error condition of that symbol; empty if the specification has none."""
        return self.address(self._conditions[symbol]) if symbol in self._conditions else ""


def _pages(spec: Spec) -> dict[str, str]:
    """Return part to its page."""
    ids = Ids()
    ids.take(FIRST_PAGE.removesuffix(".html"))
    return {part.name: f"{ids.take(part.name)}.html" for part in spec.parts}


def _wanted(spec: Spec) -> Iterator[tuple[Anchored, str, str]]:
    """Yield every element, its part (empty for none) and the id that it gets if no other element has it."""
    for part in spec.parts:
        for type_ in part.types:
            yield type_, part.name, f"type.{type_.name}"
            for inner in members(type_):
                yield inner, part.name, f"{type_.name}.{inner.name}"
    for part in spec.parts:
        yield part, part.name, f"part.{part.name}"
        for section in part.sections:
            yield section, part.name, f"section.{part.name}.{section.name}"
        for definition in part.definitions:
            yield definition, part.name, f"constant.{definition.identifier}"
        for type_ in part.types:
            for encoding in type_.encodings if isinstance(type_, Primitive) else ():
                yield encoding, part.name, ".".join(filter(None, ("encoding", type_.name, encoding.name)))
        for rule in part_rules(part):
            yield rule, part.name, f"rule.{rule.path.replace('/', '.')}"
    for archetype in spec.archetypes:
        yield archetype, "", f"archetype.{archetype.name}"


def members(type_: Type) -> tuple[Field | Choice, ...]:
    """Return the fields or the choices of a type."""
    if isinstance(type_, Composite):
        return type_.fields
    return type_.choices if isinstance(type_, Restricted) else ()


def part_rules(part: Part) -> Iterator[Rule]:
    """Yield every rule on the page of a part: its own, and those of its sections, types, fields and choices."""
    yield from part.rules
    for section in part.sections:
        yield from section.rules
        for type_ in section.types:
            yield from type_.rules
            for inner in members(type_):
                yield from inner.rules
