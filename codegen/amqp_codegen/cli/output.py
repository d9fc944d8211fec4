"""Where the commands write what they made: a file that the user names, or the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from ..counted import counted
from ..model.problem import Problem, SpecError
from ..spec.wording import quote
from .console import say


def require_folder(output: Path | None) -> None:
    """Tells at once, not after the work.

    Raises:
        SpecError: There is no folder for the file.
    """
    if output and not output.absolute().parent.is_dir():
        raise SpecError(
            [Problem("no-such-folder", f"there is no folder {quote(str(output.parent))} for the report")]
        )


def write_report(text: str, output: Path | None, lines: bool) -> None:
    """Writes into the file, or prints.

    Args:
        text: All of it.
        output: The file, or None for standard output.
        lines: Whether it is lines for people: on a terminal nothing in them may be more than text.
    """
    # File names may hold half characters, which no encoding has.
    octets = text.encode(errors="backslashreplace")
    if output:
        output.write_bytes(octets)
    elif lines:
        for line in text.splitlines():
            say(line)
    else:
        click.echo(octets, nl=False)


def what_was_done(written: int, removed: int) -> str:
    """``3 files written, 1 file removed``, as far as there was anything to do."""
    done = [
        f"{counted(count, 'file')} {verb}"
        for count, verb in ((written, "written"), (removed, "removed"))
        if count
    ]
    return ", ".join(done) or "nothing to do, all files are current"
