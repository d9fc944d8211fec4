"""The cores are not compiled where sizes have fewer than 64 bits: sums of what frames tell would wrap."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import pytest

from tests.commands import run_command

SOURCES = Path(__file__).resolve().parents[2] / "native"
MESSAGE = "the cores in C need a platform of 64 bits"
# Every module has this file in all of its own.
PROGRAM = '#include <stddef.h>\n#include <Python.h>\n{change}#include "src/octets.h"\n'


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("change", ["", "#define size_t unsigned\n"])
def test_sizes_of_32_bits_are_refused(change: str, tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "#define Py_LIMITED_API 0x030B0000\n#define PY_SSIZE_T_CLEAN\n" + PROGRAM.format(change=change)
    )
    include = sysconfig.get_path("include")
    done = run_command(["cc", "-std=c11", "-fsyntax-only", f"-I{include}", f"-I{SOURCES}", str(source)])
    assert (MESSAGE in done.stderr) == bool(change), done.stderr


@pytest.mark.parametrize("folder", ["src", "ingest"])
def test_every_file_knows_it(folder: str) -> None:
    """By its headers, which all come to the one that says so."""

    def included(path: Path) -> set[Path]:
        lines = path.read_text().splitlines()
        names = [line.split('"')[1] for line in lines if line.startswith('#include "')]
        found = {(path.parent / name).resolve() for name in names}
        return found.union(*(included(item) for item in found))

    for path in (SOURCES / folder).glob("*.c"):
        assert (SOURCES / "src/octets.h").resolve() in included(path), path
