"""What the examples make of a specification."""

from __future__ import annotations

from pathlib import Path

from amqp_codegen.emit.generate import generate
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import resolve_input

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "templates"


def made(example: str, spec: str, dialect: str = "") -> dict[str, str]:
    """The files that an example makes of a file, a folder or a built-in name."""
    inputs = resolve_input(spec)
    target = Target(
        inputs.files, inputs.overlays, dialect=dialect, templates=EXAMPLES / example, emit=(example,)
    )
    return generate(target).files
