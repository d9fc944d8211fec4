"""How the payload of a method frame lies in its octets (0-9-1 section 4.2.4)."""

from __future__ import annotations

from ...model.amqp0.spec import Method, Spec
from ...vectors.amqp0.reference_encoder import encode, method_input
from ...vectors.case import Neutral
from .boxes import run_svg
from .fields0 import field_pieces
from .piece import Cursor, OctetPiece, OctetRun, Role
from .samples0 import sample_values
from .svg import picture_id


def method_layout(spec: Spec, method: Method) -> str:
    """The picture of a method of that specification, with an example in the default dialect of its tables."""
    return run_svg(method_run(spec, method))


def method_sample(spec: Spec, method: Method) -> Neutral:
    """The method of the example, in the form of the test vectors."""
    return method_input(method, sample_values(spec, method.fields))


def method_run(spec: Spec, method: Method) -> OctetRun:
    """What the picture shows: class id, method id and fields."""
    cursor = Cursor(encode(spec, "method", method_sample(spec, method), spec.dialect))
    pieces = [
        OctetPiece("class id", "short", cursor.take(2), 2, str(method.class_index), Role.FRAME),
        OctetPiece("method id", "short", cursor.take(2), 2, str(method.index), Role.FRAME),
        *field_pieces(spec, method.fields, cursor),
    ]
    return OctetRun(picture_id("method", method.full_name), f"Octets of {method.full_name}", pieces)
