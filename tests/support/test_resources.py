"""Where the files are that come with the generator."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.support import resources


def test_a_checkout_has_them_at_its_root() -> None:
    assert (resources.specs_dir() / "wire.toml").is_file()
    assert resources.templates_dir().name == "templates"
    assert resources.generated_dir().parent == resources.specs_dir().parent


def test_an_installation_has_them_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("specs", "templates", "generated"):
        (tmp_path / "_data" / name).mkdir(parents=True)
        (tmp_path / name).mkdir()
    monkeypatch.setattr(resources, "_PLACES", (tmp_path / "_data", tmp_path))
    assert resources.specs_dir() == tmp_path / "_data" / "specs"
    assert resources.templates_dir() == tmp_path / "_data" / "templates"
    assert resources.generated_dir() == tmp_path / "_data" / "generated"


def test_an_incomplete_installation_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_PLACES", (tmp_path,))
    with pytest.raises(FileNotFoundError, match="this installation of amqp-codegen has no folder 'specs'"):
        resources.specs_dir()
