"""The page of what differs between two specifications, as its reader sees it."""

from __future__ import annotations

from typing import Any

import pytest
from amqp_codegen.diff.change import Side, SpecComparison
from amqp_codegen.diff.classify import change
from amqp_codegen.diff.compare import compare
from amqp_codegen.diff.reports import html_report
from amqp_codegen.model.amqp0.raw import RawSource
from amqp_codegen.model.problem import Position
from amqp_codegen.reader.inputs import resolve_input
from amqp_codegen.resolve.specification import read_specification

from tools.chromium import use_scheme

from .conftest import Open

pytestmark = pytest.mark.slow

NASTY = "\"quotes\" & <script>document.title = 'owned'</script> {{ 7 * 7 }} </details> \\ \u2028 end"
PLACES = (Position("/somewhere/old.xml", 3, 5), Position("new.xml", 4, 7))
FOUND = SpecComparison(
    Side("0-8", "AMQP 0-8", (RawSource("<b>old</b>.xml", ""),)),
    Side("0-9-1", "AMQP 0-9-1", (RawSource("new.xml", ""),)),
    (
        change("constant-value", "frame-end", "constants", "206", "207", PLACES),
        change("field-retired", "queue.declare.reserved-1", "class queue", "ticket", "reserved-1", PLACES),
        change("rule-text", f"queue.declare/{NASTY}", "class queue", NASTY, "x" * 200, PLACES),
        change("method-doc", "queue.declare", "class queue", "One.", "Two.", PLACES),
    ),
    ("a remark",),
)


@pytest.fixture(scope="module")
def page() -> str:
    return html_report(FOUND)


def shown(browser: Any) -> list[str]:
    changes = browser.find_elements("css selector", "details.change")
    return [change.get_attribute("data-level") for change in changes if change.is_displayed()]


def test_it_says_what_changed_and_why(page: str, open_page: Open) -> None:
    browser = open_page(page)
    assert browser.title == "AMQP 0-8 to 0-9-1"
    assert shown(browser) == ["WIRE", "SOURCE", "BEHAVIOUR", "DOC"]
    assert browser.find_element("css selector", ".remark").text == "Note: a remark."
    first = browser.find_element("css selector", "details.change")
    assert first.text.split("\n")[-1] == "value: 206 -> 207"
    first.find_element("tag name", "summary").click()
    assert "old and new peers mean different numbers." in first.text
    assert [element.text for element in first.find_elements("tag name", "h3")] == [
        "old, old.xml:3:5",
        "new, new.xml:4:7",
    ]


def test_text_is_shown_and_never_obeyed(page: str, open_page: Open) -> None:
    browser = open_page(page)
    rule = browser.find_element("css selector", "details.BEHAVIOUR")
    rule.find_element("tag name", "summary").click()
    assert rule.find_element("tag name", "pre").get_attribute("textContent") == NASTY
    assert rule.find_element("tag name", "code").get_attribute("textContent") == f"queue.declare/{NASTY}"
    assert browser.title == "AMQP 0-8 to 0-9-1"
    assert len(browser.find_elements("tag name", "script")) == 2


def test_the_filters(page: str, open_page: Open) -> None:
    browser = open_page(page)
    browser.find_element("css selector", 'input[data-level="WIRE"]').click()
    assert shown(browser) == ["SOURCE", "BEHAVIOUR", "DOC"]
    assert browser.find_element("id", "shown").text == "3 shown"
    headings = browser.find_elements("css selector", "section.group h2")
    assert [heading.is_displayed() for heading in headings] == [False, True]
    browser.find_element("id", "search").send_keys("TICKET")
    assert shown(browser) == ["SOURCE"]


def test_it_needs_no_network_and_is_light_or_dark(page: str, open_page: Open) -> None:
    for word in ("http:", "https:", "src=", "@import", "url("):
        assert word not in page
    browser = open_page(page)
    grounds = []
    for scheme in ("light", "dark"):
        use_scheme(browser, scheme)
        grounds.append(browser.find_element("tag name", "body").value_of_css_property("background-color"))
    assert grounds[0] != grounds[1]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("kind", ["changes", "concepts"])
def test_nothing_is_wider_than_the_window(page: str, open_page: Open, kind: str, width: int) -> None:
    if kind == "concepts":
        old, new = (read_specification(resolve_input(name).files) for name in ("0-9-1", "1.0"))
        page = html_report(compare(old, new))
    browser = open_page(page)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert ("publishing" in browser.page_source) == (kind == "concepts")
