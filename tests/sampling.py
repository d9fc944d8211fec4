"""How many examples a property test tries: a fixed sample while one works and in CI, all of them in `make test-all`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

# The share of the examples that a test names; `make test-all` sets it to 1, a longer search to more.
SHARE = float(os.environ.get("TEST_EXAMPLES", "0.25"))
# A sample is the same every time, so that a change is judged by what it changes. The full count draws anew.
settings.register_profile("sample", derandomize=True, max_examples=25)
settings.register_profile("full", max_examples=100)


def load_profile() -> None:
    settings.load_profile("full" if SHARE >= 1 else "sample")


def examples(count: int, **options: Any) -> settings:
    """Settings for a test that tries ``count`` examples, times TEST_EXAMPLES."""
    return settings(max_examples=max(1, int(count * SHARE)), deadline=None, **options)
