"""Packages and suites: the code is that of a tame specification, and the texts arrive in docstrings and values."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from amqp_codegen.emit.target import Generated

from tests.emit.made_suites import count_passed, imported_suite
from tests.emit.nasty_specifications import TEXTS, folded
from tests.emit.small_specifications import publish_to, run_python, unformatted

from .conftest import Corpus
from .specifications import ASCII


def made(files: list[Path]) -> Generated:
    return unformatted(files, emit=("codecs", "columns", "conformance"))


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
    publish_to(folder, nasty)
    return folder


def test_files_are_called_as_those_of_a_tame_one(nasty: Generated, tame: Generated) -> None:
    assert nasty.files.keys() == tame.files.keys()


def test_the_code_is_that_of_a_tame_one(nasty: Generated, tame: Generated) -> None:
    for path, text in nasty.files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")
            shapes = [
                [type(node) for node in ast.walk(ast.parse(item, path, type_comments=True))]
                for item in (text, tame.files[path])
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
        return [as_numbers(item) for item in value]
    return str(value).strip()


def test_the_package_passes_its_suite(nasty: Generated, tmp_path: Path) -> None:
    with imported_suite(nasty, tmp_path) as suite:
        assert count_passed(suite) > 1000
