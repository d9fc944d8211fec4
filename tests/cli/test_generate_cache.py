"""Work that was done before is not done again, and nobody can tell but by the time it takes."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from amqp_codegen.support.cache import CACHE_VARIABLE

from tests.commands import run_command

from .command_calls import (
    OTHER_SPEC,
    ROOT,
    SPEC,
    TINY_TEMPLATE_1_0,
    call,
    everything,
    place,
    tiny,
    write,
    write_tiny_templates,
)
from .test_generate_command import COUNT

__all__ = ["place"]

PACKAGE = "generated/amqp_0_9_1"
CURRENT = [f"{PACKAGE}: nothing to do, all files are current"]


def steps(*arguments: str) -> list[str]:
    """The steps that a call names: the first words."""
    return [line.split()[0] for line in tiny("--verbose", *arguments).err]


def entries() -> list[Path]:
    return list(Path(os.environ[CACHE_VARIABLE]).rglob("*-*"))


def test_a_run_with_nothing_to_do_reads_no_specification(place: Path) -> None:
    assert steps("spec.xml") == ["cache", "read", "render", "format", "compare", "write"]
    assert steps("spec.xml") == ["cache", "compare"]
    assert steps("spec.xml", "--check") == ["cache", "compare"]
    assert steps("spec.xml", "--no-cache") == ["no", "read", "render", "format", "compare"]


@pytest.mark.parametrize("arguments", [("--check",), ()])
def test_a_run_with_nothing_to_do_imports_nothing_that_is_slow(
    place: Path, arguments: tuple[str, ...]
) -> None:
    write({"pyproject.toml": '[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\ntemplates = "tiny"\n'})
    code = (
        "import sys\nfrom amqp_codegen.cli.main import cli\n"
        f"try: cli({list(arguments)})\nexcept SystemExit as end: assert not end.code, end\n"
        "slow = {'black', 'jinja2', 'lxml', 'xml', 'importlib.metadata', 'multiprocessing', 'concurrent.futures',"
        " 'amqp_codegen.emit.generate', 'amqp_codegen.reader.load', 'amqp_codegen.lint.silence'}\n"
        "print(sorted(slow & set(sys.modules)), file=sys.stderr)"
    )
    call()
    result = run_command(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT / "codegen")}
    )
    assert result.stderr == "[]\n"


def test_warnings_are_printed_every_time(place: Path) -> None:
    shutil.copytree(ROOT / "specs" / "amqp1-0", place / "mine")  # those of the built-in files are not printed
    text = Path("mine/types.xml").read_text()
    Path("mine/types.xml").write_text(f"{text}<!-- mine -->\n")
    for part in Path("mine").iterdir():
        part.write_text(part.read_text().replace("global-tx-id", "other-tx-id"))
    write_tiny_templates(place / "tiny", "amqp0", "amqp1", "common", template=TINY_TEMPLATE_1_0)
    calls = [tiny("mine", "--check", "-o", "out") for _ in range(2)]
    assert calls[0].err == calls[1].err
    assert any("[unprovided-archetype]" in line for line in calls[0].err)


def test_what_happened_to_the_output_is_always_noticed(place: Path) -> None:
    tiny("spec.xml")
    table = Path(PACKAGE, "table.py")
    text = table.read_text()
    write({f"{PACKAGE}/old.py": text, f"{PACKAGE}/methods/mine.py": "x = 1\n"})
    Path(PACKAGE, "_values.py").unlink()
    status = table.stat()
    table.write_text(text.replace("amqp_0_9_1", "amqp_0_9_2"))
    os.utime(table, ns=(status.st_atime_ns, status.st_mtime_ns))
    result = tiny("spec.xml", "--check")
    assert (result.code, result.out) == (
        1,
        [f"changed: {PACKAGE}/table.py", f"missing: {PACKAGE}/_values.py", f"extra: {PACKAGE}/old.py"],
    )
    assert tiny("spec.xml").out == [f"{PACKAGE}: 2 files written, 1 file removed"]
    assert tiny("spec.xml").out == CURRENT
    assert table.read_text() == text


def test_a_change_of_the_input_is_noticed_and_so_is_the_way_back(place: Path) -> None:
    tiny("spec.xml")
    before = everything(place / "generated")
    write({"spec.xml": OTHER_SPEC})
    assert tiny("spec.xml", "--check").code == 1
    assert tiny("spec.xml").code == 0
    assert Path(PACKAGE, "methods", "_d.py").exists()
    write({"spec.xml": SPEC})
    assert steps("spec.xml", "--check") == ["cache", "compare", "not"]
    tiny("spec.xml")
    after = everything(place / "generated")
    assert {name: octets and octets[0] for name, octets in after.items()} == {
        name: octets and octets[0] for name, octets in before.items()
    }


def test_a_change_of_a_template_is_noticed(place: Path) -> None:
    tiny("spec.xml")
    write({"tiny/amqp0/table.py.jinja": "{{ header }}\nx = 1\n"})
    result = tiny("spec.xml", "--check", "--verbose")
    assert result.out == [f"changed: {PACKAGE}/table.py"]
    assert any(line.startswith("format 1 text (") for line in result.err)
    assert tiny("spec.xml").out == [f"{PACKAGE}: 1 file written"]


def test_a_specification_that_changes_no_text_formats_nothing(place: Path) -> None:
    write_tiny_templates(place / "tiny", "amqp0", "common", template="{{ header }}\nx = 1\n")
    tiny("spec.xml")
    write({"spec.xml": SPEC.replace("\n</amqp>", "\n\n</amqp>")})
    assert steps("spec.xml") == ["cache", "read", "render", "compare"]
    assert tiny("spec.xml", "--check", "--no-cache").code == 0


def test_only_targets_that_are_not_known_are_generated(place: Path) -> None:
    targets = '[[tool.amqp-codegen.targets]]\nspec = "{}"\npackage = "{}"\ntemplates = "tiny"\n'
    write({"other.xml": OTHER_SPEC, "pyproject.toml": targets.format("spec.xml", "one")})
    call()
    write({"pyproject.toml": targets.format("spec.xml", "one") + targets.format("other.xml", "two")})
    result = call("--verbose")
    assert [line for line in result.err if line.startswith("read ")] == ["read other.xml"]
    assert result.out == [
        "generated/one: nothing to do, all files are current",
        f"generated/two: {COUNT} files written",
    ]
    Path("generated/one/table.py").unlink()
    assert [line for line in call("--verbose").err if line.startswith("read ")] == ["read spec.xml"]
    assert call("--check").out == [f"{2 * COUNT} files are current"]


def test_two_known_targets_of_one_package_are_refused(place: Path) -> None:
    target = '[[tool.amqp-codegen.targets]]\nspec = "spec.xml"\ntemplates = "tiny"\n'
    write({"pyproject.toml": target})
    call()
    write({"pyproject.toml": target * 2})
    assert call().err == [
        "error: two targets have the package 'amqp_0_9_1' (name one with package) [same-package]"
    ]


def test_leftovers_of_own_targets_are_found_without_generating(place: Path) -> None:
    manifest = '[[files]]\ntarget = "own"\nfamily = "amqp0"\ntemplate = "x.jinja"\npath = "own/{class}.txt"\n'
    write({"tiny/templates.toml": manifest, "tiny/x.jinja": "{{ header }}\n"})
    tiny("spec.xml")
    write({"generated/own/old.txt": Path("generated/own/c.txt").read_text(), "generated/own/mine.txt": "x"})
    assert steps("spec.xml", "--check") == ["cache", "compare", "not"]
    assert tiny("spec.xml", "--check").out == ["extra: generated/own/old.txt"]


def test_no_cache_neither_reads_nor_writes(place: Path) -> None:
    tiny("spec.xml", "--no-cache")
    assert entries() == []
    tiny("spec.xml")
    before = everything(Path(os.environ[CACHE_VARIABLE]))
    tiny("spec.xml", "--no-cache")
    assert everything(Path(os.environ[CACHE_VARIABLE])) == before


@pytest.mark.parametrize("octets", [b"", b"garbage" * 100, None])
def test_damaged_entries_are_ignored_and_replaced(place: Path, octets: bytes | None) -> None:
    tiny("spec.xml")
    for entry in entries():
        entry.write_bytes(entry.read_bytes()[:-3] if octets is None else octets)
    assert steps("spec.xml") == ["cache", "read", "render", "format", "compare"]
    assert tiny("spec.xml").out == CURRENT
    assert steps("spec.xml") == ["cache", "compare"]


@pytest.mark.parametrize("fault", ["file", "mode", "gone"])
def test_a_cache_folder_that_cannot_be_used_is_no_matter(
    place: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    folder = Path(os.environ[CACHE_VARIABLE])
    if fault == "file":
        monkeypatch.setenv(CACHE_VARIABLE, str(place / "spec.xml"))
    elif fault == "mode":
        tiny("spec.xml")
        os.chmod(folder / "v1", 0o777)
    else:
        monkeypatch.setenv(CACHE_VARIABLE, "/dev/null/x")
    for _ in range(2):
        result = tiny("spec.xml")
        assert (result.code, result.err) == (0, [])
    assert result.out == CURRENT
    assert tiny("spec.xml", "--verbose").err[0].startswith("no cache: '")


def test_the_api_uses_it_too(place: Path) -> None:
    from amqp_codegen import api

    first = api.generate("spec.xml", "out", templates="tiny")
    second = api.generate("spec.xml", "out", templates="tiny")
    third = api.generate("spec.xml", "out", templates="tiny", use_cache=False)
    assert first == second == third
    assert len(second.files) == COUNT
    Path("out/amqp_0_9_1/table.py").unlink()
    assert api.generate("spec.xml", "out", templates="tiny") == first
    assert Path("out/amqp_0_9_1/table.py").is_file()
