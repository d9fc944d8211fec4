"""The suite of a specification with what no published one has: it runs, and its package passes it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.publish import publish

from . import synthetic_specification
from .small_specifications import generated, written

pytestmark = pytest.mark.slow


def test_the_package_passes(tmp_path: Path) -> None:
    made = generated(
        written(tmp_path, synthetic_specification.BODY), "made", emit=("codecs", "columns", "conformance")
    )
    publish(tmp_path, made.files, compare(tmp_path, made.files, made.folders))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "conformance"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PY")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 5000
