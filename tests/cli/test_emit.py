"""``--emit``: which of the package and its suite are written, and that neither touches the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .command_calls import OTHER_SPEC, call, place, write
from .test_generate_command import names

__all__ = ["place"]

SUITE = Path("generated/conformance/amqp_0_9_1")


def test_the_suite_alone(place: Path) -> None:
    result = call("spec.xml", "--emit", "conformance")
    count = len(names("generated"))
    assert (result.code, result.out, result.err) == (0, [f"{SUITE}: {count} files written"], [])
    assert not Path("generated/amqp_0_9_1").exists()
    assert (SUITE / "test_vectors.py").is_file()
    assert Path("generated/conformance/__init__.py").is_file()
    assert call("spec.xml", "--emit", "conformance").out == [f"{SUITE}: nothing to do, all files are current"]
    assert call("spec.xml", "--emit", "conformance", "--check").code == 0


def test_both(place: Path) -> None:
    call("spec.xml", "--emit", "codecs")
    codecs = names("generated")
    assert not SUITE.exists()
    assert call("spec.xml", "--emit", "codecs,conformance").code == 0
    assert codecs < names("generated")
    both = names("generated")
    assert call("spec.xml", "--emit", "conformance,codecs", "--check").out == [
        f"{len(both)} files are current"
    ]
    # What is not asked for is left as it is.
    for emit in ("codecs", "conformance"):
        call("spec.xml", "--emit", emit)
        assert names("generated") == both


def test_columns_are_a_folder_of_the_package(place: Path) -> None:
    package = Path("generated/amqp_0_9_1")
    for arguments in ((), ("--emit", "codecs")):
        call("spec.xml", *arguments)
        assert not (package / "columns").exists()
    codecs = names("generated")
    assert call("spec.xml", "--emit", "codecs,columns", "--check").code == 1
    assert call("spec.xml", "--emit", "codecs,columns").code == 0
    added = {Path(name) for name in names("generated") - codecs}
    assert {path.parent for path in added} == {package / "columns"}
    assert {path.stem for path in added} >= {"__init__", "_rows", "_c", "variant_octets", "variant"}
    assert call("spec.xml", "--emit", "codecs,columns", "--check").code == 0


def test_columns_that_are_no_longer_emitted_are_removed(place: Path) -> None:
    call("spec.xml", "--emit", "codecs")
    codecs = names("generated")
    call("spec.xml", "--emit", "codecs,columns")
    write({"generated/amqp_0_9_1/columns/mine.py": "x = 1\n"})
    result = call("spec.xml", "--emit", "codecs", "--check")
    assert result.code == 1
    assert "extra: generated/amqp_0_9_1/columns/_rows.py" in result.out
    call("spec.xml", "--emit", "codecs")
    assert names("generated") == {*codecs, "generated/amqp_0_9_1/columns/mine.py"}


def test_json_of_ours_is_known_and_that_of_others_left_alone(place: Path) -> None:
    call("spec.xml", "--emit", "conformance")
    vectors = SUITE / "vectors.json"
    write(
        {f"{SUITE}/old.json": vectors.read_text(), f"{SUITE}/mine.json": '{"generator": "somebody else"}\n'}
    )
    result = call("spec.xml", "--emit", "conformance", "--check")
    assert (result.code, result.out) == (1, [f"extra: {SUITE}/old.json"])
    call("spec.xml", "--emit", "conformance")
    assert not (SUITE / "old.json").exists()
    assert (SUITE / "mine.json").exists()
    vectors.write_text("{}")
    result = call("spec.xml", "--emit", "conformance", "--check")
    assert (result.code, result.out) == (1, [f"changed: {vectors}"])


def test_many_suites_share_a_folder(place: Path) -> None:
    write({"other.xml": OTHER_SPEC})
    call("spec.xml", "--emit", "conformance")
    before = names("generated")
    call("other.xml", "--emit", "conformance", "--package", "other")
    assert before < names("generated")
    assert call("spec.xml", "--emit", "conformance", "--check").code == 0


@pytest.mark.parametrize("emit", ['["conformance"]', '["codecs", "conformance"]'])
def test_targets(place: Path, emit: str) -> None:
    write({"pyproject.toml": f'[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\nemit = {emit}\n'})
    assert call().code == 0
    assert SUITE.is_dir()
    assert Path("generated/amqp_0_9_1").exists() == ("codecs" in emit)


@pytest.mark.parametrize(
    ("emit", "part"), [('["x"]', "'x' is nothing"), ("[]", "nothing is to be emitted"), ("3", "emit")]
)
def test_targets_that_are_wrong(place: Path, emit: str, part: str) -> None:
    write({"pyproject.toml": f'[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\nemit = {emit}\n'})
    result = call()
    assert result.code == 2
    assert any(part in line for line in result.err)
    assert not Path("generated").exists()


def test_the_vectors_say_what_they_were_made_from(place: Path) -> None:
    call("spec.xml", "--emit", "conformance")
    document = json.loads((SUITE / "vectors.json").read_text("utf-8"))
    assert [source["name"] for source in document["sources"]] == ["spec.xml"]
    assert document["version"] == "0-9-1"
    assert {"c.m/minimum", "c.m.f/highest"} < {case["id"] for case in document["cases"]}
