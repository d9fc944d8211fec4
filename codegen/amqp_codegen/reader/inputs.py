"""The files that a user names: by a file, a folder, a git revision, standard input, or the name of a built-in specification."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..support.resources import specs_dir
from ..support.wording import did_you_mean, listing, quote
from .source_file import STANDARD_INPUT, git_files, is_git, unreadable
from .versions import unsupported_0_10


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of one specification (1.0 has five), and the overlays that change them."""

    files: tuple[Path, ...]
    overlays: tuple[Path, ...] = ()


# The parts of 1.0 in the order of the standard; each builds on those before it.
PARTS_1_0 = ("types", "transport", "messaging", "transactions", "security")
_FILES_1_0 = tuple(f"amqp1-0/{part}.xml" for part in PARTS_1_0)
# What brokers and clients add to it; each file can also be used alone.
_EXTENSIONS_1_0 = (
    "anonymous-terminus",
    "claims-based-security",
    "filter-expressions",
    "http-over-amqp",
    "jms-mapping",
    "message-scheduling",
    "rabbitmq",
)
_FILES_1_0_RABBITMQ = (*_FILES_1_0, *(f"amqp1-0-extensions/{part}.xml" for part in _EXTENSIONS_1_0))
_BUILT_IN_FILES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "0-8": (["amqp0-8.xml"], []),
    "0-8-rabbitmq": (["amqp0-8.xml"], ["rabbitmq-0-8.xml"]),
    "0-9": (["amqp0-9.xml"], []),
    "0-9-1": (["amqp0-9-1.xml"], []),
    "0-9-1-rabbitmq": (["amqp0-9-1.xml"], ["rabbitmq.xml"]),
    "1.0": (_FILES_1_0, []),
    "1-0": (_FILES_1_0, []),
    "1.0-rabbitmq": (_FILES_1_0_RABBITMQ, []),
    "1-0-rabbitmq": (_FILES_1_0_RABBITMQ, []),
}

# The names of the built-in specifications, without the other spellings of 1.0.
BUILT_IN = tuple(name for name in _BUILT_IN_FILES if not name.startswith("1-0"))


def resolve_input(text: str) -> Inputs:
    """Find the files of a built-in name, a file, or a folder of ``*.xml`` files.

    A built-in name has precedence; write ``./0-9-1`` for a folder of that name. ``-`` is standard input, and
    ``git:REVISION:PATH`` a file or folder of a git revision. The files are in reading order, and named as the user
    named them.

    Raises:
        SpecError: With one problem: there is no such file, folder or name, or no XML in the folder.
    """
    if text in _BUILT_IN_FILES:
        return _built_in(text)
    path = Path(text)
    try:
        if path == STANDARD_INPUT:
            files = [path]
        elif is_git(text):
            files = sorted(git_files(text), key=_reading_order)
        elif not text or not path.exists():
            raise SpecError([_not_found(text)])
        else:
            files = _xml_files(path) if path.is_dir() else [path]
    except (OSError, ValueError) as error:  # no permission, name too long, or a NUL in it
        raise SpecError([unreadable(text, error)]) from None
    if not files:
        message = f"the folder {quote(text)} has no XML files"
        raise SpecError([Problem("no-such-file", message, None, "they must be named *.xml")])
    return Inputs(tuple(files))


def gather_inputs(specs: Sequence[str], overlays: Sequence[Path]) -> tuple[Inputs, list[Problem]]:
    """Return the files of all specifications and overlays, and the problems with them.

    The overlays given here follow those that belong to a built-in name.
    """
    files: list[Path] = []
    changes: list[Path] = []
    problems: list[Problem] = []
    for text in specs:
        try:
            inputs = resolve_input(text)
        except SpecError as error:
            problems += error.problems
        else:
            files += inputs.files
            changes += inputs.overlays
    if problems:  # else reading the overlays reports those that are missing, with any other problem
        problems += [_no_file(overlay) for overlay in overlays if not _may_be_read(overlay)]
    return Inputs(tuple(files), (*changes, *overlays)), problems


def _may_be_read(path: Path) -> bool:
    return path == STANDARD_INPUT or is_git(str(path)) or os.path.lexists(path)


def _no_file(path: Path) -> Problem:
    return Problem("no-such-file", f"there is no file {quote(str(path))}")


def _built_in(name: str) -> Inputs:
    files, overlays = _BUILT_IN_FILES[name]
    try:
        folder = specs_dir()
    except FileNotFoundError as error:
        raise SpecError([Problem("no-such-file", str(error))]) from None
    return Inputs(tuple(folder / file for file in files), tuple(folder / file for file in overlays))


def _xml_files(folder: Path) -> list[Path]:
    """Return the XML files of a folder: the parts of 1.0 in their order, then others by name."""
    files = [path for path in folder.iterdir() if path.suffix == ".xml" and path.is_file()]
    return sorted(files, key=_reading_order)


def _reading_order(path: Path) -> tuple[int, str]:
    number = PARTS_1_0.index(path.stem) if path.stem in PARTS_1_0 else len(PARTS_1_0)
    return number, path.name


# What people write around and between the numbers of a version.
_VERSION_PREFIX = re.compile(r"^(amqp|v)[-_. ]*|\.xml$")
_SEPARATORS = re.compile(r"[-_. ]+")
_UNSUPPORTED_NAMES = ("0-10", "010")


def _not_found(text: str) -> Problem:
    name = _SEPARATORS.sub("-", _VERSION_PREFIX.sub("", text.lower()))
    if name in _UNSUPPORTED_NAMES:
        return unsupported_0_10()
    if "://" in text:
        hint = "download it first, then name the file"
        return Problem("no-such-file", f"{quote(text)} is a URL, not a file", None, hint)
    looks_like_path = any(mark in text for mark in ("/", "\\", ".xml"))
    if looks_like_path:
        return Problem("no-such-file", f"there is no file or folder {quote(text)}")
    close = did_you_mean(name.replace("1-0", "1.0"), BUILT_IN)
    hint = close or f"built in are {listing(BUILT_IN)}"
    message = f"there is no file, folder or built-in specification {quote(text)}"
    return Problem("no-such-file", message, None, hint)


def is_built_in_file(path: Path) -> bool:
    """Return whether a file belongs to a built-in specification."""
    return specs_dir().resolve() in path.resolve().parents
