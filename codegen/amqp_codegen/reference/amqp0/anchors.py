"""Where everything of a 0-x specification stands on its page: the anchors that RabbitMQ's own guide has, and more."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.spec import Class, Constant, Domain, Field, Method, Property, Rule, Spec
from ..ids import Ids

Anchored = Class | Method | Field | Property | Domain | Constant | Rule


class Anchors:
    """Element to id: ``anchors[field]`` is ``queue.declare.passive``.

    What RabbitMQ's guide has an anchor for comes first, so that it gets the same one whatever else there is:
    ``class.queue``, ``queue.declare``, ``queue.declare.passive``, ``domain.bit``, ``constant.not-found``.
    Only here: ``basic.properties.headers`` and ``rule.queue.declare.default-binding``.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec  # elements are told apart by what they are, so they must stay alive
        self._ids: dict[int, str] = {}
        self._methods = {method.class_name: method for method in spec.methods}
        self._domains = {domain.name: domain for domain in spec.domains}
        self._constants = {constant.name: constant for constant in spec.constants}
        ids = Ids()
        for element, wanted in _wanted(spec):
            self._ids[id(element)] = ids.take(wanted)

    def __getitem__(self, element: Anchored) -> str:
        """The id of an element of the specification."""
        return self._ids[id(element)]

    def domain(self, field: Field) -> str:
        """The id of the domain or elementary type of a field; empty if it is declared nowhere."""
        found = self._domains.get(field.domain or field.type.value)
        return self[found] if found else ""

    def domain_named(self, name: str) -> str:
        """The same by the name of a domain."""
        return self[self._domains[name]] if name in self._domains else ""

    def constant(self, name: str) -> str:
        """The id of the constant of that name; empty if there is none."""
        return self[self._constants[name]] if name in self._constants else ""

    def method(self, class_name: str) -> Method | None:
        """The method of that class name, such as ``QueueDeclareOk``."""
        return self._methods.get(class_name)


def _wanted(spec: Spec) -> Iterator[tuple[Anchored, str]]:
    """Every element with the id that it would have if no other had it."""
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
