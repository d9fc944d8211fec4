"""All cases of a 1.0 specification."""

from __future__ import annotations

from ...model.spec1 import Spec
from ...model.wire1 import Wire1
from ..case import Case
from .archetypes import archetype_cases
from .choices import choice_cases
from .composites import composite_cases
from .deliveries import delivery_cases
from .descriptors import descriptor_cases
from .encodings import encoding_cases
from .fields import field_cases
from .frames import frame_cases
from .hostile import hostile_cases
from .maker import Maker
from .messages import message_cases
from .primitives import primitive_cases
from .protocol_headers import protocol_header_cases
from .questions import question_cases

# The kinds of which every proper prefix must be refused. A message may end after any section.
TRUNCATABLE = ("value", "composite", "frame", "delivery", "protocol-header")


def amqp1_cases(spec: Spec, wire: Wire1) -> list[Case]:
    """Every case that follows from a specification, in a fixed order."""
    maker = Maker(spec, wire.symbol_keys)
    return [
        *primitive_cases(maker),
        *encoding_cases(maker),
        *composite_cases(maker),
        *field_cases(maker),
        *choice_cases(maker),
        *archetype_cases(maker),
        *descriptor_cases(maker),
        *message_cases(maker),
        *frame_cases(maker, wire),
        *delivery_cases(maker, wire.frames["amqp"]),
        *protocol_header_cases(maker, wire),
        *hostile_cases(maker),
        *question_cases(maker),
    ]
