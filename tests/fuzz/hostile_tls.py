"""TLS with its keys in the capture, of which some records are changed, lost, or of somebody's making."""

from __future__ import annotations

from random import Random

import amqp_1_0 as amqp

from tests.traffic.capture_builder import Conversation, block, captured, enhanced, interface, section
from tests.traffic.made_tls import SUITES, MadeTls, message

from .mutator import mutate

_SECRETS, _TLS_KEY_LOG = 10, b"KSLT"


def hostile_tls(random: Random) -> bytes:
    """A capture of one connection."""
    suite = random.choice([*SUITES])
    is_1_3 = suite >> 8 == 0x13
    header: bytes = amqp.PROTOCOL_HEADERS["amqp"]
    opened: bytes = header + amqp.encode_frame(0, amqp.performatives.Open("c"))
    tls = MadeTls(
        "1.3" if is_1_3 else "1.2",
        suite,
        random.randrange(1 << 30),
        early=opened if is_1_3 and random.random() < 0.2 else b"",
        takes_early=random.random() < 0.5,
        retries=is_1_3 and random.random() < 0.2,
        encrypts_then_macs=random.random() < 0.3,
        padding=random.choice((0, 0, 7)),
        most=random.choice((1, 30, 1 << 14)),
    )
    sent = tls.handshake()
    sent += tls.data(sent[0][0], opened) + tls.data(next(side for side, _ in sent if side), opened)
    for _ in range(random.randrange(8)):
        direction = random.choice([side for side, _ in sent])
        match random.randrange(5):
            case 0:
                sent += tls.update_keys(direction) if is_1_3 else tls.renegotiate()
            case 1:
                sent.append(
                    (direction, tls.record(direction, random.randrange(20, 25), _odd_messages(random)))
                )
            case _:
                sent += tls.data(direction, random.choice((opened, random.randbytes(random.randrange(200)))))
    said = Conversation().open()
    for direction, octets in sent:
        match random.randrange(60):
            case 0:
                continue
            case 1:
                octets = mutate(octets, random, [octets])[:5000]
            case 2:
                octets = bytes([random.randrange(20, 25), 3, 3]) + random.randbytes(random.randrange(60))
            case 3:
                octets = b"\x17\x03\x03\x00\x16" * random.randrange(1, 400)
        before = len(said.packets)
        said.send(direction, octets, size=random.choice((5, 100, 1400)))
        if random.random() < 0.05:
            del said.packets[before : before + 2]
    keys = "".join(f"{line}\n" for line in tls.key_log).encode()
    if random.random() < 0.1:
        keys = mutate(keys, random, [keys])
    packets = [enhanced(packet) for packet in captured(said.close().packets)]
    packets.insert(
        random.randrange(len(packets)), block(_SECRETS, _TLS_KEY_LOG + len(keys).to_bytes(4, "little") + keys)
    )
    return section() + interface() + b"".join(packets)


def _odd_messages(random: Random) -> bytes:
    kind, octets = random.choice((1, 2, 5, 8, 20, 24, 99)), random.randbytes(random.randrange(60))
    odd = message(kind, octets)
    return random.choice((odd, odd[: random.randrange(len(odd))], odd[:1] + random.randbytes(3) + octets))
