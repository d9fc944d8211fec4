"""Captures as somebody would make them who wants the ingest to take long, or to disagree with itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from ipaddress import ip_address
from random import Random
from struct import pack
from typing import Any

import amqp_1_0 as amqp

from benchmarks.hostile.shapes import SHAPES, make
from tests.traffic.capture import tunnels
from tests.traffic.capture_builder import (
    ACK,
    SYN,
    Captured,
    Conversation,
    Tcp,
    captured,
    enhanced,
    ethernet,
    interface,
    pcap,
    section,
)

from .mutator import mutate

P, M = amqp.performatives, amqp.messaging
STATES = (M.Accepted(), M.Rejected(), M.Released(), M.Received(0, 0), None)
NUMBERS = 1 << 32
MESSAGE: bytes = amqp.Message(body=M.Data(b"x")).encode()


# --- Dispositions of AMQP 1.0


def disposition(
    first: int, last: int | None, *, settled: bool = False, state: Any = None, role: bool = True
) -> bytes:
    """A frame with a disposition."""
    of_role = P.Role.RECEIVER if role else P.Role.SENDER
    frame = P.Disposition(of_role, first, last, settled=settled, state=state)
    octets: bytes = amqp.encode_frame(0, frame)
    return octets


def transfer(number: int | None, handle: int = 0, **fields: Any) -> bytes:
    """A frame with a transfer."""
    tag: dict[str, Any] = {} if number is None else {"delivery_tag": pack(">I", number)}
    octets: bytes = amqp.encode_frame(0, P.Transfer(handle, number, **tag, **fields), MESSAGE)
    return octets


def session(links: int = 1) -> tuple[bytes, bytes]:
    """What both sides say to begin a session with links of the client."""
    begin: Any = {"next_outgoing_id": 0, "incoming_window": 1 << 20, "outgoing_window": 1 << 20}
    source, target = M.Source(address="a"), M.Target(address="q")
    both = []
    for client in (True, False):
        role = P.Role.SENDER if client else P.Role.RECEIVER
        frames: list[Any] = [
            P.Open("c"),
            P.Begin(remote_channel=None if client else 0, **begin),
            *(P.Attach(f"l{handle}", handle, role, source=source, target=target) for handle in range(links)),
        ]
        both.append(amqp.PROTOCOL_HEADERS["amqp"] + b"".join(amqp.encode_frame(0, frame) for frame in frames))
    return both[0], both[1]


def talk(turns: Iterable[tuple[int, bytes]], links: int = 1) -> bytes:
    """A capture of a session in which the sides say this, by their direction."""
    said = Conversation().open()
    for direction, octets in enumerate(session(links)):
        said.send(direction, octets, size=1000)
    for direction, octets in turns:
        said.send(direction, octets, size=1400)
    return pcap(captured(said.close().packets))


def settling(transfers: int, dispositions: int) -> bytes:
    """Unsettled deliveries, then dispositions of all of them that do not settle them."""
    sent = b"".join(transfer(number) for number in range(transfers))
    told = b"".join(disposition(0, 70_000, state=STATES[turn % 2]) for turn in range(dispositions))
    return talk([(0, sent), (1, told)])


def dispositions(random: Random) -> bytes:
    """Any numbers, ranges, states and roles."""
    start, spread = random.choice((0, NUMBERS - 20, NUMBERS // 2)), random.choice((10, 200, NUMBERS))

    def number() -> int:
        return (start + random.randrange(spread)) % NUMBERS

    def turn() -> tuple[int, bytes]:
        if random.random() < 0.4:
            fields = {
                "more": random.random() < 0.3,
                "settled": random.random() < 0.1,
                "state": random.choice(STATES),
            }
            return 0, transfer(random.choice((number(), number(), None)), random.randrange(3), **fields)
        last = random.choice((None, number(), number()))
        role, state = random.random() < 0.9, random.choice(STATES)
        settled = random.random() < 0.2
        return int(role), disposition(number(), last, settled=settled, state=state, role=role)

    return talk((turn() for _ in range(random.randrange(10, 80))), links=3)


def requests(random: Random) -> bytes:
    """Sessions and links that begin and end in any order, and frames that cannot be read."""

    def turn() -> tuple[int, bytes]:
        direction, channel, handle = random.randrange(2), random.randrange(3), random.randrange(3)
        role = random.choice((P.Role.SENDER, P.Role.RECEIVER))
        numbers: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 9, "outgoing_window": 9}
        frame: Any = random.choice(
            (
                P.Begin(remote_channel=random.choice((None, random.randrange(3))), **numbers),
                P.Attach(f"l{random.randrange(3)}", handle, role),
                P.Detach(handle, closed=True),
                P.End(),
                P.Transfer(
                    handle,
                    random.choice((None, random.randrange(3))),
                    delivery_tag=b"t",
                    more=random.random() < 0.7,
                ),
                P.Open("c"),
            )
        )
        if random.random() < 0.15:
            return direction, pack(">IBBH", 11, 2, 0, channel) + b"\0\x53\xff"
        if random.random() < 0.02:
            frame = P.Close()
        octets: bytes = amqp.encode_frame(channel, frame, MESSAGE if isinstance(frame, P.Transfer) else b"")
        return direction, octets

    return talk(turn() for _ in range(random.randrange(10, 120)))


# --- Flows with one key


def _mix(state: int, word: int) -> int:
    """As ``mix_key`` of native/ingest/map.h."""
    state = (state ^ word) * 0x9E3779B97F4A7C15 % 2**64
    state = (state ^ state >> 32) * 0xD6E8FEB86659FD93 % 2**64
    return state ^ state >> 32


def _unmixed(state: int) -> int:
    """What ``_mix`` has made this of."""
    for factor in (0xD6E8FEB86659FD93, 0x9E3779B97F4A7C15):
        state = (state ^ state >> 32) * pow(factor, -1, 2**64) % 2**64
    return state


def colliding_flows(secret: int, count: int) -> Iterator[bytes]:
    """Flows of IPv6 that have the same key in C's maps if this is the secret."""
    for first in range(count):
        state = _mix(secret ^ 36, first)
        address = pack(">QQ", first, state ^ _unmixed(0x0123456789ABCDEF))
        yield address + bytes(15) + b"\1" + pack(">HH", 40_000, 5672)


def collisions(secret: int, count: int) -> bytes:
    """A capture with a connection for each of these flows."""
    packets = [
        Tcp(1, b"", 0, SYN, (str(ip_address(flow[:16])), 40_000), ("::1", 5672))
        for flow in colliding_flows(secret, count)
    ]
    return pcap(captured(packets))


# --- Before 1970


def before_1970(random: Random) -> bytes:
    """Packets of negative times (pcapng, if_tsoffset), some of a connection one side of which is silent."""
    said = Conversation().open() if random.random() < 0.5 else Conversation()
    header, accepted = amqp.PROTOCOL_HEADERS["amqp"], session()
    said.send(0, random.choice((header, accepted[0], accepted[0] + transfer(0))), ack=random.random() < 0.5)
    if random.random() < 0.5:
        said.send(1, accepted[1] + disposition(0, None, settled=random.random() < 0.5, state=M.Accepted()))
    offset, between = -random.choice((1, 2, 1 << 31)), random.choice((0, 1, 999, 10**6))
    file = section() + interface(resolution=9, offset=offset)
    for place, packet in enumerate(said.packets):
        file += enhanced(Captured(ethernet(packet.octets())), units=place * between)
    return file


# --- Octets before the beginning


def before_the_syn(random: Random) -> bytes:
    """Octets that the receiver drops, for the capture alone: before SYN and its acknowledgment come, or around them."""
    start = random.choice((1000, 0, NUMBERS - 5))
    client, server = [("10.0.0.1", 40_000), ("10.0.0.2", 5672)]
    header = amqp.PROTOCOL_HEADERS["amqp"]
    packets = [Tcp(start, b"", 0, SYN, client, server), Tcp(7, b"", start + 1, SYN | ACK, server, client)]
    packets += [Tcp(start + 1, header, 8, ACK, client, server)] * random.randrange(3)
    for _ in range(random.randrange(1, 6)):
        octets = random.randbytes(random.randrange(1, 20))
        packets.append(Tcp(start + random.randrange(-30, 30), octets, 8, ACK, client, server))
    random.shuffle(packets)
    cut = [packet.cut(60) if random.random() < 0.1 else packet for packet in captured(packets)]
    return pcap(cut)


# --- Tunnels


def in_tunnels(random: Random) -> bytes:
    """A conversation whose packets are in tunnels within tunnels, some of them without end or changed."""
    said = Conversation().open().send(0, amqp.PROTOCOL_HEADERS["amqp"] + session()[0], 50)
    wraps = [random.choice([*tunnels.TUNNELS.values()]) for _ in range(random.choice((1, 1, 2, 5, 60)))]
    packets = []
    for packet in said.packets:
        octets = tunnels.frame(packet.octets())
        for wrap in wraps:
            if len(octets) < 20_000:
                octets = wrap(octets[14:])
        octets = mutate(octets, random, [octets]) if random.random() < 0.2 else octets
        packets.append(Captured(octets[:60_000] or b"?"))
    return pcap(packets)


# --- What there is very much of

# These are drawn above, in more ways.
_DRAWN_ABOVE = ("1.0-dispositions", "like-flows", "high-bits")
HOSTILE_TLS = 0.3
FLOODS = [name for name in SHAPES if not name.startswith(_DRAWN_ABOVE)]


def flood(random: Random) -> bytes:
    """A small one of the captures by which time and memory are measured: connections, channels, unsettled messages, names."""
    return make(random.choice(FLOODS), random.randrange(500, 12_000))


def draw_hostile(random: Random) -> bytes:
    """Any of them."""
    if random.random() < HOSTILE_TLS and find_spec("cryptography"):
        from .hostile_tls import hostile_tls

        return hostile_tls(random)
    match random.randrange(9):
        case 0:
            return dispositions(random)
        case 1:
            return requests(random)
        case 2:
            return collisions(hash(b"keys of maps") % 2**64, random.randrange(2, 30))
        case 3:
            return before_1970(random)
        case 4:
            return before_the_syn(random)
        case 5:
            return in_tunnels(random)
        case _:
            return flood(random)
