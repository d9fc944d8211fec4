"""All packages of a call are written, or nothing is, whatever fails."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from .command_calls import OTHER_SPEC, call, everything, place, tiny, write
from .test_generate_command import COUNT
from .test_targets import TWO, two

__all__ = ["place", "two"]

DISK_FULL = OSError(28, "No space left on device")


def fail_at(monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException) -> None:
    """Let the so many-th replacement of an output file fail, as on a full disk or by Ctrl-C; later ones work."""
    real = os.replace
    left = at

    def replace(source: Any, target: Any) -> None:
        nonlocal left
        left -= not os.path.isabs(target)  # those of the cache are absolute
        if left == 0 and not os.path.isabs(target):
            raise error
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)


@pytest.mark.parametrize("at", [1, 2, COUNT, COUNT + 1, COUNT + 5])
def test_a_failure_in_the_middle_leaves_everything_as_it_was(
    place: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    tiny("spec.xml")
    write({"spec.xml": OTHER_SPEC, "generated/amqp_0_9_1/mine.txt": "mine"})
    before = everything(place)
    fail_at(monkeypatch, at, DISK_FULL)
    result = tiny("spec.xml")
    assert (result.code, result.out) == (2, [])
    [line] = result.err
    assert line.startswith("error: cannot write to 'generated")
    assert line.endswith(": No space left on device (nothing was changed) [unwritable-output]")
    assert everything(place) == before


def test_a_failure_in_the_second_package_undoes_the_first(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(two)
    fail_at(monkeypatch, COUNT + 3, DISK_FULL)
    assert call().code == 2
    assert everything(two) == before
    assert "lib/made" in TWO


def test_after_a_failure_the_next_call_works(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        fail_at(patched, 3, DISK_FULL)
        assert tiny("spec.xml").code == 2
        assert not Path("generated").exists()
    assert tiny("spec.xml").code == 0
    assert tiny("spec.xml", "--check").code == 0


@pytest.mark.parametrize("at", [1, COUNT, COUNT + 5])
def test_an_interrupt_in_the_middle_leaves_everything_as_it_was(
    place: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    tiny("spec.xml")
    write({"spec.xml": OTHER_SPEC})
    before = everything(place)
    fail_at(monkeypatch, at, KeyboardInterrupt())
    result = tiny("spec.xml")
    assert result.code not in (0, 1)
    assert everything(place) == before
