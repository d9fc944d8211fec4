"""The diagrams of a 0-x page, ready to stand in a template: their own texts are escaped already."""

from __future__ import annotations

from markupsafe import Markup

from ...model.amqp0.spec import Class, Method, Spec
from .. import layouts


def method_layout(spec: Spec, method: Method) -> Markup:
    """How the octets of a method lie, with an example."""
    return Markup(layouts.method_layout(spec, method))


def properties_layout(spec: Spec, class_: Class) -> Markup:
    """How the octets of a content header of this class lie, with an example."""
    return Markup(layouts.properties_layout(spec, class_))


def state_diagram(spec: Spec, class_: Class) -> Markup:
    """What may come next in a class."""
    return Markup(layouts.state_diagram(spec, class_))
