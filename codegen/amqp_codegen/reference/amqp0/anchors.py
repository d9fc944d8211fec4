"""The anchors of all elements of a 0-x specification on its page: those of RabbitMQ's own guide, and more."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.spec import Class, Constant, Domain, Field, Method, Property, Rule, Spec
from ..page_plan import Ids

Anchored = Class | Method | Field | Property | Domain | Constant | Rule


class Anchors:
    """Element to id: ``anchors[field]`` is ``queue.declare.passive``.

    Elements that RabbitMQ's guide has an anchor for take their ids first, so that they always get the same ones:
    ``class.queue``, ``queue.declare``, ``queue.declare.passive``, ``domain.bit``, ``constant.not-found``.
    Only here: ``basic.properties.headers`` and ``rule.queue.declare.default-binding``.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec  # ids go by ``id()`` of the elements, so these must stay alive
        self._ids: dict[int, str] = {}
        self._methods = {method.class_name: method for method in spec.methods}
        self._domains = {domain.name: domain for domain in spec.domains}
        self._constants = {constant.name: constant for constant in spec.constants}
        ids = Ids()
        for element, wanted in _wanted(spec):
            self._ids[id(element)] = ids.take(wanted)

    def __getitem__(self, element: Anchored) -> str:
        """Return the id of an element of the specification."""
        return self._ids[id(element)]

    def domain(self, field: Field) -> str:
        """Return the id of the domain or elementary type of a field; empty if it is declared nowhere."""
        domain = self._domains.get(field.domain or field.type.value)
        return self[domain] if domain else ""

    def domain_named(self, name: str) -> str:
        """Return the id of the domain of that name; empty if it is declared nowhere."""
        return self[self._domains[name]] if name in self._domains else ""

    def constant(self, name: str) -> str:
        """Return the id of the constant of that name; empty if there is none."""
        return self[self._constants[name]] if name in self._constants else ""

    def method(self, class_name: str) -> Method | None:
        """Return the method of that class name, such as ``QueueDeclareOk``."""
        return self._methods.get(class_name)


def _wanted(spec: Spec) -> Iterator[tuple[Anchored, str]]:
    """Yield every element with the id that it gets if no other element has it."""
    for class_ in spec.classes:
        yield class_, f"class.{class_.name}"
        for method in class_.methods:
            yield method, method.full_name
            for field in method.fields:
                yield field, f"{method.full_name}.{field.name}"
    for domain in spec.domains:
        yield domain, f"domain.{domain.name}"
    for constant in spec.constants:
        yield constant, f"constant.{constant.name}"
    for class_ in spec.classes:
        for entry in class_.properties:
            yield entry, f"{class_.name}.properties.{entry.field.name}"
    for rule in spec.rules:
        yield rule, f"rule.{rule.path.replace('/', '.')}"
