"""``native/setup.py`` gives each compiler its own flags, and says in a sentence for which Pythons it builds nothing."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.commands import run_command

setuptools = pytest.importorskip("setuptools")
NATIVE = Path(__file__).resolve().parents[2] / "native"
SENTENCE = (
    "error: amqp-codegen-native cannot be built for {}, which has no stable ABI (abi3); "
    "without it everything works the same, slower\n"
)


@pytest.fixture
def arguments(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What ``setup`` is called with."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(setuptools, "setup", lambda **arguments: given.update(arguments))
    runpy.run_path(str(NATIVE / "setup.py"))
    return given


@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        ("msvc", {"/O2", "/std:c11"}),
        ("unix", {"-O3", "-std=c11"}),
        ("mingw32", {"-O3", "-std=c11"}),
    ],
)
def test_each_compiler_gets_its_own_flags(
    arguments: dict[str, Any], compiler: str, flags: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[Any] = []
    command_type = arguments["cmdclass"]["build_ext"]
    monkeypatch.setattr(command_type.__base__, "build_extensions", lambda self: built.extend(self.extensions))
    command = command_type(setuptools.Distribution())
    command.extensions, command.compiler = arguments["ext_modules"], SimpleNamespace(compiler_type=compiler)
    command.build_extensions()
    assert [extension.name for extension in built] == ["amqp_native", "amqp_native_ingest"]
    for extension in built:
        assert flags <= {*extension.extra_compile_args}
        assert {flag[0] for flag in extension.extra_compile_args} == {min(flags)[0]}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("a free-threaded Python", "sysconfig.get_config_var = {'Py_GIL_DISABLED': 1}.get"),
        ("pypy", "sys.implementation.name = 'pypy'"),
    ],
)
def test_a_python_without_a_stable_abi_is_a_sentence(kind: str, change: str) -> None:
    program = f"import runpy, setuptools, sys, sysconfig; {change}; runpy.run_path('setup.py')"
    done = run_command([sys.executable, "-c", program], cwd=NATIVE)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", SENTENCE.format(kind))
