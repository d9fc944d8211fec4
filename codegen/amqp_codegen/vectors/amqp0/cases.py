"""All cases of a 0-x specification."""

from __future__ import annotations

from ...model.amqp0.spec import Spec
from ..case import Case
from .assert_cases import assert_cases
from .conversation_cases import conversation_cases
from .frame_cases import frame_cases, header_cases, message_cases
from .method_cases import bit_cases, field_cases, method_cases, unknown_cases
from .name_cases import constant_cases, default_cases, direction_cases, reply_cases
from .table_cases import table_cases

# The kinds of which every proper prefix must be refused as truncated.
TRUNCATABLE = ("frame", "header", "message", "method", "table")


def amqp0_cases(spec: Spec) -> list[Case]:
    """Return all cases: first those with octets, then the questions."""
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
