"""arguments.toml: what it says, and what is refused in it."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp0.arguments import SUBJECTS
from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.resolve.amqp0.arguments import read_arguments
from amqp_codegen.support.resources import arguments_file

from .bad_arguments import BAD, TEXT, BadArguments


def refusal(data: bytes) -> tuple[Problem, ...]:
    with pytest.raises(SpecError) as caught:
        read_arguments(data, "arguments.toml")
    return caught.value.problems


def test_ours() -> None:
    table = read_arguments(*arguments_file())
    assert (table.version, table.profile) == ("0-9-1-rabbitmq", "rabbitmq")
    assert {argument.subject for argument in table.arguments} == set(SUBJECTS)
    [version] = [argument for argument in table.of("queue") if argument.name == "x-queue-version"]
    assert (version.types, version.values, version.newest) == (("integer",), (1, 2), (2,))
    assert "x-max-age" in {argument.name for argument in table.of("queue", "stream")}
    assert "x-max-age" not in {argument.name for argument in table.of("queue", "quorum")}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad.table}: {bad.by or bad.line}")
def test_refused(bad: BadArguments) -> None:
    data, line = bad.edited()
    [problem] = refusal(data)
    assert problem.rule_id == bad.rule
    assert bad.message in problem.message
    assert str(problem).startswith(f"arguments.toml:{line}:")


def test_all_faults_at_once() -> None:
    wrong = TEXT.replace('type = "boolean"', 'type = "bool"').replace("least = 1\n", "least = 1.5\n")
    assert {problem.rule_id for problem in refusal(wrong.encode())} == {"argument-form"}  # first the form
    problems = refusal(TEXT.replace('type = "boolean"', 'type = "bool"').encode())
    assert {problem.hint for problem in problems} == {"did you mean 'boolean'?"}
    assert len(problems) == TEXT.count('type = "boolean"')


@pytest.mark.parametrize("data", [b"[", b"\xff"])
def test_no_toml(data: bytes) -> None:
    [problem] = refusal(data)
    assert str(problem).startswith("arguments.toml:1:") and "not readable as TOML" in problem.message
