"""Prints the interpreters to test on besides the main one, which runs this: a line each, with tabs in between.

    python -m tools.other_pythons           # the newest
    python -m tools.other_pythons --all     # every other one that we support, and PyPy
    python -m tools.other_pythons --oldest  # the oldest that we support, also if it is the main one

A line has the version, a launcher, and the interpreter: ``LAUNCHER INTERPRETER ARGUMENTS...`` runs it. For an interpreter of
this machine, on PATH or among pyenv's, the launcher is ``env``. One that the machine lacks, and PyPy, comes from Debian's
unstable release and is unpacked under build/pythons/; its launcher replaces /usr by the unpacked one, and everything that is to run
with the interpreter has to be started through it. Of one that cannot be had a line on stderr says why; that is no failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .debian_folder import NotHere, unpack, with_usr

FOLDER = Path(__file__).resolve().parents[1] / "build" / "pythons"
CPYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
NEWEST = ("3.14", "3.15")
_RELEASE = "sid"
# What the interpreter's own packages do not bring: venv.sh needs bash, wheels with C++ libstdc++, some tests git and patch.
_BESIDES = ("bash", "ca-certificates", "git", "libstdc++6", "patch")
_DEBIAN = {
    "3.14": ("python3.14-venv",),
    "3.15": ("python3.15-venv",),
    # lxml has no wheels for it: it is compiled.
    "pypy": ("pypy3-venv", "pypy3-dev", "gcc", "libc6-dev", "libxml2-dev", "libxslt1-dev", "zlib1g-dev"),
}
# Debian ships what makes virtual environments apart from the interpreter.
_IDENTIFY = "import ensurepip, ssl, sys, venv; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"


@dataclass(frozen=True)
class Interpreter:
    """An interpreter that starts and can make virtual environments."""

    version: str
    launcher: str
    python: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.other_pythons", description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--all", action="store_true", help="every other one that we support, and PyPy")
    choice.add_argument("--oldest", action="store_true", help="the oldest that we support")
    arguments = parser.parse_args()
    main_version = ".".join(map(str, sys.version_info[:2]))
    if arguments.oldest and main_version == CPYTHONS[0]:
        print(main_version, "env", sys.executable, sep="\t")
        return
    wanted = CPYTHONS[:1] if arguments.oldest else (*CPYTHONS, "pypy") if arguments.all else NEWEST
    for version in wanted:
        if version == main_version:
            continue
        try:
            found = find(version)
        except NotHere as error:
            title = "PyPy" if version == "pypy" else f"Python {version}"
            print(f"{title}: not found, not tested: {error}", file=sys.stderr)
        else:
            print(found.version, found.launcher, found.python, sep="\t", flush=True)


def find(version: str) -> Interpreter:
    """Find the interpreter of a version on this machine, or get Debian's.

    Raises:
        NotHere: There is none.
    """
    for python in _candidates(version):
        if not _refusal(version, ["env", python]):
            return Interpreter(version, "env", python)
    return _from_debian(version)


def _candidates(version: str) -> Iterator[str]:
    """Yield where the interpreter may be; PyPy is Debian's, with all that it takes to compile for it."""
    if version == "pypy":
        return
    name = f"python{version}"
    on_path = shutil.which(name)
    if on_path is not None:
        yield on_path
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    with suppress(PermissionError):  # pyenv of another user, whose environment is inherited
        yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/{name}")))


def _refusal(version: str, command: list[str]) -> str:
    """Return why a command is not an interpreter of a version that makes virtual environments; empty if it is one."""
    done = subprocess.run(
        [*command, "-c", _IDENTIFY], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        return (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
    name, _, number = done.stdout.strip().partition(" ")
    fits = name == "pypy" if version == "pypy" else (name, number) == ("cpython", version)
    return "" if fits else f"it is {name} {number}"


def _from_debian(version: str) -> Interpreter:
    if version not in _DEBIAN:
        raise NotHere("neither on PATH nor among pyenv's")
    folder = FOLDER / version
    # Before anything is downloaded: it may be of no use here. And each time: the checkout may have been moved.
    script = with_usr(folder / "system")
    unpack(_RELEASE, (*_DEBIAN[version], *_BESIDES), folder)
    launcher = folder / "enter"
    launcher.write_text(script, encoding="utf-8")
    launcher.chmod(0o755)
    python = "/usr/bin/pypy3" if version == "pypy" else f"/usr/bin/python{version}"
    refusal = _refusal(version, [str(launcher), python])
    if refusal:
        raise NotHere(f"that of Debian's unstable release does not run here: {refusal}")
    return Interpreter(version, str(launcher), python)


if __name__ == "__main__":
    main()
