"""What is wrong with the folder that is written to, as a problem."""

from __future__ import annotations

from pathlib import Path

from ..model.problem import Problem, SpecError

UNTOUCHED = "nothing was changed"
STAGING = ".amqp-codegen-"  # what the name of a staging folder starts with


def output_problem(output: Path, action: str, error: BaseException, hint: str) -> SpecError:
    """The error to raise when something in the output folder cannot be read or written.

    Args:
        output: The folder.
        action: What was tried: ``read`` or ``write to``.
        error: What happened.
        hint: What state the folder is in.
    """
    message = f"cannot {action} {_place(output, error)!r}: {_reason(error)}"
    return SpecError([Problem("unwritable-output", message, None, hint)])


def _place(output: Path, error: BaseException) -> str:
    """The file that it happened to; one in a staging folder tells the user nothing."""
    names = [error.filename, error.filename2] if isinstance(error, OSError) else []
    return next((str(name) for name in names if name and STAGING not in str(name)), str(output))


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or str(error) or type(error).__name__
