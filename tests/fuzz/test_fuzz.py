"""A sample of what ``make fuzz`` does, the same every time; more of it, drawn anew, in ``make test-all``."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq
import amqp_1_0
import pytest

from .__main__ import cases, fuzz
from .case import PACKAGES, Case, load, save
from .entries import draw_case, entries_of, run_case

PAIRS = [(package, entry) for package in PACKAGES for entry in entries_of(package)]
SAMPLE = 200
SECONDS_EACH = 20

each_pair = pytest.mark.parametrize(("package", "entry"), PAIRS)


@each_pair
def test_a_sample(package: str, entry: str) -> None:
    generator = random.Random(f"sample {package} {entry}")
    accepted = sum(run_case(draw_case(package, entry, generator)) for _ in range(SAMPLE))
    # Octets that are all refused, or all accepted, try one half of the code.
    assert SAMPLE / 100 < accepted < SAMPLE * 0.9


@pytest.mark.full
@each_pair
def test_for_some_time(package: str, entry: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = random.SystemRandom().randrange(2**32)
    failed = fuzz(cases([(package, entry)], seed, SECONDS_EACH), tmp_path)
    assert not failed, f"seed {seed}\n{capsys.readouterr().out}"


def test_the_same_seed_draws_the_same_inputs() -> None:
    for package, entry in PAIRS:
        first, second = (
            [draw_case(package, entry, generator) for _ in range(20)]
            for generator in (random.Random(5), random.Random(5))
        )
        assert first == second


def forget_last(call: Any) -> Any:
    """A decoder of frames that loses the last one."""

    def decode(*arguments: Any, **options: Any) -> Any:
        frames, position = call(*arguments, **options)
        return frames[:-1], position

    return decode


def crash(call: Any) -> Any:
    """The same, with an error of its own at every fifth call that succeeds."""
    count = 0

    def fail(*arguments: Any, **options: Any) -> Any:
        nonlocal count
        found = call(*arguments, **options)
        count += 1
        if count % 5 == 0:
            raise IndexError("planted")
        return found

    return fail


FAULTS = [
    (amqp_0_9_1_rabbitmq, "frames", "decode_frames", forget_last, "other frames"),
    (amqp_0_9_1_rabbitmq, "table", "decode_table", crash, "IndexError"),
    (amqp_0_9_1_rabbitmq, "encode", "encode_table", crash, "IndexError"),
    (amqp_1_0, "frames", "decode_frames", forget_last, "other frames"),
    (amqp_1_0, "value", "encode", lambda call: lambda value: call(value) + b"\x40", "other octets"),
    (amqp_1_0, "message", "decode_message", crash, "IndexError"),
]


@pytest.mark.parametrize(("amqp", "entry", "name", "fault", "says"), FAULTS)
def test_planted_faults_are_found(
    amqp: Any,
    entry: str,
    name: str,
    fault: Any,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(amqp, name, fault(getattr(amqp, name)))
    generator = random.Random(1)
    assert fuzz((draw_case(amqp.__name__, entry, generator) for _ in range(300)), tmp_path) == 1
    printed = capsys.readouterr().out
    assert says in printed
    assert "python -m tests.fuzz --replay" in printed
    assert list(tmp_path.iterdir())


def test_planted_faults_of_the_engine_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    channel: Any = amqp_0_9_1_rabbitmq.client.connection.Channel
    monkeypatch.setattr(channel, "take_method", crash(channel.take_method))
    generator = random.Random(1)
    name = amqp_0_9_1_rabbitmq.__name__
    assert fuzz((draw_case(name, "engine", generator) for _ in range(100)), tmp_path) == 1
    assert "IndexError" in capsys.readouterr().out


def test_an_input_is_kept_with_all_that_it_needs(tmp_path: Path) -> None:
    for package, entry in PAIRS:
        case = draw_case(package, entry, random.Random(3))
        assert load(save(case, "a reason", tmp_path)) == case
    assert Case("amqp_1_0", "value", b"\x40") == Case("amqp_1_0", "value", b"\x40", {})
