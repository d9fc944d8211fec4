"""Every composite, with none, some and all of its fields set, comes back as what it was."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .bare_values import bare
from .fields import filled, least, of_composite, of_described, typical
from .packages import BY_NAME, amqp, each_composite, each_described
from .specification import COMPOSITES, DESCRIBED

Described, ULong, Symbol = amqp.Described, amqp.types.ULong, amqp.Symbol
PERFORMATIVES = [
    BY_NAME[composite.name] for composite in COMPOSITES if {"frame", "sasl-frame"} & set(composite.provides)
]


def check(value: Any) -> bytes:
    """Round trip by every way there is; returns the octets."""
    octets = value.encode()
    assert amqp.encode(value) == octets
    again, position = amqp.decode(octets)
    assert position == len(octets)
    assert again == value
    assert type(again) is type(value)
    assert repr(again) == repr(amqp.decode(again.encode())[0])
    assert again.encode() == octets
    raw = bare(octets)
    assert type(raw) is Described
    assert raw.descriptor == value.CODE
    assert type(raw.descriptor) is ULong
    assert amqp.encode(raw) == octets
    return octets


@each_composite
def test_none_some_and_all_fields(cls: Any) -> None:
    check(least(cls))
    check(filled(cls))
    for field in cls.FIELDS:
        value = least(cls)
        setattr(value, field.attribute, typical(field))
        check(value)


@each_described
@given(data=st.data())
@examples(30)
def test_any_values(cls: Any, data: st.DataObject) -> None:
    check(data.draw(of_described(cls)))


@each_composite
def test_wire_form(cls: Any) -> None:
    """A descriptor and a list: the code in its shortest form, the fields in order, no nulls at the end."""
    octets = filled(cls).encode()
    assert octets[:3] == bytes((0, 0x53, cls.CODE))
    fields = bare(octets).value
    assert len(fields) == len(cls.FIELDS)
    assert None not in fields
    needed = [number for number, field in enumerate(cls.FIELDS, 1) if field.mandatory]
    short = bare(least(cls).encode()).value
    assert len(short) == max(needed, default=0)
    if not needed:
        assert least(cls).encode() == bytes((0, 0x53, cls.CODE, 0x45))


@each_composite
def test_large_lists(cls: Any) -> None:
    """A list8 as long as it does, a list32 after that; all that is read is the same."""
    kinds = ("string", "symbol", "binary", "map")
    texts = [field for field in cls.FIELDS if field.primitive in kinds and field.values is None]
    for field in texts:
        for length in (200, 251, 252, 255, 256, 70_000):
            long: Any = {"binary": b"x" * length}.get(field.primitive, "x" * length)
            if field.primitive == "map":
                long = {Symbol("k"): "x" * length}
            value = least(cls)
            setattr(value, field.attribute, [long] if field.multiple else long)
            octets = check(value)
            # The size of a list8 counts all that follows it.
            assert octets[3] == (0xC0 if len(octets) - 5 <= 255 else 0xD0)


@st.composite
def chunks(draw: st.DrawFn, octets: bytes) -> list[bytes]:
    """The octets in pieces, empty ones among them."""
    cuts = sorted(draw(st.lists(st.integers(0, len(octets)), max_size=12)))
    return [octets[start:end] for start, end in pairwise([0, *cuts, len(octets)])]


@st.composite
def frames(draw: st.DrawFn) -> tuple[int, Any, bytes]:
    cls = draw(st.sampled_from([None, *PERFORMATIVES]))
    if cls is None:
        return draw(st.integers(0, 65535)), None, b""
    sasl = "sasl-frame" in cls.PROVIDES
    payload = draw(st.binary(max_size=50)) if cls.NAME == "transfer" else b""
    return 0 if sasl else draw(st.integers(0, 65535)), draw(of_composite(cls, 2)), payload


@given(data=st.data())
@examples(200)
def test_any_chunking(data: st.DataObject) -> None:
    expected = data.draw(st.lists(frames(), max_size=5))
    stream = b"".join(amqp.encode_frame(*frame) for frame in expected)
    assert amqp.decode_frames(stream) == (expected, len(stream))
    decoder = amqp.FrameDecoder(max_frame_size=0)
    received = [frame for piece in data.draw(chunks(stream)) for frame in decoder.feed(piece)]
    assert received == expected
    assert decoder.offset == len(stream)


def test_one_octet_at_a_time() -> None:
    expected = [(number, least(cls), b"") for number, cls in enumerate(PERFORMATIVES, 1)]
    expected += [(number, filled(cls), b"") for number, cls in enumerate(PERFORMATIVES, 1)]
    expected = [(0 if "sasl-frame" in item.PROVIDES else channel, item, b"") for channel, item, _ in expected]
    encoded = [amqp.encode_frame(*frame) for frame in expected]
    decoder = amqp.FrameDecoder(max_frame_size=0)
    received, ends = [], []
    for offset, octet in enumerate(b"".join(encoded), 1):
        got = decoder.feed(bytes((octet,)))
        assert len(got) <= 1
        if got:
            received += got
            ends.append(offset)
    assert received == expected
    # Each frame came out with its last octet, not earlier and not later.
    assert ends == [sum(map(len, encoded[:number])) for number in range(1, len(encoded) + 1)]


def test_composites_in_other_values() -> None:
    for type_ in DESCRIBED:
        cls = BY_NAME[type_.name]
        value = least(cls) if not cls.SOURCE else cls({"map": {}, "list": [], "binary": b""}.get(cls.SOURCE))
        for outer in (
            [value, 1],
            {"key": value},
            Described(Symbol("x"), value),
            amqp.messaging.AmqpValue(value),
        ):
            again, _ = amqp.decode(amqp.encode(outer))
            assert again == outer
        array = amqp.Array([value, value])
        assert amqp.decode(amqp.encode(array))[0] == array


def test_what_is_read_from_another_buffer_is_the_same() -> None:
    for cls in PERFORMATIVES:
        octets = filled(cls).encode()
        expected = amqp.decode(octets)
        assert amqp.decode(bytearray(octets)) == amqp.decode(memoryview(octets)) == expected
        assert amqp.decode(b"\x40" + octets + b"\x40", 1) == (expected[0], expected[1] + 1)
