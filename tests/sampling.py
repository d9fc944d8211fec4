"""How many examples a property test tries: a fixed sample while one works and in CI, all of them in `make test-all`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

# The share of the examples that a test names; `make test-all` sets it to 1, a longer search to more.
SHARE = float(os.environ.get("TEST_EXAMPLES", "0.25"))
# A sample is the same every time, so that a change is judged by what it changes. The full count draws anew.
# How long an example takes depends on the machine and on what else runs there, so nothing follows from it.
_AT_ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("sample", _AT_ANY_SPEED, derandomize=True, max_examples=25)
settings.register_profile("full", _AT_ANY_SPEED, max_examples=100)
# For the other interpreters, which are to show that the code runs there, not to look for faults once more.
settings.register_profile("brief", _AT_ANY_SPEED, derandomize=True, max_examples=10)


def load_profile() -> None:
    settings.load_profile("full" if SHARE >= 1 else "sample")


def examples(count: int, **options: Any) -> settings:
    """Settings for a test that tries ``count`` examples, times TEST_EXAMPLES."""
    return settings(max_examples=max(1, int(count * SHARE)), **options)
