"""``amqp-codegen grammar SPEC [CLASS...]``: the class grammars as automata."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..support.command_line import HintedChoice, overlay_option, print_problems

if TYPE_CHECKING:
    from ..model.amqp0.spec import Class, Spec


@click.command("grammar")
@click.argument("spec")
@click.argument("classes", nargs=-1, metavar="[CLASS]...")
@overlay_option
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "dot", "json"]),
    help="As text, as a graph for Graphviz, or as JSON.",
    show_default=True,
)
def command(spec: str, classes: tuple[str, ...], overlays: tuple[Path, ...], form: str) -> None:
    """Print which methods may come next, class by class.

    SPEC is a file or a built-in name: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq. Without CLASS, all classes are
    printed. The text also reports the irregularities of each grammar. For a picture:

    \b
    amqp-codegen grammar 0-9-1 channel --format dot | dot -Tsvg > channel.svg
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..export.class_grammars import grammar_dot, grammar_record, grammar_text

    try:
        resolved, chosen = _read(spec, classes, overlays)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    if form == "dot":
        click.echo(grammar_dot(resolved, chosen), nl=False)
    elif form == "json":
        click.echo(json.dumps(grammar_record(resolved, chosen), indent=2))
    else:
        click.echo(grammar_text(resolved, chosen), nl=False)


def _read(text: str, names: Sequence[str], overlays: Sequence[Path]) -> tuple[Spec, list[Class]]:
    """Return the specification and the classes of these names, all if there are none.

    Raises:
        SpecError: The specification is wrong or of another family, or a class is missing.
    """
    from ..api import load
    from ..lint.silence import undeclared
    from ..model.amqp0.spec import Spec
    from ..resolve.names import normalise, suggest

    read = load(text, overlays=overlays)
    spec = read.spec
    if not isinstance(spec, Spec):
        raise SpecError([Problem("no-grammars", "AMQP 1.0 has no classes, and so no class grammars")])
    print_problems(undeclared(read.warnings))
    known = {entry.name: entry for entry in spec.classes}
    missing = [name for name in names if normalise(name) not in known]
    if missing:
        raise SpecError(
            Problem("no-such-class", f"there is no class {name!r}", None, suggest(name, known))
            for name in missing
        )
    return spec, [known[normalise(name)] for name in names] or list(spec.classes)
