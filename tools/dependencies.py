"""What each file of the checkout depends on: its imports, as `tools/structure/imports.py` reads them, and what is read or loaded by name.

An import in a function counts, one that a text makes too: a program for a new process, the module of a command.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from amqp_codegen.cli.main import COMMANDS
from amqp_conformance.cli.main import COMMANDS as CONFORMANCE_COMMANDS
from amqp_traffic.cli.main import COMMANDS as TRAFFIC_COMMANDS

from tools.structure.imports import ROOT, Import, absolute, module_name, read_modules, syntax_tree

# The folders with Python files, and where the names of their modules begin.
PYTHON = {"codegen": ROOT / "codegen", **dict.fromkeys(("tests", "tools", "benchmarks", "examples"), ROOT)}

# Who reads or loads what, besides imports; "/" ends a folder.
_AMQP0 = "templates/amqp0/ templates/common/ specs/wire.toml native/src/"
_PACKAGES = {
    "amqp_0_8": "specs/amqp0-8.xml",
    "amqp_0_8_rabbitmq": "specs/amqp0-8.xml specs/rabbitmq-0-8.xml",
    "amqp_0_9": "specs/amqp0-9.xml",
    "amqp_0_9_1": "specs/amqp0-9-1.xml",
    "amqp_0_9_1_rabbitmq": "specs/amqp0-9-1.xml specs/rabbitmq.xml specs/arguments.toml",
    "amqp_1_0": "specs/amqp1-0/ templates/amqp1/",
    "amqp_1_0_rabbitmq": "specs/amqp1-0/ specs/amqp1-0-extensions/ templates/amqp1/",
}
_SUITE = "templates/conformance/common/ templates/conformance"
_BUILT_IN = "specs/amqp0-8.xml specs/rabbitmq-0-8.xml specs/amqp0-9.xml specs/amqp0-9-1.xml specs/rabbitmq.xml specs/amqp1-0/ specs/amqp1-0-extensions/"
_TEMPLATES = "templates/amqp0/ templates/amqp1/ templates/common/"
ARROWS = {
    "codegen/amqp_codegen/reader/inputs.py": _BUILT_IN,
    "codegen/amqp_codegen/lint/silence.py": "specs/lint.toml",
    "codegen/amqp_codegen/diff/concepts.py": "specs/concepts.toml",
    "codegen/amqp_codegen/export/rabbitmq_json.py": "specs/rabbitmq-json.toml",
    "codegen/amqp_traffic/secret_names.py": "specs/secrets.toml",
    "codegen/amqp_traffic/lake/specification/built_in.py": "specs/",
    "codegen/amqp_codegen/emit/": f"{_TEMPLATES} templates/conformance/ templates/native/",
    "codegen/amqp_codegen/support/page.py": "templates/page/",
    "codegen/amqp_codegen/reference/": "templates/reference/",
    "codegen/amqp_codegen/diff/": "templates/diff_report/",
    "codegen/amqp_conformance/reports/": "templates/conformance_report/",
    "codegen/amqp_traffic/report/": "templates/traffic_report/",
    "codegen/amqp_conformance/engine/registry.py": "codegen/amqp_conformance/",
    "codegen/amqp_traffic/audit/preload.py": "codegen/amqp_traffic/audit/lake_audit.py",
    "codegen/amqp_traffic/capture/native_module.py": "native/ingest/",
    **{f"generated/{package}/": f"{read} {_AMQP0}" for package, read in _PACKAGES.items()},
    **{
        f"generated/conformance/{package}/": f"generated/{package}/ {_SUITE}/amqp{int(package.startswith('amqp_1_0'))}/"
        for package in _PACKAGES
    },
    "tests/test_house.py": "codegen/ generated/ native/ tests/ tools/ docs/architecture.svg",
    "tests/test_wheel.py": "codegen/ specs/ templates/ generated/ native/ expectations/",
    "tests/native/": "native/",
    "tests/docs_site/": "docs/ mkdocs.yml README.md CHANGELOG.md",
}
# What these functions read for who imports them; what a module of codegen/ reads by the last two, `ARROWS` say.
RESOURCES = "amqp_codegen.support.resources"
NAMED_IN_ARROWS = {"specs_dir": "specs/", "templates_dir": "templates/"}
READ_BY = {
    "wire_file": "specs/wire.toml",
    "arguments_file": "specs/arguments.toml",
    "native_sources_dir": "native/src/",
    "expectations_dir": "expectations/",
    "generated_dir": "generated/",
    "load_package": "generated/",
    "load_module": "generated/",
    **NAMED_IN_ARROWS,
}
# Its functions import what they need when they are called.
API = "amqp_codegen.api"
# Who imports one of these, or starts it, calls the commands that are words in its texts; if none is, perhaps all.
COMMAND_LINE = {"amqp_codegen.__main__", "amqp_codegen.cli.main", "tests.cli.command_calls"}
STARTED = {"amqp-codegen": "amqp_codegen.cli.main", "amqp_codegen": "amqp_codegen.__main__"}
CALLS = {"tests.emit.small_specifications": {"generate"}, "benchmarks.generate": {"generate"}}
GROUPS = {COMMANDS["traffic"]: TRAFFIC_COMMANDS, COMMANDS["conformance"]: CONFORMANCE_COMMANDS}


class Dependencies:
    """The dependencies of each module, by its name, and of generated packages and suites, by their paths.

    Attributes:
        paths: The file of each module. ``gone`` are some that are no more, but may still be imported.
        direct: What a module, package or suite depends on itself: modules and paths.
        dependents: The same the other way round.
    """

    def __init__(self, gone: Iterable[str] = ()) -> None:
        self.paths: dict[str, str] = {}
        for folder, top in PYTHON.items():
            missing = {ROOT / path for path in gone if path.startswith(f"{folder}/")}
            for file in sorted({*(ROOT / folder).rglob("*.py"), *missing}):
                self.paths[module_name(file, top)] = file.relative_to(ROOT).as_posix()
        self._tops = {path.name for path in ROOT.iterdir()} - {"build", "codegen"}
        self._folders = {path.rpartition("/")[0] for path in self.paths.values()}
        # Data of tests, by its name: a test in another folder may read it, too.
        self._data: dict[str, set[str]] = {}
        for data in (ROOT / "tests").rglob("*.*"):
            if data.suffix not in (".py", ".pyc"):
                self._data.setdefault(data.name, set()).add(data.relative_to(ROOT).as_posix())
        house = read_modules({name: ROOT / path for name, path in self.paths.items()})
        self.direct: dict[str, set[str]] = {name: {path} for name, path in self.paths.items()}
        for found in house.imports:
            if found.imported != API:
                self.direct[found.importer].add(found.imported)
        for name, path in self.paths.items():
            self.direct[name].update(self._around(name), self._in_file(name, path))
            self.direct[name].discard("")
        for reader, read in ARROWS.items():
            for name in self._modules_in(reader) or [reader]:
                direct = self.direct.setdefault(name, set())
                for place in read.split():
                    direct.update([place] if name.startswith("tests.") else self._at(place))
        self._split_api([found for found in house.imports if found.importer == API])
        self.dependents: dict[str, set[str]] = {}
        for name, needed in self.direct.items():
            for place in needed:
                self.dependents.setdefault(place, set()).add(name)

    def _modules_in(self, place: str) -> list[str]:
        return [
            name
            for name, path in self.paths.items()
            if path == place or (place[-1] == "/" and path.startswith(place))
        ]

    def _at(self, place: str) -> Iterator[str]:
        yield place
        yield from self._modules_in(place)

    def _around(self, name: str) -> Iterator[str]:
        """Yield what runs with a module: the packages that it is in, what pytest loads before it; and the data beside it."""
        parts = name.split(".")
        for above in (".".join(parts[:count]) for count in range(1, len(parts))):
            with_it = {above, f"{above}.conftest"} if parts[-1].startswith(("test_", "conftest")) else {above}
            yield from with_it & self.paths.keys() - {name}
        yield f"{self.paths[name].rpartition('/')[0]}/*"

    def _in_file(self, name: str, path: str) -> Iterator[str]:
        """Yield the generated packages that a module imports, what it has from `READ_BY` and `API`, and what its texts name."""
        tree = syntax_tree(ROOT / path)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts: set[str] = set()
        read: set[str] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    yield from (_generated(alias.name) for alias in node.names)
                case ast.ImportFrom():
                    base = absolute(name, path.endswith("/__init__.py"), node)
                    yield _generated(base)
                    for alias in node.names:
                        read.update(_read_by(base, alias.name, is_ours=path.startswith("codegen/")))
                case ast.Attribute(value=ast.Name(id="api")):
                    yield f"{API}:{node.attr}"
                case ast.Call(args=[ast.JoinedStr() | ast.Attribute() | ast.Name(), *_]) if _imports(node):
                    yield "" if path.startswith("codegen/") else "generated/"
                case ast.Attribute(attr="COMMANDS"):
                    texts.update(COMMANDS, *GROUPS.values())
                case ast.Constant(value=str(text)) if id(node) not in docstrings:
                    texts.add(text)
        for place in read:
            inside = {self._at_path(f"{place}{text}") for text in texts if place in NAMED_IN_ARROWS.values()}
            yield from inside - {""} or {place}
        if name in (__name__, "amqp_codegen.cli.main", *GROUPS):
            return  # its texts are arrows, or the modules of commands
        named = {
            place for text in texts for place in self._in_text(text, is_ours=path.startswith("codegen/"))
        }
        yield from named
        if name not in COMMAND_LINE and (named | self.direct[name]) & COMMAND_LINE:
            yield from _commands(CALLS.get(name) or set(re.findall(r"[\w-]+", " ".join(texts))))

    def _in_text(self, text: str, *, is_ours: bool) -> Iterator[str]:
        for module in re.findall(r"\b(?:amqp_|tests\.|tools\.|benchmarks\.|examples\.)[\w.]+", text):
            yield _generated(module)
            while "." in module:
                if module in self.paths:
                    yield module
                    break
                module = module.rpartition(".")[0]
        if is_ours:
            return
        yield STARTED.get(text, "")
        yield from self._data.get(text, ())
        place = self._at_path(text)
        if place != "tests/" and place.split("/")[0] in self._tops:
            yield from self._at(place)

    def _at_path(self, text: str) -> str:
        """Return the path if the text is one in the checkout."""
        if not re.fullmatch(r"[\w.-]+(/[\w.-]+)*", text) or not (ROOT / text).exists():
            return ""
        return f"{text}/" if (ROOT / text).is_dir() else text

    def _split_api(self, imports: list[Import]) -> None:
        """Let a function of `API` depend on its own imports and on the functions that it calls; what all need is ``API:``."""
        body = syntax_tree(ROOT / self.paths[API]).body
        functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}

        def inside(*nodes: ast.stmt) -> set[str]:
            lines = {line for node in nodes for line in range(node.lineno, (node.end_lineno or 0) + 1)}
            return {found.imported for found in imports if found.line in lines}

        at_once = inside(*(node for node in body if isinstance(node, ast.ImportFrom)))
        self.direct[f"{API}:"] = {self.paths[API], *at_once}
        for name, function in functions.items():
            called = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} & functions.keys()
            self.direct[f"{API}:{name}"] = inside(function) | {f"{API}:{other}" for other in called}


def _read_by(base: str, name: str, *, is_ours: bool) -> Iterator[str]:
    if base == API:
        yield from (f"{API}:", f"{API}:{name}")
    elif base == RESOURCES and not (is_ours and name in NAMED_IN_ARROWS):
        yield READ_BY.get(name, "")
    elif f"{base}.{name}" == RESOURCES:
        yield from READ_BY.values()
    elif f"{base}.{name}" == API:
        yield f"{API}:"


def _imports(call: ast.Call) -> bool:
    return getattr(call.func, "attr", getattr(call.func, "id", "")) == "import_module"


def _generated(module: str) -> str:
    place = f"generated/{module.partition('.')[0]}/"
    return place if place in ARROWS else ""


def _commands(words: set[str]) -> set[str]:
    modules = {COMMANDS[word] for word in words & COMMANDS.keys()} or set(COMMANDS.values())
    modules.add(COMMANDS["generate"])  # what a call without a command means
    for group in modules & GROUPS.keys():
        modules |= {GROUPS[group][word] for word in words & GROUPS[group].keys()} or set(
            GROUPS[group].values()
        )
    if COMMANDS["conformance"] in modules:
        modules.add(CONFORMANCE_COMMANDS["run"])
    return modules
