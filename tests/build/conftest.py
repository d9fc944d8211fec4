"""A wheel of the generator, and a folder with the wheels that a build needs: made once for all workers of a run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.patience import PATIENCE
from tests.shared_folders import Shared

from .projects import ROOT, Tools

# The backends, what hatchling needs for editable installations, and, for a test of `make test-all`, who runs our hooks.
NEEDED = ["flit_core", "hatchling", "pdm-backend", "poetry-core", "setuptools", "uv_build", "editables", "flit"]
if os.environ.get("TEST_ALL"):
    NEEDED.append("pre-commit")


@pytest.fixture(scope="session")
def tools(shared: Shared) -> Tools:
    """What builds projects without an index; skips where one cannot be reached once."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    uv = pytest.importorskip("uv", reason="needs uv: pip install '.[lint]'")
    pytest.importorskip("hatchling", reason="needs hatchling: pip install '.[test]'")
    wheels = shared("wheels", download_wheels)
    reason = wheels / "reason"
    if reason.exists():
        pytest.skip(f"needs build backends: {reason.read_text(encoding='utf-8')}")
    (wheel,) = wheels.glob("amqp_codegen-*.whl")
    tools = Tools(Path(uv.find_uv_bin()), wheels, wheel, shared("uv-home", lambda _folder: None))
    return replace(tools, workshop=shared("workshop", lambda folder: furnish(tools, folder)))


def furnish(tools: Tools, folder: Path) -> None:
    """Make an environment with the generator and every backend: what most builds run in."""
    tools.succeed("venv", "--quiet", "--clear", folder, cwd=folder)
    tools.install(folder / "bin" / "python", tools.generator, *NEEDED)


def download_wheels(folder: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(folder)]
    done = run_command([*pip, *map(str, folder.glob("*.whl")), *NEEDED])
    if done.returncode:
        (folder / "reason").write_text(done.stderr.strip().splitlines()[-1], encoding="utf-8")
