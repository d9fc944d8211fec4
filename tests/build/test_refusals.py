"""What is wrong ends a build with one line of ours, and no wheel is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from .projects import BACKENDS, Tools, edit, small_example


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_wrong_specification(tools: Tools, tmp_path: Path, backend: str) -> None:
    project = small_example(tools, backend, tmp_path)
    edit(project / "specs" / "small.xml", '"octet"', '"nothing"')
    error = "specs/small.xml:3:54: error: field 'f' has the type 'nothing', which is not defined [undefined-domain]"
    assert [line.strip() for line in tools.refused(project).splitlines()].count(error) == 1


def test_no_table(tools: Tools, tmp_path: Path) -> None:
    """Requiring the generator and telling it nothing is a mistake, not a wheel without the packages."""
    project = small_example(tools, "setuptools", tmp_path)
    edit(project / "pyproject.toml", "tool.amqp-codegen", "tool.other")
    assert "error: there is no [tool.amqp-codegen] table" in tools.refused(project)


@pytest.mark.parametrize(
    ("backend", "error"),
    [
        ("pdm", "error: 'elsewhere/wire' is outside of the packages, which are in 'src'"),
        ("setuptools", "error: 'elsewhere/wire' is outside of the packages, which are in 'src'"),
        ("hatchling", "generated files, for example 'elsewhere/wire/__init__.py'"),
        ("flit", "generated files, for example 'elsewhere/wire/__init__.py'"),
    ],
)
def test_packages_that_the_backend_does_not_pack(
    tools: Tools, tmp_path: Path, backend: str, error: str
) -> None:
    project = small_example(tools, backend, tmp_path)
    edit(project / "pyproject.toml", 'output = "src/orders"', 'output = "elsewhere"')
    assert error in tools.refused(project)


def test_packages_that_git_ignores_with_poetry(tools: Tools, tmp_path: Path) -> None:
    project = small_example(tools, "poetry", tmp_path)
    edit(project / "pyproject.toml", "include = [{ path", "# include = [{ path")
    assert 'poetry-core leaves out what git ignores: include = [{ path = "FOLDER"' in tools.refused(project)
