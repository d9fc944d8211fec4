"""README and docs say the truth: their Python is run, their commands are run, their paths are there.

Blocks marked ``console`` are run in order, in one folder a document; a block with a file name after its
language is written there. Blocks marked ``sh`` are not run: they set up this very environment.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from amqp_codegen.emit.generate import generate
from amqp_codegen.emit.target import Target
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.amqp0.wire import read_wire
from amqp_codegen.support.resources import specs_dir
from conformance.amqp_0_9_1.cases import SCHEMA
from conformance.amqp_0_9_1.deviations import read_deviations

from tests.cli.command_calls import call
from tests.conftest import AMQP_URL
from tests.live_runner.amqp1.fake_peer import running
from tests.live_runner.fake_broker import fake_broker
from tests.patience import PATIENCE
from tests.reader.raw_models import load_amqp0
from tests.suites.suite_projects import copy_suite, run_suite

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    "docs/api.md",
    "README.md",
    "docs/README.md",
    "docs/architecture.md",
    "docs/build.md",
    "docs/client-modules.md",
    "docs/clients.md",
    "docs/command-line.md",
    "docs/conformance-live.md",
    "docs/conformance-peers.md",
    "docs/conformance.md",
    "docs/decode.md",
    "docs/dialects.md",
    "docs/diff.md",
    "docs/engine.md",
    "docs/grammar.md",
    "docs/lint.md",
    "docs/model.md",
    "docs/native.md",
    "docs/overlays.md",
    "docs/packages.md",
    "docs/performance.md",
    "docs/reference.md",
    "docs/traffic-live.md",
    "docs/traffic-show.md",
    "docs/traffic-synth.md",
    "docs/traffic.md",
    "docs/spec-errata.md",
    "docs/templates.md",
    "docs/vectors-1.0.md",
)
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
# Made from the model, whose paths are those of fields and rules.
MODEL_TABLES = re.compile(r"^<!-- model: .*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
# What the documents name but a fresh clone does not have.
MADE_LATER = {".venv/bin/amqp-codegen", "build/brokers/", "build/pythons/", "dist/"}
NONE = "\N{EN DASH}"  # in a table of dialects: no such letter
# Paths are named from the root, or from the folder that a passage is about.
PLACES = (
    "",
    "codegen",
    "codegen/amqp_codegen",
    "codegen/amqp_traffic",
    "generated/amqp_0_9_1",
    "generated/amqp_1_0",
    "templates",
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is to be written to, its text, the line it begins in."""

    language: str
    file: str | None
    text: str
    line: int


def blocks(document: str, language: str = "") -> list[Block]:
    text = (ROOT / document).read_text(encoding="utf-8")
    found = [
        Block(match["language"], match["file"], match["text"], text.count("\n", 0, match.start("text")) + 1)
        for match in BLOCK.finditer(text)
    ]
    return [block for block in found if language in ("", block.language)]


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "docs/api.md",
        "docs/client-modules.md",
        "docs/clients.md",
        "docs/dialects.md",
        "docs/engine.md",
        "docs/grammar.md",
        "docs/packages.md",
    ],
)
def test_python_examples(document: str) -> None:
    """All of a document in a row, in one session."""
    examples = [block for block in blocks(document, "python") if block.file is None]
    assert examples
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {}
    report: list[str] = []
    for block in examples:
        example = parser.get_doctest(block.text, names, document, document, block.line - 1)
        assert example.examples, f"{document}:{block.line}: a python block without >>>"
        runner.run(example, out=report.append, clear_globs=False)
        names = example.globs
    assert not report, "\n".join(report)


SHORT = (
    "README.md",
    "docs/grammar.md",
    "docs/lint.md",
    "docs/model.md",
    "docs/native.md",
    "docs/traffic-synth.md",
)
LONG = (
    "docs/command-line.md",
    "docs/decode.md",
    "docs/diff.md",
    "docs/reference.md",
    "docs/templates.md",
    "docs/traffic-live.md",
    "docs/traffic-show.md",
    "docs/traffic.md",
)


@pytest.mark.parametrize("document", [*SHORT, *(pytest.param(item, marks=pytest.mark.slow) for item in LONG)])
def test_commands(tmp_path: Path, document: str) -> None:
    """Each command prints what the document says, standard error included."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)
    count = 0
    for block in blocks(document):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        if block.language != "console":
            continue
        for command, expected in commands(block):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            assert counted(done.stdout) == counted(expected), f"{document}:{block.line}: {command}"
            count += 1
    assert count


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a block with the output that each is to have."""
    first, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first, f"line {block.line}: output before the first command"
    pairs = [part.partition("\n") for part in parts]
    return [(command, output) for command, _, output in pairs]


def counted(text: str) -> str:
    """The text, whatever the number of generated files: it changes too often to be wrong."""
    return re.sub(r"\b[1-9]\d* files", "some files", text)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_are_there(document: str) -> None:
    """What is named with a slash, or in capitals with an ending, exists."""
    prose = MODEL_TABLES.sub("", BLOCK.sub("", (ROOT / document).read_text(encoding="utf-8")))
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[A-Z]+\.md|LICENSE)`", prose)) - MADE_LATER
    links = {str(Path(document).parent / link) for link in re.findall(r"\]\(([\w./-]+)\)", prose)}
    missing = [
        name for name in sorted(named | links) if not any((ROOT / place / name).exists() for place in PLACES)
    ]
    assert named or links
    assert missing == []


def test_the_case_shown_is_a_case() -> None:
    (shown,) = blocks("docs/conformance.md", "json")
    vectors = json.loads((ROOT / "generated/conformance/amqp_0_9_1/vectors.json").read_text(encoding="utf-8"))
    assert json.loads(shown.text) in vectors["cases"]


def test_the_page_on_suites_names_every_file_of_one() -> None:
    text = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / "generated/conformance/amqp_0_9_1").iterdir() if path.is_file()}
    assert [name for name in sorted(files - {"__init__.py"}) if f"`{name}`" not in text] == []


def test_the_known_deviations_shown_can_be_read(tmp_path: Path) -> None:
    (shown,) = blocks("docs/conformance.md", "toml")
    path = tmp_path / "deviations.toml"
    path.write_text(shown.text, encoding="utf-8")
    first, second = read_deviations(path)
    assert first.is_about("test_encode list/typical")
    assert (first.run, second.run) == (True, False)


def test_the_schema_shown_is_that_of_the_suite() -> None:
    example = next(block for block in blocks("docs/conformance.md", "python") if "SCHEMA" in block.text)
    names: dict[str, object] = {"SCHEMA": SCHEMA}
    imported, _, code = example.text.partition("\n")
    assert imported == "from amqp_suite.cases import SCHEMA"
    code, _, answer = code.strip().rpartition("\n")
    exec(code, names)
    assert repr(eval(answer.partition("#")[0], names)) == answer.partition("# ")[2].replace('"', "'")


@pytest.mark.broker
def test_the_drivers_of_rules_keep_on_rabbitmq(tmp_path: Path) -> None:
    (block,) = (block for block in blocks("docs/conformance.md", "python") if block.file == "drivers.py")
    copy_suite("amqp_0_9_1_rabbitmq", tmp_path)
    (tmp_path / "drivers.py").write_text(block.text, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("import drivers\n", encoding="utf-8")
    outcome = run_suite(tmp_path, AMQP_BROKER=AMQP_URL)
    assert outcome.code == 0, outcome.text
    assert outcome.numbers["passed"] == 3  # one more: every driver belongs to a rule
    longest = max(re.split(r"^@", block.text, flags=re.MULTILINE), key=lambda driver: driver.count("\n"))
    assert longest.strip().count("\n") <= 15


def test_the_rule_and_the_driver_of_ones_own_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = {block.file: block.text for block in blocks("docs/conformance-live.md") if block.file}
    (tmp_path / "drivers").mkdir()
    for name, text in written.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (block,) = (block for block in blocks("docs/conformance-live.md", "sh") if "new queue." in block.text)
    run, new, _ = block.text.splitlines()
    monkeypatch.chdir(tmp_path)
    with fake_broker() as fake:
        result = call(
            *shlex.split(run.replace("amqp://localhost/", fake.url), comments=True)[1:], "--timeout", "1"
        )
    assert "passed               queue.declare/short-names [MUST]" in result.out
    assert '@rule({"0-9-1": "queue.declare/short-names"})' in call(*shlex.split(new, comments=True)[1:]).out


def test_the_driver_of_a_rule_of_1_0_keeps_on_a_container(tmp_path: Path) -> None:
    (block,) = (block for block in blocks("docs/conformance.md", "python") if block.file == "drivers_1_0.py")
    copy_suite("amqp_1_0", tmp_path)
    (tmp_path / "conftest.py").write_text(block.text, encoding="utf-8")
    with running() as peer:
        outcome = run_suite(tmp_path, AMQP_BROKER=peer.url)
    assert outcome.code == 0, outcome.text
    assert outcome.numbers["passed"] == 2


def test_the_page_on_packages_names_every_file_of_one() -> None:
    text = (ROOT / "docs/packages.md").read_text(encoding="utf-8")
    package = ROOT / "generated/amqp_0_9_1"
    files = {path.name for path in package.glob("*.py")}
    assert [name for name in sorted(files) if f"`{name}`" not in text] == []


def test_dialect_tables() -> None:
    """The tables of letters are those of wire.toml."""
    text = (ROOT / "docs/dialects.md").read_text(encoding="utf-8")
    wire = read_wire((specs_dir() / "wire.toml").read_bytes(), "wire.toml")
    dialects = list(wire.dialects.values())
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line
    ]
    heads = [row for row in rows if row[0] in ("letter", "value")]
    assert heads == [[head, *(f"`{dialect.name}`" for dialect in dialects)] for head in ("letter", "value")]

    read = {row[0].strip("`"): row[1:] for row in rows if re.fullmatch(r"`\w`", row[0])}
    letters = {letter for dialect in dialects for letter in dialect.read}
    assert read == {letter: [dialect.read.get(letter, NONE) for dialect in dialects] for letter in letters}

    written = {row[0]: row[1:] for row in rows}
    for label, kind in {"`bool`": "boolean", "`float`": "float", "`str`": "text", "`bytes`": "bytes"}.items():
        assert written[label] == [_ticked(dialect.write.get(kind)) for dialect in dialects]
    for label, kind in {
        "`Decimal`": "decimal",
        "`list`": "array",
        "`dict`": "table",
        "`None`": "void",
    }.items():
        assert written[label] == [_ticked(dialect.write.get(kind)) for dialect in dialects]
    assert written["`int`"] == [", ".join(map(_ticked, dialect.integers)) for dialect in dialects]


def _ticked(letter: str | None) -> str:
    return f"`{letter}`" if letter else NONE


def test_overlay_example(tmp_path: Path) -> None:
    """The overlay that the page explains fits, without a warning."""
    block, part = blocks("docs/overlays.md", "xml")
    overlay = tmp_path / "overlay.xml"
    overlay.write_text(block.text, encoding="utf-8")
    (tmp_path / "mine.xml").write_text(part.text, encoding="utf-8")
    target = Target((*resolve_input("1.0").files, tmp_path / "mine.xml"), package="my_amqp")
    made = generate(target).files
    assert "class ColourFilter" in made["my_amqp/_types/_colour_filter.py"]
    spec, problems = load_amqp0(specs_dir() / "amqp0-9-1.xml", [overlay])
    assert problems == []
    assert "our broker takes any name" in repr(spec)
