"""The page of a 0-x version tells everything that the specification says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from amqp_codegen.model.amqp0.spec import Field, Spec
from amqp_codegen.reference.amqp0.anchors import Anchors
from amqp_codegen.reference.amqp0.arguments import argument_anchor, argument_values, argument_versions
from amqp_codegen.resolve.amqp0.arguments import arguments_of

from .site_pages import AMQP0, fold, parsed, read, search_entries, site


def spec_of(name: str) -> Spec:
    (specification,) = read(name)
    assert isinstance(specification.spec, Spec)
    return specification.spec


def fields(spec: Spec) -> Iterator[Field]:
    for method in spec.methods:
        yield from method.fields
    for class_ in spec.classes:
        yield from (entry.field for entry in class_.properties)


def sayings(spec: Spec) -> Iterator[str]:
    """Every text for people."""
    for item in (*spec.classes, *spec.methods, *spec.domains, *spec.constants, *fields(spec)):
        yield item.label
        yield from item.doc.split("\n\n")
    for class_ in spec.classes:
        yield from class_.grammars
    for rule in spec.rules:
        yield from (rule.path, rule.label, *rule.text.split("\n\n"), rule.scenario or "", rule.test or "")


@pytest.mark.parametrize("name", AMQP0)
def test_every_text_is_there(name: str) -> None:
    text = parsed(name)["index.html"].text
    assert [saying for saying in sayings(spec_of(name)) if fold(saying) not in text] == []


@pytest.mark.parametrize("name", AMQP0)
def test_every_element_has_its_own_anchor_and_is_found(name: str) -> None:
    spec = spec_of(name)
    anchors = Anchors(spec)
    ids = parsed(name)["index.html"].ids
    elements = [
        *spec.classes,
        *spec.methods,
        *(field for method in spec.methods for field in method.fields),
        *(entry for class_ in spec.classes for entry in class_.properties),
        *spec.domains,
        *spec.constants,
        *spec.rules,
    ]
    table = arguments_of(spec)
    arguments = table.arguments if table else ()
    wanted = [*(anchors[element] for element in elements), *map(argument_anchor, arguments)]
    assert len(set(wanted)) == len(wanted)
    assert set(wanted) <= set(ids)
    assert {address for *_, address in search_entries(site(name))} == {
        f"index.html#{anchor}" for anchor in wanted
    }


def test_a_method_in_full() -> None:
    page = parsed("0-9-1")["index.html"].text
    start = page.index("queue.declare create or check a queue")
    entry = page[start : page.index("queue.declare-ok queue is declared", start)]
    for expected in (
        "declare(short reserved-1, queue-name queue, bit passive, bit durable, bit exclusive, bit auto-delete, "
        "no-wait no-wait, table arguments) ➔ declare-ok",
        "direction client to server (server MUST accept it)",
        "ids class 50, method 10: 0032 000a",
        "synchronous yes, answered by queue.declare-ok",
        "in Python methods.QueueDeclare",
        "MUST every queue has a default binding queue.declare/default-binding",
        "1 reserved-1 short reserved: always zero",
        "Must be at most 127 characters. (domain queue-name)",
        "Error code: resource-locked",
    ):
        assert expected in fold(entry.replace("\N{NO-BREAK SPACE}", " ")), expected


def test_replies_both_ways_and_content() -> None:
    text = parsed("0-9-1")["index.html"].text
    assert "answers basic.get" in text
    assert "direction client to server and server to client" in text
    assert "content a content header and body follow" in text


def test_constants_and_ids() -> None:
    text = parsed("0-9-1-rabbitmq")["index.html"].text
    assert "not-found 404 channel" in text
    assert "frame-error 501 connection" in text
    assert "declare 10 0032 000a client to server" in text
    assert "From rabbitmq.xml." in text
    assert "added by rabbitmq.xml" in text
    assert "rabbitmq.xml" not in parsed("0-9-1")["index.html"].text


def test_diagrams_are_there() -> None:
    page = parsed("0-9-1")["index.html"]
    spec = spec_of("0-9-1")
    # One for each method, each class's states, and each content header.
    pictures = len(list(spec.methods)) + len(spec.classes) + len(spec.content_classes)
    assert page.elements.count("svg") == pictures


@pytest.mark.parametrize("name", AMQP0)
def test_states_of_the_engine(name: str) -> None:
    text = fold(parsed(name)["index.html"].text)
    assert text.count("In the connection engine of the package:") == 2
    assert re.search(
        r"CLOSED \(awaiting open( or resume)?, closed\), OPENING \(awaiting open-ok\), OPEN \(", text
    )
    assert "TUNE (awaiting tune-ok), TUNED (awaiting open), OPENING (awaiting " in text


def test_arguments_of_rabbitmq() -> None:
    page = parsed("0-9-1-rabbitmq")["index.html"]
    table = arguments_of(spec_of("0-9-1-rabbitmq"))
    assert table is not None
    assert [known.name for known in table.arguments if fold(known.doc) not in page.text] == []
    texts = {known.name: (argument_values(known), argument_versions(known)) for known in table.of("queue")}
    assert texts["x-max-priority"] == ("integer, 0 to 255", "3.10 (classic)")
    assert texts["x-queue-leader-locator"][1] == "4.0 (classic), 3.10 (quorum and stream)"
    assert texts["x-queue-mode"] == ("default, lazy", "3.10 (classic); until 4.0")
