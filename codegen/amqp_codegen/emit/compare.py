"""The differences between generated files and the output folder, and its errors as problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ..model.problem import Problem, SpecError
from .source_text import CommentStyle, carries_header, carries_header_of

UNTOUCHED = "nothing was changed"
STAGING = ".amqp-codegen-"  # how the name of a staging folder begins


def output_problem(output: Path, action: str, error: BaseException, hint: str) -> SpecError:
    """Return the problem of a folder that cannot be accessed; ``action`` is ``read`` or ``write to``."""
    message = f"cannot {action} {_place(output, error)!r}: {_reason(error)}"
    return SpecError([Problem("unwritable-output", message, None, hint)])


def _place(output: Path, error: BaseException) -> str:
    """Return the file that the error names, unless it is in a staging folder, which users do not know."""
    names = [error.filename, error.filename2] if isinstance(error, OSError) else []
    return next((str(name) for name in names if name and STAGING not in str(name)), str(output))


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or str(error) or type(error).__name__


# The header begins within these octets.
_HEADER_SEARCH_OCTETS = 4096


@dataclass(frozen=True, slots=True)
class Leftovers:
    """How to recognise files that an earlier run made for a user's own target.

    Attributes:
        pattern: A ``glob`` pattern of their paths; ``*`` matches within one path component.
        options: The first options in their header.
        comment: The comment style of the header.
    """

    pattern: str
    options: tuple[tuple[str, str], ...]
    comment: CommentStyle

    def covers(self, path: str) -> bool:
        """Return whether a path matches the pattern."""
        return path.count("/") == self.pattern.count("/") and fnmatchcase(path, self.pattern)


@dataclass(frozen=True, slots=True)
class Drift:
    """The differences between a folder and the generated files; sorted paths relative to the folder.

    Attributes:
        changed: Files whose content differs.
        missing: Files that do not exist.
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
    """Compare generated files with those in a folder.

    Args:
        output: The output folder.
        files: Text by path relative to ``output``.
        folders: The folders below ``output`` to search for files that are no longer generated.
        leftovers: Patterns of such files outside ``folders``.

    Raises:
        SpecError: A file cannot be read, or the path of the folder is invalid.
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
    extra = []
    for folder in folders:
        for path in sorted((output / folder).rglob("*")):
            name = path.relative_to(output).as_posix()
            if name not in files and path.is_file() and path.suffix != ".pyc" and _is_ours(path):
                extra.append(name)
    return extra


def _left_over(output: Path, files: Mapping[str, str], leftovers: Sequence[Leftovers]) -> list[str]:
    extra = []
    for pattern in leftovers:
        for path in output.glob(pattern.pattern):
            name = path.relative_to(output).as_posix()
            if name not in files and path.is_file() and _is_left_over(path, pattern):
                extra.append(name)
    return extra


def _is_left_over(path: Path, leftovers: Leftovers) -> bool:
    with path.open("rb") as file:
        text = file.read(_HEADER_SEARCH_OCTETS).decode("utf-8", "replace")
    return carries_header_of(text, leftovers.options, leftovers.comment)


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return carries_header(file.read(64).decode("ascii", "replace"))
