"""The stubs of rules: what they are called and what they say."""

from __future__ import annotations

from amqp_codegen.emit.suite import rule_stubs
from amqp_codegen.model.amqp0.spec import Rule
from amqp_codegen.model.problem import Position


def rule(path: str, **others: object) -> Rule:
    facts: dict[str, object] = {
        "label": "",
        "text": "The server MUST, and the client SHOULD.\n\nThe server MUST too.",
        "levels": ("MUST", "SHOULD", "MUST"),
        "actor": "server",
        "on_failure": "not-found",
        "scenario": "Try it.",
        "test": None,
        **others,
    }
    return Rule(path=path, name=path.rpartition("/")[2], position=Position("spec.xml", 1, 1), **facts)  # type: ignore[arg-type]


def test_what_a_stub_says() -> None:
    (stub,) = rule_stubs([rule("queue.declare.queue/default-name")])
    assert stub.path == "queue.declare.queue/default-name"
    assert stub.function == "test_queue_declare_queue_default_name"
    assert stub.text.split("\n") == [
        "queue.declare.queue/default-name: MUST, SHOULD; duty of: server.",
        "",
        "The server MUST, and the client SHOULD.",
        "",
        "The server MUST too.",
        "",
        "Scenario: Try it.",
        "",
        "On failure: not-found.",
    ]


def test_what_is_not_there_is_not_said() -> None:
    (stub,) = rule_stubs([rule("c/r", levels=(), on_failure="", scenario=None, text="Text.")])
    assert stub.text == "c/r: no level; duty of: server.\n\nText."


def test_names_are_unique_whatever_the_paths() -> None:
    paths = ["a.b/c", "a/b-c", "a/b.c", "a/B c", "a/ü", "a/", "a.b/c-2"]
    names = [stub.function for stub in rule_stubs(map(rule, paths))]
    assert len(set(names)) == len(paths)
    assert all(name.isidentifier() and name.startswith("test_") for name in names)


def test_long_lines_are_folded() -> None:
    (stub,) = rule_stubs([rule("c/r", text="word " * 100, scenario="step " * 100)])
    assert max(map(len, stub.text.split("\n"))) <= 106
