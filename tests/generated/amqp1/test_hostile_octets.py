"""Octets that are cut short, changed or random: a value or a DecodeError, never anything else."""

from __future__ import annotations

import random
from typing import Any

from amqp_1_0.constants import ENCODINGS
from hypothesis import given
from hypothesis import strategies as st

from tests.many_cases import in_one_test
from tests.sampling import SHARE, examples

from .encoding_cases import CASES
from .hostile import attempt, survive, vectors
from .packages import amqp
from .test_hostile_lengths import RICH
from .values import VALUES, identity

FORMS = {form: bytes.fromhex(form) for _, *forms in CASES for form in forms if len(form) < 200}
TYPES = vectors()
STEP = max(1, round(1 / SHARE))
# Format codes of every kind, and the edges of an octet.
SOME = (0x00, 0x01, 0x40, 0x45, 0x53, 0x56, 0x7F, 0x80, 0xA1, 0xA3, 0xC0, 0xC1, 0xD0, 0xE0, 0xF0, 0xFF)


def changes(octet: int) -> set[int]:
    return {*SOME, (octet + 1) & 255, (octet - 1) & 255, octet ^ 0x10, octet ^ 0x20} - {octet}


def sample(octets: set[int], place: int) -> list[int]:
    """The share of the octets that is tried, others at each place."""
    return sorted(octets)[place % STEP :: STEP]


def changed(octets: bytes, place: int, octet: int) -> bytes:
    return octets[:place] + bytes((octet,)) + octets[place + 1 :]


@in_one_test("octets", {"rich": RICH, **TYPES, **FORMS})
def test_every_prefix(octets: bytes) -> None:
    assert survive(octets) is None
    for end in range(len(octets)):
        error = survive(octets[:end])
        assert type(error) is amqp.errors.Truncated
        assert error.offset <= end


@in_one_test("octets", FORMS)
def test_every_octet_of_every_form(octets: bytes) -> None:
    for place in range(min(len(octets), 16)):
        for octet in sample(changes(octets[place]), place):
            survive(changed(octets, place, octet))


@in_one_test("octets", {"rich": RICH, **TYPES})
def test_every_octet_of_every_type(octets: bytes) -> None:
    for place, octet in enumerate(octets):
        for other in sample({0x00, 0x40, 0x45, (octet + 1) & 255, octet ^ 0x80} - {octet}, place):
            survive(changed(octets, place, other))


@given(value=VALUES, data=st.data())
@examples(200)
def test_changed_values(value: Any, data: st.DataObject) -> None:
    octets = bytearray(amqp.encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.integers(0, 255))
    survive(bytes(octets))


@given(octets=st.binary(max_size=60))
@examples(300)
def test_random_octets(octets: bytes) -> None:
    survive(octets)


def test_random_constructors() -> None:
    # Random octets rarely nest; those that begin values more often do.
    generator = random.Random(7)
    codes = bytes(
        (0x00, 0x40, 0x41, 0x43, 0x45, 0x53, 0x56, 0xA1, 0xA3, 0xC0, 0xC1, 0xE0, 0x01, 0x02, 0x03, 0x05)
    )
    accepted = 0
    count = 10_000 // STEP
    for _ in range(count):
        octets = bytes(generator.choice(codes) for _ in range(generator.randrange(1, 16)))
        accepted += survive(octets) is None
    assert count / 20 < accepted < count * 19 / 20


def test_two_octets_of_anything() -> None:
    accepted = 0
    for first in (*ENCODINGS, 0x00, 0x01, 0x3F, 0x46, 0x57, 0xA2, 0xFF):
        for second in range(256):
            octets = bytes((first, second))
            error = survive(octets) if second % STEP == first % STEP else attempt(octets)
            accepted += not isinstance(error, Exception)
    # Six that need no octets, six that need one, a boolean, and three kinds of strings of none.
    assert accepted == 6 * 256 + 6 * 256 + 2 + 3


def test_errors_do_not_depend_on_what_was_decoded_before() -> None:
    octets = changed(RICH, 20, 0xFF)
    first = survive(octets)
    assert survive(RICH) is None
    assert repr(survive(octets)) == repr(first)
    assert identity(amqp.decode(RICH)[0]) == identity(amqp.decode(RICH)[0])
