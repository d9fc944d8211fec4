"""What connection.start and connection.tune say. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...amqp0.broker import Broker
from ...amqp0.framing import VERSIONS, first_reaction
from ...engine.framing import FramingRule, read_framing_rules
from ...engine.registry import Driver, rule

_MECHANISM = rb"[A-Z0-9_-]{1,20}"
_HIGHEST_CHANNEL = 0xFFFF


def version_of_start(broker: Broker) -> str:
    """Connect. The version in connection.start is that of our protocol header."""
    with broker.set_up():
        start = broker.dial().begin()
    header = broker.amqp.PROTOCOL_HEADER
    # 0-9-1 has its revision behind the two numbers of the version; before that, the protocol's instance is in front of them.
    ours = tuple(header[5:7] if broker.amqp.SPEC.version.startswith("0-9-1") else header[6:8])
    version = (start.version_major, start.version_minor)
    return "the version of the header" if version == ours else f"version {version[0]}-{version[1]}"


def mechanisms_of_start(broker: Broker) -> str:
    """Connect. The mechanisms in connection.start are names, with one blank between two."""
    with broker.set_up():
        start = broker.dial().begin()
    odd = [name for name in start.mechanisms.split(b" ") if not re.fullmatch(_MECHANISM, name)]
    return repr(odd[0]) if odd else "names of mechanisms"


def frame_max_of_tune(broker: Broker) -> str:
    """Log in. The frame-max in connection.tune is 0, or 4096 or more."""
    connection = broker.dial()
    with broker.set_up():
        connection.begin()
        frame_max = connection.log_in().frame_max
    if frame_max == 0:
        return "0 for no limit"
    return "4096 or more" if frame_max >= broker.amqp.constants.FRAME_MIN_SIZE else str(frame_max)


def channel_max_of_tune(broker: Broker) -> str:
    """Open the channel whose number is the channel-max of connection.tune; 65535 if that is 0."""
    connection = broker.connect()
    channel = connection.tune.channel_max or _HIGHEST_CHANNEL
    connection.send(broker.amqp.methods.ChannelOpen(), channel=channel)
    return first_reaction(connection, (0, channel), "channel.open-ok")


def _drivers(function: Callable[[Broker], str], path: str) -> tuple[Driver, ...]:
    """Return a driver for each version that has a rule."""
    catalogues = {version: read_framing_rules(version) for version in VERSIONS}
    return tuple(
        _driver(function, version, rules[path]) for version, rules in catalogues.items() if path in rules
    )


def _driver(function: Callable[[Broker], str], version: str, framing_rule: FramingRule) -> Driver:
    def drive(broker: Broker) -> None:
        framing_rule.judge(function(broker))

    drive.__doc__ = function.__doc__
    drive.__qualname__ = f"{function.__name__} of {version}"
    return rule({version: framing_rule.rule.path})(drive)


DRIVERS = (
    *_drivers(version_of_start, "framing.handshake/version-of-start"),
    *_drivers(mechanisms_of_start, "framing.handshake/mechanisms-of-start"),
    *_drivers(frame_max_of_tune, "framing.handshake/frame-max-of-tune"),
    *_drivers(channel_max_of_tune, "framing.handshake/channel-max-of-tune"),
)
