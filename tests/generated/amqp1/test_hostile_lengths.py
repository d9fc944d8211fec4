"""Every length and count, at every level, with every lie about it."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from amqp_1_0.columns.variant import value_variant
from amqp_1_0.constants import ENCODINGS

from tests.many_cases import in_one_test

from .encoding_cases import CASES
from .hostile import survive, vectors
from .packages import amqp

Truncated, Malformed, LimitExceeded = amqp.errors.Truncated, amqp.errors.Malformed, amqp.errors.LimitExceeded
HUGE = (2**31 - 1, 2**31, 2**31 + 1, 2**32 - 2, 2**32 - 1)


def lies(exact: int, width: int) -> list[int]:
    top = 256**width - 1
    around = {0, 1, exact - 2, exact - 1, exact + 1, exact + 2, 127, 128, top - 1, top, *HUGE}
    return sorted(lie for lie in around - {exact} if 0 <= lie <= top)


class Places:
    """Every size and every count in a value: where it is, how wide, and where what encloses it ends."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        self.sizes: list[tuple[int, int, int]] = []
        self.counts: list[tuple[int, int, int]] = []
        assert self.value(0, len(octets)) == len(octets)

    def number(self, position: int, width: int) -> int:
        return int.from_bytes(self.octets[position : position + width], "big")

    def value(self, position: int, end: int) -> int:
        code = self.octets[position]
        if code == 0:
            return self.value(self.value(position + 1, end), end)
        return self.data(code, position + 1, end)

    def data(self, code: int, position: int, end: int) -> int:
        encoding = ENCODINGS[code]
        if encoding.category == "fixed":
            return position + encoding.width
        self.sizes.append((position, encoding.width, end))
        start = position + encoding.width
        stop = start + self.number(position, encoding.width)
        if encoding.category != "variable":
            self.counts.append((start, encoding.width, stop))
            count = self.number(start, encoding.width)
            start += encoding.width
            if encoding.category == "array":
                self.array(start, count, stop)
            else:
                for _ in range(count):
                    start = self.value(start, stop)
                assert start == stop
        return stop

    def array(self, position: int, count: int, stop: int) -> None:
        while self.octets[position] == 0:
            position = self.value(position + 1, stop)
        code = self.octets[position]
        position += 1
        for _ in range(count):
            position = self.data(code, position, stop)
        assert position == stop


RICH = amqp.encode(
    [
        "text",
        {"key": amqp.Symbol("symbol"), "nested": [b"octets", {}]},
        amqp.Array(["a", "bc"]),
        amqp.Array([[1], [], ["x"]]),
        amqp.Array([amqp.Array([1, 2]), amqp.Array([None])]),
        amqp.Described(amqp.Symbol("x:y"), [amqp.Described("d", {"k": b"v"})]),
        amqp.Array([amqp.Described(amqp.Symbol("x:y"), "z")]),
        amqp.messaging.Source(filter={"f": amqp.Described(amqp.Symbol("g"), "h")}, capabilities=["a", "b"]),
        amqp.Map([([1], "list"), ({}, "map")]),
        ["x" * 300, ["y"] * 3],
    ]
)
VALUES = {
    "rich": RICH,
    **{name: octets for name, octets in vectors().items() if len(octets) > 5},
    **{form[:30]: bytes.fromhex(form) for _, *forms in CASES for form in forms if len(form) < 400},
}


def test_there_are_as_many_places_as_expected() -> None:
    places = Places(RICH)
    assert len(places.sizes) == 48
    assert len(places.counts) == 23
    assert {width for _, width, _ in places.sizes} == {1, 4}


@in_one_test("octets", VALUES)
def test_sizes(octets: bytes) -> None:
    places = Places(octets)
    for place, width, end in places.sizes:
        exact = places.number(place, width)
        for lie in lies(exact, width):
            changed = octets[:place] + lie.to_bytes(width, "big") + octets[place + width :]
            error = survive(changed)
            # A lie may happen to fit, in a string: then it is what the octets say.
            if place + width + lie > end:
                assert type(error) is Truncated
                assert error.offset == place + width
            elif (
                error is not None
            ):  # here, in the octets that follow, or in the field that has become another value
                assert error.offset >= place - 2


@in_one_test("octets", VALUES)
def test_counts(octets: bytes) -> None:
    places = Places(octets)
    for place, width, end in places.counts:
        exact = places.number(place, width)
        for lie in lies(exact, width):
            changed = octets[:place] + lie.to_bytes(width, "big") + octets[place + width :]
            error = survive(changed)
            if lie > 65536 and "fields at most" not in error.message:
                assert type(error) is LimitExceeded
                assert error.offset == place
            elif error is None:
                # Any count is right for elements without octets; nothing else is.
                assert octets[end - 1] in range(0x40, 0x46)
            else:
                # A composite with more fields than its type has is refused where it begins.
                assert type(error) in (Truncated, Malformed)
                assert place - 5 <= error.offset <= end


@pytest.mark.parametrize(
    "more", [b"", b"\0" * 40, b"\x40" * 40, b"\xff" * 40], ids=["alone", "0", "null", "ff"]
)
def test_what_follows_does_not_matter(more: bytes) -> None:
    places = Places(RICH)
    for place, width, end in places.sizes[1:]:
        # Octets follow that would make a longer value whole; the length around it still forbids it.
        room = end - place - width
        for lie in {room + 1, room + 2, 256**width - 1}:
            if room < lie < 256**width:
                octets = RICH[:place] + lie.to_bytes(width, "big") + RICH[place + width :] + more
                error = refusal(octets)
                assert type(error) is Truncated
                assert error.offset == place + width


def refusal(octets: bytes) -> Any:
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode(octets)
    return caught.value


@pytest.mark.parametrize("claim", HUGE)
def test_huge_claims_about_every_type(claim: int) -> None:
    size = struct.pack(">I", claim)
    for code in (0xB0, 0xB1, 0xB3, 0xD0, 0xD1, 0xF0):
        for tail in (b"", b"\0" * 3, b"\0" * 40, b"\xff" * 40):
            octets = bytes((code,)) + size + tail
            error = survive(octets)
            assert type(error) is Truncated
            assert error.offset == 5
            assert str(claim) in error.message
        if code >= 0xD0:
            assert type(survive(bytes((code,)) + b"\0\0\0\x05" + size + b"\x40")) is LimitExceeded


def test_the_fields_of_a_composite_are_not_limited_as_elements() -> None:
    modified = amqp.messaging.Modified(True, True, {}).encode()
    for octets in (modified, amqp.encode(amqp.Array([amqp.messaging.Modified(True, True, {})] * 2))):
        assert amqp.decode(octets, max_elements=2)[1] == len(octets)
        value_variant(octets, max_elements=2)
    # What is wrong elsewhere is reported, not the number of fields.
    with pytest.raises(amqp.errors.Unknown) as caught:
        amqp.decode(b"\xc0" + bytes((len(modified) + 2, 2)) + modified + b"\x3f", max_elements=2)
    assert caught.value.path == "[1]"
