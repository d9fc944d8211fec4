"""Jinja compiles a template once; what it compiled is used only for that template, and by the same code."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.emit import environment as environment_module
from amqp_codegen.emit.environment import make_environment
from amqp_codegen.support.cache import Cache
from jinja2 import Environment


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    (tmp_path / "cache").mkdir()
    return Cache(str(tmp_path / "cache"), "")


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "x.jinja").write_text("{{ 'a' | literal }} {{ name }}")
    return folder


def rendered(templates: Path, cache: Cache) -> tuple[str, int]:
    """What the template gives, and how many templates were compiled for it."""
    environment = make_environment(templates, None, cache)
    compiled = []

    class Counting(Environment):
        def compile(self, *arguments: object, **named: object) -> object:  # type: ignore[override]
            compiled.append(arguments)
            return super().compile(*arguments, **named)  # type: ignore[call-overload]

    environment.__class__ = Counting
    return environment.get_template("x.jinja").render(name="b"), len(compiled)


def test_a_template_is_compiled_once(templates: Path, cache: Cache) -> None:
    assert rendered(templates, cache) == ('"a" b', 1)
    assert rendered(templates, cache) == ('"a" b', 0)


def test_a_changed_template_is_compiled_again(templates: Path, cache: Cache) -> None:
    rendered(templates, cache)
    (templates / "x.jinja").write_text("{{ name }}")
    assert rendered(templates, cache) == ("b", 1)


def test_a_template_of_the_same_text_elsewhere_is_another(
    templates: Path, cache: Cache, tmp_path: Path
) -> None:
    """Errors name the file from which a template was compiled."""
    rendered(templates, cache)
    templates.rename(tmp_path / "elsewhere")
    assert rendered(tmp_path / "elsewhere", cache) == ('"a" b', 1)


def test_what_other_code_has_compiled_is_not_used(
    templates: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jinja calls filters of constants when it compiles."""
    rendered(templates, cache)
    monkeypatch.setattr(environment_module, "code_fingerprint", lambda: "other")
    assert rendered(templates, cache) == ('"a" b', 1)


def test_code_that_is_not_known_keeps_nothing(
    templates: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment_module, "code_fingerprint", lambda: "")
    assert [rendered(templates, cache)[1] for _ in range(2)] == [1, 1]


def test_damaged_bytecode_is_not_loaded(templates: Path, cache: Cache) -> None:
    rendered(templates, cache)
    [entry] = Path(cache.folder).iterdir()
    octets = bytearray(entry.read_bytes())
    octets[-20] ^= 0xFF
    entry.write_bytes(octets)
    assert rendered(templates, cache) == ('"a" b', 1)
