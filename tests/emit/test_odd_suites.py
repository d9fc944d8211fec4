"""The suite of a specification with what no published one has: it runs, and its package passes it."""

from __future__ import annotations

from pathlib import Path

from . import synthetic_specification
from .made_suites import count_passed, imported_suite
from .small_specifications import unformatted, written


def test_the_package_passes(tmp_path: Path) -> None:
    spec = written(tmp_path, synthetic_specification.BODY)
    made = unformatted(spec, emit=("codecs", "columns", "conformance"))
    with imported_suite(made, tmp_path) as suite:
        assert count_passed(suite) > 5000
