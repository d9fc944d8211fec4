"""Where our password comes from: a file, the URL, the environment, or the user at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.toml import read_text

VARIABLE = "AMQP_PASSWORD"
DEFAULT_PASSWORD = "guest"


@dataclass(frozen=True, slots=True)
class PasswordSources:
    """Where to look for the password, besides the URL.

    Attributes:
        file: Its first line is the password; ``-`` is standard input.
        environment: The variables of the process.
        ask: Asks at the terminal for the password of a user; None if there is no terminal.
    """

    file: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    ask: Callable[[str], str] | None = None


def find_password(sources: PasswordSources, user: str | None, in_url: str | None) -> str:
    """Return the password: what is named on purpose comes first, the default last.

    Args:
        sources: Where to look.
        user: The user that the URL names; None if it names none.
        in_url: The password in the URL; None if there is none.

    Raises:
        SpecError: The file cannot be read, or is empty.
    """
    if sources.file is not None:
        return _read_password(sources.file)
    if in_url is not None:
        return in_url
    if VARIABLE in sources.environment:
        return sources.environment[VARIABLE]
    if user is not None and sources.ask is not None:
        return sources.ask(user)
    return DEFAULT_PASSWORD


def _read_password(file: Path) -> str:
    try:
        lines = read_text(file).splitlines()
    except OSError as error:
        raise _wrong(file, error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise _wrong(file, "not UTF-8 text") from None
    if not lines or not lines[0]:
        raise _wrong(file, "its first line is the password, and is empty")
    return lines[0]


def _wrong(file: Path, what: str) -> SpecError:
    return SpecError([Problem("wrong-password-file", f"--password-file {file}: {what}", None)])
