"""Which of the files that a user names are one specification, for calls that take several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..model.problem import Problem, SpecError
from .inputs import Inputs
from .load import Documents


@dataclass(slots=True)
class _Group:
    """One specification that is being gathered.

    Attributes:
        parts: The names of its parts; none for 0-x, whose specifications are one file each.
    """

    files: list[Path]
    overlays: list[Path]
    parts: set[str] = field(default_factory=set)


def group_specifications(given: Iterable[Inputs], documents: Documents) -> tuple[list[Inputs], list[Problem]]:
    """Group files into specifications, in the order of their first files.

    A file of 0-x is a specification by itself. Files of 1.0 are parts of one, wherever they stand; a folder, or the
    built-in ``1.0``, begins another one if a part of it is there already.

    Returns:
        The specifications, and the problems of files that are none; these are left out.
    """
    groups: list[_Group] = []
    problems: list[Problem] = []
    current: _Group | None = None
    for inputs in given:
        names, singles, wrong = _sorted_by_family(inputs, documents)
        problems += wrong
        groups += [_Group([path], list(inputs.overlays)) for path in singles]
        if not names:
            continue
        if current is None or (len(names) > 1 and not current.parts.isdisjoint(names.values())):
            current = _Group([], [])
            groups.append(current)
        current.files += names
        current.overlays += inputs.overlays
        current.parts.update(names.values())
    return [_inputs(group) for group in groups], problems


def _inputs(group: _Group) -> Inputs:
    return Inputs(tuple(dict.fromkeys(group.files)), tuple(dict.fromkeys(group.overlays)))


def _sorted_by_family(
    inputs: Inputs, documents: Documents
) -> tuple[dict[Path, str], list[Path], list[Problem]]:
    """Return the parts of 1.0 with their names, the files of 0-x, and the problems of all others."""
    parts: dict[Path, str] = {}
    singles: list[Path] = []
    problems: list[Problem] = []
    for path in inputs.files:
        try:
            document = documents.read(path)
        except SpecError as error:
            problems += error.problems
            continue
        if isinstance(document.version, Problem):
            problems.append(document.version)
        elif document.version.family == "amqp1":
            parts[path] = document.root.attributes["name"]
        else:
            singles.append(path)
    return parts, singles, problems
