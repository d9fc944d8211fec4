"""The end of a command on an error that its user can act on: one line, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.command_line import print_problems, refuse_input

# Rule ids of expected errors. Errors are known by the names of their classes, as their modules may need an extra that is
# missing, or take long to import.
_RULES = {"SparkUnavailable": "no-spark", "LakeError": "no-lake", "TaskFailed": "spark", "OSError": "io"}


@contextmanager
def refusing(
    rules: Mapping[str, str] | None = None, hints: Mapping[str, str] | None = None
) -> Iterator[None]:
    """End the program with one line on an expected error. An error with an attribute ``rule`` names its own.

    Args:
        rules: Rule ids by the names of further errors, or where they differ from the usual ones.
        hints: What to add to the messages of errors, by the names of their classes.
    """
    known = {**_RULES, **(rules or {})}
    try:
        yield
    except BrokenPipeError:
        raise
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        rule = getattr(error, "rule", None) or next((known[name] for name in names if name in known), None)
        if rule is None:
            raise
        refuse_input(rule, f"{_message(error)}{(hints or {}).get(names[0], '')}")


def is_expected(error: Exception) -> bool:
    """Return whether an error has a message of its own for users."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return (
        hasattr(error, "rule")
        or isinstance(error, SpecError)
        or not names.isdisjoint((*_RULES, "NothingToReport"))
    )


def _message(error: Exception) -> str:
    if not isinstance(error, OSError):
        return str(error)
    return f"{f'{error.filename}: ' if error.filename else ''}{error.strerror or error}"
