"""``amqp-codegen reference SPEC... -o DIR``: the reference guide, as an offline site."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..support.command_line import overlay_option, print_problems, progress_line, say, what_was_done

if TYPE_CHECKING:
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
@click.option("-q", "--quiet", is_flag=True, help="Print only problems.")
def command(
    specs: tuple[str, ...], overlays: tuple[Path, ...], dialect: str, output: Path, quiet: bool
) -> None:
    """Write the reference guide of a specification: a static site for offline use.

    SPEC is a file, a folder or a built-in name: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0, 1.0-rabbitmq.
    Several make one site, with a guide of each and the differences from one to the next; files of AMQP 1.0 are one
    specification.
    A single one is compared with its neighbours among the built-in versions.

    \b
    amqp-codegen reference 0-9-1-rabbitmq -o guide      then open guide/index.html
    amqp-codegen reference mine.xml -o guide            with the differences from the published one
    amqp-codegen reference 0-9 0-9-1 1.0 -o guides      three guides in one site

    Everything has a permanent address: guide/index.html#queue.declare.passive.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..emit.publish import publish
    from ..lint.silence import undeclared
    from ..reference.folder import drift_of_guide, guide_files, remove_empty_folders
    from ..reference.site import site_files

    try:
        guide_files(output)  # reports an unusable folder before the work
        with progress_line(silent_seconds=math.inf if quiet else 0.0) as progress:
            specifications = _read(specs, overlays, dialect)
            files = site_files(specifications, progress)
        print_problems(
            undeclared(problem for specification in specifications for problem in specification.warnings)
        )
        drift = drift_of_guide(output, files)
        if drift:
            publish(output, files, drift)
            remove_empty_folders(output)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    if quiet:
        return
    written = len(drift.changed) + len(drift.missing)
    say(f"{output}: {what_was_done(written, len(drift.extra))}")


def _read(specs: Sequence[str], overlays: Sequence[Path], dialect: str) -> list[Specification]:
    """Read each specification.

    Raises:
        SpecError: One is wrong or missing, with the problems of all of them; or it is unclear which one an overlay changes.
    """
    from ..reader.grouping import group_specifications
    from ..reader.inputs import gather_inputs
    from ..reader.load import Documents
    from ..resolve.specification import read_specification

    gathered = [gather_inputs([text], overlays) for text in specs]
    problems = [problem for _, wrong in gathered for problem in wrong]
    if problems:
        raise SpecError(problems)
    documents = Documents()
    grouped, problems = group_specifications([inputs for inputs, _ in gathered], documents)
    if len(grouped) > 1 and overlays:
        hint = "make the guide of one alone, or name a built-in specification that has its overlay"
        raise SpecError(
            [Problem("many-specs", "an overlay changes one specification, not several", None, hint)]
        )
    specifications: list[Specification] = []
    for inputs in grouped:
        try:
            specifications.append(read_specification(inputs.files, inputs.overlays, dialect, documents))
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    return specifications
