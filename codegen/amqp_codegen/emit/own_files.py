"""The files of a user's own targets: one for each class, method, part or type that their paths name."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..model.problem import Problem, SpecError
from ..resolve.amqp1.wire import read_wire1
from ..support.resources import wire_file
from ..support.wording import listing, quote
from .amqp1.context import protocol_headers
from .amqp1.python_types import part_module, plain_name
from .compare import Leftovers
from .manifest import AMQP0, AMQP1, RULE_ID, OwnFile
from .source_text import file_header
from .target import PlannedFile

Spec = spec0.Spec | spec1.Spec


def family_of(spec: Spec) -> str:
    """Return ``amqp0`` or ``amqp1``."""
    return AMQP0 if isinstance(spec, spec0.Spec) else AMQP1


def chosen_files(own: Sequence[OwnFile], emit: Sequence[str] | None, spec: Spec) -> list[OwnFile]:
    """Return the entries for the chosen targets; if none are chosen, all entries for the family.

    Raises:
        SpecError: A chosen target has no entry for the family.
    """
    family = family_of(spec)
    fitting = [own_file for own_file in own if own_file.family in ("", family)]
    if emit is None:
        return fitting
    targets = {own_file.target for own_file in own}
    unfit = sorted((targets & set(emit)) - {own_file.target for own_file in fitting})
    if unfit:
        named = f"{'target' if len(unfit) == 1 else 'targets'} {listing(map(quote, unfit))}"
        message = f"the specification is of the family {family}, for which there is nothing in the {named}"
        position = next(own_file.position for own_file in own if own_file.target == unfit[0])
        raise SpecError([Problem(RULE_ID, message, position, "emit something else")])
    return [own_file for own_file in fitting if own_file.target in emit]


def own_planned_files(
    own: Sequence[OwnFile], spec: Spec, package: str, generator_version: str
) -> list[PlannedFile]:
    """Return the files to render for a user's targets; their headers state package and target."""
    common: dict[str, Any] = {"spec": spec, "package": package, "family": family_of(spec)}
    if isinstance(spec, spec1.Spec):
        wire = read_wire1(*wire_file())
        common |= {"wire": wire, "headers": protocol_headers(spec, wire)}
    planned = []
    for own_file in own:
        header = file_header(generator_version, _identity(own_file, package), own_file.comment)
        for names, variables in _subjects(own_file.placeholders, spec):
            path = own_file.path.format_map({"package": package, "version": spec.version, **names})
            context = {**common, **variables, "header": header}
            planned.append(PlannedFile(path, own_file.template, context, own_file.formatted))
    return planned


def own_leftovers(own: Sequence[OwnFile], package: str, version: str) -> tuple[Leftovers, ...]:
    """Return how to recognise the files that earlier runs made for the same targets."""
    leftovers = []
    for own_file in own:
        names = dict.fromkeys(own_file.placeholders, "\0") | {"package": package, "version": version}
        pattern = glob.escape(own_file.path.format_map(names)).replace("\0", "*")
        leftovers.append(Leftovers(pattern, _identity(own_file, package), own_file.comment))
    return tuple(leftovers)


def refuse_clashes(own: Sequence[PlannedFile], ours: Sequence[PlannedFile]) -> None:
    """Refuse a path that two files have, or that is a file and a folder. Case is ignored.

    Raises:
        SpecError: There are such paths; carries a problem for each.
    """
    makers: dict[str, str] = {}
    folders: dict[str, str] = {}
    problems = []
    for own_file in (*ours, *own):
        path = own_file.path.casefold()
        above = [str(folder) for folder in PurePosixPath(path).parents]
        places = [makers.get(path), folders.get(path), *map(makers.get, above)]
        other = next((place for place in places if place is not None), None)
        if other is not None:
            message = f"{quote(own_file.template)} makes {quote(own_file.path)}, where {quote(other)} makes a file, too"
            hint = "name in its path what differs; to replace a file of ours, name a template like ours"
            problems.append(Problem(RULE_ID, message, None, hint))
        makers[path] = own_file.template
        folders |= dict.fromkeys(above, own_file.template)
    if problems:
        raise SpecError(problems)


def _identity(own: OwnFile, package: str) -> tuple[tuple[str, str], ...]:
    return ("package", package), ("target", own.target)


def _subjects(
    placeholders: frozenset[str], spec: Spec
) -> Iterator[tuple[Mapping[str, str], Mapping[str, Any]]]:
    """Yield the values of the placeholders and the variables of the template, for own_file file."""
    if isinstance(spec, spec0.Spec):
        if not placeholders & {"class", "method"}:
            yield {}, {}
            return
        for entry in spec.classes:
            if "method" not in placeholders:
                yield {"class": entry.identifier}, {"class": entry}
                continue
            for method in entry.methods:
                names = {"class": entry.identifier, "method": method.function_name}
                yield names, {"class": entry, "method": method}
        return
    if not placeholders & {"part", "type"}:
        yield {}, {}
        return
    for part in spec.parts:
        if "type" not in placeholders:
            yield {"part": part_module(part)}, {"part": part}
            continue
        for own_type in part.types:
            yield {"part": part_module(part), "type": plain_name(own_type)}, {"part": part, "type": own_type}
