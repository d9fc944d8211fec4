"""Every case of a 0-x specification."""

from __future__ import annotations

from ...model.spec0 import Spec
from ..case import Case
from .asserts import assert_cases
from .bits import bit_cases
from .constants import constant_cases
from .conversations import conversation_cases
from .defaults import default_cases
from .directions import direction_cases
from .fields import field_cases
from .frames import frame_cases
from .headers import header_cases
from .messages import message_cases
from .methods import method_cases
from .replies import reply_cases
from .tables import table_cases
from .unknown import unknown_cases

# Of these, whatever comes before the end is too little.
TRUNCATABLE = ("frame", "header", "message", "method", "table")


def amqp0_cases(spec: Spec) -> list[Case]:
    """The cases, those on octets first, then the questions."""
    return [
        *method_cases(spec),
        *field_cases(spec),
        *bit_cases(spec),
        *header_cases(spec),
        *frame_cases(spec),
        *message_cases(spec),
        *table_cases(spec),
        *unknown_cases(spec),
        *constant_cases(spec),
        *default_cases(spec),
        *reply_cases(spec),
        *direction_cases(spec),
        *assert_cases(spec),
        *conversation_cases(spec),
    ]
