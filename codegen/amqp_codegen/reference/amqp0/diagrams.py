"""The diagrams of a 0-x page as markup for a template: their texts are escaped already."""

from __future__ import annotations

from markupsafe import Markup

from ...model.amqp0.spec import Class, Method, Spec
from ..layouts import state_diagram as states
from . import layouts


def method_layout(spec: Spec, method: Method) -> Markup:
    """Draw the octets of a method, with an example."""
    return Markup(layouts.method_layout(spec, method))


def properties_layout(spec: Spec, class_: Class) -> Markup:
    """Draw the octets of a content header of this class, with an example."""
    return Markup(layouts.properties_layout(spec, class_))


def state_diagram(spec: Spec, class_: Class) -> Markup:
    """Draw the states of a class."""
    return Markup(states.state_diagram(spec, class_))
