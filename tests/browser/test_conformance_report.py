"""The report of a conformance run, as its reader sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from amqp_codegen.model.amqp0.spec import Rule
from amqp_codegen.model.problem import Position
from amqp_conformance.engine.run_result import Identity, Result, RunResult, Verdict
from amqp_conformance.engine.transcript import Exchange
from amqp_conformance.reports.comparison import compare
from amqp_conformance.reports.forms import json_report
from amqp_conformance.reports.html import comparison_page, html_report
from amqp_conformance.reports.saved_run import load_run

from tools.chromium import resize, use_scheme

from .conftest import Open

pytestmark = pytest.mark.slow

NASTY = "\"quotes\" & <script>document.title = 'owned'</script> {{ 7 * 7 }} </details> \\ \u2028 end"


def rule(path: str, *levels: str, text: str = "The server does its duty.") -> Rule:
    place = Position("amqp.xml", 1, 1)
    return Rule(
        path, path.rpartition("/")[2], "", text, levels, "server", "not-found", "Try it.", None, place
    )


EVIDENCE = (
    Exchange("sent", 0.001, 1, None, "protocol header", "protocol header AMQP 0-0-9-1", b"AMQP\0\0\x09\1"),
    Exchange("received", 0.002, 1, 0, "connection.start", f"connection.start {NASTY}", bytes(range(256)) * 3),
    Exchange("event", 0.003, 1, None, "closed", "the broker closed the socket"),
)
RESULTS = (
    Result(rule("queue.declare/one", "MUST"), Verdict.PASSED, procedure="Declares.", seconds=0.004, evidence=EVIDENCE),
    Result(rule("queue.declare.queue/two", "MUST", text=NASTY), Verdict.FAILED, detail=NASTY, surprise="expected passed"),
    Result(rule("queue/three", "MAY"), Verdict.DEVIATES, "as documented"),
    Result(rule("basic/four", "SHOULD NOT"), Verdict.PENDING),
    Result(rule("basic.ack/five", "MUST"), Verdict.NOT_TESTABLE, "nobody can see it"),
    Result(rule("basic/six"), Verdict.BROKER_DIED),
)  # fmt: skip
RUN = RunResult(
    "amqp://guest@localhost:5672/",
    "0-9-1",
    Identity("Rabbit <b>", "1"),
    "x.toml",
    RESULTS,
    1.5,
    ("a remark",),
)


@pytest.fixture(scope="module")
def page() -> str:
    return html_report(RUN, evidence=True)


def shown(browser: Any) -> list[str]:
    return [
        element.get_attribute("id")
        for element in browser.find_elements("css selector", "details.rule")
        if element.is_displayed()
    ]


def choose(browser: Any, control: str, value: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", control)).select_by_value(value)


def test_it_says_what_was_tried_and_what_came_of_it(page: str, open_page: Open) -> None:
    browser = open_page(page)
    assert browser.title == "Conformance of Rabbit <b> 1 to AMQP 0-9-1"
    chips = [chip.text for chip in browser.find_elements("css selector", ".chip")]
    assert chips == ["1 broker died", "1 failed", "1 deviates", "1 passed", "1 pending", "1 not testable"]
    assert shown(browser) == [result.rule.path for result in RESULTS]
    assert "1 unexpected" in browser.find_element("css selector", ".surprises").text
    assert browser.find_element("css selector", ".remark").text == "a remark"


def test_it_needs_no_network(page: str) -> None:
    for word in ("http:", "https:", "src=", "@import", "url("):
        assert word not in page


def test_text_is_shown_and_never_obeyed(page: str, open_page: Open) -> None:
    browser = open_page(page)
    element = browser.find_element("id", "queue.declare.queue/two")
    element.find_element("tag name", "summary").click()
    assert element.find_element("tag name", "blockquote").get_attribute("textContent") == NASTY
    assert browser.title.startswith("Conformance")
    assert len(browser.find_elements("tag name", "script")) == 2


def test_the_evidence_opens_frame_by_frame(page: str, open_page: Open) -> None:
    browser = open_page(page)
    element = browser.find_element("id", "queue.declare/one")
    element.find_element("tag name", "summary").click()
    lines = element.find_elements("css selector", ".evidence li")
    assert [line.find_element("css selector", ".arrow").text for line in lines] == ["→", "←", "·"]
    octets = lines[0].find_element("tag name", "pre")
    assert not octets.is_displayed()
    lines[0].find_element("tag name", "summary").click()
    assert octets.text == "0000  41 4d 51 50 00 00 09 01                          AMQP...."
    lines[1].find_element("tag name", "summary").click()
    assert lines[1].find_element("tag name", "pre").text.endswith("\n... 256 octets more")


@pytest.mark.parametrize(
    ("control", "value", "found"),
    [
        ("verdict", "passed", ["queue.declare/one"]),
        ("level", "MUST", ["queue.declare/one", "queue.declare.queue/two", "basic.ack/five"]),
        ("level", "none", ["basic/six"]),
        ("group", "basic", ["basic/four", "basic.ack/five", "basic/six"]),
    ],
)
def test_the_filters(page: str, open_page: Open, control: str, value: str, found: list[str]) -> None:
    browser = open_page(page)
    choose(browser, control, value)
    assert shown(browser) == found
    assert browser.find_element("id", "shown").text == f"{len(found)} shown"
    browser.find_element("id", "clear").click()
    assert len(shown(browser)) == len(RESULTS)


def test_search_looks_into_texts_and_frames(page: str, open_page: Open) -> None:
    browser = open_page(page)
    search = browser.find_element("id", "search")
    search.send_keys("CONNECTION.start duty")
    assert shown(browser) == ["queue.declare/one"]
    search.clear()
    search.send_keys("no such thing")
    assert shown(browser) == []
    assert browser.find_element("id", "nothing").is_displayed()


def test_a_verdict_and_a_cell_filter_at_a_click(page: str, open_page: Open) -> None:
    browser = open_page(page)
    chip = browser.find_element("css selector", '.chip[data-verdict="failed"]')
    chip.click()
    assert shown(browser) == ["queue.declare.queue/two"]
    assert chip.get_attribute("aria-pressed") == "true"
    chip.click()
    assert len(shown(browser)) == len(RESULTS)
    browser.find_element("css selector", '.cell[data-group="queue"][data-level="MAY"]').click()
    assert shown(browser) == ["queue/three"]
    browser.find_element("id", "clear").click()
    browser.find_element("id", "unexpected").click()
    assert shown(browser) == ["queue.declare.queue/two"]


def test_a_link_opens_its_rule(page: str, open_page: Open) -> None:
    browser = open_page(page)
    choose(browser, "verdict", "passed")
    browser.find_element("css selector", ".surprises a").click()
    element = browser.find_element("id", "queue.declare.queue/two")
    assert element.is_displayed()
    assert element.get_attribute("open") is not None


def test_light_and_dark(page: str, open_page: Open) -> None:
    browser = open_page(page)

    def ground() -> str:
        return str(browser.find_element("tag name", "body").value_of_css_property("background-color"))

    light = ground()
    use_scheme(browser, "dark")
    dark = ground()
    assert light != dark
    browser.find_element("css selector", "button.theme").click()
    assert ground() == light
    browser.execute_script("localStorage.clear()")


# Elements that show a part of their text only, or let their reader scroll sideways.
_CUT_OFF = """
document.querySelectorAll("details").forEach((each) => (each.open = true));
return [...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility() && each.clientWidth && each.scrollWidth > each.clientWidth + 1)
  .filter((each) => getComputedStyle(each).overflowX !== "visible")
  .map((each) => each.outerHTML.slice(0, 100));
"""


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("kind", ["run", "comparison"])
def test_nothing_is_wider_than_the_window(
    page: str, comparison: str, open_page: Open, kind: str, width: int
) -> None:
    browser = open_page(page if kind == "run" else comparison)
    resize(browser, width)
    assert browser.execute_script(_CUT_OFF) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two runs: in the other one a rule deviates, and one fails in another way."""
    others: dict[str, dict[str, Any]] = {
        "queue.declare/one": {"verdict": Verdict.DEVIATES, "detail": NASTY},
        "queue.declare.queue/two": {"detail": "otherwise"},
    }
    changed = tuple(replace(result, **others.get(result.rule.path, {})) for result in RESULTS)
    runs = (RUN, replace(RUN, broker=Identity("Rabbit", "2"), results=changed))
    folder = tmp_path_factory.mktemp("runs")
    files = [folder / f"{number}.json" for number in range(len(runs))]
    for file, run in zip(files, runs, strict=True):
        file.write_text(json_report(run), encoding="utf-8")
    return comparison_page(compare([load_run(file) for file in files]))


def rows(browser: Any) -> list[str]:
    found = browser.find_elements("css selector", ".side-by-side tbody tr")
    return [row.get_attribute("id") for row in found if row.is_displayed()]


def test_a_comparison_shows_what_differs_until_asked_for_more(comparison: str, open_page: Open) -> None:
    browser = open_page(comparison)
    assert browser.title == "Conformance of Rabbit <b> 1 and Rabbit 2"
    assert rows(browser) == ["queue.declare/one"]
    choose(browser, "differing", "reason")
    assert rows(browser) == ["queue.declare.queue/two"]
    choose(browser, "differing", "")
    assert rows(browser) == [result.rule.path for result in RESULTS]
    browser.find_element("id", "search").send_keys("nobody can see")
    assert rows(browser) == ["basic.ack/five"]
    assert browser.find_element("id", "shown").text == "1 shown"


def test_the_reason_of_a_row_is_seen_without_a_click(page: str, open_page: Open) -> None:
    browser = open_page(page)
    row = browser.find_element("id", "queue/three")
    assert row.get_attribute("open") is None
    assert row.find_element("css selector", ".reason").text == "as documented"
    assert browser.find_element("css selector", "main > section").text.startswith(
        "1 unexpected\nexpected passed"
    )
