"""The same order gives the same octets: again, in another process, on another version of Python."""

from __future__ import annotations

import hashlib

from amqp_traffic.synth.chance import Chance

from .made_captures import make, plain

# Changes when stories, packets or codecs do; it must not depend on the interpreter, which is what this is for.
DIGEST = "cb55d74d3ae82e56e71cd3a3007b2bc9c365923ac8276ee9ce168b8404a14b65"
LABELS_DIGEST = "feeb9d660c3126bc27f16f389cc41ff8dbf13efd4b32c07805b2f8cbeaa78170"


def test_chance_is_the_same_everywhere() -> None:
    chance = Chance("seed")
    drawn = [chance.below(1000) for _ in range(5)], chance.pick("abcdef"), chance.octets(4).hex()
    assert drawn == ([138, 236, 865, 286, 43], "f", "4fd6800b")


def test_capture_and_labels_are_the_same_everywhere() -> None:
    made = plain()
    assert hashlib.sha256(made.capture).hexdigest() == DIGEST
    assert hashlib.sha256(made.lines.encode()).hexdigest() == LABELS_DIGEST


def test_another_seed_makes_another_capture() -> None:
    assert make(seed=2).capture != plain().capture


def test_octets_do_not_depend_on_how_they_are_asked_for() -> None:
    whole = Chance("x").octets(100)
    pieces = Chance("x")
    assert pieces.octets(30) + pieces.octets(70) == whole
    assert len(Chance("x").octets(200_000)) == 200_000
