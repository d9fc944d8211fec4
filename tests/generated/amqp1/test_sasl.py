"""SASL: every frame of every mechanism, in the order of an exchange."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp

SaslChallenge, SaslCode, SaslInit, SaslMechanisms, SaslOutcome, SaslResponse = (
    getattr(amqp.sasl, name)
    for name in ("SaslChallenge", "SaslCode", "SaslInit", "SaslMechanisms", "SaslOutcome", "SaslResponse")
)
Symbol = amqp.Symbol
# What each side says, in turn; the server begins.
EXCHANGES: dict[str, list[Any]] = {
    "ANONYMOUS": [SaslMechanisms("ANONYMOUS"), SaslInit("ANONYMOUS", b"trace"), SaslOutcome(SaslCode.OK)],
    "EXTERNAL": [SaslMechanisms(["EXTERNAL"]), SaslInit("EXTERNAL", b""), SaslOutcome(SaslCode.OK)],
    "PLAIN": [
        SaslMechanisms(["PLAIN", "ANONYMOUS"]),
        SaslInit("PLAIN", b"\0guest\0guest", "localhost"),
        SaslOutcome(SaslCode.AUTH),
    ],
    "CRAM-MD5": [
        SaslMechanisms(["CRAM-MD5"]),
        SaslInit("CRAM-MD5"),
        SaslChallenge(b"<1896.697170952@postoffice.example>"),
        SaslResponse(b"tim b913a602c7eda7a495b4e6e7334d3890"),
        SaslOutcome(SaslCode.OK),
    ],
    "SCRAM-SHA-256": [
        SaslMechanisms(["SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"]),
        SaslInit("SCRAM-SHA-256", b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO", "host.example"),
        SaslChallenge(b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTC,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"),
        SaslResponse(b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTC,p=dHzbZapWIk4jUhN+Ute9ytag9zjf"),
        SaslOutcome(SaslCode.OK, b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="),
    ],
    "several rounds": [
        SaslMechanisms(["X"]),
        SaslInit("X", None, "h"),
        *(kind(bytes((number,))) for number in range(20) for kind in (SaslChallenge, SaslResponse)),
        SaslOutcome(SaslCode.SYS_TEMP),
    ],
}


@pytest.mark.parametrize("frames", EXCHANGES.values(), ids=EXCHANGES)
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_exchanges(frames: list[Any], size: int) -> None:
    stream = amqp.PROTOCOL_HEADERS["sasl"] + b"".join(amqp.encode_frame(0, frame) for frame in frames)
    decoder = amqp.FrameDecoder()
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    (_, header, _), *found = [frame for piece in pieces for frame in decoder.feed(piece)]
    assert header.layer == "sasl"
    assert found == [(0, frame, b"") for frame in frames]


def test_octets() -> None:
    """Worked out by hand."""
    start = "0000{:04x}02010000"
    for frame, body in [
        (SaslMechanisms("A"), "005340" + "c00401" + "a30141"),
        (SaslMechanisms(["A", "BC"]), "005340" + "c00a01" + "e00702a3" + "0141" + "024243"),
        (SaslInit("A", b"r"), "005341" + "c00702" + "a30141" + "a00172"),
        (SaslInit("A", None, "h"), "005341" + "c00803" + "a30141" + "40" + "a10168"),
        (SaslChallenge(b"c"), "005342" + "c00401" + "a00163"),
        (SaslResponse(b""), "005343" + "c00301" + "a000"),
        (SaslOutcome(SaslCode.SYS_PERM), "005344" + "c00301" + "5003"),
        (SaslOutcome(SaslCode.OK, b"d"), "005344" + "c00602" + "5000" + "a00164"),
    ]:
        octets = bytes.fromhex(start.format(8 + len(body) // 2) + body)
        assert amqp.encode_frame(0, frame) == octets
        assert amqp.decode_frames(octets) == ([(0, frame, b"")], len(octets))


def test_octets_that_the_receiver_passes_over() -> None:
    """The channel of a frame of AMQP has no meaning here, and neither has an extended header."""
    octets = amqp.encode_frame(0, SaslOutcome(SaslCode.OK))
    ignored = octets[:6] + b"\xff\xff" + octets[8:]
    assert amqp.decode_frames(ignored)[0] == [(0, SaslOutcome(SaslCode.OK), b"")]


@pytest.mark.parametrize("code", SaslCode)
def test_codes(code: Any) -> None:
    ((_, outcome, _),), _ = amqp.decode_frames(amqp.encode_frame(0, SaslOutcome(code)))
    assert outcome.code is code


@pytest.mark.parametrize("code", [5, 255])
def test_unknown_codes(code: int) -> None:
    body = bytes((0, 0x53, 0x44, 0xC0, 3, 1, 0x50, code))
    with pytest.raises(amqp.errors.Malformed, match="one of 0, 1, 2, 3, 4") as caught:
        amqp.decode(body)
    assert caught.value.path == "sasl-outcome.code"


def test_a_server_must_offer_something() -> None:
    for nothing in (None, [], ()):
        with pytest.raises(amqp.EncodeError, match="mandatory"):
            SaslMechanisms(nothing).encode()
    for body in (b"\x40", b"\xe0\x02\x00\xa3"):  # null, and an array of no symbols
        octets = b"\x00\x53\x40\xc0" + bytes((len(body) + 1, 1)) + body
        with pytest.raises(amqp.errors.Malformed, match="mandatory") as caught:
            amqp.decode(octets)
        assert caught.value.path == "sasl-mechanisms.sasl-server-mechanisms"


def test_one_mechanism_comes_in_two_forms() -> None:
    for value in (Symbol("PLAIN"), amqp.Array([Symbol("PLAIN")])):
        body = amqp.encode(value)
        octets = b"\x00\x53\x40\xc0" + bytes((len(body) + 1, 1)) + body
        assert amqp.decode(octets)[0] == SaslMechanisms(["PLAIN"])


def test_frames_larger_than_sasl_allows() -> None:
    octets = amqp.encode_frame(0, SaslResponse(b"x" * 600))
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.FrameDecoder().feed(octets)
    with pytest.raises(amqp.EncodeError, match="512"):
        amqp.encode_frame(0, SaslResponse(b"x" * 600), max_frame_size=512)
    # There are tokens that need more; whoever knows such a peer can ask for it.
    assert amqp.FrameDecoder(max_frame_size=4096).feed(octets) == [(0, SaslResponse(b"x" * 600), b"")]


@given(
    mechanisms=st.lists(st.text("ABC-123", min_size=1, max_size=20), min_size=1, max_size=5),
    octets=st.binary(max_size=60),
    host=st.none() | st.text(max_size=20),
)
@examples(50)
def test_any_frames(mechanisms: list[str], octets: bytes, host: str | None) -> None:
    frames = [
        SaslMechanisms(mechanisms),
        SaslInit(mechanisms[0], octets, host),
        SaslChallenge(octets),
        SaslResponse(octets),
        SaslOutcome(SaslCode.OK, octets),
    ]
    stream = b"".join(amqp.encode_frame(0, frame) for frame in frames)
    assert amqp.decode_frames(stream)[0] == [(0, frame, b"") for frame in frames]
