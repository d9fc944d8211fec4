"""What is handed in and is not octets, not of the type of a field, or too much: refused in words of ours."""

from __future__ import annotations

import array
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
from amqp_1_0.columns.variant import value_variant

from .packages import amqp
from .test_hostile_nesting import OCTETS

types = amqp.types
p = amqp.performatives
WIDE = memoryview(array.array("I", [1, 2, 3]))
TRANSFER = p.Transfer(handle=0, delivery_id=0, delivery_tag=b"t")
DECODERS: dict[str, Callable[..., Any]] = {
    "decode": amqp.decode,
    "decode_frames": amqp.decode_frames,
    "decode_message": amqp.decode_message,
    "feed": lambda data: amqp.FrameDecoder().feed(data),
    "feed, continued": lambda data: fed_before().feed(data),
    "value_variant": value_variant,
    "TransferAssembler": lambda data: amqp.TransferAssembler().add(TRANSFER, data),
}


def fed_before() -> Any:
    decoder = amqp.FrameDecoder()
    decoder.feed(b"\0")
    return decoder


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("data", [5, 0, 10**10, "\x40", [64], None, 1.5], ids=repr)
def test_what_is_not_bytes_like_is_refused(name: str, data: Any) -> None:
    with pytest.raises(TypeError, match=r"^bytes are needed, not |'<' not supported"):
        DECODERS[name](data)


@pytest.mark.parametrize("name", ["decode", "decode_frames", "value_variant"])
def test_negative_positions_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="lies before the buffer"):
        DECODERS[name](b"\x40" * 16, -8)


def test_negative_limits_are_refused() -> None:
    for call in (
        lambda: amqp.FrameDecoder(max_frame_size=-1),
        lambda: amqp.decode_frames(b"", max_frame_size=-1),
        lambda: amqp.TransferAssembler(max_message_size=-1),
        lambda: setattr(amqp.FrameDecoder(), "max_frame_size", -1),
    ):
        with pytest.raises(ValueError, match="less than 0"):
            call()


def test_sizes_are_counted_in_octets() -> None:
    frame = amqp.encode_frame(0, TRANSFER, WIDE)
    assert amqp.decode_frames(frame) == ([(0, TRANSFER, bytes(WIDE))], len(frame))
    assert amqp.decode(amqp.encode(WIDE))[0] == bytes(WIDE)
    assert amqp.messaging.Data(WIDE).encode() == amqp.messaging.Data(bytes(WIDE)).encode()
    items = amqp.Array([WIDE, b"x"], "binary")
    assert list(amqp.decode(amqp.encode(items))[0]) == [bytes(WIDE), b"x"]
    value = memoryview(array.array("I", amqp.encode("abcdef")[:8]))
    assert amqp.decode(value)[0] is not None
    first = p.Transfer(handle=0, delivery_id=0, delivery_tag=b"t", message_format=0)
    long = memoryview(array.array("I", range(1000)))
    whole = amqp.join_transfers(
        (item[1], item[2])
        for frame in amqp.split_transfer(first, long, max_frame_size=512)
        for item in amqp.decode_frames(frame)[0]
    )
    assert whole.payload == bytes(long)
    delivery = amqp.TransferAssembler(max_message_size=12).add(first, WIDE)
    assert delivery is not None and delivery.payload == bytes(WIDE)
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.TransferAssembler(max_message_size=11).add(first, WIDE)
    decoder = amqp.FrameDecoder()
    wide = memoryview(array.array("I", amqp.encode_frame(0, None)))
    assert decoder.feed(memoryview(wide.cast("B"))[:4]) == []


class Encodes:
    """Not a string, whatever it can do."""

    def encode(self, _charset: str = "") -> bytes:
        return b"x"


NAN, SNAN = Decimal("NaN"), Decimal("sNaN")
FOREIGN: dict[str, Callable[[], Any]] = {
    "payload None": lambda: amqp.encode_frame(0, TRANSFER, None),
    "payload int": lambda: amqp.encode_frame(0, TRANSFER, 5),
    "payload float": lambda: amqp.encode_frame(0, TRANSFER, 1.5),
    "payload str": lambda: amqp.encode_frame(0, TRANSFER, "x"),
    "message None": lambda: list(amqp.split_transfer(TRANSFER, None, max_frame_size=512)),
    "channel": lambda: amqp.encode_frame("\ud800", TRANSFER),
    "channel NaN": lambda: amqp.encode_frame(NAN, TRANSFER),
    "uint NaN": lambda: p.Open(container_id="c", max_frame_size=NAN).encode(),
    "ushort sNaN": lambda: p.Open(container_id="c", channel_max=SNAN).encode(),
    "uint text": lambda: p.Open(container_id="c", max_frame_size="x").encode(),
    "uint float": lambda: p.Open(container_id="c", max_frame_size=300.5).encode(),
    "ubyte": lambda: amqp.messaging.Header(priority=256).encode(),
    "array NaN": lambda: amqp.encode(amqp.Array([1, NAN], "int")),
    "array of text": lambda: amqp.encode(amqp.Array(["a"], "ubyte")),
    "float": lambda: amqp.encode(amqp.Array([1e300], "float")),
    "double": lambda: amqp.encode(amqp.Array(["x"], "double")),
    "string": lambda: p.Open(container_id=Encodes()).encode(),
    "string of a class": lambda: p.Open(container_id=TRANSFER).encode(),
    "symbol": lambda: amqp.messaging.Properties(content_type=Encodes()).encode(),
    "symbols": lambda: amqp.encode(amqp.Array([Encodes()], "symbol")),
    "key": lambda: amqp.encode({Encodes(): 1}),
    "bits of a boolean": lambda: amqp.messaging.Header(durable="false").encode(),
    "uuid": lambda: amqp.encode(amqp.Array([SimpleNamespace(bytes=b"x")], "uuid")),
    "surrogate": lambda: amqp.encode({"\udcc3": object()}),
    "a symbol of 5,000 digits": lambda: amqp.messaging.Properties(content_type=10**5000).encode(),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_encoders_raise_encode_error_and_nothing_else(name: str) -> None:
    with pytest.raises(amqp.CodecError) as caught:
        FOREIGN[name]()
    assert type(caught.value) is amqp.EncodeError
    text = str(caught.value)
    assert text.isprintable(), ascii(text)
    for word in ("format requires", "(error)", "argument", "supported", "attribute", "descriptor '", "codec"):
        assert word not in text, text


MANY = 65_537
TOO_MANY: dict[str, Callable[[], Any]] = {
    "list": lambda: [None] * MANY,
    "tuple": lambda: (1,) * MANY,
    "map": lambda: dict.fromkeys(range(MANY // 2 + 1)),
    "pairs": lambda: amqp.Map((number, None) for number in range(MANY // 2 + 1)),
    "array": lambda: amqp.Array([1] * MANY, "int"),
    "repeated": lambda: amqp.decode(b"\xf0\0\0\0\5\0\2\0\0\x40", max_elements=1 << 20)[0],
    "descriptors": lambda: amqp.Array([], "int", (types.ULong(1 << 40),) * 64),
}


@pytest.mark.parametrize("name", TOO_MANY)
def test_what_our_decoder_refuses_is_not_written(name: str) -> None:
    for wrapped in (TOO_MANY[name](), {"k": [TOO_MANY[name]()]}):
        with pytest.raises(amqp.EncodeError, match=r"elements, more than 65536|nested too deep"):
            amqp.encode(wrapped)
    with pytest.raises(amqp.EncodeError, match=r"elements, more than 65536|nested too deep"):
        amqp.Message(body=amqp.messaging.AmqpValue(TOO_MANY[name]())).encode()


def test_as_much_as_our_decoder_accepts_is_written() -> None:
    for value in ([None] * 65_536, dict.fromkeys(range(32_768))):
        assert amqp.decode(amqp.encode(value))[0] == value
    array = amqp.Array([], "int", (types.ULong(1 << 40),) * 63)
    assert amqp.decode(amqp.encode(array))[0] == array


class Twice(Mapping[Any, Any]):
    """A mapping that does not tell the truth about itself."""

    def __getitem__(self, key: Any) -> Any:
        return None

    def __len__(self) -> int:
        return 7

    def __iter__(self) -> Iterator[Any]:
        return iter(("a", "b"))


class Odd(dict[Any, Any]):
    def __len__(self) -> int:
        return 7


class Always(str):
    """A key that is equal to nothing, not even itself."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return False


MOMENT = datetime(2024, 1, 1, tzinfo=UTC)
TWINS: list[Any] = [
    {Always("a"): 1, Always("a"): 2},
    {MOMENT: 1, MOMENT + timedelta(microseconds=1): 2},
    {(MOMENT,): 1, (MOMENT + timedelta(microseconds=1),): 2},
    {Decimal(1): 1, types.Decimal128(1): 2},
]


@pytest.mark.parametrize("value", TWINS, ids=lambda value: type(next(iter(value))).__name__)
def test_keys_that_are_the_same_on_the_wire_are_refused(value: Any) -> None:
    for call in (
        lambda: amqp.encode(value),
        lambda: p.Open(container_id="c", properties=value).encode(),
        lambda: amqp.messaging.AmqpValue(value).encode(),
    ):
        with pytest.raises(amqp.EncodeError, match="occurs twice"):
            call()


@pytest.mark.parametrize("value", [Twice(), Odd(a=None, b=None)], ids=["mapping", "dict"])
def test_mappings_are_counted_by_what_they_hold(value: Any) -> None:
    expected = {"a": None, "b": None}
    assert amqp.decode(amqp.encode(value))[0] == expected
    assert amqp.decode(p.Open(container_id="c", properties=value).encode())[0].properties == expected
    assert (
        amqp.decode_message(amqp.Message(application_properties=value).encode()).application_properties
        == expected
    )


def deeper(frames: int, call: Callable[[], Any]) -> Any:
    return deeper(frames - 1, call) if frames else call()


def room() -> int:
    """Count the calls that are left."""
    frame: FrameType | None = sys._getframe()
    used = 0
    while frame is not None:
        frame, used = frame.f_back, used + 1
    return sys.getrecursionlimit() - used


DEEP: Any = None
for _ in range(15):
    DEEP = amqp.Described(types.Symbol("x"), amqp.Map([([DEEP], None)]))


@pytest.mark.parametrize("kind", OCTETS)
def test_no_recursion_error_whatever_the_stack_above(kind: str) -> None:
    octets = OCTETS[kind](50)
    value = amqp.decode(octets)[0]
    message = b"\0\x53\x77" + octets
    frame = amqp.encode_frame(0, p.Open(container_id="c", properties={"k": value}))
    calls: list[Callable[[], Any]] = [
        lambda: amqp.decode(octets),
        lambda: amqp.decode(octets[:-1]),
        lambda: value_variant(octets),
        lambda: amqp.encode(value),
        lambda: amqp.decode_message(message),
        lambda: amqp.decode_frames(frame),
        lambda: amqp.FrameDecoder().feed(frame),
        lambda: amqp.Message(body=amqp.messaging.AmqpValue(value)).encode(),
        lambda: amqp.encode_frame(0, p.Open(container_id="c", properties={"k": value})),
        lambda: p.Open(container_id="c", properties={"k": value}).encode(),
    ]
    available = room()
    for call in calls:
        for left in range(20, 200, 12):
            try:
                deeper(available - left, call)
            except amqp.CodecError as error:
                assert str(error).isprintable()


def test_what_is_nested_is_compared_and_shown_without_recursion() -> None:
    other = amqp.decode(amqp.encode(DEEP))[0]
    available = room()
    for left in range(25, 200, 12):
        assert deeper(available - left, lambda: other == DEEP)
        assert deeper(available - left, lambda: repr(DEEP)).startswith("Described(")


def test_equality_still_tells_apart() -> None:
    described, array, Map = amqp.Described, amqp.Array, amqp.Map
    assert described(1, [2]) == described(1, [2])
    assert described(1, [2]) != described(1, [3])
    assert described(1, [2]) != described(1, [2, 3])
    assert described(1, (2,)) != described(1, [2])
    assert described(1, {"a": [1]}) == described(1, {"a": [1]})
    assert described(1, {"a": [1]}) != described(1, {"b": [1]})
    assert array([1], "int") != array([1], "uint")
    assert array([], "int", (1,)) != array([], "int")
    assert Map([(1, [2])]) == Map([(1, [2])])
    assert Map([(1, [2])]) != Map([(1, [3])])
    assert described(1, 2) != 2
    assert Map([]) != {}


class Mine(p.Transfer):  # type: ignore[name-defined,misc]
    """A transfer with more to it."""

    __slots__ = ("note",)


def test_objects_of_subclasses_are_encoded_as_their_base() -> None:
    mine = Mine(handle=7)
    assert mine.encode() == p.Transfer(handle=7).encode()
    assert amqp.encode(mine) == mine.encode()
    assert amqp.encode_frame(1, mine, b"x") == amqp.encode_frame(1, p.Transfer(handle=7), b"x")
    assert amqp.encode(amqp.Array([mine, mine])) == amqp.encode(amqp.Array([p.Transfer(handle=7)] * 2))
    init = type("Init", (amqp.sasl.SaslInit,), {"__slots__": ()})(mechanism="PLAIN")
    assert amqp.encode_frame(0, init) == amqp.encode_frame(0, amqp.sasl.SaslInit(mechanism="PLAIN"))
