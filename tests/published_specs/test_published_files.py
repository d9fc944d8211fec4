"""Without published files their tests are skipped; a variable that names nothing is a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import published_files
from .published_files import PARTS, VARIABLE, named_folder, needs_published, published_file


def test_the_folder_is_that_of_the_variable(tmp_path: Path) -> None:
    assert named_folder(VARIABLE, {VARIABLE: str(tmp_path)}) == tmp_path
    assert named_folder(VARIABLE, {}) is None
    with pytest.raises(pytest.UsageError, match="which is not a folder"):
        named_folder(VARIABLE, {VARIABLE: str(tmp_path / "nowhere")})


def test_without_a_file_a_test_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published_files, "FOLDER", None)
    monkeypatch.setattr(published_files, "DEBIAN", tmp_path)
    reason = "needs published specifications: set AMQP_PUBLISHED_SPECS"
    full, parts = needs_published("0-8/amqp0-8.xml"), needs_published(*PARTS)
    assert (full.args, full.kwargs) == ((True,), {"reason": reason})
    assert (parts.args, parts.kwargs) == ((True,), {"reason": f"{reason}, or apt-get install amqp-specs"})


def test_a_file_of_the_folder_comes_before_that_of_debian(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published_files, "FOLDER", None)
    assert published_file("1-0/types.xml").name == "types.bare.xml"
    monkeypatch.setattr(published_files, "FOLDER", tmp_path)
    assert published_file("1-0/types.xml") == tmp_path / "1-0" / "types.xml"
    (tmp_path / "0-8").mkdir()
    (tmp_path / "0-8" / "amqp0-8.xml").touch()
    assert needs_published("0-8/amqp0-8.xml").args == (False,)
