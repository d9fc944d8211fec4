"""Problems without end are cut."""

from __future__ import annotations

from amqp_codegen.model.problem import Position, Problem
from amqp_codegen.reader.check_schema import MAX_PROBLEMS, limited


def problems(count: int) -> list[Problem]:
    return [Problem("wrong", "wrong", Position("f", line, 1)) for line in range(1, count + 1)]


def test_up_to_the_limit_all_are_told() -> None:
    assert limited(problems(MAX_PROBLEMS)) == problems(MAX_PROBLEMS)


def test_beyond_it_the_last_says_that_there_are_more() -> None:
    found = limited(problems(MAX_PROBLEMS + 5))
    assert found[:-1] == problems(MAX_PROBLEMS)
    assert str(found[-1]) == (
        f"f:{MAX_PROBLEMS + 1}:1: error: there are more problems from here on [too-many-problems]"
    )
