"""Nothing is installed into the system unasked, and what cannot be installed is tried once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_command

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the tools alone, in a path with a blank."""
    folder = tmp_path / "a checkout"
    shutil.copytree(TOOLS, folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").touch()
    return folder


def run(folder: Path, *command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables}
    return run_command(command, cwd=folder, env=environment)


def program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_a_missing_package_is_named_with_the_command(checkout: Path) -> None:
    for name in ("dpkg-query", "apt-get", "sudo"):
        program(checkout / "bin", name, 'echo "$0 $*" >>"$0.calls"; exit 1')
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = run(checkout, "tools/apt-install.sh", "one", "two", PATH=path)
    assert done.returncode == 2
    assert done.stderr == (
        "error: missing on this system: one two\n"
        "hint: install one two (on Debian, as root: apt-get install one two), or let make do it: "
        "make INSTALL_PACKAGES=1 ..., then call make again\n"
    )
    assert not (checkout / "bin" / "apt-get.calls").exists()
    assert not (checkout / "bin" / "sudo.calls").exists()


def test_a_missing_java_is_named_with_the_command(checkout: Path) -> None:
    program(checkout / "bin", "java", "exit 127")
    apt = program(checkout / "tools", "apt-install.sh", 'touch "$0.called"')
    path = f"{checkout / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = run(checkout, "tools/java.sh", PATH=path)
    assert done.returncode == 2
    assert "apt-get install openjdk-17-jre-headless" in done.stderr
    assert not Path(f"{apt}.called").exists()


@pytest.fixture
def environment(checkout: Path) -> Path:
    """A virtual environment that is there, with a pip that fails and counts its calls."""
    folder = checkout / ".venv"
    folder.mkdir()
    script = """if [ "$1" = -c ]; then exec "$REAL" "$@"; fi
echo "$*" >>"$(dirname "$0")/calls"
echo "error: no compiler" >&2
exit 1"""
    (folder / "bin").mkdir()
    program(folder / "bin", "python", script)
    identity = run(
        checkout, sys.executable, "-c", "import sys; print(True, sys.version.split()[0], sys.base_prefix)"
    ).stdout.strip()
    (folder / ".made-with").write_text(f"{identity} {checkout}", encoding="utf-8")
    return folder


def test_what_is_optional_and_cannot_be_installed_is_tried_once(checkout: Path, environment: Path) -> None:
    command = ("tools/venv.sh", "--optional", ".venv", sys.executable, "peers")
    first, second = run(checkout, *command), run(checkout, *command)
    assert (first.returncode, second.returncode) == (0, 0)
    assert "error: no compiler" in first.stderr
    assert second.stdout == (
        "amqp-codegen[peers] could not be installed in .venv before: error: no compiler\n"
    )
    calls = (environment / "bin" / "calls").read_text(encoding="utf-8").splitlines()
    assert len(calls) == 1

    asked = run(checkout, "tools/venv.sh", ".venv", sys.executable, "peers")
    assert asked.returncode == 1
    assert len((environment / "bin" / "calls").read_text(encoding="utf-8").splitlines()) == 2


def test_what_is_needed_is_tried_each_time(checkout: Path, environment: Path) -> None:
    for _ in range(2):
        done = run(checkout, "tools/venv.sh", ".venv", sys.executable, "dev")
        assert done.returncode == 1
        assert "error: no compiler" in done.stderr
    assert len((environment / "bin" / "calls").read_text(encoding="utf-8").splitlines()) == 2
