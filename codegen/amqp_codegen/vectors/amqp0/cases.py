"""All cases of a 0-x specification, and the questions about constants, defaults, directions and replies."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.spec import Spec
from ...resolve.amqp0.replies import replies_of
from ..case import Case, with_unique_ids
from .assert_cases import assert_cases
from .conversation_cases import conversation_cases
from .frame_cases import frame_cases, header_cases, message_cases
from .method_cases import bit_cases, field_cases, method_cases, unknown_cases
from .reference_encoder import hexadecimal, method_input
from .table_cases import table_cases
from .values import default_value

_CLOSES = {"soft": "channel", "hard": "connection"}


def constant_cases(spec: Spec) -> Iterator[Case]:
    """Yield every constant of the specification, and the frame constants that it does not state."""
    values = {
        **{f"frame-{meaning}": number for meaning, number in spec.wire.frames.items()},
        "frame-end": spec.wire.frame_end,
        "frame-min-size": spec.wire.min_frame_size,
        **{constant.name: constant.value for constant in spec.constants},
        "amqp.port": spec.port,
        "amqp.protocol-header": hexadecimal(spec.wire.header),
    }
    for name, value in values.items():
        yield Case(f"{name}/constant", name, "constant", value, way="ask")
    for constant in spec.constants:
        if constant.is_reply_code:
            closes = _CLOSES.get(constant.error, "nothing")
            yield Case(f"{constant.name}/closes", constant.name, "closes", closes, way="ask")


def default_cases(spec: Spec) -> Iterator[Case]:
    """Yield one question for every method whose fields all have a default."""
    for method in spec.methods:
        if any(field.required for field in method.arguments):
            continue
        name = method.full_name
        values = {field.name: default_value(field) for field in method.arguments}
        yield Case(f"{name}/default", name, "default", method_input(method, values), way="ask")


def direction_cases(spec: Spec) -> Iterator[Case]:
    """Yield the senders of every method."""
    for method in spec.methods:
        yield Case(
            f"{method.full_name}/direction", method.full_name, "direction", sorted(method.sent_by), way="ask"
        )


def reply_cases(spec: Spec) -> Iterator[Case]:
    """Yield three questions for every method: reply, synchronous, content."""
    names = {method.class_name: method.full_name for method in spec.methods}
    answers = replies_of(spec)
    for method in spec.methods:
        name = method.full_name
        replies = sorted(names[reply] for reply in answers[method.class_name])
        yield Case(f"{name}/reply", name, "reply", replies, way="ask")
        yield Case(f"{name}/synchronous", name, "synchronous", method.synchronous, way="ask")
        yield Case(f"{name}/content", name, "content", method.has_content, way="ask")


# The kinds of which every proper prefix must be refused as truncated.
TRUNCATABLE = ("frame", "header", "message", "method", "table")


def amqp0_cases(spec: Spec) -> list[Case]:
    """Return all cases: first those with octets, then the questions."""
    cases = (
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
    )
    return with_unique_ids(cases)
