"""``amqp-codegen`` without arguments: the targets of ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command_calls import OTHER_SPEC, call, everything, place, refused, refused_with_one_line, write
from .test_generate_command import COUNT, FIELD_OVERLAY

__all__ = ["place"]

TWO = """
[tool.other]
x = 1

[tool.amqp-codegen]
output = "lib/made"

[[tool.amqp-codegen.targets]]
spec = "spec.xml"
templates = "tiny"

[[tool.amqp-codegen.targets]]
spec = ["sub/other.xml"]
overlays = ["sub/mine.xml"]
package = "second"
dialect = "qpid"
templates = "tiny"
"""


@pytest.fixture
def two(place: Path) -> Path:
    overlay = FIELD_OVERLAY.replace('name="c"', 'name="d"')
    write({"pyproject.toml": TWO, "sub/other.xml": OTHER_SPEC, "sub/mine.xml": overlay})
    return place


def test_all_targets_are_generated(two: Path) -> None:
    result = call()
    assert (result.code, result.err) == (0, [])
    assert result.out == [
        f"lib/made/amqp_0_9_1: {COUNT} files written",
        f"lib/made/second: {COUNT} files written",
    ]
    text = Path("lib/made/second/table.py").read_text()
    assert 'METHODS = ["d.m", "d.n"]' in text
    assert 'DIALECT = "qpid"\n' in text
    again = call()
    assert [line.partition(": ")[2] for line in again.out] == ["nothing to do, all files are current"] * 2


def test_all_targets_are_checked(two: Path) -> None:
    call()
    assert call("--check").out == [f"{2 * COUNT} files are current"]
    Path("lib/made/second/table.py").unlink()
    Path("lib/made/amqp_0_9_1/table.py").write_text("")
    result = call("--check")
    assert (result.code, result.out) == (
        1,
        ["changed: lib/made/amqp_0_9_1/table.py", "missing: lib/made/second/table.py"],
    )
    assert call().out == ["lib/made/amqp_0_9_1: 1 file written", "lib/made/second: 1 file written"]


def test_another_output_folder(two: Path) -> None:
    assert call("generate", "-o", "elsewhere").out[0] == f"elsewhere/amqp_0_9_1: {COUNT} files written"
    assert not Path("lib").exists()


def test_the_default_output_folder_and_a_built_in_name(place: Path) -> None:
    write({"pyproject.toml": '[[tool.amqp-codegen.targets]]\nspec = "0-9-1-rabbitmq"\ntemplates = "tiny"\n'})
    assert call().out[0].startswith("generated/amqp_0_9_1_rabbitmq: ")


def test_a_file_is_meant_rather_than_a_built_in_name(place: Path) -> None:
    """Beside the project file, as a path."""
    write(
        {
            "0-8": OTHER_SPEC,
            "pyproject.toml": '[[tool.amqp-codegen.targets]]\nspec = "./0-8"\ntemplates = "tiny"\n',
        }
    )
    assert call().out[0].startswith("generated/amqp_0_9_1: ")


def test_all_or_none_of_the_targets(two: Path) -> None:
    write({"sub/other.xml": "<amqp"})
    assert refused_with_one_line().startswith("sub/other.xml:1:")
    assert not Path("lib").exists()


def test_faults_of_all_targets_are_told(two: Path) -> None:
    write({"sub/other.xml": "<amqp", "spec.xml": "<html/>"})
    assert [line.split(":")[0] for line in refused()] == ["spec.xml", "sub/other.xml"]


def test_missing_files_of_all_targets_are_told(two: Path) -> None:
    Path("spec.xml").unlink()
    Path("sub/other.xml").unlink()
    found = refused()
    assert len(found) == 2
    assert "spec.xml" in found[0]
    assert "sub/other.xml" in found[1]


def test_two_targets_of_one_package(place: Path) -> None:
    target = '[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\ntemplates = "tiny"\n'
    write({"pyproject.toml": target + target})
    assert refused_with_one_line().startswith("error: two targets have the package 'amqp_0_9_1'")


def test_no_project_file(place: Path) -> None:
    assert refused_with_one_line() == (
        "error: give a SPEC: there is no pyproject.toml here whose targets could be taken "
        "(for example amqp-codegen 0-9-1; amqp-codegen --help shows more) [no-targets]"
    )


@pytest.mark.parametrize(
    ("text", "part", "rule"),
    [
        ("", "there is no [tool.amqp-codegen] table; give a SPEC", "no-targets"),
        ("[tool.other]\nx = 1", "there is no [tool.amqp-codegen] table", "no-targets"),
        ("[tool.amqp-codegen]\noutput = 'x'", "targets", "no-targets"),
        ("[tool.amqp-codegen]\ntargets = []", "targets", "no-targets"),
        ("[tool.amqp-codegen]\ntargets = 1", "targets", "bad-targets"),
        ("[tool.amqp-codegen]\ntargets = [1]", "targets", "bad-targets"),
        ("tool = 1", "tool", "bad-targets"),
        ("[tool]\namqp-codegen = 'x'", "amqp-codegen", "bad-targets"),
        ("[tool.amqp-codegen", "TOML", "bad-targets"),
        ("a = 1\na = 2", "TOML", "bad-targets"),
    ],
)
def test_no_targets(place: Path, text: str, part: str, rule: str) -> None:
    write({"pyproject.toml": text})
    line = refused_with_one_line()
    assert line.startswith("pyproject.toml:")
    assert part in line
    assert line.endswith(f" [{rule}]")


@pytest.mark.parametrize(
    ("entry", "part"),
    [
        ("", "spec"),
        ("spec = 3", "spec"),
        ("spec = []", "spec"),
        ("spec = [3]", "spec"),
        ("spec = ''", "spec"),
        ("spec = true", "spec"),
        ("spec = 'spec.xml'\noverlays = 'mine.xml'", "overlays"),
        ("spec = 'spec.xml'\noverlays = [1]", "overlays"),
        ("spec = 'spec.xml'\noverlays = 3", "overlays"),
        ("spec = 'spec.xml'\npackage = 3", "package"),
        ("spec = 'spec.xml'\ndialect = ['qpid']", "dialect"),
        ("spec = 'spec.xml'\ntemplates = 3", "templates"),
        ("spec = 'spec.xml'\ntemplates = ['tiny']", "templates"),
        ("spec = 'spec.xml'\npakage = 'x'", "pakage"),
        ("spec = 'spec.xml'\noutput = 'x'", "output"),
    ],
)
def test_a_target_that_is_wrong(place: Path, entry: str, part: str) -> None:
    write({"pyproject.toml": f"[[tool.amqp-codegen.targets]]\n{entry}\n"})
    line = refused_with_one_line()
    assert line.startswith("pyproject.toml:")
    assert part in line
    assert line.endswith(" [bad-targets]")


@pytest.mark.parametrize(
    ("key", "part"), [("output = 3", "output"), ("ouput = 'x'", "ouput"), ("output = ['x']", "output")]
)
def test_a_table_that_is_wrong(place: Path, key: str, part: str) -> None:
    write(
        {"pyproject.toml": f"[tool.amqp-codegen]\n{key}\n[[tool.amqp-codegen.targets]]\nspec = 'spec.xml'\n"}
    )
    line = refused_with_one_line()
    assert part in line
    assert line.endswith(" [bad-targets]")


def test_everything_wrong_is_told(place: Path) -> None:
    write(
        {
            "pyproject.toml": "[tool.amqp-codegen]\nouput = 'x'\n"
            "[[tool.amqp-codegen.targets]]\nspec = 3\npackage = 4\n[[tool.amqp-codegen.targets]]\nsepc = 'x'\n"
        }
    )
    before = everything(place)
    found = refused()
    assert len(found) >= 4
    assert all(line.endswith(" [bad-targets]") for line in found)
    assert everything(place) == before


def test_a_project_file_that_cannot_be_read(place: Path) -> None:
    Path("pyproject.toml").write_bytes(b"a = '\xff'")
    assert refused_with_one_line().endswith(" [bad-targets]")
    Path("pyproject.toml").unlink()
    Path("pyproject.toml").mkdir()
    assert refused_with_one_line().endswith(" [bad-targets]")
