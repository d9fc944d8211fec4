"""What a stamp depends on: any change of it gives another fingerprint."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from amqp_codegen.emit import fingerprint
from amqp_codegen.emit.fingerprint import code_fingerprint, library_version, target_fingerprints
from amqp_codegen.emit.target import Target


@pytest.fixture
def target(tmp_path: Path) -> Target:
    for name in ("a.xml", "b.xml", "overlay.xml", "own/x.jinja", "own/deep/y.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return Target((tmp_path / "a.xml",), (tmp_path / "overlay.xml",), templates=tmp_path / "own")


def test_the_same_again(target: Target) -> None:
    [first, second] = target_fingerprints([target, target])
    assert first == second == target_fingerprints([target])[0] != ""


@pytest.mark.parametrize(
    "change",
    [
        lambda target, place: replace(target, files=(place / "b.xml",)),
        lambda target, place: replace(target, files=(*target.files, *target.overlays), overlays=()),
        lambda target, place: replace(target, overlays=()),
        lambda target, place: replace(target, package="p"),
        lambda target, place: replace(target, dialect="p"),
        lambda target, place: replace(target, templates=None),
        lambda target, place: replace(target, emit=()),
        lambda target, place: replace(target, emit=("default",)),
    ],
)
def test_another_target(target: Target, tmp_path: Path, change: Callable[[Target, Path], Target]) -> None:
    assert len({"", *target_fingerprints([target, change(target, tmp_path)])}) == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda place: (place / "a.xml").write_text("b.xml"),
        lambda place: (place / "overlay.xml").write_text(""),
        lambda place: (place / "own" / "x.jinja").write_text("z"),
        lambda place: (place / "own" / "deep" / "y.txt").unlink(),
        lambda place: (place / "own" / "amqp0.jinja").touch(),
        lambda place: (place / "own" / "x.jinja").rename(place / "own" / "z.jinja"),
    ],
)
def test_another_file(target: Target, tmp_path: Path, change: Callable[[Path], object]) -> None:
    before = target_fingerprints([target])
    change(tmp_path)
    assert target_fingerprints([target]) != before


def test_other_sources_of_the_cores(target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are part of what `--emit codecs,native` makes, and of nothing else."""
    monkeypatch.setattr(fingerprint, "native_sources_dir", lambda: tmp_path / "native")
    (tmp_path / "native").mkdir()
    targets = [target, replace(target, emit=("codecs", "native"))]
    before = target_fingerprints(targets)
    (tmp_path / "native" / "module.c").touch()
    assert [old == new for old, new in zip(before, target_fingerprints(targets), strict=True)] == [
        True,
        False,
    ]


@pytest.mark.parametrize("name", ["a.xml", "overlay.xml", "own"])
def test_what_cannot_be_read_has_none(target: Target, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert target_fingerprints([target]) == [""]


def test_a_folder_of_templates_that_is_a_whole_project_has_none(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    code_fingerprint()
    monkeypatch.setattr(fingerprint, "_MOST_FILES", 1)
    assert target_fingerprints([target]) == [""]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small generator instead of ours, beside metadata of a library."""
    for name in ("generator/__init__.py", "generator/deep/module.py", "Some_Library-1.0.dist-info/METADATA"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path / "generator")
    monkeypatch.setattr(fingerprint, "_LIBRARIES", ("somelibrary",))
    monkeypatch.setattr("sys.path", ["/nonexistent", str(tmp_path)])
    return tmp_path


def fresh() -> str:
    """The fingerprint of code that another process would have."""
    library_version.cache_clear()
    code_fingerprint.cache_clear()
    try:
        return code_fingerprint()
    finally:
        library_version.cache_clear()
        code_fingerprint.cache_clear()


@pytest.mark.parametrize(
    "change",
    [
        lambda place: (place / "generator" / "deep" / "module.py").write_text("x = 1"),
        lambda place: (place / "generator" / "new.py").touch(),
        lambda place: (place / "Some_Library-1.0.dist-info").rename(place / "Some_Library-1.1.dist-info"),
        lambda place: (place / "Some_Library-2.0.dist-info").mkdir(),
    ],
)
def test_another_generator_or_library(copied: Path, change: Callable[[Path], object]) -> None:
    before = fresh()
    change(copied)
    assert len({"", before, fresh()}) == 3


def test_bytecode_beside_the_modules_does_not_matter(copied: Path) -> None:
    before = fresh()
    (copied / "generator" / "__pycache__").mkdir()
    (copied / "generator" / "__pycache__" / "module.cpython-311.pyc").touch()
    assert fresh() == before


def test_without_the_version_of_a_library_nothing_is_trusted(copied: Path) -> None:
    shutil.rmtree(copied / "Some_Library-1.0.dist-info")
    assert fresh() == ""


def test_the_libraries_are_found() -> None:
    for name in ("black", "jinja2", "lxml", "markupsafe"):
        assert library_version(name).lower().startswith(f"{name}-")
