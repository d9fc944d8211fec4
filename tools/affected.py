"""Print the tests that changed files can affect, as folders and files for pytest; nothing if there are none.

    python -m tools.affected          # what is not committed, and what this branch adds to main
    python -m tools.affected v1.2     # what has changed since then
    python -m tools.affected --why    # and, on standard error, the way from a change to each test

A change affects the modules that depend on the file, what depends on these, and so on to the tests: `tools/dependencies.py`
has the arrows. A file that no arrow leads to affects all tests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Container, Iterable, Iterator

from tools.dependencies import Dependencies
from tools.structure.imports import ROOT

EVERYTHING = ("Makefile", "pyproject.toml", "tests/conftest.py")
# Who reads all of them does not know what is new in one of them.
WHOLE = {"codegen/", "generated/", "templates/", "tests/"}


def affected(changed: Iterable[str], dependencies: Dependencies) -> dict[str, list[str]]:
    """Return the test files and suites that changes of paths can affect, each with the way that leads to it."""
    dependents = dependencies.dependents
    before: dict[str, str] = {}
    for path in changed:
        begin = [place for place in _places(path, dependents) if place in dependents]
        if path in EVERYTHING or not {*begin} - WHOLE:
            return {test: [path] for test in all_tests(dependencies)}
        queue = [(place, path) for place in begin]
        for name, cause in queue:
            if name not in before:
                before[name] = cause
                queue += [(dependent, name) for dependent in sorted(dependents.get(name, ()))]
    return {path: _way(name, before) for path, name in all_tests(dependencies).items() if name in before}


def _way(name: str, before: dict[str, str]) -> list[str]:
    way = [name]
    while before.get(way[0], way[0]) != way[0]:
        way.insert(0, before[way[0]])
    return way


def _places(path: str, known: Container[str]) -> Iterator[str]:
    """Yield the path, the folders that it is in and, for data, the name of what is beside the modules of the next folder."""
    yield path
    above = [path[: slash.end()] for slash in re.finditer("/", path)]
    yield from above
    if not path.endswith(".py"):
        yield from [f"{folder}*" for folder in reversed(above) if f"{folder}*" in known][:1]


def all_tests(dependencies: Dependencies) -> dict[str, str]:
    """Return all test files and generated suites; the value is the name among the dependencies."""
    found = {dependencies.paths.get(name, name.rstrip("/")): name for name in dependencies.direct}
    test = re.compile(r"tests/(.*/)?test_\w+\.py|generated/conformance/amqp_\w+")
    return {
        path: name for path, name in sorted(found.items()) if test.fullmatch(path) and (ROOT / path).exists()
    }


def folded(found: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the tests or, where they are all of a folder, the folder; the largest ones."""
    rest = set(known) - set(found)
    result = []
    for test in found:
        above = (test[: slash.start()] for slash in re.finditer("/", test))
        whole = (folder for folder in above if not any(other.startswith(f"{folder}/") for other in rest))
        result.append(next(whole, test))
    return list(dict.fromkeys(result))


def changed_files(base: str) -> list[str]:
    """Return the paths changed since the branch left a revision, committed or not, and those that git does not know."""
    changed = _git("diff", "-z", "--name-only", "--no-renames", "--merge-base", base)
    return sorted({*changed, *_git("ls-files", "-z", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {arguments[0]}: {done.stderr.strip()}")
    return [path for path in done.stdout.split("\0") if path]


def main() -> None:
    """Print the tests; on standard error, how many they are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", nargs="?", default="main", help="a revision; default: main")
    parser.add_argument("--why", action="store_true", help="print what leads to each test")
    arguments = parser.parse_args()
    changed = changed_files(arguments.base)
    try:
        gone = [path for path in changed if path.endswith(".py") and not (ROOT / path).exists()]
        dependencies = Dependencies(gone)
    except SyntaxError as error:
        sys.exit(f"{error.filename}:{error.lineno}: {error.msg}")
    found, known = affected(changed, dependencies), all_tests(dependencies)
    if arguments.why:
        for test, way in found.items():
            print(f"{test}: {' <- '.join(reversed(way))}", file=sys.stderr)
    print(
        f"{len(changed)} changed files can affect {len(found)} of {len(known)} test files and suites",
        file=sys.stderr,
    )
    print(*folded(found, known), sep="\n")


if __name__ == "__main__":
    main()
