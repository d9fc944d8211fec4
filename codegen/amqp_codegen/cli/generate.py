"""``amqp-codegen SPEC...``: generate packages, or check that they are current."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..emit.compare import Drift, compare
from ..emit.generate import Generated, Target, generate
from ..emit.publish import publish
from ..emit.render import Progress
from ..model.problem import Problem, SpecError
from ..spec.inputs import resolve_input
from .problems import report
from .targets import read_targets


@click.command("generate")
@click.argument("spec", nargs=-1)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Folder for the packages [default: generated]."
)
@click.option(
    "--package", default="", help="Name of the package [default: by version, for example amqp_0_9_1]."
)
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file that changes the specification; may be repeated.",
)
@click.option(
    "--dialect",
    default="",
    help="Default field-table dialect: spec-0-8, spec-0-9, spec-0-9-1, rabbitmq, qpid.",
)
@click.option(
    "--templates", type=click.Path(path_type=Path), help="A folder of your own templates, looked at first."
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and name each file that is not current.")
@click.option(
    "--emit", default="codecs", type=click.Choice(["codecs"]), help="What to generate.", show_default=True
)
def command(
    spec: tuple[str, ...],
    output: Path | None,
    package: str,
    overlays: tuple[Path, ...],
    dialect: str,
    templates: Path | None,
    check: bool,
    emit: str,
) -> None:
    """Generate the package of a specification.

    SPEC is a file, a folder (1.0 has five files) or a built-in name: 0-8, 0-9, 0-9-1, 0-9-1-rabbitmq.
    Without SPEC the targets of [tool.amqp-codegen] in pyproject.toml are generated.
    """
    try:
        if spec:
            inputs = [resolve_input(text) for text in spec]
            files = tuple(path for each in inputs for path in each.files)
            built_in = tuple(path for each in inputs for path in each.overlays)
            targets = [Target(files, (*built_in, *overlays), package, dialect, templates)]
        else:
            folder, targets = read_targets(Path("pyproject.toml"))
            output = output or folder
        generated = [generate(target, _progress()) for target in targets]
        for each in generated:
            report(each.warnings)
        _refuse_same_package(generated)
        files_by_path = {path: text for each in generated for path, text in each.files.items()}
        output = output or Path("generated")
        drift = compare(output, files_by_path, [each.package for each in generated])
        if check:
            sys.exit(_tell_drift(output, drift, len(files_by_path)))
        if drift:
            publish(output, files_by_path, drift)
        _tell_written(output, drift, generated)
    except SpecError as error:
        report(error.problems)
        sys.exit(2)


def _refuse_same_package(generated: Sequence[Generated]) -> None:
    names = [each.package for each in generated]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(
                [
                    Problem(
                        "same-package",
                        f"two targets have the package {name!r}",
                        None,
                        "name one with package",
                    )
                ]
            )


def _progress() -> Progress:
    """Shows the file at work on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda path: None
    return lambda path: click.echo(f"\r\x1b[K{path}", nl=False, err=True)


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)


def _tell_drift(output: Path, drift: Drift, count: int) -> int:
    _end_progress()
    for kind, paths in (("changed", drift.changed), ("missing", drift.missing), ("extra", drift.extra)):
        for path in paths:
            click.echo(f"{kind}: {output / path}")
    if drift:
        click.echo("not current; run amqp-codegen without --check", err=True)
        return 1
    click.echo(f"{count} files are current")
    return 0


def _tell_written(output: Path, drift: Drift, generated: Sequence[Generated]) -> None:
    _end_progress()
    for each in generated:
        written = sum(path in each.files for path in (*drift.changed, *drift.missing))
        removed = sum(path.startswith(f"{each.package}/") for path in drift.extra)
        state = f"{written} files written" if written else "nothing to do, all files are current"
        if removed:
            state += f", {removed} removed"
        click.echo(f"{output / each.package}: {state}")
