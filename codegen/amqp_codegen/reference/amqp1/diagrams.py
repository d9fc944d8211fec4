"""The diagrams of 1.0 pages, ready to stand in a template: their own texts are escaped already."""

from __future__ import annotations

from markupsafe import Markup

from ...model.spec1 import Encoding, Spec
from ...model.types1 import Composite, Restricted, Type
from .. import layouts


def encoding_layout(spec: Spec, encoding: Encoding) -> Markup:
    """How the octets of an encoding lie, with an example."""
    return Markup(layouts.encoding_layout(spec, encoding))


def type_layout(spec: Spec, kind: Type) -> Markup:
    """How the octets of a type with a descriptor lie, with an example; empty for other types."""
    if isinstance(kind, Composite):
        return Markup(layouts.composite_layout(spec, kind))
    if isinstance(kind, Restricted) and kind.descriptors:
        return Markup(layouts.described_layout(spec, kind))
    return Markup("")
