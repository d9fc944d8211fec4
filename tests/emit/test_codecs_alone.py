"""The codec needs nothing of ``columns/``: it is imported, tested and checked for types without it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_folders import Shared

from .small_specifications import ROOT, bare_environment, run_cli, run_python

COLUMNS = "columns"
PACKAGES = ("amqp_0_8", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq", "amqp_1_0")
SPECS = {"amqp_0_9_1_rabbitmq": "0-9-1-rabbitmq", "amqp_1_0": "1.0"}


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_of_the_codec_imports_columns(package: str) -> None:
    folder = ROOT / "generated" / package
    modules = [path for path in folder.rglob("*.py") if COLUMNS not in path.parts]
    assert len(modules) > 20
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                named = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                assert COLUMNS not in named, path


@pytest.fixture(scope="module", params=SPECS)
def made(request: pytest.FixtureRequest, shared: Shared) -> tuple[str, Path]:
    """A package, and the folder that has its codec and its suite."""
    package = request.param

    def fill(place: Path) -> None:
        result = run_cli(SPECS[package], "-o", ".", "--emit", "codecs,conformance", cwd=place)
        assert result.returncode == 0, result.stderr

    return package, shared(f"codec-{package}", fill)


def test_it_is_imported(made: tuple[str, Path]) -> None:
    package, folder = made
    assert not (folder / package / COLUMNS).exists()
    code = (
        "import importlib, pkgutil, sys\n"
        f"import {package} as package\n"
        "for each in pkgutil.walk_packages(package.__path__, f'{package.__name__}.'):\n"
        "    importlib.import_module(each.name)\n"
        "print(len(sys.modules) > 20)"
    )
    result = run_python(code, folder, "-W", "error")
    assert (result.stdout, result.stderr) == ("True\n", "")


@pytest.mark.slow
def test_its_suite_passes(made: tuple[str, Path]) -> None:
    package, folder = made
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    done = subprocess.run(
        [*command, f"conformance/{package}"],
        cwd=folder,
        env={**bare_environment(), "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_its_types_are_right(made: tuple[str, Path], tmp_path: Path) -> None:
    """With columns, ``make lint`` looks at them."""
    pytest.importorskip("mypy")
    package, folder = made
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", package]
    done = subprocess.run(
        command, cwd=folder, env=bare_environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout
