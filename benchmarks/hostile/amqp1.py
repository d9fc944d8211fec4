"""Frames of AMQP 1.0 in hostile captures: dispositions of very many deliveries, and what is never settled, detached or ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count, cycle, repeat
from random import Random
from typing import Any

import amqp_1_0 as amqp

from .frame_templates import NAME, NUMBER, named, numbered, on_channel
from .packets import Turn, again, capture, conversation, largest_segment, numbered_flow, numbered_turns

P, M = amqp.performatives, amqp.messaging
HEADER: bytes = amqp.PROTOCOL_HEADERS["amqp"]
STATES = (M.Accepted(), M.Released(), M.Rejected(), M.Received(1, 0))
# What a session may have unsettled before the oldest are given up.
UNSETTLED = 65_000
_CHANNEL = 6  # where a frame has it
_MESSAGE: bytes = amqp.Message(body=M.Data(b"x")).encode()
_WINDOWS: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 1 << 20, "outgoing_window": 1 << 20}


def frame(performative: Any, payload: bytes = b"") -> bytes:
    octets: bytes = amqp.encode_frame(0, performative, payload)
    return octets


def attach(name: str, handle: int, role: Any) -> bytes:
    source, target = M.Source(address="a"), M.Target(address="q")
    more: dict[str, Any] = {} if role == P.Role.RECEIVER else {"initial_delivery_count": 0}
    return frame(P.Attach(name, handle, role, source=source, target=target, **more))


def transfer(**fields: Any) -> Callable[[int], bytes]:
    """Transfers by number."""
    tag = NUMBER.to_bytes(4, "big")
    return numbered(frame(P.Transfer(0, NUMBER, delivery_tag=tag, **fields), _MESSAGE))


def talk(size: int, turns: Iterator[Turn]) -> Iterator[bytes]:
    """A capture of a session with a link of the client in which the sides say this."""

    begin, begun = frame(P.Begin(**_WINDOWS)), frame(P.Begin(remote_channel=0, **_WINDOWS))
    start: list[Turn] = [
        (0, HEADER + frame(P.Open("c")) + begin + attach("l", 0, P.Role.SENDER)),
        (1, HEADER + frame(P.Open("s")) + begun + attach("l", 0, P.Role.RECEIVER)),
    ]
    return capture(conversation(chain(start, turns), segment=largest_segment(size)))


# --- Dispositions that settle nothing


def disposition(first: int, last: int, state: Any) -> bytes:
    """A frame that tells the state of a range."""
    return frame(P.Disposition(P.Role.RECEIVER, first, last, settled=False, state=state))


def _told(size: int, told: Iterator[bytes]) -> Iterator[bytes]:
    """Half a capture of transfers, as many as can be unsettled; then this of the receiver."""
    transferred = ((0, TRANSFER(number)) for number in range(min(UNSETTLED, size // 120)))
    return talk(size, chain(transferred, ((1, octets) for octets in told)))


def dispositions(size: int, random: Random) -> Iterator[bytes]:
    return _told(size, repeat(disposition(0, 70_000, STATES[0])))


def dispositions_alternating(size: int, random: Random) -> Iterator[bytes]:
    """Another state each time."""
    return _told(size, cycle([disposition(0, 70_000, state) for state in STATES]))


def dispositions_nested(size: int, random: Random) -> Iterator[bytes]:
    """Ranges within ranges, from the outside, and again from the inside."""

    def told() -> Iterator[bytes]:
        for turn in count():
            inwards = range(1, 32_000, 7)
            for place in inwards if turn % 2 else reversed(inwards):
                yield disposition(place, 65_000 - place, STATES[place % 2])

    return _told(size, told())


def dispositions_shifted(size: int, random: Random) -> Iterator[bytes]:
    """Ranges that overlap the one before."""

    return _told(
        size,
        (disposition(turn * 13 % 32_000, 32_000 + turn * 17 % 32_000, STATES[turn % 3]) for turn in count()),
    )


def dispositions_random(size: int, random: Random) -> Iterator[bytes]:
    """Ranges of chance."""

    def told() -> Iterator[bytes]:
        while True:
            first, last = sorted((random.randrange(UNSETTLED), random.randrange(UNSETTLED)))
            yield disposition(first, last, random.choice(STATES))

    return _told(size, told())


def dispositions_single(size: int, random: Random) -> Iterator[bytes]:
    """Many short ranges, then one over all of them, and so on."""

    def told() -> Iterator[bytes]:
        for turn in count():
            for place in range(0, UNSETTLED, 130):
                yield disposition(place, place, STATES[(place + turn) % 3])
                yield disposition(0, 70_000, STATES[turn % 2])

    return _told(size, told())


def dispositions_of_all_numbers(size: int, random: Random) -> Iterator[bytes]:
    """Ranges of four thousand million numbers, which hold few deliveries."""
    return _told(size, repeat(disposition(1 << 31, (1 << 31) - 1, STATES[0])))


# --- What is never settled, detached or ended


def transfers(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(0, TRANSFER))


def transfers_one_number(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, again(0, TRANSFER(7)))


def half_transfers(size: int, random: Random) -> Iterator[bytes]:
    """Deliveries to which more always belongs."""
    return talk(size, numbered_turns(0, transfer(more=True)))


def settled_backwards(size: int, random: Random) -> Iterator[bytes]:
    """Transfers, the last of which is settled first."""
    settle = numbered(frame(P.Disposition(P.Role.RECEIVER, NUMBER, settled=True, state=M.Accepted())))
    some = min(UNSETTLED, size // 200)

    def turns() -> Iterator[Turn]:
        for block in count():
            numbers = range(block * some, (block + 1) * some)
            for number in numbers:
                yield 0, TRANSFER(number)
            for number in reversed(numbers):
                yield 1, settle(number)

    return talk(size, turns())


def links(size: int, random: Random) -> Iterator[bytes]:
    """Links that are never detached, each with a name and a handle of its own."""
    octets = numbered(attach(NAME, NUMBER, P.Role.SENDER))
    return talk(size, numbered_turns(0, lambda number: named(octets(1000 + number))(number)))


def links_one_handle(size: int, random: Random) -> Iterator[bytes]:
    """Links with names of their own that take a handle from each other."""
    return talk(size, numbered_turns(0, named(attach(NAME, 1, P.Role.SENDER))))


def long_link_names(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(0, named(attach(NAME + "x" * 2000, 1, P.Role.SENDER))))


def sessions(size: int, random: Random) -> Iterator[bytes]:
    """All sessions of one connection after the other, begun and never ended."""
    begin = frame(P.Begin(**_WINDOWS))

    def packets(connection: int) -> Iterator[bytes]:
        begins = (on_channel(begin, channel, _CHANNEL) for channel in range(65535))
        turns = ((0, octets) for octets in chain([HEADER + frame(P.Open("c"))], begins))
        return conversation(turns, numbered_flow(connection), largest_segment(size))

    return capture(chain.from_iterable(map(packets, count())))


def transfers_in_sessions(size: int, random: Random) -> Iterator[bytes]:
    """A few unsettled deliveries in each of all sessions."""
    parts = [frame(P.Begin(**_WINDOWS)), attach("l", 0, P.Role.SENDER), *map(TRANSFER, range(20))]

    def moved(number: int) -> bytes:
        return b"".join(on_channel(part, 1 + number % 65000, _CHANNEL) for part in parts)

    return talk(size, numbered_turns(0, moved))


def requests(size: int, random: Random) -> Iterator[bytes]:
    """Messages that want an answer, each with an identifier of its own."""
    properties = M.Properties(message_id=NAME, reply_to="r", correlation_id=NAME)
    payload: bytes = amqp.Message(properties=properties, body=M.Data(b"x")).encode()
    octets = frame(P.Transfer(0, NUMBER, delivery_tag=NUMBER.to_bytes(4, "big"), settled=True), payload)
    return talk(size, numbered_turns(0, named(octets)))


def deep_lists(size: int, random: Random) -> Iterator[bytes]:
    """Lists in lists in a section of a message."""
    value = b"\x40"
    for _ in range(5_000):
        value = b"\xd0" + (4 + len(value)).to_bytes(4, "big") + b"\0\0\0\1" + value
    octets = frame(P.Transfer(0, 0, delivery_tag=b"t", settled=True), b"\0\x53\x77" + value)
    return talk(size, again(0, octets))


def flows(size: int, random: Random) -> Iterator[bytes]:
    """Flows of handles that nobody has attached."""
    windows: dict[str, Any] = {"incoming_window": 1, "next_outgoing_id": 0, "outgoing_window": 1}
    octets = numbered(frame(P.Flow(**windows, handle=NUMBER, delivery_count=0)))
    return talk(size, numbered_turns(0, lambda number: octets(1000 + number)))


# --- What is not a frame


def garbage(size: int, random: Random) -> Iterator[bytes]:
    return talk(size, numbered_turns(0, lambda number: random.randbytes(1000)))


def frame_starts(size: int, random: Random) -> Iterator[bytes]:
    """The heads of frames, each of which would hold those after it."""
    return talk(size, again(0, b"\0\0\xff\xf0\2\0\0\0"))


def endless_frame(size: int, random: Random) -> Iterator[bytes]:
    """A frame of 4 GiB, of which the capture has the beginning."""
    return talk(size, chain([(0, b"\xff\xff\xff\xf0\2\0\0\0")], again(0, bytes(1000))))


TRANSFER = transfer()
