"""The diagrams of 1.0 pages, ready to stand in a template: their own texts are escaped already."""

from __future__ import annotations

from markupsafe import Markup

from ...model.amqp1.spec import Encoding
from ...model.amqp1.types import Composite, Restricted, Type
from ..layouts.boxes import run_svg
from ..layouts.composite import composite_run, described_run
from ..layouts.encoding import encoding_run
from ..layouts.examples1 import Examples


def encoding_layout(examples: Examples, encoding: Encoding) -> Markup:
    """How the octets of an encoding lie, with an example."""
    return Markup(run_svg(encoding_run(examples, encoding)))


def type_layout(examples: Examples, kind: Type) -> Markup:
    """How the octets of a type with a descriptor lie, with an example; empty for other types."""
    if isinstance(kind, Composite):
        return Markup(run_svg(composite_run(examples, kind)))
    if isinstance(kind, Restricted) and kind.descriptors:
        return Markup(run_svg(described_run(examples, kind)))
    return Markup("")
