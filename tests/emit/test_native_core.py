"""``--emit codecs,native``: the folder with the core in C, and what it makes of a package, with a compiler and without."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.shared_folders import Shared

from .small_specifications import bare_environment, document, element, fields, run_cli

PROJECT = """[build-system]
requires = ["hatchling", "setuptools"]
build-backend = "hatchling.build"

[project]
name = "orders"
version = "1"

[tool.hatch.build.hooks.custom]
path = "orders/wire_native/hatch_build.py"

[tool.hatch.build.targets.wheel]
packages = ["orders"]
exclude = ["orders/wire_native"]
"""
SETUP = """import sys

from setuptools import setup

sys.path.insert(0, "orders")

from wire_native.build_core import core_extension

setup(
    name="orders",
    packages=["orders", "orders.wire", "orders.wire.methods"],
    ext_modules=[core_extension("orders.wire")],
)
"""
SETUP_BY_ARGUMENTS = """import sys

from setuptools import setup

sys.path.insert(0, "orders")

from wire_native.build_core import core_arguments

setup(name="orders", packages=["orders", "orders.wire", "orders.wire.methods"], **core_arguments("orders.wire"))
"""
METHOD = element("method", fields(f="octet"), name="m", index=1)
SPEC = document(element("class", METHOD, name="c", index=1))
TRY = """
from orders import wire as package

octets = package.encode_frame(1, package.methods.CM(f=7))
print(package.ACCELERATED, package.decode_frames(octets)[0][0][1].f)
"""
ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("setuptools")
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
# How fast the core is does not matter here, but how fast it is made.
FAST_COMPILER = '#!/bin/sh\nexec cc "$@" -O0 -g0\n'


@pytest.fixture
def vendored(tmp_path: Path, shared: Shared) -> Path:
    """A project with a small package ``orders.wire`` and the folder of its core; nothing is built."""

    def fill(place: Path) -> None:
        (place / "spec.xml").write_text(SPEC, encoding="utf-8")
        options = ("--package", "wire", "--emit", "codecs,native", "-o", "orders")
        result = run_cli("spec.xml", *options, cwd=place)
        assert result.returncode == 0, result.stderr
        (place / "orders" / "__init__.py").touch()
        (place / "cc").write_text(FAST_COMPILER)
        (place / "cc").chmod(0o755)

    return Path(shutil.copytree(shared("vendored-core", fill), tmp_path / "project"))


def run(place: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run_command(
        [sys.executable, *command],
        cwd=place,
        env={**bare_environment(), "CC": str(place / "cc"), **environment},
    )


def succeed(place: Path, *command: str, **environment: str) -> None:
    done = run(place, *command, **environment)
    assert done.returncode == 0, done.stdout + done.stderr


def is_accelerated(place: Path) -> bool:
    """Import the package in a folder, try it, and return whether it has its own core."""
    done = run(place, "-c", TRY, PYTHONPATH="")
    assert done.stdout in ("True 7\n", "False 7\n"), done.stderr
    return done.stdout == "True 7\n"


@needs_compiler
def test_the_core_is_built_into_the_package(vendored: Path) -> None:
    assert not is_accelerated(vendored)
    succeed(vendored, "orders/wire_native/build_core.py")
    assert is_accelerated(vendored)
    # What was built is not ours to remove, and everything is current with it.
    options = ("--package", "wire", "--emit", "codecs,native", "-o", "orders", "--check")
    assert run_cli("spec.xml", *options, cwd=vendored).returncode == 0


def test_without_a_compiler_it_stays_pure(vendored: Path) -> None:
    (vendored / "orders/wire/_amqp_native.abi3.so").write_bytes(b"of an earlier version")
    done = run(vendored, "orders/wire_native/build_core.py", CC="/bin/false")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "wire has no core, and is pure")
    assert not list((vendored / "orders/wire").glob("_amqp_native.*"))
    assert not is_accelerated(vendored)


@needs_compiler
def test_a_wheel_of_hatchling_has_the_core(vendored: Path) -> None:
    assert build_wheel(vendored, {}).endswith(".so")
    assert is_accelerated(vendored / "site")


def test_a_wheel_of_hatchling_is_pure_without_a_compiler(vendored: Path) -> None:
    assert build_wheel(vendored, {"CC": "/bin/false"}) == ""
    assert not is_accelerated(vendored / "site")


def build_wheel(project: Path, environment: dict[str, str]) -> str:
    """Build the wheel of a project and unpack it into ``site``; return the name of the module in C."""
    pytest.importorskip("hatchling")
    (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (project / ".gitignore").write_text("*.so\n", encoding="utf-8")
    succeed(project, "-m", "hatchling", "build", "-t", "wheel", **environment)
    (wheel,) = (project / "dist").iterdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(project / "site")
        cores = [name for name in archive.namelist() if name.startswith("orders/wire/_amqp_native.")]
        assert not [name for name in archive.namelist() if "wire_native" in name]
    assert ("-cp311-abi3-" if cores else "-none-any") in wheel.name
    return "".join(cores)


@needs_compiler
def test_setuptools_builds_the_core(vendored: Path) -> None:
    (vendored / "setup.py").write_text(SETUP, encoding="utf-8")
    succeed(vendored, "setup.py", "build", "--build-lib", "site")
    assert is_accelerated(vendored / "site")


@needs_compiler
def test_setuptools_gets_all_arguments(vendored: Path) -> None:
    (vendored / "setup.py").write_text(SETUP_BY_ARGUMENTS, encoding="utf-8")
    succeed(vendored, "setup.py", "build", "--build-lib", "site")
    assert is_accelerated(vendored / "site")


@pytest.fixture(params=["a free-threaded Python", "pypy"])
def without_stable_abi(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, dict[str, str]]:
    """A warning, and the environment in which this Python takes itself for one that has no stable ABI."""
    change = {
        "pypy": "sys.implementation.name = 'pypy'",
        "a free-threaded Python": """
value_of = sysconfig.get_config_var
sysconfig.get_config_var = lambda name: 1 if name == "Py_GIL_DISABLED" else value_of(name)
""",
    }[request.param]
    (tmp_path / "usual").mkdir()
    (tmp_path / "usual" / "sitecustomize.py").write_text(f"import sys, sysconfig\n{change}\n")
    reason = f"the core in C cannot be built for {request.param}, which has no stable ABI (abi3)"
    warning = f"warning: {reason}; without it everything works the same, slower"
    return warning, {"PYTHONPATH": str(tmp_path / "usual")}


def test_without_a_stable_abi_it_stays_pure(
    vendored: Path, without_stable_abi: tuple[str, dict[str, str]]
) -> None:
    warning, environment = without_stable_abi
    done = run(vendored, "orders/wire_native/build_core.py", **environment)
    assert (done.returncode, done.stderr.splitlines()) == (1, [warning, "wire has no core, and is pure"])


def test_without_a_stable_abi_setuptools_compiles_nothing(
    vendored: Path, without_stable_abi: tuple[str, dict[str, str]]
) -> None:
    warning, environment = without_stable_abi
    (vendored / "setup.py").write_text(SETUP_BY_ARGUMENTS, encoding="utf-8")
    for folder in (vendored, vendored / "orders" / "wire_native"):
        done = run(folder, "setup.py", "build", "--build-lib", "site", CC="/bin/false", **environment)
        assert (done.returncode, done.stderr.splitlines()[0]) == (0, warning)
        assert "build_ext" not in done.stdout + done.stderr
    assert not is_accelerated(vendored / "site")


@pytest.mark.parametrize(
    ("platform", "flags"),
    [
        ("win-amd64", ["/O2", "/std:c11"]),
        ("mingw_x86_64_ucrt_gnu", ["-O3", "-std=c11"]),
        ("linux-x86_64", ["-O3", "-std=c11"]),
    ],
)
def test_each_compiler_gets_its_own_flags(vendored: Path, platform: str, flags: list[str]) -> None:
    program = f"""
import sysconfig
from build_core import core_extension
sysconfig.get_platform = lambda: {platform!r}
print(core_extension().extra_compile_args == {flags!r})
"""
    done = run(vendored / "orders" / "wire_native", "-c", program)
    assert done.stdout == "True\n", done.stderr


def test_the_folder_installs_the_package_without_a_compiler(vendored: Path) -> None:
    folder = vendored / "orders" / "wire_native"
    succeed(folder, "setup.py", "build", "--build-lib", "../../site/orders", CC="/bin/false")
    assert not is_accelerated(vendored / "site")


def test_a_core_of_another_version_is_not_used(vendored: Path) -> None:
    core = vendored / "orders/wire/_amqp_native.py"
    core.write_text("LAYOUT_VERSION = 0\n", encoding="utf-8")
    assert not is_accelerated(vendored)


def test_the_sources_are_those_of_the_installed_core(vendored: Path) -> None:
    folder = vendored / "orders/wire_native/src"
    sources = ROOT / "native" / "src"
    assert {path.name for path in folder.iterdir()} == {path.name for path in sources.glob("*.[ch]")}
    for path in folder.iterdir():
        header, text = path.read_text(encoding="utf-8").split("\n", 1)
        assert header.startswith("/* Generated by amqp-codegen ")
        assert header.endswith(" for package=wire; do not edit, generate again. */")
        assert text == (sources / path.name).read_text(encoding="utf-8")


def test_sources_of_earlier_versions_are_removed(vendored: Path) -> None:
    folder = vendored / "orders/wire_native/src"
    old, own = folder / "old.c", folder / "own.c"
    old.write_text((folder / "octets.c").read_text(encoding="utf-8"), encoding="utf-8")
    own.touch()
    result = run_cli("spec.xml", "--package", "wire", "--emit", "codecs,native", "-o", "orders", cwd=vendored)
    assert (result.returncode, old.exists(), own.exists()) == (0, False, True)


def test_the_core_needs_the_codecs(vendored: Path) -> None:
    result = run_cli("spec.xml", "--package", "wire", "--emit", "native", cwd=vendored)
    assert (result.returncode, result.stderr) == (
        2,
        "error: the core in C is built for a package, and needs its codecs (name codecs and native) [bad-emit]\n",
    )
