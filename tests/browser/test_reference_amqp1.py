"""The guide of AMQP 1.0 as its reader sees it, opened from files, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from amqp_codegen.resolve.specification import read_specification

from tests.emit.nasty_specifications import TEXTS
from tests.reference.amqp1.nasty_specification import nasty_files
from tests.reference.site_pages import made, site
from tools.chromium import use_scheme

from . import test_reference as reference

pytestmark = pytest.mark.slow

window = reference.window  # the same fixture
PAGES = ["index.html", "types.html", "transport.html", "messaging.html", "transactions.html", "security.html"]
TELEPHONE = 375  # 360 and a scroll bar


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return reference.put(tmp_path_factory.mktemp("guide"), site("1.0"))


def ids(browser: Any, folder: Path, page: str) -> set[str]:
    reference.show(browser, folder, page)
    return set(browser.execute_script("return [...document.querySelectorAll('[id]')].map((each) => each.id)"))


def test_no_link_is_broken(window: Any, guide: Path) -> None:
    """As the browser resolves them, on every page; nothing is logged as an error."""
    pages = [*PAGES, "changes-0-9-1-to-1.0.html"]
    known = {f"{guide.as_uri()}/{page}": ids(window, guide, page) for page in pages}
    followed = 0
    for page in pages:
        reference.show(window, guide, page)
        for address in window.execute_script("return [...document.links].map((each) => each.href)"):
            target, _, anchor = address.partition("#")
            assert target in known, (page, address)
            assert not anchor or anchor in known[target], (page, address)
            followed += 1
    assert followed > 2000


@pytest.mark.parametrize(
    "address",
    [
        "transport.html#open.container-id",
        "transport.html#type.attach",
        "types.html#encoding.uint.smalluint",
        "transport.html#amqp-error.not-found",
        "messaging.html#rule.header.durable.not-lost",
        "index.html#archetype.delivery-state",
    ],
)
def test_deep_links(window: Any, guide: Path, address: str) -> None:
    reference.show(window, guide, address)
    anchor = address.partition("#")[2]
    assert window.find_element("css selector", ":target").get_attribute("id") == anchor
    assert reference.is_in_view(window, anchor)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("open.container-id", "open.container-id"),
        ("attach", "attach"),
        ("smalluint", "uint.smalluint"),
        ("0x53", "ulong.smallulong"),
        ("amqp:link:stolen", "link-error.stolen"),
        ("SenderSettleMode", "sender-settle-mode"),
        ("lifetime-policy", "lifetime-policy"),
        ("MIN-MAX-FRAME-SIZE", "MIN-MAX-FRAME-SIZE"),
    ],
)
def test_search(window: Any, guide: Path, text: str, expected: str) -> None:
    reference.show(window, guide, "types.html")
    assert expected in reference.search(window, text)[:3]


def test_what_is_found_is_on_another_page(window: Any, guide: Path) -> None:
    reference.show(window, guide, "types.html")
    assert reference.search(window, "container-id")[0] == "open.container-id"
    window.find_element("css selector", "#found a").click()
    window.wait.until(lambda _: window.current_url.endswith("/transport.html#open.container-id"))
    assert reference.is_in_view(window, "open.container-id")


def test_links_are_followed(window: Any, guide: Path) -> None:
    """From a part to a field, to its type in another part, to the archetype of that."""
    reference.show(window, guide)
    window.find_element("link text", "attach").click()
    assert window.current_url.endswith("/transport.html#type.attach")
    row = window.find_element("id", "attach.source")
    row.find_elements("link text", "source")[1].click()  # the first is that of the field itself
    assert window.current_url.endswith("/index.html#archetype.source")
    window.find_element("id", "archetype.source").find_elements("link text", "source")[1].click()
    assert window.current_url.endswith("/messaging.html#type.source")
    window.find_element("id", "source.dynamic").find_element("partial link text", " rule").click()
    assert reference.fragment(window).startswith("#rule.source.dynamic.")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", [320, TELEPHONE, 1280])
def test_nothing_is_wider_than_the_window(window: Any, guide: Path, page: str, width: int) -> None:
    reference.resize(window, width)
    reference.show(window, guide, page)
    window.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert window.execute_script("return document.documentElement.scrollWidth") <= width


def test_pictures_on_a_telephone(window: Any, guide: Path) -> None:
    """Whole, without scrolling their boxes, and no text in them over the edge."""
    reference.resize(window, TELEPHONE)
    for page in PAGES[1:]:
        reference.show(window, guide, page)
        boxes = "return [...document.querySelectorAll('figure')].map((each) => [each.clientWidth, each.scrollWidth])"
        widths = window.execute_script(boxes)
        assert widths and all(scrolled <= shown for shown, scrolled in widths), page
        beyond = """
            return [...document.querySelectorAll('svg text')].filter((each) => {
                const box = each.getBBox(), all = each.ownerSVGElement.viewBox.baseVal;
                return box.x < 0 || box.x + box.width > all.width || box.y + box.height > all.height + 1;
            }).map((each) => each.textContent)"""
        assert window.execute_script(beyond) == [], page


def test_pictures_have_names_for_who_cannot_see_them(window: Any, guide: Path) -> None:
    reference.show(window, guide, "transport.html")
    picture = window.find_element("css selector", "article:has([id='type.open']) svg")
    assert picture.accessible_name == "Octets of open"
    assert picture.aria_role in ("img", "image")
    described = window.execute_script("return arguments[0].querySelector('desc').textContent", picture)
    assert "At 6 container-id, string: a1 0c 63 6f" in described


def test_pictures_in_light_and_dark(window: Any, guide: Path) -> None:
    reference.show(window, guide, "types.html")
    box, label = (window.find_element("css selector", f"svg {text}") for text in ("rect", "text"))
    light = box.value_of_css_property("fill"), label.value_of_css_property("fill")
    use_scheme(window, "dark")
    dark = box.value_of_css_property("fill"), label.value_of_css_property("fill")
    assert light[0] != dark[0] and light[1] != dark[1]
    assert "none" not in (*light, *dark)


def test_texts_are_shown_and_never_obeyed(window: Any, tmp_path: Path) -> None:
    files = made([read_specification(nasty_files(tmp_path, TEXTS))])
    reference.show(window, reference.put(tmp_path / "guide", files), "nasty.html")
    assert window.title.endswith(": nasty")
    assert len(window.find_elements("tag name", "script")) == 2
    shown = window.execute_script("return document.getElementById('content-pane').textContent")
    assert "</script><script>alert(1)</script>" in shown
    described = window.execute_script("return document.querySelector('article svg desc').textContent")
    assert "described" in described
