"""The differences between generated files and the output folder, and its errors as problems."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ..model.problem import Problem, SpecError
from .source_text import HEADER_SEARCH, CommentStyle, carries_header, carries_header_of, mentions_generator

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


@dataclass(frozen=True, slots=True)
class Leftovers:
    """How to recognise files that an earlier run made for a user's own target.

    Attributes:
        pattern: A ``glob`` pattern of their paths; ``*`` matches within one path component.
        identity: Whose they are, as their header says it.
        comment: The comment style of the header.
    """

    pattern: str
    identity: tuple[tuple[str, str], ...]
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
    digests = {path: text_digest(text) for path, text in files.items()}
    return compare_digests(output, digests, folders, leftovers)


def compare_digests(
    output: Path, digests: Mapping[str, str], folders: Sequence[str], leftovers: Sequence[Leftovers] = ()
) -> Drift:
    """Compare as ``compare`` does, by the hashes of the texts."""
    try:
        changed, missing = _changed_and_missing(output, digests)
        extra = {*_extra(output, digests, folders), *_left_over(output, digests, leftovers)}
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, UNTOUCHED) from None
    return Drift(tuple(changed), tuple(missing), tuple(sorted(extra)))


def text_digest(text: str) -> str:
    """Return the hash of a text by which it is compared."""
    return hashlib.sha256(text.encode()).hexdigest()


def _changed_and_missing(output: Path, digests: Mapping[str, str]) -> tuple[list[str], list[str]]:
    changed, missing = [], []
    for path, digest in sorted(digests.items()):
        target = os.path.join(output, path)
        if not os.path.isfile(target):
            missing.append(path)
            continue
        with open(target, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != digest:
                changed.append(path)
    return changed, missing


def _extra(output: Path, digests: Mapping[str, str], folders: Sequence[str]) -> Iterator[str]:
    for folder in folders:
        for place, _, names in os.walk(os.path.join(output, folder)):
            relative = Path(os.path.relpath(place, output))
            for name in names:
                path = (relative / name).as_posix()
                if path not in digests and not name.endswith(".pyc") and _is_ours(os.path.join(place, name)):
                    yield path


def _left_over(output: Path, digests: Mapping[str, str], leftovers: Sequence[Leftovers]) -> Iterator[str]:
    for pattern in leftovers:
        for path in output.glob(pattern.pattern):
            name = path.relative_to(output).as_posix()
            if name not in digests and path.is_file() and _is_left_over(path, pattern):
                yield name


def _is_left_over(path: Path, leftovers: Leftovers) -> bool:
    with path.open("rb") as file:
        text = file.read(HEADER_SEARCH).decode("utf-8", "replace")
    return carries_header_of(text, leftovers.identity, leftovers.comment)


def _is_ours(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return carries_header(file.read(64).decode("ascii", "replace"))


def refuse_file(output: Path) -> None:
    """Check that there is no file where the output folder, or one above it, must be.

    Raises:
        SpecError: There is one.
    """
    for folder in (output, *output.parents):
        if os.path.lexists(folder):
            if os.path.isdir(folder):
                return
            message = f"cannot write to {str(output)!r}: {str(folder)!r} is not a folder"
            raise SpecError([Problem("unwritable-output", message, None, UNTOUCHED)])


def refuse_foreign(output: Path, files: Mapping[str, str], changed: Sequence[str]) -> None:
    """Check that the changed files are ours to overwrite: that they have our header, wherever a merge has left it.

    Empty files hold nothing, and files that we make without a header cannot be told from others: both are ours.

    Raises:
        SpecError: Some are not; with a problem for each.
    """
    try:
        marked = [output / path for path in changed if mentions_generator(files[path])]
        foreign = [path for path in marked if not _is_ours_to_overwrite(path)]
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, UNTOUCHED) from None
    if foreign:
        raise SpecError(map(_in_the_way, foreign))


def _in_the_way(path: Path) -> Problem:
    message = f"{str(path)!r} is in the way: it was not generated, or lost its header"
    hint = "choose another folder or package, or overwrite it with --force"
    return Problem("foreign-file", message, None, hint)


def _is_ours_to_overwrite(path: Path) -> bool:
    with path.open("rb") as file:
        text = file.read(HEADER_SEARCH).decode("utf-8", "replace")
    return not text or mentions_generator(text)
