"""The map between the families: complete, and without a name that no specification has."""

from __future__ import annotations

import pytest
from amqp_codegen.diff.change import ConceptMap, Level
from amqp_codegen.diff.compare import compare
from amqp_codegen.diff.concepts import read_concepts
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import Specification, read_specification

OLD = ("0-8", "0-9", "0-9-1", "0-9-1-rabbitmq")


def read(name: str) -> Specification:
    found = resolve_input(name)
    return read_specification(found.files, found.overlays)


def concepts(old: str, new: str) -> ConceptMap:
    found = compare(read(old), read(new))
    assert isinstance(found, ConceptMap)
    return found


@pytest.mark.parametrize("name", OLD)
def test_no_method_and_no_described_type_is_left_over(name: str) -> None:
    found = concepts(name, "1.0")
    assert (found.old_only, found.new_only) == ((), ())


def test_every_name_is_in_some_specification() -> None:
    known: dict[str, set[str]] = {"amqp0": set(), "amqp1": set()}
    for name in OLD:
        for concept in concepts(name, "1.0").concepts:
            known["amqp0"].update(concept.old)
            known["amqp1"].update(concept.new)
    for way, names in known.items():
        assert {name for entry in read_concepts() for name in entry[way]} == names


def test_what_stands_for_what() -> None:
    found = {concept.topic: concept for concept in concepts("0-9-1", "1.0").concepts}
    assert "basic.publish" in found["publishing"].old
    assert "transfer" in found["publishing"].new
    assert {"source.address", "target.address"} <= set(found["queues"].new)
    assert "queue.declare" in found["queues"].old
    assert "message.transfer" not in found["publishing"].old  # 0-9-1 has no class message
    assert "access tickets" not in found
    assert found["purging a queue"].new == ()


def test_the_way_back_has_the_same_concepts() -> None:
    there, back = concepts("0-9-1", "1.0"), concepts("1.0", "0-9-1")
    assert [(concept.topic, concept.old, concept.new) for concept in there.concepts] == [
        (concept.topic, concept.new, concept.old) for concept in back.concepts
    ]
    assert (there.worst, str(back.old)) == (Level.WIRE, "1.0 (types.xml, ..., security.xml)")


def test_every_topic_occurs_once() -> None:
    topics = [entry["topic"] for entry in read_concepts()]
    assert len(topics) == len(set(topics))
    assert all(entry["note"].endswith(".") for entry in read_concepts())
