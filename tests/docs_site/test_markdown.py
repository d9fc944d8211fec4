"""Documents of the repository as the site needs them; its navigation is the index of docs/."""

from __future__ import annotations

import pytest

from tests.test_documents import ROOT
from tools.docs_site.markdown import for_site, from_root, sections, title

TITLES = {"packages.md": "Generated packages", "quickstart.md": "Quick start"}


def test_every_document_has_one_place_in_the_navigation() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    named = [page for pages in sections(index).values() for page in pages]
    documents = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert sorted(named) == sorted(documents)


def test_every_document_has_a_title() -> None:
    assert [path.name for path in (ROOT / "docs").glob("*.md") if not title(path.read_text("utf-8"))] == []


def test_a_page_belongs_where_it_is_named_first() -> None:
    index = "[a](a.md)\n## One\n| x | [b](b.md), [c](c.md#part) |\n## Two\n[b](b.md) [d](d.md)\n"
    assert sections(index) == {"One": ["b.md", "c.md"], "Two": ["d.md"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [packages.md](packages.md)", "see [Generated packages](packages.md)"),
        ("see [packages.md](packages.md#amqp-10)", "see [Generated packages](packages.md#amqp-10)"),
        ("see [these](packages.md)", "see [these](packages.md)"),
        ("[../README.md](../README.md)", "[Quick start](quickstart.md)"),
        ("[a program](../examples/x.py)", "`examples/x.py`"),
        ("[outside](https://example.com)", "[outside](https://example.com)"),
        (r"| `a \| b<c>` | x |", "| <code>a &#124; b&#60;c&#62;</code> | x |"),
        (r"`a` \| `b`", r"`a` \| `b`"),
        ("```toml pyproject.toml\nx = 1\n```\n", '``` { .toml title="pyproject.toml" }\nx = 1\n```\n'),
        (
            "```text\n[packages.md](packages.md) `a \\| b`\n```\n",
            "```text\n[packages.md](packages.md) `a \\| b`\n```\n",
        ),
    ],
)
def test_what_the_site_reads(text: str, expected: str) -> None:
    assert for_site(text, TITLES) == expected


def test_a_document_of_the_root() -> None:
    text = "[docs/packages.md](docs/packages.md) [x](specs/wire.toml) [y](https://example.com) [z](#tests)"
    expected = "[packages.md](packages.md) [x](../specs/wire.toml) [y](https://example.com) [z](#tests)"
    assert from_root(text) == expected
