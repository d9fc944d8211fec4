"""Frames of AMQP and of SASL, empty ones, extended headers, protocol headers, and what is no frame."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .bare_values import bare
from .fields import filled, least
from .packages import BY_NAME, amqp
from .specification import COMPOSITES

Described, FrameDecoder, ProtocolHeader, Symbol = (
    amqp.Described,
    amqp.FrameDecoder,
    amqp.ProtocolHeader,
    amqp.Symbol,
)
errors = amqp.errors
OPEN = BY_NAME["open"]("c")
PERFORMATIVES = [BY_NAME[composite.name] for composite in COMPOSITES if "frame" in composite.provides]
SASL = [BY_NAME[composite.name] for composite in COMPOSITES if "sasl-frame" in composite.provides]


def frame(body: bytes, *, size: int = -1, words: int = 2, kind: int = 0, channel: int = 0) -> bytes:
    """A frame as it is told to be, right or wrong."""
    size = 8 + len(body) if size < 0 else size
    return size.to_bytes(4, "big") + bytes((words, kind)) + channel.to_bytes(2, "big") + body


def refused(wire: bytes, kind: Any, **options: Any) -> Any:
    """The error that all ways to decode raise for octets."""
    with pytest.raises(errors.DecodeError) as caught:
        amqp.decode_frames(wire, **options)
    error = caught.value
    assert type(error) is kind
    for pieces in ([wire], [wire[:5], wire[5:]], [bytes((octet,)) for octet in wire]):
        decoder = FrameDecoder(**{"max_frame_size": 0, **options})
        with pytest.raises(kind) as again:
            for piece in pieces:
                decoder.feed(piece)
        assert (str(again.value), again.value.offset) == (str(error), error.offset)
        with pytest.raises(kind) as after:  # and nothing else comes out of it
            decoder.feed(amqp.encode_frame(0, None))
        assert (str(after.value), after.value.frames) == (str(error), ())
    return error


# --- frames of AMQP ---


def test_layout() -> None:
    assert amqp.encode_frame(0x1234, OPEN, b"payload") == frame(OPEN.encode() + b"payload", channel=0x1234)
    assert amqp.encode_frame(0, None) == frame(b"")


def test_which_performatives_there_are() -> None:
    kinds = dict.fromkeys(PERFORMATIVES, amqp.constants.FRAME_AMQP)
    kinds |= dict.fromkeys(SASL, amqp.constants.FRAME_SASL)
    assert kinds == amqp.frames.FRAME_TYPES
    assert (len(PERFORMATIVES), len(SASL)) == (9, 5)


@pytest.mark.parametrize("cls", PERFORMATIVES, ids=lambda cls: cls.NAME)
def test_performatives(cls: Any) -> None:
    for performative in (least(cls), filled(cls)):
        for channel in (0, 1, 65535):
            wire = amqp.encode_frame(channel, performative)
            assert amqp.decode_frames(wire) == ([(channel, performative, b"")], len(wire))
            assert amqp.encode_frame(channel, bare(performative.encode())) == wire


@pytest.mark.parametrize("cls", PERFORMATIVES, ids=lambda cls: cls.NAME)
def test_descriptors_as_symbols_and_in_their_long_form(cls: Any) -> None:
    rest = filled(cls).encode()[3:]
    symbol = cls.SYMBOL.encode()
    for descriptor in (
        b"\x80" + cls.CODE.to_bytes(8, "big"),
        bytes((0xA3, len(symbol))) + symbol,
        b"\xb3" + len(symbol).to_bytes(4, "big") + symbol,
    ):
        wire = frame(b"\x00" + descriptor + rest, channel=7)
        assert amqp.decode_frames(wire)[0] == [(7, filled(cls), b"")]


@given(payload=st.binary(max_size=2000))
@examples(50)
def test_payloads(payload: bytes) -> None:
    transfer = BY_NAME["transfer"](1, 2, b"tag", 0)
    wire = amqp.encode_frame(3, transfer, payload)
    assert amqp.decode_frames(wire)[0] == [(3, transfer, payload)]
    assert type(amqp.decode_frames(bytearray(wire))[0][0][2]) is bytes


def test_empty_frames() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(amqp.encode_frame(0, None) * 3) == [(0, None, b"")] * 3
    assert decoder.feed(amqp.encode_frame(9, None)) == [(9, None, b"")]


@pytest.mark.parametrize("words", [2, 3, 4, 100, 255])
def test_an_extended_header_is_passed_over(words: int) -> None:
    extension = b"\xff" * (4 * words - 8)
    wire = frame(extension + OPEN.encode() + b"payload", words=words, channel=3)
    assert amqp.decode_frames(wire) == ([(3, OPEN, b"payload")], len(wire))
    empty = frame(extension, words=words, channel=3)
    assert amqp.decode_frames(empty) == ([(3, None, b"")], len(empty))
    outcome = filled(BY_NAME["sasl-outcome"])
    sasl = frame(extension + outcome.encode(), words=words, kind=1)
    assert amqp.decode_frames(sasl) == ([(0, outcome, b"")], len(sasl))


def test_decode_frames_starts_anywhere_and_stops_before_half_a_frame() -> None:
    one, two = amqp.encode_frame(1, OPEN), amqp.encode_frame(0, None)
    wire = b"rubbish" + one + two
    assert amqp.decode_frames(wire, 7) == ([(1, OPEN, b""), (0, None, b"")], len(wire))
    assert amqp.decode_frames(wire, 7 + len(one)) == ([(0, None, b"")], len(wire))
    for end in range(7, len(wire) + 1):
        frames, position = amqp.decode_frames(wire[:end], 7)
        whole = 2 if end == len(wire) else int(end >= 7 + len(one))
        assert len(frames) == whole
        assert position == 7 + [0, len(one), len(one + two)][whole]


# --- what cannot be encoded ---


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((0, BY_NAME["error"]("x")), ""),
        ((0, b"octets"), ""),
        ((0, None, b"payload"), ""),
        ((0, filled(BY_NAME["sasl-init"]), b"payload"), ""),
        ((1, filled(BY_NAME["sasl-init"])), "channel"),
        ((-1, None), "channel"),
        ((65536, OPEN), "channel"),
        (("1", OPEN), "channel"),
        ((0, OPEN, "text"), "payload"),
        ((0, BY_NAME["open"]("c", properties={"a": [object()]})), "open.properties.a[0]"),
        ((0, BY_NAME["transfer"](2**32)), "transfer.handle"),
        ((0, Described(Symbol("x"), object())), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_frame(arguments: tuple[Any, ...], path: str) -> None:
    with pytest.raises(amqp.EncodeError) as caught:
        amqp.encode_frame(*arguments)
    assert caught.value.path == path


@pytest.mark.parametrize("performative", [None, OPEN], ids=["none", "open"])
def test_what_is_no_sasl_frame(performative: Any) -> None:
    with pytest.raises(amqp.EncodeError) as caught:
        amqp.encode_frame(0, performative, sasl=True)
    assert caught.value.path == ""


@pytest.mark.parametrize("arguments", [(None,), (b"x",)], ids=["missing", "wrong"])
def test_a_performative_that_cannot_be_encoded(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(amqp.EncodeError) as caught:
        amqp.encode_frame(0, BY_NAME["open"](*arguments))
    assert caught.value.path == "open.container-id"


def test_the_largest_frame() -> None:
    wire = amqp.encode_frame(0, OPEN, b"x" * 10)
    assert amqp.encode_frame(0, OPEN, b"x" * 10, max_frame_size=len(wire)) == wire
    with pytest.raises(amqp.EncodeError, match=f"{len(wire)} octets exceeds the maximum of {len(wire) - 1}"):
        amqp.encode_frame(0, OPEN, b"x" * 10, max_frame_size=len(wire) - 1)


# --- what cannot be decoded ---


def test_empty_frames_of_sasl() -> None:
    assert "empty" in refused(frame(b"", kind=1), errors.Malformed).message


def test_octets_after_a_sasl_performative() -> None:
    body = filled(BY_NAME["sasl-init"]).encode()
    assert refused(frame(body + b"\x40", kind=1), errors.Malformed).offset == 8 + len(body)


@pytest.mark.parametrize("size", range(8))
def test_sizes_below_that_of_the_header(size: int) -> None:
    error = refused(frame(b"", size=size), errors.Malformed)
    assert error.offset == 0
    assert "8 octets" in error.message


@pytest.mark.parametrize("words", [0, 1])
def test_bodies_within_the_header(words: int) -> None:
    assert refused(frame(OPEN.encode(), words=words), errors.Malformed).offset == 4


@pytest.mark.parametrize("words", [3, 4, 255])
def test_bodies_beyond_the_frame(words: int) -> None:
    assert refused(frame(b"", words=words), errors.Malformed).offset == 4
    assert refused(frame(b"\x00" * (4 * words - 9), words=words), errors.Malformed).offset == 4


@pytest.mark.parametrize("kind", [2, 3, 127, 255])
def test_unknown_types(kind: int) -> None:
    for body in (b"", OPEN.encode()):
        error = refused(frame(body, kind=kind), errors.Unknown)
        assert error.offset == 5
        assert str(kind) in error.message


def test_sizes_beyond_the_limit() -> None:
    wire = amqp.encode_frame(0, OPEN, b"x" * 600)
    error = refused(wire, errors.LimitExceeded, max_frame_size=512)
    assert error.offset == 0
    # As soon as the size is there, and with nothing kept of it.
    with pytest.raises(errors.LimitExceeded):
        FrameDecoder().feed(frame(b"", size=513))
    decoder = FrameDecoder(max_frame_size=512)
    decoder.max_frame_size = len(wire)
    assert decoder.feed(wire) == [(0, OPEN, b"x" * 600)]
    decoder.max_frame_size = len(wire) - 1
    with pytest.raises(errors.LimitExceeded):
        decoder.feed(wire)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\x40", id="null"),
        pytest.param(b"\x45", id="list"),
        pytest.param(b"\xa1\x01x", id="string"),
        pytest.param(b"AMQP", id="text"),
        pytest.param(b"\x53\x10\x45", id="without descriptor"),
    ],
)
def test_bodies_that_are_no_described_value(body: bytes) -> None:
    for kind in (0, 1):
        assert refused(frame(body, kind=kind), errors.Malformed).offset == 8


@pytest.mark.parametrize(
    "other",
    [
        *(pytest.param(filled(BY_NAME[name]), id=name) for name in ("error", "source", "accepted", "header")),
        pytest.param(Described(Symbol("com.example:x"), []), id="unknown"),
        pytest.param(Described(amqp.types.ULong(0xFF), []), id="unknown number"),
        pytest.param(Described(amqp.types.UInt(0x10), ["c"]), id="descriptor of another type"),
    ],
)
def test_described_values_that_are_no_performative(other: Any) -> None:
    body = amqp.encode(other)
    for kind in (0, 1):
        assert refused(frame(body, kind=kind), errors.Unknown).offset == 8


def test_performatives_in_frames_of_the_other_type() -> None:
    for cls in PERFORMATIVES:
        assert cls.NAME in refused(frame(filled(cls).encode(), kind=1), errors.Unknown).message
    for cls in SASL:
        assert cls.NAME in refused(frame(filled(cls).encode(), kind=0), errors.Unknown).message


@pytest.mark.parametrize("cls", [*PERFORMATIVES, *SASL], ids=lambda cls: cls.NAME)
def test_performatives_that_are_cut_off(cls: Any) -> None:
    body = filled(cls).encode()
    kind = 1 if cls in SASL else 0
    for end in range(1, len(body)):
        wire = frame(body[:end], kind=kind) + amqp.encode_frame(0, None) * 40
        with pytest.raises(errors.DecodeError) as caught:
            amqp.decode_frames(wire)
        assert 8 <= caught.value.offset <= 8 + end


def test_frames_before_the_fault_are_not_lost() -> None:
    good = [(1, OPEN, b""), (0, None, b""), (2, BY_NAME["end"](), b"")]
    wire = b"".join(amqp.encode_frame(*frame) for frame in good)
    error = refused(wire + frame(b"\x40"), errors.Malformed)
    assert error.offset == len(wire) + 8
    with pytest.raises(errors.Malformed) as caught:
        FrameDecoder().feed(wire + frame(b"\x40"))
    assert list(caught.value.frames) == good
    decoder = FrameDecoder()
    assert decoder.feed(wire) == good
    with pytest.raises(errors.Malformed) as caught:
        decoder.feed(frame(b"\x40"))
    assert caught.value.frames == ()
    assert caught.value.offset == len(wire) + 8


def test_paths_of_errors() -> None:
    wire = frame(b"\x00\x53\x10\xc0\x05\x02\xa1\x01c\x41")
    error = refused(wire, errors.Malformed)
    assert (error.path, error.offset) == ("open.hostname", len(wire) - 1)


def test_limits() -> None:
    deep: Any = 1
    for _ in range(20):
        deep = [deep]
    wire = amqp.encode_frame(0, BY_NAME["open"]("c", properties={"deep": deep}))
    assert amqp.decode_frames(wire, max_depth=22)[0]
    refused(wire, errors.LimitExceeded, max_depth=21)
    wire = amqp.encode_frame(0, BY_NAME["open"]("c", properties={"many": [None] * 50}))
    assert amqp.decode_frames(wire, max_elements=50)[0]
    refused(wire, errors.LimitExceeded, max_elements=49)
    for options in ({"max_depth": 0}, {"max_depth": 129}, {"max_elements": -1}):
        with pytest.raises(ValueError, match="max_"):
            FrameDecoder(**options)


# --- protocol headers ---


@pytest.mark.parametrize("layer", ["amqp", "tls", "sasl"])
def test_protocol_headers(layer: str) -> None:
    octets = amqp.PROTOCOL_HEADERS[layer]
    for limit in (512, 0, 2**32 - 1):
        ((channel, header, payload),) = FrameDecoder(max_frame_size=limit).feed(octets)
        assert (channel, payload) == (0, b"")
        assert type(header) is ProtocolHeader
        assert header.octets == octets
        assert header.layer == layer
        assert header[1:] == (1, 0, 0)
    assert amqp.decode_frames(octets) == ([(0, header, b"")], 8)
    assert amqp.recognise_header(octets) == layer


@pytest.mark.parametrize(
    "octets",
    [
        b"AMQP\x00\x00\x09\x01",
        b"AMQP\x01\x01\x08\x00",
        b"AMQP\x00\x01\x01\x00",
        b"AMQP\xff\xff\xff\xff",
    ],
)
def test_headers_of_other_versions(octets: bytes) -> None:
    ((_, header, _),) = FrameDecoder().feed(octets)
    assert header.octets == octets
    assert header.layer is None
    assert amqp.recognise_header(octets) is None


def test_what_looks_like_a_header_is_none() -> None:
    for octets in (b"AMQ\x00\x00\x01\x00\x00", b"amqp\x00\x01\x00\x00", b"HTTP/1.1", b"GET / HT"):
        assert amqp.recognise_header(octets) is None
        with pytest.raises(errors.DecodeError):
            FrameDecoder().feed(octets)


def test_a_whole_conversation_in_any_pieces() -> None:
    """A header follows the outcome of SASL in the same stream: nobody has to count octets."""
    init = BY_NAME["sasl-init"]("ANONYMOUS")
    outcome = BY_NAME["sasl-outcome"](amqp.sasl.SaslCode.OK)
    stream = b"".join(
        [
            amqp.PROTOCOL_HEADERS["sasl"],
            amqp.encode_frame(0, init),
            amqp.encode_frame(0, outcome),
            amqp.PROTOCOL_HEADERS["amqp"],
            amqp.encode_frame(0, OPEN),
            amqp.encode_frame(0, None),
        ]
    )
    expected = [
        (0, ProtocolHeader(3, 1, 0, 0), b""),
        (0, init, b""),
        (0, outcome, b""),
        (0, ProtocolHeader(0, 1, 0, 0), b""),
        (0, OPEN, b""),
        (0, None, b""),
    ]
    for size in (1, 3, 7, 8, 9, 20, len(stream)):
        decoder = FrameDecoder()
        pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert [frame for piece in pieces for frame in decoder.feed(piece)] == expected
        assert decoder.offset == len(stream)
