"""Constants: their values, and what errors close."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case
from .neutral import hexadecimal

_CLOSES = {"soft": "channel", "hard": "connection"}


def constant_cases(spec: Spec) -> Iterator[Case]:
    """Every constant of the specification, and those of the wire that it does not state."""
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
