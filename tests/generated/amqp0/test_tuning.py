"""The negotiation of limits: all pairs of what either side may say."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from .packages import RABBITMQ, each_package

# ours, theirs, agreed; 0 is no limit
LIMITS = [(0, 0, 0), (0, 5000, 5000), (5000, 0, 5000), (5000, 6000, 5000), (6000, 5000, 5000)]
# None takes what the server says, 0 wants none at all
HEARTBEATS = [(None, 0, 0), (None, 60, 60), (0, 60, 0), (0, 0, 0), (20, 0, 20), (20, 60, 20), (90, 60, 60)]


@each_package
def test_the_lower_limit_is_agreed_on(amqp: Any) -> None:
    for channel, frame, heartbeat in product(LIMITS, LIMITS, HEARTBEATS):
        tune = amqp.methods.ConnectionTune(channel[1], frame[1], heartbeat[1])
        answer = amqp.negotiate(tune, channel_max=channel[0], max_frame_size=frame[0], heartbeat=heartbeat[0])
        assert answer == amqp.methods.ConnectionTuneOk(channel[2], frame[2], heartbeat[2])
        if channel[1] and frame[1]:
            amqp.validate(answer, earlier=[tune])


@each_package
def test_frames_that_are_too_small(amqp: Any) -> None:
    with pytest.raises(amqp.ProtocolError) as caught:
        amqp.negotiate(amqp.methods.ConnectionTune(frame_max=4095))
    assert str(caught.value) == "frames of 4095 octets are proposed, 4096 is the least (502)"
    assert caught.value.reply_code in amqp.constants.HARD_ERRORS


@pytest.mark.parametrize(
    "limits",
    [
        {"channel_max": -1},
        {"channel_max": 0x10000},
        {"max_frame_size": -1},
        {"max_frame_size": 4095},
        {"max_frame_size": 1 << 32},
        {"heartbeat": -1},
        {"heartbeat": 0x10000},
    ],
)
def test_limits_of_ours_that_no_field_holds(limits: dict[str, int]) -> None:
    [name] = limits
    with pytest.raises(ValueError, match=f"^{name}: "):
        RABBITMQ.negotiate(RABBITMQ.methods.ConnectionTune(), **limits)
