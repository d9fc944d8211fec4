"""Octets that a peer of the connection engine sends, and what else a case has; ``engine`` sets the stage for them."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.mutator import mutate
from tests.fuzz.suite_octets import suite_octets

from .inputs import frame

SIDES = ("client", "server")
# What a side may send at any time on the stage, or often.
USUAL = {
    "client": (
        *("basic.publish", "basic.publish", "basic.publish", "basic.ack", "basic.nack", "basic.reject"),
        *("basic.consume", "basic.cancel", "basic.get", "basic.recover", "basic.recover-async"),
        *("queue.purge", "queue.declare", "channel.close", "confirm.select"),
    ),
    "server": (
        *("basic.deliver", "basic.deliver", "basic.deliver", "basic.ack", "basic.nack", "basic.return"),
        *("basic.cancel", "channel.flow", "queue.purge-ok", "channel.close"),
        *("connection.blocked", "connection.unblocked"),
    ),
}
HANDSHAKE = {
    "client": ("connection.start-ok", "connection.tune-ok", "connection.open"),
    "server": ("connection.start", "connection.tune", "connection.open-ok"),
}
# Where the stage is set for it.
PLACES = {
    "client": {"basic.ack": 1, "basic.nack": 1, "basic.reject": 1},
    "server": {"basic.ack": 2, "basic.nack": 2, "basic.deliver": 1, "basic.cancel": 1, "queue.purge-ok": 1}
    | {"connection.blocked": 0, "connection.unblocked": 0},
}
NAMED_VALUES: dict[str, tuple[Any, ...]] = {
    "consumer_tag": ("c", "c", "c", "c", "c", "d", ""),
    "delivery_tag": (1, 2, 3, 4, 9, 0),
    "multiple": (False, True),
    "active": (True, True, False),
    "no_wait": (False, True),
    "reply_code": (200, 404, 320),
    "reply_text": ("", "why"),
    "challenge": (b"?",),
    "queue": ("q", ""),
    "reason": ("memory",),
    "server_properties": ({}, {"product": "fuzz"}),
    "client_properties": ({}, {"product": "fuzz"}),
    "mechanisms": (b"PLAIN", b"PLAIN AMQPLAIN", b"", b"\xff"),
    "mechanism": ("PLAIN", "OTHER"),
    "locales": (b"en_US",),
    "locale": ("en_US",),
    "response": (b"\0guest\0guest", b""),
    "virtual_host": ("/", "other"),
    "channel_max": (4, 4, 0, 2047),
    "frame_max": (131072, 131072, 4096, 0, 100),
    "heartbeat": (0, 60, 1),
}


def draw_peer(package: str, random: Random) -> bytes:
    """A few frames that one of the sides may send, mostly on channels that are open; some of them changed."""
    amqp = import_module(package)
    side = random.choice(SIDES)
    kinds = [kind for kind in amqp.METHODS.values() if side in kind.SENT_BY]
    usual = [kind for name in USUAL[side] for kind in kinds if name == kind.NAME]
    open_channels, parts = [1, 1, 2], list[bytes]()
    if random.random() < 0.2:
        parts += _handshake(amqp, side, random)
    for _ in range(1 + int(random.expovariate(0.2))):
        channel = random.choice(open_channels)
        chosen = random.random()
        if chosen < 0.9:
            kind = random.choice(usual)
            place = PLACES[side].get(kind.NAME, channel)
            parts.append(_said(amqp, kind, place if place in (0, *open_channels) else channel, random))
            if kind.NAME == "channel.close" and len(set(open_channels)) > 1 and random.random() < 0.9:
                open_channels = [number for number in open_channels if number != channel]
        elif chosen < 0.93:
            parts.append(_said(amqp, random.choice(kinds), random.randrange(6), random))
        elif chosen < 0.96:
            parts.append(frame(1, channel, random.choice(suite_octets(package)["method"])))
        elif chosen < 0.97:
            parts.append(random.choice(suite_octets(package)["frame"]))
        else:
            parts.append(_said(amqp, amqp.methods.ChannelOpen, random.choice((3, 4, 5)), random))
    octets = b"".join(parts)
    return mutate(octets, random, suite_octets(package)["frame"]) if random.random() < 0.25 else octets


def _handshake(amqp: Any, side: str, random: Random) -> list[bytes]:
    """The handshake of a side, perhaps with a step too much or too little."""
    kinds = {kind.NAME: kind for kind in amqp.METHODS.values()}
    parts = [_said(amqp, kinds[name], 0, random) for name in HANDSHAKE[side]]
    if side == "client":
        parts.insert(0, amqp.PROTOCOL_HEADER)
    if random.random() < 0.3:
        other = kinds[random.choice(("connection.secure", "connection.secure-ok", "connection.close"))]
        parts[random.randrange(len(parts))] = _said(amqp, other, 0, random)
    return parts


def _said(amqp: Any, kind: Any, channel: int, random: Random) -> bytes:
    """A method with values that mean something, and its content."""
    values = {
        field.name: random.choice(NAMED_VALUES[field.name])
        for field in kind.FIELDS
        if field.name in NAMED_VALUES
    }
    if kind.NAME in ("basic.ack", "basic.nack") and random.random() < 0.7:
        values["delivery_tag"] = random.randrange(1, 4)
    try:
        method = kind(**values)
    except TypeError:  # it has other fields without a default
        return b""
    if not kind.HAS_CONTENT:
        return bytes(amqp.encode_frame(channel, method))
    body = random.randbytes(random.choice((0, 1, 10, 300, 2_500)))
    octets = bytes(amqp.encode_message(channel, method, None, body, max_frame_size=random.choice((60, 4096))))
    return octets[: random.randrange(len(octets))] if random.random() < 0.02 else octets


def draw_options(package: str, random: Random) -> Options:
    return {
        "seed": random.randrange(1, 2**32),
        "is_open": random.random() < 0.7,
        "commands": random.choice((0.0, 0.1, 0.5)),
    }
