"""Suites of specifications with what no published one has: they run, and their package passes them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.publish import publish

from . import synthetic
from .nasty import TEXTS
from .specs import generated, tree, written
from .test_nasty_specification import specification

pytestmark = pytest.mark.slow

TAME = [f"text {number}" for number in range(len(TEXTS))]
BODIES = {"synthetic": synthetic.BODY, "nasty": specification(TEXTS)}


def publish_both(folder: Path, body: str) -> None:
    made = generated(written(folder, body), "made", emit=("codecs", "conformance"))
    publish(folder, made.files, compare(folder, made.files, made.folders))


@pytest.mark.parametrize("what", BODIES)
def test_the_package_passes(what: str, tmp_path: Path) -> None:
    publish_both(tmp_path, BODIES[what])
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


def modules(folder: Path) -> Mapping[str, ast.Module]:
    files = tree(folder / "conformance")
    return {path: ast.parse(text) for path, text in files.items() if path.endswith(".py")}


def test_nasty_texts_are_no_code(tmp_path: Path) -> None:
    (tmp_path / "nasty").mkdir()
    (tmp_path / "tame").mkdir()
    publish_both(tmp_path / "nasty", specification(TEXTS))
    publish_both(tmp_path / "tame", specification(TAME))
    nasty, tame = modules(tmp_path / "nasty"), modules(tmp_path / "tame")
    assert nasty.keys() == tame.keys()
    for path, module in nasty.items():
        shapes = [[type(node) for node in ast.walk(each)] for each in (module, tame[path])]
        assert shapes[0] == shapes[1], path
