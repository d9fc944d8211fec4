"""What a specification may be read from, the same in every command: several files, standard input, git revisions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from amqp_codegen.cli.main import cli
from amqp_codegen.support.resources import specs_dir
from click.testing import CliRunner

from tests.patience import PATIENCE

from .command_calls import (
    OTHER_SPEC,
    SPEC,
    TINY_TEMPLATE_1_0,
    Result,
    call,
    place,
    refused,
    tiny,
    write,
    write_tiny_templates,
)

__all__ = ["place"]

FILTERS = """<amqp name="filters"><section name="filters">
<type name="selector-filter" class="restricted" source="string" provides="filter">
<descriptor name="apache.org:selector-filter:string" code="0x0000468C:0x00000004"/></type></section></amqp>"""
PARTS = [
    ["1.0", "filters.xml"],
    ["filters.xml", "1.0"],
    ["folder", "filters.xml"],
    [
        *(f"folder/{part}.xml" for part in ("types", "transport", "messaging", "transactions", "security")),
        "filters.xml",
    ],
]


@pytest.fixture
def parts(place: Path) -> Path:
    write({"filters.xml": FILTERS})
    write(
        {
            f"folder/{path.name}": path.read_text(encoding="utf-8")
            for path in (specs_dir() / "amqp1-0").iterdir()
        }
    )
    return place


def with_input(text: str, *arguments: str) -> Result:
    result = CliRunner().invoke(cli, list(arguments), prog_name="amqp-codegen", input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return Result(result.exit_code, result.stdout.splitlines(), result.stderr.splitlines())


@pytest.mark.parametrize("specs", PARTS, ids=" ".join)
def test_parts_of_1_0_are_one_specification(parts: Path, specs: list[str]) -> None:
    model = json.loads("\n".join(call("model", *specs).out))
    assert [part["name"] for part in model["specification"]["parts"]][-1] == "filters"
    linted = call("lint", *specs)
    assert (linted.err, linted.out[-1].split(":")[0]) == ([], "6 files")
    assert not any(": error: " in line for line in linted.out)
    changed = call("diff", "1.0", specs[0], *(word for spec in specs[1:] for word in ("--new-part", spec)))
    assert (changed.code, changed.err) == (0, [])
    assert any(line.startswith("  BEHAVIOUR + type selector-filter added: ") for line in changed.out)
    assert (
        call("diff", specs[0], "1.0", *(word for spec in specs[1:] for word in ("--old-part", spec))).code
        == 0
    )


@pytest.mark.parametrize("specs", PARTS[:3], ids=" ".join)
def test_parts_of_1_0_are_one_specification_to_the_guide_and_the_generator(
    parts: Path, specs: list[str]
) -> None:
    result = call("reference", *specs, "-o", "guide")
    assert (result.code, [line for line in result.err if ": error: " in line]) == (0, [])
    assert "selector-filter" in Path("guide/index.html").read_text(encoding="utf-8")
    write_tiny_templates(parts / "tiny", "amqp0", "amqp1", "common", template=TINY_TEMPLATE_1_0)
    assert tiny(*specs, "-o", "src").code == 0
    assert Path("src/amqp_1_0/_types/_selector_filter.py").is_file()


def test_a_second_whole_specification_is_another_one(parts: Path) -> None:
    assert not any("[duplicate-part]" in line for line in call("lint", "1.0", "folder").out)
    assert any("[duplicate-part]" in line for line in call("lint", "1.0", "folder/types.xml").out)


# --- Standard input ---


def test_standard_input_is_a_specification_everywhere(place: Path) -> None:
    assert with_input(SPEC, "--templates", "tiny", "-").out[0].startswith("generated/amqp_0_9_1: ")
    assert "stdin" in Path("generated/amqp_0_9_1/table.py").read_text(encoding="utf-8")
    assert with_input(SPEC, "model", "-").code == 0
    assert with_input(SPEC, "grammar", "-", "c").code == 0
    assert with_input("<amqp>", "lint", "-").out[0].startswith("-:1:7: error: not well-formed XML")
    assert (
        with_input(OTHER_SPEC, "diff", "spec.xml", "-")
        .out[0]
        .startswith("0-9-1 (spec.xml) -> 0-9-1 (stdin): ")
    )
    assert with_input(SPEC, "diff", "-", "-").out == ["0-9-1 (stdin) -> 0-9-1 (stdin): no differences"]


def test_standard_input_is_an_overlay(place: Path) -> None:
    overlay = """<amqp major="0" minor="9" revision="1" overlay="spec.xml">
<constant name="not-found" overlay="remove" reason="r" source="s"/></amqp>"""
    changed = with_input(overlay, "diff", "spec.xml", "spec.xml", "--new-overlay", "-")
    assert changed.out[0] == "0-9-1 (spec.xml) -> 0-9-1 (spec.xml, stdin): 1 SOURCE"
    assert with_input(overlay, "--templates", "tiny", "spec.xml", "--overlay", "-").code == 0


def test_a_file_of_that_name(place: Path) -> None:
    write({"-": "<amqp"})
    assert with_input(SPEC, "model", "-").code == 0


# --- Revisions of git ---


@pytest.fixture
def repository(place: Path) -> Path:
    write(
        {
            "specs/mine.xml": SPEC,
            "ten/types.xml": '<amqp name="types"><section name="s"/></amqp>',
            "ten/notes.txt": "x",
        }
    )
    # Without maintenance, which goes on in the background and writes files while a test looks at them.
    settings = "-c user.name=t -c user.email=t@t -c maintenance.auto=false"
    for command in ("init -q", "add specs ten", f"{settings} commit -q -m first"):
        subprocess.run(["git", *command.split()], check=True, timeout=PATIENCE)
    write({"specs/mine.xml": OTHER_SPEC})
    return place


def test_a_file_of_a_revision(repository: Path) -> None:
    found = call("diff", "git:HEAD:specs/mine.xml", "specs/mine.xml", "--level", "SOURCE")
    assert (found.code, found.err) == (0, [])
    assert found.out[0].startswith("0-9-1 (HEAD:specs/mine.xml) -> 0-9-1 (mine.xml): ")
    assert found.out[-1] == "  SOURCE    ~ class d renamed, was c [class-renamed]"
    assert call("lint", "git:HEAD:specs/mine.xml").out[-1].startswith("1 file: ")
    assert call("diff", "git:HEAD:specs", "git:HEAD:specs/").out[0].endswith("no differences")


def test_a_folder_of_a_revision(repository: Path) -> None:
    assert [line.split(":")[0] for line in call("lint", "git:HEAD:ten").out[-1:]] == ["1 file"]


def test_what_the_repository_does_not_have(repository: Path) -> None:
    for text in ("git:HEAD:specs/none.xml", "git:nosuch:specs/mine.xml"):
        (line,) = refused("diff", text, "specs/mine.xml")
        assert line.startswith(f"error: git has no '{text.removeprefix('git:')}': ")
        assert line.endswith("[no-such-file]")


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    (line,) = refused("diff", "git:HEAD:specs/mine.xml", "specs/mine.xml")
    assert line == "error: cannot read 'HEAD:specs/mine.xml': git is not installed [no-such-file]"


# --- Warnings ---


def test_no_warning_about_our_own_specifications(place: Path) -> None:
    """What lint.toml declares is not printed by other commands; the same in a copy is."""
    assert call("model", "1.0").err == []
    write(
        {
            "copy/" + path.name: path.read_text(encoding="utf-8")
            for path in (specs_dir() / "amqp1-0").iterdir()
        }
    )
    assert call("reference", "1.0", "-o", "guide").err == []
    assert "[unprovided-archetype]" in call("reference", "copy", "-o", "guide").err[0]
