"""The diagrams of 1.0 pages as markup for a template: their texts are escaped already."""

from __future__ import annotations

from markupsafe import Markup

from ...model.amqp1.spec import Encoding
from ...model.amqp1.types import Composite, Restricted, Type
from ..layouts.boxes import run_svg
from .examples import Examples
from .layouts import composite_run, described_run, encoding_run


def encoding_layout(examples: Examples, encoding: Encoding) -> Markup:
    """Draw the octets of an encoding, with an example."""
    return Markup(run_svg(encoding_run(examples, encoding)))


def type_layout(examples: Examples, type_: Type) -> Markup:
    """Draw the octets of a type with a descriptor, with an example; empty for other types."""
    if isinstance(type_, Composite):
        return Markup(run_svg(composite_run(examples, type_)))
    if isinstance(type_, Restricted) and type_.descriptors:
        return Markup(run_svg(described_run(examples, type_)))
    return Markup("")
