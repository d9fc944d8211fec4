"""No test is forgotten: pytest collects every file of tests, and a target of the Makefile runs every test."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import COLLECTED

ROOT = Path(__file__).resolve().parents[1]
# Parts of suites, which run where they are generated; and what is collected in an environment of its own.
ELSEWHERE = ("templates/", "tests/clients/")
_LIST_FILES = """
import pytest

class File(pytest.Module):
    def collect(self):
        print("collected", self.path.relative_to(self.config.rootpath).as_posix())
        return []

class Plugin:
    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(self, module_path, parent):
        return File.from_parent(parent, path=module_path)

pytest.main(["--collect-only", "-qq", "-s", "-p", "no:cacheprovider"], plugins=[Plugin()])
"""


def _output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_pytest_collects_every_file_of_tests_that_git_knows() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs git: and a checkout")
    listed = _output("git", "ls-files", "--", "test_*.py", "**/test_*.py").splitlines()
    known = {file for file in listed if not file.startswith(ELSEWHERE) and (ROOT / file).exists()}
    lines = _output(sys.executable, "-c", _LIST_FILES).splitlines()
    collected = {line.removeprefix("collected ") for line in lines if line.startswith("collected ")}
    assert known - collected == set()


def test_a_target_runs_every_test(request: pytest.FixtureRequest) -> None:
    """Looks at what this run has collected: at all tests in `make test-main`."""
    if shutil.which("make") is None:
        pytest.skip("needs make")
    selections = [
        selection
        for line in _output("make", "--dry-run", "test-all-parts").replace("\\\n", " ").splitlines()
        if (selection := _selection(line))
    ]
    assert len(selections) > 3
    assert any(ROOT / "tests" / "clients" in paths for _, paths in selections)
    names = {line.partition(":")[0] for line in request.config.getini("markers")}
    forgotten = {
        f"{path.relative_to(ROOT)}: {', '.join(sorted(marks & names)) or 'no marker'}"
        for path, marks in request.config.stash[COLLECTED]
        if not any(_selects(selection, path, marks, names) for selection in selections)
    }
    assert forgotten == set()


def _selection(line: str) -> tuple[str, list[Path]] | None:
    """Return the expression of markers, and the paths, of a command that runs pytest."""
    if "-m pytest" not in line or "$" in line or " -k " in line:
        return None
    words = shlex.split(line.partition("-m pytest")[2].partition("||")[0])
    expression = words[words.index("-m") + 1] if "-m" in words else "True"
    paths = [ROOT / word for word in words if word.startswith("tests")]
    return (expression, paths) if paths else None


def _selects(selection: tuple[str, list[Path]], path: Path, marks: frozenset[str], names: set[str]) -> bool:
    expression, folders = selection
    inside = any(path.is_relative_to(folder) for folder in folders)
    # The expression stands in our own Makefile, in words that are Python's, too.
    return inside and bool(eval(expression, {name: name in marks for name in names}))
