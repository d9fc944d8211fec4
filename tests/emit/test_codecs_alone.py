"""The codec needs nothing of ``columns/``: it is imported, tested and checked for types without it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from amqp_codegen.emit.target import Generated
from amqp_codegen.reader.inputs import resolve_input

from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .small_specifications import ROOT, publish_to, run_python, unformatted

COLUMNS = "columns"
PACKAGES = ("amqp_0_8", "amqp_0_8_rabbitmq", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq", "amqp_1_0")
SPECS = {"amqp_0_9_1_rabbitmq": "0-9-1-rabbitmq", "amqp_1_0": "1.0"}


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_of_the_codec_imports_columns(package: str) -> None:
    folder = ROOT / "generated" / package
    modules = [path for path in folder.rglob("*.py") if COLUMNS not in path.parts]
    assert len(modules) > 20
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                named = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                assert COLUMNS not in named, path


@pytest.fixture(scope="module", params=SPECS)
def package(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def made(package: str, *emit: str) -> Generated:
    found = resolve_input(SPECS[package])
    return unformatted(found.files, package, overlays=found.overlays, emit=emit)


@pytest.fixture(scope="module")
def folder(package: str, shared: Shared) -> Path:
    """Where the codec stands alone."""
    return shared(f"codec-{package}", lambda place: publish_to(place, made(package, "codecs")))


def test_it_and_its_suite_are_those_of_the_package_with_columns(package: str) -> None:
    """So the suite, which uses nothing else, passes here, too."""
    alone = made(package, "codecs", "conformance").files
    whole = made(package, "codecs", "columns", "conformance").files
    assert alone == {path: text for path, text in whole.items() if path.split("/")[1] != COLUMNS}
    assert alone.keys() < whole.keys()
    assert not [path for path, text in alone.items() if path.startswith("conformance") and COLUMNS in text]


def test_it_is_imported(package: str, folder: Path) -> None:
    assert not (folder / package / COLUMNS).exists()
    code = (
        "import importlib, pkgutil, sys\n"
        f"import {package} as package\n"
        "for each in pkgutil.walk_packages(package.__path__, f'{package.__name__}.'):\n"
        "    importlib.import_module(each.name)\n"
        "print(len(sys.modules) > 20)"
    )
    result = run_python(code, folder, "-W", "error")
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_its_types_are_right(package: str, folder: Path, shared: Shared) -> None:
    """With columns, ``make lint`` looks at them."""
    done = run_mypy(shared, "-p", package, cwd=folder)
    assert done.returncode == 0, done.stdout
