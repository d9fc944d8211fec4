"""Packages and suites: the code is that of a tame specification, and the texts arrive in docstrings and values."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.generate import generate
from amqp_codegen.emit.publish import publish
from amqp_codegen.emit.target import Generated, Target

from tests.emit.nasty_specifications import TEXTS, folded
from tests.emit.small_specifications import run_python

from .conftest import Corpus
from .specifications import ASCII

pytestmark = pytest.mark.slow


def made(files: list[Path]) -> Generated:
    return generate(Target(tuple(files), package="made", emit=("codecs", "columns", "conformance")))


@pytest.fixture(scope="module")
def nasty(corpus: Corpus) -> Generated:
    return made(corpus.nasty)


@pytest.fixture(scope="module")
def tame(corpus: Corpus) -> Generated:
    return made(corpus.tame)


@pytest.fixture(scope="module")
def folder(nasty: Generated, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its suite, published."""
    folder = tmp_path_factory.mktemp("nasty")
    publish(folder, nasty.files, compare(folder, nasty.files, nasty.folders))
    return folder


def test_files_are_called_as_those_of_a_tame_one(nasty: Generated, tame: Generated) -> None:
    assert nasty.files.keys() == tame.files.keys()


def test_the_code_is_that_of_a_tame_one(nasty: Generated, tame: Generated) -> None:
    for path, text in nasty.files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")
            shapes = [
                [type(node) for node in ast.walk(ast.parse(each, path, type_comments=True))]
                for each in (text, tame.files[path])
            ]
            assert shapes[0] == shapes[1], path


def test_json_is_that_of_a_tame_one(nasty: Generated, tame: Generated) -> None:
    paths = [path for path in nasty.files if path.endswith(".json")]
    assert len(paths) == 2
    for path in paths:
        one, other = json.loads(nasty.files[path]), json.loads(tame.files[path])
        assert one.keys() == other.keys()
        assert len(one.get("cases", ())) == len(other.get("cases", ()))


def test_texts_arrive_in_docstrings(nasty: Generated) -> None:
    said = " ".join(
        folded(ast.get_docstring(node) or "")
        for path, text in nasty.files.items()
        if path.startswith("made/") and path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
    )
    assert [text for text in TEXTS if folded(text) not in said] == []


def test_texts_arrive_in_values(corpus: Corpus, folder: Path) -> None:
    """Of 1.0: choices, defaults and constants; 0-x has patterns and enumerations, see tests/emit."""
    if corpus.family == "amqp0":
        code = "import made; print(len(made.METHODS))"
        expected: object = len(TEXTS)
    else:
        code = """
import json, made
from made import performatives
strings = [each.value for each in performatives.NastyString]
symbols = [str(each.value) for each in performatives.NastySymbol]
one = performatives.NastyList()
fields = [getattr(one, f"f{number}") for number in range(len(strings))]
constants = [getattr(made.constants, f"N{number}") for number in range(len(strings))]
assert made.decode(one.encode())[0] == one
print(json.dumps([strings, symbols, fields, constants, performatives.NastyList.SYMBOL]))
"""
        expected = [TEXTS, ASCII, TEXTS, TEXTS, ASCII[0]]
    result = run_python(code, folder, "-W", "error")
    assert result.stderr == ""
    assert as_numbers(json.loads(result.stdout)) == as_numbers(expected)


def as_numbers(value: object) -> object:
    """Values that are numbers where a file writes digits; XML has made blanks of line ends in attributes."""
    if isinstance(value, list):
        return [as_numbers(each) for each in value]
    return str(value).strip()


def test_the_package_passes_its_suite(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        ".",
        "conformance",
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PY")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > 1000
