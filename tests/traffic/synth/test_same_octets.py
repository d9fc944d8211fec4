"""The same order gives the same octets: again, in another process, on another version of Python."""

from __future__ import annotations

import hashlib

from amqp_codegen.traffic.synth.chance import Chance

from .making import make, plain

# Changes when stories, packets or codecs do; it must not depend on the interpreter, which is what this is for.
DIGEST = "cb58664659330ac4eac51eca9b0de1d31e8e6a0d40c1a2e40f73bdf6bde64365"
LABELS_DIGEST = "3e421ba976ee1cc01ce610f0913ab0bce1b360a7e9f3fe831715062ad8b203e5"


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
