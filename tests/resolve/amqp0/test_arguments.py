"""arguments.toml: what it says, and what is refused in it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from amqp_codegen.model.amqp0.arguments import SUBJECTS, ArgumentTable
from amqp_codegen.model.problem import SpecError
from amqp_codegen.resolve.amqp0.arguments import read_arguments
from amqp_codegen.support import toml
from amqp_codegen.support.resources import arguments_file

from .test_wire import written

DOCUMENT = toml.loads(arguments_file()[0].decode())


def read(document: dict[str, Any]) -> ArgumentTable:
    text = "\n".join(f"{key} = {written(value)}" for key, value in document.items())
    return read_arguments(text.encode(), "arguments.toml")


def refusal(document: dict[str, Any]) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read(document)
    messages = [str(problem) for problem in caught.value.problems]
    assert all(message.startswith("arguments.toml:1:1: error: ") for message in messages)
    return messages


def changed(path: str, value: Any) -> dict[str, Any]:
    """The document with one key of an argument set, or left out for None."""
    document = copy.deepcopy(DOCUMENT)
    subject, name, key = path.split("/")
    document[subject].setdefault(name, {})[key] = value
    if value is None:
        del document[subject][name][key]
    return document


def test_ours() -> None:
    table = read_arguments(*arguments_file())
    assert table == read(DOCUMENT)
    assert (table.version, table.profile) == ("0-9-1-rabbitmq", "rabbitmq")
    assert {argument.subject for argument in table.arguments} == set(SUBJECTS)
    [version] = [argument for argument in table.of("queue") if argument.name == "x-queue-version"]
    assert (version.types, version.values, version.newest) == (("integer",), (1, 2), (2,))
    assert "x-max-age" in {argument.name for argument in table.of("queue", "stream")}
    assert "x-max-age" not in {argument.name for argument in table.of("queue", "quorum")}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("queue/x-expires/doc", None, "a key is missing or has the wrong form: 'queue.x-expires.doc'"),
        ("queue/x-expires/type", None, "a key is missing or has the wrong form: 'queue.x-expires.type'"),
        ("queue/x-expires/colour", "red", "queue.x-expires has the unknown key 'colour'"),
        ("queue/x-expires/least", "1", "least of queue.x-expires has the wrong type"),
        ("queue/x-expires/least", True, "least of queue.x-expires has the wrong type"),
        ("queue/x-expires/type", "number", "queue.x-expires: there is no type 'number'"),
        ("queue/x-overflow/values", [1], "queue.x-overflow: the value 1 does not have the type"),
        ("queue/x-overflow/newest", ["no"], "newest has a value that is not among the values"),
        ("queue/x-overflow/unchecked", "all", "unchecked is value or type, not 'all'"),
        ("queue/x-queue-mode/refused", "broker", "refused is channel, connection or elsewhere, and"),
        ("queue/x-expires/refused", "channel", "refused is channel, connection or elsewhere, and"),
        ("queue/x-expires/needs", "x-none", "it needs 'x-none', which is not there"),
        ("queue/x-expires/since", "3.10", "those of queues and consumers have queues, others since"),
        ("message/CC/since", None, "those of queues and consumers have queues, others since"),
        ("queue/x-expires/queues", {"lazy": "3.10"}, "there is no queue of the type 'lazy'"),
        ("queue/x-expires/elsewhere", "3.8", "no broker of version '3.8' was asked"),
        ("queue/x-max-age/pattern", "(", "its pattern is not one: "),
    ],
)
def test_refused(path: str, value: Any, message: str) -> None:
    [found] = refusal(changed(path, value))
    assert message in found
    assert found.endswith("[wire-file]")


def test_all_faults_at_once() -> None:
    document = changed("queue/x-overflow/newest", ["no"])
    document["queue"]["x-expires"]["type"] = "number"
    assert len(refusal(document)) == 2


@pytest.mark.parametrize("data", [b"[", b"\xff"])
def test_no_toml(data: bytes) -> None:
    with pytest.raises(SpecError, match="not readable as TOML"):
        read_arguments(data, "arguments.toml")


def test_a_table_about_nothing() -> None:
    [message] = refusal({**DOCUMENT, "broker": {}})
    assert "there is no broker" in message


def test_the_head_is_needed() -> None:
    assert "'profile'" in refusal({key: value for key, value in DOCUMENT.items() if key != "profile"})[0]
