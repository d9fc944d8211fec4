"""``amqp-codegen reference``: a whole guide or nothing, in a folder of its own."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from amqp_codegen.support.resources import specs_dir

from tests.cli.command_calls import ROOT, SPEC, call, everything, on_terminal, refused_with_one_line, write

RABBITMQ = str(specs_dir() / "rabbitmq.xml")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a specification in it."""
    monkeypatch.chdir(tmp_path)
    write({"spec.xml": SPEC})
    return tmp_path


def names(folder: str) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*"))


def everything_in(folder: str) -> dict[str, str]:
    return {path.name: path.read_text() for path in Path(folder).iterdir()}


def test_a_guide(place: Path) -> None:
    done = call("reference", "spec.xml", "-o", "guide")
    assert (done.code, done.err) == (0, [])
    assert done.out == ["guide: 4 files written"]
    assert names("guide") == [
        "changes-0-9-1-to-0-9-1.html",
        "changes-0-9-1-to-1.0.html",
        "index.html",
        "search-data.js",
    ]
    assert call("reference", "spec.xml", "-o", "guide").out == ["guide: nothing to do, all files are current"]


def test_an_overlay_and_the_built_in_name_make_the_same(place: Path) -> None:
    call("reference", "0-9-1", "--overlay", RABBITMQ, "-o", "one")
    call("reference", "0-9-1-rabbitmq", "-o", "other")
    assert everything_in("one") == everything_in("other")
    assert 'id="basic.nack"' in Path("one/index.html").read_text()


def test_a_dialect(place: Path) -> None:
    call("reference", "0-9-1", "--dialect", "qpid", "-o", "guide")
    assert "dialect <code>qpid</code>" in Path("guide/index.html").read_text()


def test_what_is_no_longer_made_is_removed(place: Path) -> None:
    call("reference", "spec.xml", "0-8", "-o", "guide")
    assert Path("guide/0-8/index.html").is_file()
    done = call("reference", "spec.xml", "-o", "guide")
    assert done.out == ["guide: 4 files written, 3 files removed"]
    assert [name for name in names("guide") if name.startswith("0-8")] == []


def test_parts_of_1_0_are_one_specification(place: Path) -> None:
    parts = [str(path) for path in sorted((specs_dir() / "amqp1-0").glob("*.xml"))]
    done = call("reference", *parts, "-o", "parts")
    assert done.code == 0
    call("reference", "1.0", "-o", "whole")
    assert everything_in("parts") == everything_in("whole")
    call("reference", "0-9-1", *parts, "-o", "both")
    assert "1.0/transport.html" in names("both")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nosuch.xml"], "error: there is no file or folder 'nosuch.xml' [no-such-file]"),
        (
            ["0-91"],
            "error: there is no file, folder or built-in specification '0-91' (did you mean '0-9-1'?) [no-such-file]",
        ),
        (
            ["0-8", "spec.xml", "--overlay", RABBITMQ],
            "error: an overlay changes one specification, not several "
            "(make the guide of one alone, or name a built-in specification that has its overlay) [many-specs]",
        ),
        (
            ["spec.xml", "--dialect", "rabitmq"],
            "error: there is no dialect 'rabitmq' (did you mean 'rabbitmq'?) [unknown-dialect]",
        ),
        (["wrong.xml"], "wrong.xml:1:1: error: "),
    ],
)
def test_bad_input(place: Path, arguments: list[str], expected: str) -> None:
    write({"wrong.xml": "<nothing/>"})
    assert refused_with_one_line("reference", *arguments, "-o", "guide").startswith(expected)
    assert not Path("guide").exists()


def test_a_folder_with_other_files_is_refused(place: Path) -> None:
    write({"mine/sub/notes.txt": "my own", "mine/index.html": "<p>mine</p>"})
    expected = (
        "error: the folder 'mine' holds 'index.html', which is not part of a guide "
        "(name a folder that is new or empty) [foreign-file]"
    )
    assert refused_with_one_line("reference", "spec.xml", "-o", "mine") == expected
    os.unlink("mine/index.html")
    assert "sub/notes.txt" in refused_with_one_line("reference", "spec.xml", "-o", "mine")


def test_a_file_put_beside_a_guide_is_not_lost(place: Path) -> None:
    call("reference", "spec.xml", "-o", "guide")
    write({"guide/notes.txt": "my own"})
    assert "notes.txt" in refused_with_one_line("reference", "0-8", "-o", "guide")


def test_generated_packages_are_no_guide(place: Path) -> None:
    shutil.copytree(ROOT / "generated/amqp_0_8", "guide", ignore=shutil.ignore_patterns("__pycache__"))
    assert "is not part of a guide" in refused_with_one_line("reference", "spec.xml", "-o", "guide")


def test_a_link_is_not_followed(place: Path) -> None:
    call("reference", "spec.xml", "-o", "guide")
    os.symlink(place, "guide/link")
    assert "'link'" in refused_with_one_line("reference", "0-8", "-o", "guide")


def test_what_is_no_folder_is_refused(place: Path) -> None:
    line = refused_with_one_line("reference", "spec.xml", "-o", "spec.xml")
    assert line == "error: 'spec.xml' is not a folder (name a folder for the guide) [no-such-folder]"


def test_a_failure_leaves_what_was_there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("reference", "spec.xml", "-o", "guide")
    before = everything(Path("guide"))
    real, count = os.replace, 0

    def failing(source: object, target: object) -> None:
        nonlocal count
        count += 1
        if count == 4:
            raise OSError(28, "No space left on device", str(target))
        real(source, target)  # type: ignore[arg-type]

    with monkeypatch.context() as patches:
        patches.setattr(os, "replace", failing)
        done = call("reference", "0-8", "-o", "guide")
    assert done.code == 2
    assert "No space left on device" in done.err[-1]
    assert everything(Path("guide")) == before


def test_an_output_folder_is_needed(place: Path) -> None:
    done = call("reference", "spec.xml")
    assert done.code == 2
    assert any("--output" in line for line in done.err)


def test_progress_is_shown_on_a_terminal_only(place: Path) -> None:
    shown = on_terminal("reference", "spec.xml", "-o", "guide", stream="stderr")
    assert re.search("changes-0-9-1-to-1.0.html", shown)
    assert shown.endswith("\r\x1b[K")


@pytest.mark.parametrize("option", ["-q", "--quiet"])
def test_quiet(place: Path, option: str) -> None:
    done = call("reference", "spec.xml", "-o", "guide", option)
    assert (done.code, done.out, done.err) == (0, [], [])
    assert (place / "guide/index.html").is_file()


def test_quiet_shows_no_progress_either(place: Path) -> None:
    shown = on_terminal("reference", "spec.xml", "-o", "guide", "-q", stream="stderr")
    assert shown.replace("\r\x1b[K", "") == ""


def test_the_help_keeps_its_lines(place: Path) -> None:
    lines = call("reference", "--help").out
    assert "  amqp-codegen reference 0-9-1-rabbitmq -o guide      then open guide/index.html" in lines
