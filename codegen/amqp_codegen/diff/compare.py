"""The comparison of two specifications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..resolve.specification import Specification
from .amqp0.changes import amqp0_changes
from .amqp1.changes import amqp1_changes
from .change import Change, ConceptMap, Side, SpecComparison
from .concepts import concept_map

Spec = spec0.Spec | spec1.Spec


def compare(old: Specification, new: Specification) -> SpecComparison | ConceptMap:
    """Return what differs: changes within a family, corresponding concepts between families."""
    sides = _side(old), _side(new)
    if isinstance(old.spec, spec0.Spec) and isinstance(new.spec, spec0.Spec):
        return _comparison(*sides, old.spec, new.spec, amqp0_changes(old.spec, new.spec))
    if isinstance(old.spec, spec1.Spec) and isinstance(new.spec, spec1.Spec):
        return _comparison(*sides, old.spec, new.spec, amqp1_changes(old.spec, new.spec))
    return concept_map(old.spec, new.spec, *sides)


def _side(specification: Specification) -> Side:
    spec = specification.spec
    return Side(spec.version, spec.title, tuple(specification.sources))


def _comparison(old: Side, new: Side, before: Spec, after: Spec, changes: Iterable[Change]) -> SpecComparison:
    """Keep the changes of what both have: the stripped files lack rules, texts and grammars altogether."""
    remarks = []
    for topic, texts in (("rules", _rules), ("texts for people", _docs), ("grammars", _grammars)):
        has = [any(texts(spec)) for spec in (before, after)]
        if has[0] != has[1]:
            side = "old" if has[1] else "new"
            remarks.append(f"the {side} specification has no {topic}, so they are not compared")
            changes = [change for change in changes if _topic(change) != topic]
    return SpecComparison(old, new, tuple(changes), tuple(remarks))


def _topic(change: Change) -> str:
    if change.kind == "rule":
        return "rules"
    if change.aspect == "text":
        return "texts for people"
    return "grammars" if change.aspect == "grammar" else ""


def _rules(spec: Spec) -> Iterator[str]:
    return (rule.text for rule in spec.rules)


def _docs(spec: Spec) -> Iterator[str]:
    if isinstance(spec, spec0.Spec):
        yield from (constant.doc for constant in spec.constants)
        yield from (entry.doc for entry in spec.classes)
        for method in spec.methods:
            yield from (method.doc, *(field.doc for field in method.fields))
    else:
        yield from (part.doc for part in spec.parts)
        yield from (type_.doc for type_ in spec.types)
        yield from (definition.doc for definition in spec.definitions)


def _grammars(spec: Spec) -> Iterator[str]:
    if isinstance(spec, spec0.Spec):
        yield from (grammar for entry in spec.classes for grammar in entry.grammars)
