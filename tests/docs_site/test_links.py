"""The check of the built site finds what leads nowhere and what is loaded from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.docs_site.links import faults

HEAD = '<html><head><link rel="stylesheet" href="style.css"></head><body><h1 id="top">x</h1>'


def site(folder: Path, body: str, style: str = "p { color: red }") -> Path:
    (folder / "sub").mkdir()
    (folder / "index.html").write_text(f"{HEAD}{body}", encoding="utf-8")
    (folder / "sub" / "index.html").write_text(
        '<a href="../index.html#top">up</a><p id="here">', encoding="utf-8"
    )
    (folder / "style.css").write_text(style, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "body",
    [
        '<a href="#top">',
        '<a href="sub/">',
        '<a href="sub/index.html#here">',
        '<a href="https://example.com/x">',
    ],
)
def test_good_links(tmp_path: Path, body: str) -> None:
    assert list(faults(site(tmp_path, body))) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="#bottom">', "index.html: #bottom leads nowhere"),
        ('<a href="sub/index.html#there">', "index.html: sub/index.html#there leads nowhere"),
        ('<a href="missing.html">', "index.html: missing.html leads nowhere"),
        ('<a href="../README.md">', "index.html: ../README.md leads nowhere"),
        ('<img src="missing.png">', "index.html: missing.png is not there"),
        ('<script src="https://example.com/x.js"></script>', "is loaded from elsewhere"),
        ('<img src="//example.com/x.png">', "is loaded from elsewhere"),
    ],
)
def test_bad_links(tmp_path: Path, body: str, expected: str) -> None:
    (fault,) = faults(site(tmp_path, body))
    assert expected in fault


@pytest.mark.parametrize(
    "style", ['@import "https://example.com/x.css";', "p { background: url(https://example.com/x.png) }"]
)
def test_styles_load_nothing_from_elsewhere(tmp_path: Path, style: str) -> None:
    (fault,) = faults(site(tmp_path, "", style))
    assert "is loaded from elsewhere" in fault
