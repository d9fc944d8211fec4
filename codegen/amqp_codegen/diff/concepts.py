"""Which element of the 0-x family corresponds to which of AMQP 1.0 (``specs/concepts.toml``)."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..support import toml
from ..support.resources import specs_dir
from .change import Concept, ConceptMap, Side

_FILE = "concepts.toml"


def concept_map(
    old: spec0.Spec | spec1.Spec, new: spec0.Spec | spec1.Spec, old_side: Side, new_side: Side
) -> ConceptMap:
    """Return the concepts that concern two specifications, one of the 0-x family and one of 1.0."""
    names = _names(old), _names(new)
    ways = ("amqp0", "amqp1") if isinstance(old, spec0.Spec) else ("amqp1", "amqp0")
    concepts = []
    for entry in read_concepts():
        kept = [
            tuple(name for name in entry[way] if name in known)
            for way, known in zip(ways, names, strict=True)
        ]
        # A concept does not concern a version that lacks all elements of its side.
        if all(found or not entry[way] for way, found in zip(ways, kept, strict=True)):
            concepts.append(Concept(entry["topic"], kept[0], kept[1], entry["note"]))
    return ConceptMap(
        old_side,
        new_side,
        tuple(concepts),
        _left_over(_main(old), (name for concept in concepts for name in concept.old)),
        _left_over(_main(new), (name for concept in concepts for name in concept.new)),
    )


def read_concepts() -> list[dict[str, Any]]:
    """Read the entries of the file: ``topic``, ``amqp0``, ``amqp1`` (names of elements) and ``note``."""
    document = toml.loads((specs_dir() / _FILE).read_text(encoding="utf-8"))
    concepts: list[dict[str, Any]] = document["concepts"]
    return concepts


def _names(spec: spec0.Spec | spec1.Spec) -> Set[str]:
    """Return the names of all elements that a concept can name."""
    found: set[str] = set()
    if isinstance(spec, spec0.Spec):
        for class_ in spec.classes:
            found |= {
                class_.name,
                *(f"{class_.name}.properties.{entry.field.name}" for entry in class_.properties),
            }
        for method in spec.methods:
            found |= {method.full_name, *(f"{method.full_name}.{field.name}" for field in method.fields)}
        return (
            found | {constant.name for constant in spec.constants} | {domain.name for domain in spec.domains}
        )
    for kind in spec.composites:
        found |= {f"{kind.name}.{field.name}" for field in kind.fields}
    for choices in spec.enumerations:
        found |= {f"{choices.name}.{choice.name}" for choice in choices.choices}
    found |= {archetype.name for archetype in spec.archetypes} | {
        definition.name for definition in spec.definitions
    }
    return found | {type_.name for type_ in spec.types}


def _main(spec: spec0.Spec | spec1.Spec) -> list[str]:
    """Return what a reader looks for in the map: methods, or types with a descriptor."""
    if isinstance(spec, spec0.Spec):
        return [method.full_name for method in spec.methods]
    return [type_.name for type_ in spec.described_types]


def _left_over(names: Iterable[str], used: Iterable[str]) -> tuple[str, ...]:
    """Return the names that no concept covers: neither the name itself, nor something in it, nor its class."""
    parts = [name.split(".") for name in used]
    known = {".".join(part[:count]) for part in parts for count in range(1, len(part) + 1)}
    classes = {part[0] for part in parts if len(part) == 1}
    return tuple(name for name in names if name not in known and name.partition(".")[0] not in classes)
