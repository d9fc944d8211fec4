"""``amqp-codegen reference SPEC... -o DIR``: the reference guide, as a site that needs no network."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..support.command_line import overlay_option, print_problems, what_was_done
from ..support.console import progress_line, say

if TYPE_CHECKING:
    from ..reader.inputs import Inputs
    from ..resolve.specification import Specification


@click.command("reference")
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...")
@overlay_option
@click.option(
    "--dialect",
    default="",
    help="Default field-table dialect: spec-0-8, spec-0-9, spec-0-9-1, rabbitmq, qpid.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the site: a new one, an empty one, or one that holds a guide.",
)
def command(specs: tuple[str, ...], overlays: tuple[Path, ...], dialect: str, output: Path) -> None:
    """Write the reference guide of a specification: a static site that needs no network.

    SPEC is a file, a folder or a built-in name: 0-8, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0. Several make one site, with
    a guide of each and what differs from one to the next; files of AMQP 1.0 are taken as one specification. One
    alone is compared with the built-in versions next to it.

    \b
    amqp-codegen reference 0-9-1-rabbitmq -o guide      then open guide/index.html
    amqp-codegen reference mine.xml -o guide            and what differs from the published one
    amqp-codegen reference 0-9 0-9-1 1.0 -o guides      three guides in one site

    Everything has an address that stays: guide/index.html#queue.declare.passive.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    # Imported late: the help shall come at once.
    from ..emit.publish import publish
    from ..reference.folder import drift_of_guide, guide_files, remove_empty_folders
    from ..reference.site import site_files

    try:
        guide_files(output)  # what cannot be written is told before the work, not after it
        with progress_line() as progress:
            specifications = _read(specs, overlays, dialect)
            files = site_files(specifications, progress)
        print_problems(problem for each in specifications for problem in each.warnings)
        drift = drift_of_guide(output, files)
        if drift:
            publish(output, files, drift)
            remove_empty_folders(output)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    written = len(drift.changed) + len(drift.missing)
    say(f"{output}: {what_was_done(written, len(drift.extra))}")


def _read(specs: Sequence[str], overlays: Sequence[Path], dialect: str) -> list[Specification]:
    """Reads each specification that is named.

    Raises:
        SpecError: One is wrong, or not there; carries what is wrong with all of them.
    """
    from ..resolve.specification import read_specification

    found: list[Specification] = []
    problems: list[Problem] = []
    for inputs in _inputs(specs, overlays):
        try:
            found.append(read_specification(inputs.files, inputs.overlays, dialect))
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    return found


def _inputs(specs: Sequence[str], overlays: Sequence[Path]) -> list[Inputs]:
    """The files of each specification; parts of AMQP 1.0 that are named one after the other are one.

    Raises:
        SpecError: Something that is named is not there, or nobody knows what an overlay is to change.
    """
    from ..reader.inputs import Inputs
    from .specifications import gather_inputs

    gathered = [gather_inputs([text], overlays) for text in specs]
    problems = [problem for _, wrong in gathered for problem in wrong]
    if problems:
        raise SpecError(problems)
    found: list[Inputs] = []
    parts_before = False
    for inputs, _ in gathered:
        is_part = len(inputs.files) == 1 and _is_part(inputs.files[0])
        if is_part and parts_before:
            found[-1] = Inputs((*found[-1].files, *inputs.files), inputs.overlays)
        else:
            found.append(inputs)
        parts_before = is_part
    if len(found) > 1 and overlays:
        hint = "make the guide of one alone, or name a built-in specification that has its overlay"
        raise SpecError(
            [Problem("many-specs", "an overlay changes one specification, not several", None, hint)]
        )
    return found


def _is_part(path: Path) -> bool:
    """Whether it is a file of AMQP 1.0; of one that cannot be read, whoever reads it next tells."""
    from ..reader.load import read_document
    from ..reader.versions import KnownVersion, identify

    try:
        version = identify(read_document(path)[0])
    except SpecError:
        return False
    return isinstance(version, KnownVersion) and version.family == "amqp1"
