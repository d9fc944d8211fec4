"""The interpreters to test on: those of the machine, and Debian's; one that cannot be had is a line, not a failure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import other_pythons
from tools.debian_folder import NotHere

# What is missing first on a machine without any program.
NO_NAMESPACES = "no namespaces can be made here: unshare --user --pid fails"
MAIN = ".".join(map(str, sys.version_info[:2]))


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without other interpreters; returns a folder on its PATH."""
    programs = tmp_path / "bin"
    programs.mkdir(exist_ok=True)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(other_pythons, "FOLDER", tmp_path / "pythons")
    return programs


def install(folder: Path, name: str, says: str) -> Path:
    """An interpreter that says what it is, whatever it is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{says}\n", encoding="ascii")
    program.chmod(0o755)
    return program


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    # The tool ends with exit code 0 when this returns.
    monkeypatch.setattr("sys.argv", ["other_pythons", *arguments])
    other_pythons.main()


@pytest.fixture
def with_env(bare_machine: Path) -> None:
    (bare_machine / "env").symlink_to("/usr/bin/env")


def test_none_can_be_had(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(monkeypatch, "--all")
    shown = capsys.readouterr()
    assert shown.out == ""
    reasons = {
        "Python 3.11": "neither on PATH nor among pyenv's",
        "Python 3.12": "neither on PATH nor among pyenv's",
        "Python 3.13": "neither on PATH nor among pyenv's",
        "Python 3.14": NO_NAMESPACES,
        "Python 3.15": NO_NAMESPACES,
        "PyPy": NO_NAMESPACES,
    }
    reasons.pop(f"Python {MAIN}", None)
    assert shown.err.splitlines() == [
        f"{name}: not found, not tested: {why}" for name, why in reasons.items()
    ]


def test_a_release_without_the_package(
    tmp_path: Path,
    fake_apt: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(other_pythons, "with_usr", lambda system: "")
    with pytest.raises(NotHere, match=r"^apt-get failed: Unable to locate package no-such-broker$"):
        other_pythons.find("3.15")
    calls = Path(f"{fake_apt}.calls").read_text(encoding="ascii").splitlines()
    assert "python3.15-venv" in calls[-1]
    sources = tmp_path / "pythons" / "3.15" / "apt" / "sources.list"
    assert sources.read_text(encoding="ascii") == "deb http://mirror.example/debian/ sid main\n"


@pytest.mark.usefixtures("with_env")
def test_those_of_the_machine(
    tmp_path: Path,
    bare_machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On PATH first, else among pyenv's; the main one is left out."""
    versions = [version for version in other_pythons.CPYTHONS if version != MAIN]
    install(bare_machine, f"python{MAIN}", f"echo cpython {MAIN}")
    expected = [install(bare_machine, f"python{versions[0]}", f"echo cpython {versions[0]}")]
    for version in versions[1:]:
        folder = tmp_path / "pyenv" / "versions" / f"{version}.1" / "bin"
        expected.append(install(folder, f"python{version}", f"echo cpython {version}"))
    run(monkeypatch, "--all")
    shown = capsys.readouterr()
    assert [line.split("\t") for line in shown.out.splitlines()] == [
        [version, "env", str(path)] for version, path in zip(versions, expected, strict=True)
    ]
    assert shown.err == f"PyPy: not found, not tested: {NO_NAMESPACES}\n"


@pytest.mark.usefixtures("with_env")
@pytest.mark.parametrize(
    ("name", "version", "says"),
    [
        ("python3.14", "3.14", "echo no module named ensurepip >&2; exit 1"),
        ("python3.14", "3.14", "echo cpython 3.13"),
        ("python3.14", "3.14", "echo pypy 3.14"),
        ("pypy3", "pypy", "echo pypy 3.11"),
    ],
)
def test_one_that_does_not_fit_is_passed_over(bare_machine: Path, name: str, version: str, says: str) -> None:
    install(bare_machine, name, says)
    with pytest.raises(NotHere, match=NO_NAMESPACES):
        other_pythons.find(version)


def test_the_oldest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run(monkeypatch, "--oldest")
    shown = capsys.readouterr()
    if other_pythons.CPYTHONS[0] == MAIN:
        assert shown.out == f"{MAIN}\tenv\t{sys.executable}\n"
    else:
        assert shown.err == "Python 3.11: not found, not tested: neither on PATH nor among pyenv's\n"


@pytest.mark.usefixtures("with_env")
def test_that_of_debian(tmp_path: Path, bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its launcher is a script that can be run; one that does not start the interpreter is no use."""
    says = install(bare_machine, "python", "echo cpython 3.15")
    monkeypatch.setattr(other_pythons, "unpack", lambda release, packages, folder: folder.mkdir(parents=True))
    monkeypatch.setattr(other_pythons, "with_usr", lambda system: f"#!/bin/sh\nexec {says}\n")
    found = other_pythons.find("3.15")
    assert found == other_pythons.Interpreter(
        "3.15", str(tmp_path / "pythons" / "3.15" / "enter"), "/usr/bin/python3.15"
    )
    assert os.access(found.launcher, os.X_OK)
    monkeypatch.setattr(other_pythons, "with_usr", lambda system: "#!/bin/sh\necho mount: no >&2; exit 1\n")
    monkeypatch.setattr(other_pythons, "unpack", lambda release, packages, folder: folder)
    with pytest.raises(NotHere, match=r"^that of Debian's unstable release does not run here: mount: no$"):
        other_pythons.find("3.15")
