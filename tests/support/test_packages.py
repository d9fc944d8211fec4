"""Packages of one's own come before those of the installation; each in a process of its own, as modules stay loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import amqp_codegen
import pytest
from amqp_codegen.support.resources import generated_dir

from tests.commands import run_command

NAME = "amqp_0_9_1"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(amqp_codegen.__file__).parents[1])}
TELL = f"from amqp_codegen.support.resources import load_module, load_package; print(load_package({NAME!r}).__file__); "
TELL += f"print(load_module({NAME!r}, 'columns').__file__)"


def loaded_from(places: list[Path]) -> list[Path]:
    environment = {**ENVIRONMENT, "AMQP_CODEGEN_PACKAGES": os.pathsep.join(map(str, places))}
    done = subprocess.run(
        [sys.executable, "-c", TELL], capture_output=True, text=True, check=True, env=environment
    )
    return [Path(line) for line in done.stdout.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a package."""
    shutil.copytree(generated_dir() / NAME, tmp_path / "own" / NAME)
    return tmp_path / "own"


def test_the_installation_has_it() -> None:
    assert loaded_from([]) == [
        generated_dir() / NAME / text for text in ("__init__.py", "columns/__init__.py")
    ]


def test_a_folder_comes_first(folder: Path) -> None:
    assert loaded_from([folder]) == [folder / NAME / text for text in ("__init__.py", "columns/__init__.py")]


@pytest.mark.parametrize("name", ["columns", "columns._rows"])
def test_columns_that_a_package_lacks_are_asked_for(folder: Path, name: str) -> None:
    shutil.rmtree(folder / NAME / "columns")
    tell = f"from amqp_codegen.support.resources import load_module\nload_module({NAME!r}, {name!r})"
    done = run_command(
        [sys.executable, "-c", tell], env={**ENVIRONMENT, "AMQP_CODEGEN_PACKAGES": str(folder)}
    )
    place = str(folder / NAME)
    assert done.stderr.splitlines()[-1] == (
        f"FileNotFoundError: the package in {place!r} has no columns; generate it with --emit codecs,columns"
    )


def test_an_archive_comes_first(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "own.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(folder.rglob("*.py")):
            file.write(path, path.relative_to(folder))
    expected = [archive / NAME / text for text in ("__init__.py", "columns/__init__.py")]
    assert loaded_from([archive]) == expected


def test_what_is_not_there_is_passed_over(tmp_path: Path) -> None:
    assert loaded_from([tmp_path / "none"])[0] == generated_dir() / NAME / "__init__.py"


def test_all_of_it_in_an_archive(tmp_path: Path) -> None:
    """As Spark ships a wheel to its executors."""
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for module in ("__init__.py", "support/__init__.py", "support/resources.py"):
            file.write(Path(amqp_codegen.__file__).parent / module, f"amqp_codegen/{module}")
        for path in sorted((generated_dir() / NAME).rglob("*.py")):
            place = path.relative_to(generated_dir())
            file.write(path, f"amqp_codegen/_data/generated/{place}")
    environment = {**os.environ, "PYTHONPATH": str(archive), "AMQP_CODEGEN_PACKAGES": ""}
    tell = f"import sys; sys.path.insert(0, {str(archive)!r}); {TELL}"
    done = subprocess.run(
        [sys.executable, "-c", tell], capture_output=True, text=True, check=True, env=environment
    )
    assert (
        Path(done.stdout.splitlines()[1])
        == archive / f"amqp_codegen/_data/generated/{NAME}/columns/__init__.py"
    )
