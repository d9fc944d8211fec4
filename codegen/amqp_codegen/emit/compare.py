"""Compares what would be generated with what is there.

What is wrong with the folder that is written to, as a problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ..model.problem import Problem, SpecError
from .output_file import carries_header, carries_header_of
from .source_text import CommentStyle

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


# Where a header stands at the latest, in octets.
_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Leftovers:
    """How files of a user's own target that an earlier run made are known.

    Attributes:
        pattern: What their paths look like, as ``glob`` has it; a ``*`` is for one part of a path at most.
        options: What the options in their header begin with.
        comment: What the comment with the header looks like.
    """

    pattern: str
    options: tuple[tuple[str, str], ...]
    comment: CommentStyle

    def covers(self, path: str) -> bool:
        """Whether a path looks like theirs."""
        return path.count("/") == self.pattern.count("/") and fnmatchcase(path, self.pattern)


@dataclass(frozen=True, slots=True)
class Drift:
    """How a folder differs from what would be generated; paths relative to it, sorted.

    Attributes:
        changed: Files with another content.
        missing: Files that are not there.
        extra: Files that carry our header but are no longer generated.
    """

    changed: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.extra)


def compare(
    output: Path, files: Mapping[str, str], folders: Sequence[str], leftovers: Sequence[Leftovers] = ()
) -> Drift:
    """Compares generated files with those in a folder.

    Args:
        output: The folder that everything is generated into.
        files: Path relative to ``output`` to text.
        folders: The folders below it in which files that are no longer generated are looked for.
        leftovers: Which files outside of these are looked at as well.

    Raises:
        SpecError: Something there cannot be read, or the name of the folder cannot be one.
    """
    try:
        changed, missing = _changed_and_missing(output, files)
        extra = {*_extra(output, files, folders), *_left_over(output, files, leftovers)}
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, UNTOUCHED) from None
    return Drift(tuple(changed), tuple(missing), tuple(sorted(extra)))


def _changed_and_missing(output: Path, files: Mapping[str, str]) -> tuple[list[str], list[str]]:
    changed, missing = [], []
    for path, text in sorted(files.items()):
        target = output / path
        if not target.is_file():
            missing.append(path)
        elif target.read_bytes() != text.encode():
            changed.append(path)
    return changed, missing


def _extra(output: Path, files: Mapping[str, str], folders: Sequence[str]) -> list[str]:
    found = []
    for folder in folders:
        for path in sorted((output / folder).rglob("*")):
            name = path.relative_to(output).as_posix()
            if name not in files and path.is_file() and path.suffix != ".pyc" and _is_ours(path):
                found.append(name)
    return found


def _left_over(output: Path, files: Mapping[str, str], leftovers: Sequence[Leftovers]) -> list[str]:
    found = []
    for each in leftovers:
        for path in output.glob(each.pattern):
            name = path.relative_to(output).as_posix()
            if name not in files and path.is_file() and _is_left_over(path, each):
                found.append(name)
    return found


def _is_left_over(path: Path, leftovers: Leftovers) -> bool:
    with path.open("rb") as file:
        text = file.read(_HEAD).decode("utf-8", "replace")
    return carries_header_of(text, leftovers.options, leftovers.comment)


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return carries_header(file.read(64).decode("ascii", "replace"))
