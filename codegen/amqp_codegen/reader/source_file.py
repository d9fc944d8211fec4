"""The places that a specification or an overlay is read from: a file, standard input, or a file of a git revision.

All of them are ``Path`` objects, so that they go wherever files go: ``-`` is standard input, ``git:HEAD~1:specs/x.xml`` is
the file as ``git show HEAD~1:specs/x.xml`` prints it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath

from ..model.problem import Problem, SpecError
from ..support.wording import quote

STANDARD_INPUT = Path("-")
_GIT = "git:"
_GIT_SECONDS = 60


def read_source(path: Path, most: int) -> bytes:
    """Return the octets of a source, at most that many.

    Raises:
        SpecError: With one problem: it is not there, or it cannot be read.
    """
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read(most) if sys.stdin else b""
    if is_git(str(path)):
        return _git("cat-file", "blob", _git_object(str(path)))[:most]
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise SpecError([Problem("no-such-file", f"there is no file {quote(str(path))}")]) from None
    except (OSError, ValueError) as error:
        raise SpecError([unreadable(str(path), error)]) from None


def source_name(path: Path) -> str:
    """Return the name of a source in headers and titles: without the folder, which depends on the machine."""
    if path == STANDARD_INPUT:
        return "stdin"
    return str(path).removeprefix(_GIT) if is_git(str(path)) else path.name


def unreadable(text: str, error: OSError | ValueError) -> Problem:
    """Return the problem of a place that the system does not let us read."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return Problem("unreadable-file", f"cannot read {quote(text)}: {reason}")


# --- git ---


def is_git(text: str) -> bool:
    """Return whether a text names a file or folder of a git revision."""
    return text.startswith(_GIT)


def git_files(text: str) -> list[Path]:
    """Return the file of a revision, or the files of a folder in it.

    Raises:
        SpecError: With one problem: git is missing, or knows no such revision or file.
    """
    named = _git_object(text)
    if _git("cat-file", "-t", named).strip() != b"tree":
        return [Path(text)]
    names = _git("ls-tree", "-z", "--name-only", named).decode(errors="surrogateescape").split("\0")
    folder = text if text.endswith(":") else f"{text.rstrip('/')}/"
    return [Path(folder + name) for name in names if PurePosixPath(name).suffix == ".xml"]


def _git_object(text: str) -> str:
    named = text.removeprefix(_GIT)
    revision, colon, _ = named.partition(":")
    if not revision or not colon or revision.startswith("-"):
        message = f"{quote(text)} does not name a file of a git revision"
        raise SpecError([Problem("no-such-file", message, None, "write git:HEAD~1:specs/mine.xml")])
    return named


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_GIT_SECONDS,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        reason = "git is not installed" if isinstance(error, FileNotFoundError) else str(error)
        raise SpecError([Problem("no-such-file", f"cannot read {quote(arguments[-1])}: {reason}")]) from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it says no more"]
        message = f"git has no {quote(arguments[-1])}: {lines[0].removeprefix('fatal: ')}"
        raise SpecError([Problem("no-such-file", message)])
    return done.stdout
