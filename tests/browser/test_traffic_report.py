"""The report on captured traffic, as its reader sees it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: pip install '.[traffic]'")
pytest.importorskip("vl_convert", reason="needs vl-convert: pip install '.[report]'")

from amqp_codegen.support.wording import visible_lines
from amqp_traffic.report.page import report_page
from amqp_traffic.report.time_span import Pause
from amqp_traffic.report.vega import library_script

from tests.patience import PATIENCE
from tests.traffic.report.made_contents import NASTY, SECOND, START, made
from tools.chromium import resize, use_scheme

from .conftest import Open

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script() -> str:
    return library_script()


@pytest.fixture(scope="module")
def page(script: str) -> str:
    return report_page(made(30), "Monday", script)


def one(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def rows(browser: Any, grid: str = "#client-grid") -> list[str]:
    return [element.text for element in browser.find_elements("css selector", f"{grid} tbody tr")]


def status(browser: Any) -> str:
    return str(one(browser, "#client-grid output").text)


def choose(browser: Any, control: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", control)).select_by_value(value)


def drawn(browser: Any, selector: str) -> None:
    """Waits until a chart is there."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, PATIENCE).until(
        lambda _: browser.find_elements("css selector", f"{selector} svg path")
    )


def test_search_filter_and_sort(page: str, open_page: Open) -> None:
    browser = open_page(page)
    assert status(browser) == "1-25 of 30"
    one(browser, "#client-grid .pager button:nth-child(2)").click()
    assert (status(browser), len(rows(browser))) == ("26-30 of 30", 5)
    browser.find_element("id", "client-search").send_keys("SERVICE-7 user-7")
    assert status(browser) == "1-1 of 1 (30 in all)"
    browser.find_element("id", "client-clear").click()
    choose(browser, "client-found", "clean")
    assert status(browser) == "1-10 of 10 (30 in all)"
    choose(browser, "client-found", "deprecated")
    assert status(browser).endswith("(30 in all)")
    browser.find_element("id", "client-clear").click()
    heading = one(browser, "#client-grid th:nth-child(1)")
    heading.find_element("tag name", "button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    names = [row.splitlines()[0] for row in rows(browser)]
    assert names[-1].startswith("service-")


def test_a_client_opens_with_its_timeline_and_leads_to_a_rule(page: str, open_page: Open) -> None:
    browser = open_page(page)
    browser.find_element("id", "client-search").send_keys("service-1 ")
    one(browser, "#client-grid tbody a").click()
    assert browser.find_element("id", "client").is_displayed()
    assert "service-1 user-1@10.0.0.1" in browser.find_element("id", "client-name").text
    drawn(browser, "#client-activity")
    drawn(browser, "#client-connections")
    assert visible_lines(NASTY) in one(browser, "#client-findings td:last-child").get_attribute("textContent")
    link = one(browser, "#client-rules a")
    rule = link.text
    link.click()
    details = browser.find_element("id", f"rule-{rule}")
    assert not browser.find_element("id", "client").is_displayed()
    assert details.get_attribute("open") is not None
    assert "tshark -r" in details.text and "frame.number==" in details.text
    details.find_element("css selector", "button[data-rule]").click()
    assert "(30 in all)" in status(browser)


def test_escape_closes_a_client(page: str, open_page: Open) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = open_page(page)
    one(browser, "#client-grid tbody a").send_keys(Keys.ENTER)
    dialog = browser.find_element("id", "client")
    assert dialog.is_displayed()
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not dialog.is_displayed()


def test_text_is_shown_and_never_obeyed(page: str, open_page: Open) -> None:
    browser = open_page(page)
    assert browser.title == "Monday"
    assert visible_lines(NASTY) in one(browser, "#client-grid tbody th").get_attribute("textContent")
    assert len(browser.find_elements("tag name", "script")) == 5
    assert not browser.find_elements("tag name", "b")


def test_every_chart_is_drawn(page: str, open_page: Open) -> None:
    browser = open_page(page)
    places = browser.execute_script("return places.map((each) => each.dataset.chart)")
    assert {"rates", "unsettled", "churn", "frames", "bodies", "topology", "waits-ack"} <= set(places)
    browser.execute_script("places.forEach(begin)")
    for name in places:
        drawn(browser, f'[data-chart="{name}"]')


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_wider_than_the_window(page: str, open_page: Open, width: int) -> None:
    browser = open_page(page)
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    browser.execute_script("places.forEach(begin)")
    drawn(browser, '[data-chart="rates"]')
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_tables_scroll_in_their_own_box_on_a_phone(page: str, open_page: Open) -> None:
    browser = open_page(page)
    resize(browser, 400)
    browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    boxes = browser.execute_script("""
        return [...document.querySelectorAll("table")].filter((table) => table.offsetParent).map((table) => {
          const box = table.parentElement;
          box.scrollLeft = 100000;
          const last = table.rows[0].cells[table.rows[0].cells.length - 1].getBoundingClientRect();
          return {overflow: getComputedStyle(box).overflowX, right: box.getBoundingClientRect().right, end: last.right};
        });
    """)
    assert len(boxes) >= 6
    for box in boxes:
        assert box["overflow"] == "auto"
        assert box["right"] <= 400
        assert box["end"] <= box["right"] + 1  # one can scroll to the last column
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 400
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_most_severe_client_is_first(page: str, open_page: Open) -> None:
    browser = open_page(page)
    headings = [element.text for element in browser.find_elements("css selector", "#client-grid thead th")]
    assert headings[:3] == ["client", "errors", "warn."]
    counts = browser.execute_script("return clients.map((row) => [row.error, row.warning])")
    assert counts == sorted(counts, reverse=True) and counts[0] > [0, 0]
    link = one(browser, "#first-clients + ol a[href^='#client-']")
    link.click()
    assert browser.find_element("id", "client").is_displayed()


def test_a_pause_takes_no_room(script: str, open_page: Open) -> None:
    """27 of 60 seconds are idle: the labels jump over them."""
    pause = Pause(START + 10 * SECOND, START + 37 * SECOND)
    browser = open_page(report_page(made(3, pauses=(pause,)), "Monday", script))
    browser.execute_script("places.forEach(begin)")
    drawn(browser, '[data-chart="rates"]')
    labels = browser.find_elements("css selector", '[data-chart="rates"] svg .role-axis-label text')
    seconds = [
        60 * int(text.get_attribute("textContent")[3:5]) + int(text.get_attribute("textContent")[6:8])
        for text in labels
        if text.get_attribute("textContent").startswith("22:")
    ]
    start = START // SECOND % 3600
    assert seconds and not [second for second in seconds if start + 11 <= second <= start + 36]
    assert max(seconds) > start + 40
    shown = browser.execute_script("return [inChart(10000), inChart(20000), inChart(37000), inChart(60000)]")
    assert shown == [10000, 10000, 10000, 33000]


def test_light_and_dark(page: str, open_page: Open) -> None:
    browser = open_page(page)
    browser.execute_script("places.forEach(begin)")
    drawn(browser, '[data-chart="rates"]')

    def colors() -> tuple[str, str]:
        label = one(browser, '[data-chart="rates"] svg text')
        return tuple(
            item.value_of_css_property(name)
            for item, name in ((one(browser, "body"), "background-color"), (label, "fill"))
        )

    light = colors()
    use_scheme(browser, "dark")
    dark = colors()
    assert all(a != b for a, b in zip(light, dark, strict=True))


def test_five_thousand_clients_are_a_page_at_a_time(script: str, open_page: Open) -> None:
    page = report_page(made(5000), "Monday", script)
    assert len(page.encode()) < 5_000_000
    browser = open_page(page)
    assert (status(browser), len(rows(browser))) == ("1-25 of 5,000", 25)
    browser.find_element("id", "client-search").send_keys("service-4999")
    assert status(browser) == "1-1 of 1 (5,000 in all)"
