"""With the core and without it: the same values, octets and errors for any input."""

from __future__ import annotations

import os
import random
from importlib import import_module

import pytest

from tests.fuzz.case import PACKAGES
from tests.fuzz.entries import NO_CODECS, draw_case, entries_of

from .outcomes import outcome
from .twins import pure_twin

pytest.importorskip("amqp_native", reason="needs the cores in C: make native")

PAIRS = [(package, entry) for package in PACKAGES for entry in entries_of(package) if entry not in NO_CODECS]
# In each pair. `make test-all` tries 100,000 streams of each family and 20,000 odd values, drawn anew.
SAMPLE = int(os.environ.get("NATIVE_CASES", "200"))
FULL_0 = {"frames": 25_000, "method": 25_000, "table": 25_000, "encode": 5_000}  # times four packages
FULL_1 = {"frames": 100_000, "message": 50_000, "value": 50_000, "encode": 20_000}
IN_FULL = bool(os.environ.get("TEST_ALL"))


@pytest.mark.parametrize(("package", "entry"), PAIRS)
def test_both_do_the_same(package: str, entry: str) -> None:
    native, pure = import_module(package), pure_twin(package)
    assert native.ACCELERATED and not pure.ACCELERATED
    full = FULL_1 if package == "amqp_1_0" else FULL_0
    generator = random.Random() if IN_FULL else random.Random(f"native {package} {entry}")
    for _ in range(full[entry] if IN_FULL else SAMPLE):
        case = draw_case(package, entry, generator)
        assert outcome(native, case) == outcome(pure, case), case
