"""The pages of the site that are made: every command, every public module, every kind of report."""

from __future__ import annotations

import ast
from functools import cache

from amqp_codegen.emit.amqp1.docstrings import part_docstring
from amqp_codegen.model.amqp1.spec import Part
from amqp_codegen.model.problem import Position

from tests.test_documents import ROOT
from tools.docs_site.made_pages import navigation, pages
from tools.docs_site.pictures import PICTURES


@cache
def made() -> dict[str, str]:
    return pages(ROOT, [ROOT / "build" / picture.file for picture in PICTURES])


def named(entry: object) -> list[str]:
    """The pages of a navigation: a path, a mapping of titles, or a list of both."""
    if isinstance(entry, str):
        return [entry]
    below = entry.values() if isinstance(entry, dict) else entry
    return [page for item in below for page in named(item)]


def test_each_made_page_is_in_the_navigation() -> None:
    assert sorted(named(navigation(ROOT))) == sorted(set(made()) - {"quickstart.md"})


def test_every_command_has_its_help() -> None:
    text = made()["cli.md"]
    for name in ("generate", "lint", "diff", "reference", "conformance", "traffic ingest", "traffic synth"):
        assert f"\n## amqp-codegen {name}\n" in text
    assert "Usage: amqp-codegen traffic report [OPTIONS]" in text


def test_modules_with_an_underscore_have_no_page() -> None:
    assert "api/amqp_1_0.frames.md" in made()
    assert [path for path in made() if "._" in path] == []


def test_the_gallery_shows_the_pictures_that_were_taken() -> None:
    text = made()["gallery.md"]
    assert [picture.title for picture in PICTURES if f"(pictures/{picture.file})" not in text] == []
    assert "pictures/" not in pages(ROOT, [])["gallery.md"]


DOCUMENTED = [*ROOT.glob("generated/amqp_*/**/*.py"), ROOT / "codegen/amqp_codegen/api.py"]


def test_no_docstring_announces_a_block_with_two_colons() -> None:
    """Docstrings are Markdown on the site, where they would be printed."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in DOCUMENTED:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
        assert [line for text in texts for line in text.splitlines() if line.endswith("::")] == [], path


def test_a_picture_in_a_specification_keeps_its_lines() -> None:
    doc = "Before.\n\n    +--+\n    |  |\n\nAfter."
    part = Part("p", "p", "l", doc, (), (), Position("p.xml", 1, 1))
    assert part_docstring(part).splitlines()[2:] == ["Before.", "", "    +--+", "    |  |", "", "After."]
