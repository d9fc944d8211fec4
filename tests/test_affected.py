"""`make test-changed` runs what a change can affect: not much more, and never less."""

from __future__ import annotations

import ast
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tools import affected as tool
from tools.affected import affected, all_tests, folded
from tools.dependencies import API, ARROWS, NAMED_IN_ARROWS, READ_BY, RESOURCES, Dependencies
from tools.structure.imports import ROOT, read_house, read_modules, syntax_tree

GONE = ("codegen/amqp_codegen/gone.py", "tests/lint/test_gone.py")

# To read the whole checkout takes seconds.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dependencies() -> Dependencies:
    return Dependencies(GONE)


# Of a change, some test files and folders that it affects, and some that it does not.
CHANGES = {
    "codegen/amqp_codegen/lint/run.py": ("lint/test_calls.py cli/test_lint_command.py", "traffic/frames emit diff native"),
    "codegen/amqp_codegen/resolve/specification.py": ("diff emit lint export traffic/lake", "support native/test_core.py"),
    "codegen/amqp_codegen/encode/amqp1/frames.py": ("encode cli/test_encode_command.py", "decode traffic emit"),
    "codegen/amqp_conformance/drivers/amqp1/link.py": ("live_runner/amqp1 broker/test_conformance.py", "traffic/ingest generated/amqp1"),
    "codegen/amqp_traffic/report/page.py": ("traffic/report/test_page.py traffic/cli/test_explain.py", "traffic/ingest lint"),
    "codegen/amqp_traffic/capture/segments.py": ("traffic/capture traffic/ingest traffic/audit native", "lint emit generated/amqp0"),
    "templates/reference/search.js": ("reference/test_search.py browser/test_reference.py", "traffic/frames generated/amqp0"),
    "templates/amqp1/frames.py.jinja": ("emit generated/amqp1 traffic/frames generated/conformance/amqp_1_0", "lint diff"),
    "templates/traffic_report/clients.jinja": ("traffic/report/test_page.py", "traffic/frames generated/amqp0 lint"),
    "specs/concepts.toml": ("diff/test_concepts.py", "resolve generated/amqp0/test_table_letters.py"),
    "specs/amqp0-9.xml": ("generated/amqp0 reader generated/conformance/amqp_0_9", "set_up/test_debian_folder.py generated/conformance/amqp_1_0"),
    "generated/amqp_0_8/frames.py": ("generated/amqp0 traffic/frames generated/conformance/amqp_0_8", "lint generated/conformance/amqp_0_9"),
    "native/ingest/map.c": ("native traffic/ingest", "generated/amqp0 lint"),
    "native/src/octets.c": ("native generated/amqp0 generated/amqp1 emit/test_native_core.py", "lint"),
    "docs/traffic.md": ("test_documents.py docs_site", "lint traffic/frames"),
    "expectations/rabbitmq-3.10.toml": ("live_runner/test_written_expectations.py", "traffic/audit lint"),
    "tests/cli/messages.toml": ("cli/test_messages.py", "lint traffic/frames"),
    "tests/generated/amqp1/extension.xml": ("generated/amqp1 reference/amqp1/test_content.py", "lint generated/amqp0"),
    "tests/traffic/capture_builder.py": ("traffic/capture traffic/streams/test_order.py native/test_scan.py", "lint cli"),
    "tests/lint/test_limits.py": ("lint/test_limits.py lint/test_catalogue.py", "cli lint/test_calls.py"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_change_affects(dependencies: Dependencies, change: str) -> None:
    assert (ROOT / change).exists(), "name another file"
    found = affected([change], dependencies)
    of_all = all_tests(dependencies)

    def files(places: str) -> dict[str, list[str]]:
        """The test files at a place, by the place."""
        paths = {
            place: place if place.startswith("generated/conformance") else f"tests/{place}"
            for place in places.split()
        }
        return {
            place: [item for item in of_all if item == path or item.startswith(f"{path}/")]
            for place, path in paths.items()
        }

    reached, spared = map(files, CHANGES[change])
    assert [place for place, inside in reached.items() if not found.keys() & inside] == []
    assert [place for place, inside in spared.items() if not inside or found.keys() & inside] == []
    assert found.keys() < of_all.keys()


def test_who_imports_a_module_is_affected(dependencies: Dependencies) -> None:
    """Directly or not; but who imports a function of `API` needs only what this function imports."""
    files = {name: ROOT / path for name, path in dependencies.paths.items()}
    importers: dict[str, set[str]] = defaultdict(set)
    for item in read_modules(files).imports:
        importers[item.imported].add(item.importer)
    modules = read_house().files
    assert len(modules) > 400
    for module in modules:
        reached, queue = {module}, [module]
        for name in queue:
            if name != API:
                queue += importers[name] - reached
                reached |= importers[name]
        path = dependencies.paths[module]
        importing = {files[name].relative_to(ROOT).as_posix() for name in reached} & all_tests(
            dependencies
        ).keys()
        assert importing <= affected([path], dependencies).keys(), module


def test_who_loads_by_name_has_an_arrow() -> None:
    """Modules of codegen/ that import by a computed name, or read templates and specifications."""
    house = read_house()
    without = []
    for name, path in house.files.items():
        for node in ast.walk(syntax_tree(path)):
            is_computed = isinstance(node, ast.Call) and (
                getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module"
                and not isinstance(node.args[0], ast.Constant)
            )
            reads = (
                isinstance(node, ast.ImportFrom)
                and {alias.name for alias in node.names} & NAMED_IN_ARROWS.keys()
            )
            place = path.relative_to(ROOT).as_posix()
            if (is_computed or reads) and not any(place.startswith(reader) for reader in ARROWS):
                without.append(name)
    # It loads for others what they name, a command among its modules, a build backend of somebody else, the drivers of a
    # user, or the classes of a state, whose modules the reading of a ring imports anyway.
    assert sorted(without) == [
        "amqp_codegen.build.backends",
        "amqp_codegen.support.command_line",
        "amqp_codegen.support.resources",
        "amqp_conformance.engine.user_drivers",
        "amqp_traffic.ingest.ring.state_classes",
    ]


def test_the_arrows_name_what_is_there() -> None:
    names = {
        *ARROWS,
        *(part for read in ARROWS.values() for part in read.split()),
        *filter(None, READ_BY.values()),
    }
    assert [
        name for name in names if not (ROOT / name).exists() or (ROOT / name).is_dir() != name.endswith("/")
    ] == []
    functions = {
        item.name
        for item in syntax_tree(read_house().files[RESOURCES]).body
        if isinstance(item, ast.FunctionDef)
    }
    assert {name for name in functions if not name.startswith("_")} == READ_BY.keys()
    for folder in ("specs", "templates", "generated", "generated/conformance"):
        entries = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).iterdir()
            if path.name != "__pycache__"
        }
        told = {name.rstrip("/") for name in names}
        below = {entry for entry in entries if any(item.startswith(f"{entry}/") for item in told)}
        assert entries - told - below <= {"generated/conformance/__init__.py"}


@pytest.mark.parametrize(
    "change",
    [
        "pyproject.toml",
        "Makefile",
        "tests/conftest.py",
        "tests/sampling.py",
        "a_new_folder/x.py",
        "templates/new/x.jinja",
        "tests/new/x.txt",
    ],
)
def test_what_affects_all(dependencies: Dependencies, change: str) -> None:
    found = affected([change], dependencies)
    if change in ("tests/sampling.py", "tests/new/x.txt"):
        assert {path for path in all_tests(dependencies) if path.startswith("tests/")} <= found.keys()
    else:
        assert folded(found, all_tests(dependencies)) == ["generated", "tests"]


def test_folders_of_which_all_is_affected() -> None:
    known = [
        "tests/a/test_1.py",
        "tests/a/b/test_2.py",
        "tests/c/test_3.py",
        "tests/c/test_4.py",
        "tests/test_5.py",
    ]
    assert folded(known[:3], known) == ["tests/a", "tests/c/test_3.py"]
    assert folded(known, known) == ["tests"]
    assert folded([], known) == []


def test_changes_of_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Committed since the branch left, not committed, moved, and not known to git; what main has got meanwhile is none."""

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(
            ["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE
        )

    def write(*names: str) -> None:
        for name in names:
            (tmp_path / name).write_text(name, encoding="ascii")

    git("init", "--initial-branch=main")
    write("kept", "edited", "moved")
    git("add", ".")
    git("commit", "-m", "1")
    git("switch", "-c", "branch")
    write("new")
    git("add", ".")
    git("commit", "-m", "2")
    git("switch", "main")
    write("elsewhere")
    git("add", ".")
    git("commit", "-m", "3")
    git("switch", "branch")
    git("mv", "moved", "here")
    (tmp_path / "edited").write_text("more", encoding="ascii")
    write("two words")
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    assert tool.changed_files("main") == ["edited", "here", "moved", "new", "two words"]
    with pytest.raises(SystemExit, match="git diff: "):
        tool.changed_files("no-such-branch")


def test_modules_that_are_gone(dependencies: Dependencies) -> None:
    """Who still imported them would be run: nobody does. A test that is gone is not run itself."""
    assert dependencies.paths["amqp_codegen.gone"] == GONE[0]
    assert affected(GONE, dependencies).keys() <= {
        "tests/test_affected.py",
        "tests/test_house.py",
        "tests/test_wheel.py",
    }


@pytest.mark.parametrize("changed", [[], ["docs/traffic.md"]])
def test_what_is_printed(
    dependencies: Dependencies,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    changed: list[str],
) -> None:
    monkeypatch.setattr(tool, "changed_files", lambda base: changed)
    monkeypatch.setattr(tool, "Dependencies", lambda gone: dependencies)
    monkeypatch.setattr("sys.argv", ["affected", "--why"])
    tool.main()
    shown = capsys.readouterr()
    found = affected(changed, dependencies)
    assert shown.out.split() == folded(found, all_tests(dependencies))
    *ways, count = shown.err.splitlines()
    assert (
        count
        == f"{len(changed)} changed files can affect {len(found)} of {len(all_tests(dependencies))} test files and suites"
    )
    assert len(ways) == len(found)
    assert all(line.endswith(" <- docs/traffic.md") for line in ways)
