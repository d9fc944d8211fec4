"""All files or none."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.emit.compare import compare
from amqp_codegen.emit.publish import publish
from amqp_codegen.emit.source_text import MARK
from amqp_codegen.model.problem import SpecError

OLD = {
    "p/a.py": "old a",
    "p/b.py": "old b",
    "p/same.py": "same",
    "p/gone.py": f"{MARK}old",
    "p/mine.txt": "mine",
}
NEW = {
    "p/a.py": "new a",
    "p/b.py": "new b",
    "p/same.py": "same",
    "p/sub/c.py": "new c",
    "p/sub/d.py": "new d",
}
AFTER = {**NEW, "p/mine.txt": "mine"}


def fill(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def everything(folder: Path) -> dict[str, str | None]:
    """Every file with its text, and every folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


def files(folder: Path) -> dict[str, str]:
    return {name: text for name, text in everything(folder).items() if text is not None}


def publish_new(folder: Path) -> None:
    publish(folder, NEW, compare(folder, NEW, ["p"]))


class Failing:
    """Stands for a function of ``os`` and fails at one call."""

    def __init__(self, real: Callable[..., Any], at: int, error: BaseException) -> None:
        self.real = real
        self.left = at
        self.error = error

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise self.error
        return self.real(*arguments, **named)


def test_a_new_folder(tmp_path: Path) -> None:
    publish_new(tmp_path / "new" / "out")
    assert files(tmp_path / "new" / "out") == NEW


def test_an_old_folder(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    before = (tmp_path / "p" / "same.py").stat()
    publish_new(tmp_path)
    assert files(tmp_path) == AFTER
    after = (tmp_path / "p" / "same.py").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_nothing_else_stays_behind(tmp_path: Path) -> None:
    publish_new(tmp_path)
    assert set(everything(tmp_path)) == {*NEW, "p", "p/sub"}


@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError(), SystemExit()],
    ids=repr,
)
@pytest.mark.parametrize("at", range(1, 9))
def test_a_failing_replacement_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, error: BaseException
) -> None:
    """Three old files go, four new ones come: wherever it fails, and whatever the reason."""
    fill(tmp_path, OLD)
    before = everything(tmp_path)
    monkeypatch.setattr(os, "replace", Failing(os.replace, at, error))
    if at == 8:  # there is no eighth
        publish_new(tmp_path)
        assert files(tmp_path) == AFTER
        return
    with pytest.raises(SpecError if isinstance(error, OSError) else type(error)) as caught:
        publish_new(tmp_path)
    assert everything(tmp_path) == before
    if isinstance(caught.value, SpecError):
        [problem] = caught.value.problems
        assert problem.rule_id == "unwritable-output"
        assert "No space left on device" in problem.message
        assert problem.hint == "nothing was changed"
        assert ".amqp-codegen-" not in str(problem)


@pytest.mark.parametrize("at", range(1, 5))
def test_a_failure_in_a_new_folder_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    monkeypatch.setattr(os, "replace", Failing(os.replace, at, OSError(5, "Input/output error")))
    with pytest.raises(SpecError, match="Input/output error"):
        publish_new(tmp_path / "new" / "out")
    assert everything(tmp_path) == {}


@pytest.mark.parametrize("at", range(1, 4))
def test_a_failure_while_files_are_staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    fill(tmp_path, OLD)
    before = everything(tmp_path)
    replacement = Failing(Path.write_bytes, at, OSError(28, "No space left on device"))

    def write_bytes(path: Path, data: bytes) -> None:  # only a function becomes a method
        replacement(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(SpecError, match="No space left on device"):
        publish_new(tmp_path)
    assert everything(tmp_path) == before


def test_when_not_even_putting_back_works_no_file_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, OLD)
    real = os.replace
    calls = []

    def failing(source: Any, target: Any) -> None:
        calls.append(source)
        if len(calls) >= 5:  # the second new file, and all that would be moved back
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(SpecError, match="Input/output error") as caught:
        publish_new(tmp_path)
    texts = list(files(tmp_path).values())
    assert all(text in texts for text in OLD.values())
    [problem] = caught.value.problems
    assert "nothing was changed" not in str(problem)
    [kept] = [path for path in tmp_path.iterdir() if path.name.startswith(".amqp-codegen-")]
    assert str(kept) in str(problem)


def test_a_folder_where_a_file_should_be(tmp_path: Path) -> None:
    fill(tmp_path, {**OLD, "p/sub/c.py/inside": "mine"})
    before = everything(tmp_path)
    with pytest.raises(SpecError, match="Is a directory"):
        publish_new(tmp_path)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("blocked", ["out", "out/p", "out/p/sub"])
def test_a_file_where_a_folder_should_be(tmp_path: Path, blocked: str) -> None:
    fill(tmp_path, {blocked: "mine"})
    before = everything(tmp_path)
    with pytest.raises(SpecError) as caught:
        publish_new(tmp_path / "out")
    assert [problem.rule_id for problem in caught.value.problems] == ["unwritable-output"]
    assert everything(tmp_path) == before


def test_a_link_that_leads_nowhere_is_replaced(tmp_path: Path) -> None:
    fill(tmp_path, OLD)
    (tmp_path / "p" / "a.py").unlink()
    (tmp_path / "p" / "a.py").symlink_to("nowhere")
    publish_new(tmp_path)
    assert files(tmp_path) == AFTER
    assert not (tmp_path / "p" / "a.py").is_symlink()


def test_line_ends_and_encoding_are_those_of_the_text(tmp_path: Path) -> None:
    text = "caf\u00e9\nx\n"
    publish(tmp_path, {"p/x.py": text}, compare(tmp_path, {"p/x.py": text}, ["p"]))
    assert (tmp_path / "p" / "x.py").read_bytes() == b"caf\xc3\xa9\nx\n"
