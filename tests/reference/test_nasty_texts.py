"""Texts full of markup, quotes and braces are text on the pages and in what search reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.nasty_specifications import TEXTS
from tests.emit.small_specifications import element, written
from tests.emit.test_nasty_specification import specification

from .site_pages import faults, fold, made, pages, read, search_entries

CLASHES = (
    element("domain", name="class-queue", type="shortstr"),
    '<class name="class" index="1"><method name="queue" index="1"><field name="f" domain="octet"/></method>'
    '<method name="properties" index="2"><field name="f" domain="octet"/></method>'
    '<field name="f" domain="octet"/></class>',
    '<class name="queue" index="2"><method name="m" index="1" content="1"/></class>',
    '<class name="domain" index="3"><method name="octet" index="1"/></class>',
    '<class name="constant" index="4"><method name="not-found" index="1"/></class>',
    '<class name="rule" index="5"><method name="x" index="1"><rule name="a+b"><doc>One.</doc></rule>'
    '<rule name="a-b"><doc>Two.</doc></rule><rule name="&lt;!&gt;"><doc>Three.</doc></rule></method></class>',
)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("nasty")
    return made(
        read(
            written(
                folder, specification(TEXTS), "<script>alert(1)</script> \"'{{ 7 }} &.xml".replace("/", "")
            )
        )
    )


@pytest.fixture(scope="module")
def tame(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    texts = [f"text {number}" for number in range(len(TEXTS))]
    return made(read(written(tmp_path_factory.mktemp("tame"), specification(texts))))


def test_nothing_is_broken(nasty: dict[str, str]) -> None:
    assert list(faults(nasty)) == []


def test_texts_add_no_elements_and_no_attributes(nasty: dict[str, str], tame: dict[str, str]) -> None:
    """Of what could act; texts fold to another number of lines and paragraphs."""
    ours, others = pages(nasty)["index.html"], pages(tame)["index.html"]
    for name in ("script", "style", "form", "input", "button", "b", "svg", "section", "article"):
        assert ours.elements.count(name) == others.elements.count(name), name
    assert {name for name, _ in ours.attributes} == {name for name, _ in others.attributes}


def test_texts_arrive_whole(nasty: dict[str, str]) -> None:
    shown = pages(nasty)["index.html"].text
    searched = "\n".join(fold(text) for _, _, text, _ in search_entries(nasty))
    assert [text for text in TEXTS if fold(text) not in shown] == []
    assert [text for text in TEXTS if fold(text).rstrip(".") not in searched] == []


def test_the_name_of_the_file_is_text(nasty: dict[str, str]) -> None:
    assert "<script>alert(1)<script> \"'{{ 7 }} &.xml" in pages(nasty)["index.html"].text
    assert all(set(path) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") for path in nasty)


def test_ids_stay_apart(tmp_path: Path) -> None:
    """Classes called ``class``, ``domain`` and so on want ids that others have."""
    files = made(read(written(tmp_path, "".join(CLASHES))))
    assert list(faults(files)) == []
    ids = pages(files)["index.html"].ids
    assert {"class.queue", "class.queue-2", "domain.octet", "domain.octet-2"} <= set(ids)
    assert {"rule.rule.x.a-b", "rule.rule.x.a-b-2", "rule.rule.x"} <= set(ids)
