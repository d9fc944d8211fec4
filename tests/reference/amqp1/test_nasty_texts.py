"""Texts full of markup, quotes and braces are text on the pages of 1.0, in its pictures and in what search reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_codegen.resolve.specification import read_specification

from tests.emit.nasty_specifications import TEXTS

from ..layouts.svg_contents import drawn
from ..site_pages import faults, fold, made, pages, search_entries
from .nasty_specification import nasty_files

PAGE = "nasty.html"


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return made([read_specification(nasty_files(tmp_path_factory.mktemp("nasty"), TEXTS))])


@pytest.fixture(scope="module")
def tame(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    texts = [f"text {number}" for number in range(len(TEXTS))]
    return made([read_specification(nasty_files(tmp_path_factory.mktemp("tame"), texts))])


def test_nothing_is_broken(nasty: dict[str, str]) -> None:
    assert list(faults(nasty)) == []


def test_texts_add_no_elements_and_no_attributes(nasty: dict[str, str], tame: dict[str, str]) -> None:
    """Of what could act; texts fold to another number of lines and paragraphs."""
    for page in (PAGE, "index.html"):
        ours, others = pages(nasty)[page], pages(tame)[page]
        for name in ("script", "style", "form", "input", "button", "b", "svg", "section", "article", "tr"):
            assert ours.elements.count(name) == others.elements.count(name), name
        assert {name for name, _ in ours.attributes} == {name for name, _ in others.attributes}


def test_texts_arrive_whole(nasty: dict[str, str]) -> None:
    shown = pages(nasty)[PAGE].text
    searched = "\n".join(fold(text) for _, _, text, _ in search_entries(nasty))
    assert [text for text in TEXTS if fold(text) not in shown] == []
    assert [text for text in TEXTS if fold(text).rstrip(".") not in searched] == []


def test_pictures_are_whole(nasty: dict[str, str]) -> None:
    html = nasty[PAGE]
    pictures = [f"<svg {part.partition('</svg>')[0]}</svg>" for part in html.split("<svg ")[1:]]
    assert len(pictures) == len(TEXTS)
    for picture in pictures:
        drawn(picture)


def test_the_name_of_a_part_leads_nowhere_else(tmp_path: Path) -> None:
    """A part is called like a page that there is already."""
    files = nasty_files(tmp_path, ["one", "two"])
    text = files[-1].read_text(encoding="utf-8")
    files[-1].write_text(text.replace('name="nasty"', 'name="index"'), encoding="utf-8")
    found = made([read_specification(files)])
    assert list(faults(found)) == []
    assert {"index.html", "index-2.html"} <= set(found)
