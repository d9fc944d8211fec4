"""Setuptools: packages are added whichever way the project names its own, and projects that do not ask are left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.commands import run_command

from .projects import ROOT, Tools, edit, small_example

OWN_STEP = """
import subprocess
from setuptools import setup
from setuptools.command.build_py import build_py

class GenerateAndCopy(build_py):
    def run(self):
        subprocess.run(["amqp-codegen"], check=True)
        super().run()

setup(cmdclass={"build_py": GenerateAndCopy})
"""


def test_a_build_py_that_generates(tools: Tools, tmp_path: Path) -> None:
    """The obvious step of one's own comes after setuptools has looked for packages; ours was there before it."""
    project = small_example(tools, "setuptools", tmp_path)
    (project / "setup.py").write_text(OWN_STEP, encoding="utf-8")
    assert {"orders/__init__.py", "orders/wire/methods/_c.py", "orders/wire/py.typed"} <= tools.build_wheel(
        project
    )


def test_packages_that_the_project_names(tools: Tools, tmp_path: Path) -> None:
    project = small_example(tools, "setuptools", tmp_path)
    named = '[tool.setuptools]\npackages = ["orders"]\npackage-dir = { orders = "src/orders" }\n\n'
    edit(project / "pyproject.toml", "[tool.amqp-codegen]", f"{named}[tool.amqp-codegen]")
    assert {"orders/__init__.py", "orders/wire/methods/_c.py", "orders/wire/py.typed"} <= tools.build_wheel(
        project
    )


OWN_BUILD = """
from setuptools.command.build import build

class OwnBuild(build):
    def run(self):
        super().run()
        print("own build")
"""
NAMED_IN_PYPROJECT = """[tool.setuptools.cmdclass]
build = "orders.own_build.OwnBuild"

[tool.amqp-codegen]"""


def with_own_build(tools: Tools, folder: Path, text: str) -> Path:
    """A project with a command ``build`` of its own, which setuptools reads after ours was added."""
    project = small_example(tools, "setuptools", folder)
    (project / "src" / "orders" / "own_build.py").write_text(text, encoding="utf-8")
    edit(project / "pyproject.toml", "[tool.amqp-codegen]", NAMED_IN_PYPROJECT)
    return project


def test_a_build_that_pyproject_names(tools: Tools, tmp_path: Path) -> None:
    files = tools.build_wheel(with_own_build(tools, tmp_path, OWN_BUILD))
    assert {"orders/__init__.py", "orders/wire/methods/_c.py", "orders/wire/py.typed"} <= files


def test_a_build_that_runs_no_steps_is_refused(tools: Tools, tmp_path: Path) -> None:
    project = with_own_build(tools, tmp_path, OWN_BUILD.replace("super().run()", "pass"))
    assert "error: the wheel would lack the generated packages: orders.own_build.OwnBuild runs none of the steps of 'build'" in (
        tools.refused(project)
    )


def test_the_step_is_added_to_any_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("setuptools", reason="needs setuptools")
    from amqp_codegen.build.setuptools import GenerateCommand, finalize_distribution
    from setuptools import Distribution
    from setuptools.command.build import build

    class OwnBuild(build):
        """A command of the project's own."""

    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[build-system]\nrequires = ['amqp-codegen']\n", encoding="utf-8")
    distribution = Distribution()
    finalize_distribution(distribution)
    distribution.cmdclass = {"build": OwnBuild}  # as [tool.setuptools.cmdclass] does
    found = distribution.get_command_class("build")
    assert issubclass(found, OwnBuild) and found is distribution.get_command_class("build")
    assert [name for name, _ in found.sub_commands][:2] == ["amqp_codegen", "build_py"]
    assert distribution.get_command_class("amqp_codegen") is GenerateCommand


@pytest.mark.parametrize(
    ("folder", "roots", "expected"),
    [
        ("orders/wire", {}, "orders.wire"),
        ("src/orders/wire", {"": "src"}, "orders.wire"),
        ("src/orders/wire", {"": "./src/"}, "orders.wire"),
        ("lib/wire/methods", {"orders": "lib"}, "orders.wire.methods"),
        ("src/lib/wire", {"": "src", "orders": "src/lib"}, "orders.wire"),
    ],
)
def test_name_of_a_package(folder: str, roots: dict[str, str], expected: str) -> None:
    pytest.importorskip("setuptools", reason="needs setuptools")
    from amqp_codegen.build.setuptools import _package_name

    assert _package_name(Path(folder), roots) == expected


REQUIRED = [
    ('["setuptools", "amqp-codegen"]', True),
    ('["Amqp_Codegen>=0.1; python_version > \'3\'"]', True),
    ('["amqp.codegen[traffic] @ file:///x.whl"]', True),
    ('["setuptools", "amqp-codegen-plugin", "not-amqp-codegen"]', False),
    ('"amqp-codegen"', False),
    ("[1]", False),
]


@pytest.mark.parametrize(("requires", "expected"), REQUIRED)
def test_which_projects_ask_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, requires: str, expected: bool
) -> None:
    from amqp_codegen.build.project import is_required_to_build

    monkeypatch.chdir(tmp_path)
    assert not is_required_to_build()
    Path("pyproject.toml").write_text(f"[build-system]\nrequires = {requires}\n", encoding="utf-8")
    assert is_required_to_build() is expected
    Path("pyproject.toml").write_text("not TOML", encoding="utf-8")
    assert not is_required_to_build()


def test_a_project_that_does_not_ask_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("setuptools", reason="needs setuptools")
    from amqp_codegen.build.setuptools import finalize_distribution
    from setuptools import Distribution

    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text("[tool.amqp-codegen]\noutput = 'src'\n", encoding="utf-8")
    distribution = Distribution()
    before = dict(distribution.cmdclass)
    finalize_distribution(distribution)
    assert distribution.cmdclass == before


def test_the_generator_needs_no_backend() -> None:
    """Importing it loads none of the modules for backends."""
    program = (
        "import sys, amqp_codegen.api, amqp_codegen.cli.main, amqp_codegen.cli.generate, amqp_codegen.build.project\n"
        "found = {'hatchling', 'setuptools', 'pdm', 'poetry', 'flit_core', 'uv_build'} & set(sys.modules)\n"
        "print(sorted(found))"
    )
    done = run_command([sys.executable, "-c", program], env={"PYTHONPATH": str(ROOT / "codegen")})
    assert (done.stdout, done.stderr) == ("[]\n", "")
