"""The reference guide as its reader sees it, opened from files, without a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.emit.nasty_specifications import TEXTS
from tests.emit.small_specifications import written
from tests.emit.test_nasty_specification import specification
from tests.patience import PATIENCE
from tests.reference.site_pages import made, read, site
from tools.chromium import resize, use_scheme

pytestmark = pytest.mark.slow

PHONE, DESK = 390, 1280


def put(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("guide"), site("0-9-1-rabbitmq"))


@pytest.fixture(scope="module")
def guides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("guides"), site("0-9", "0-9-1", "1.0"))


@pytest.fixture
def window(browser: Any) -> Iterator[Any]:
    """The browser, of desk size, light; whatever it shows, no script of a page may fail."""
    from selenium.webdriver.support.ui import WebDriverWait

    use_scheme(browser, "light")
    resize(browser, DESK)
    browser.wait = WebDriverWait(browser, PATIENCE)
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def show(browser: Any, folder: Path, address: str = "index.html") -> None:
    browser.get("about:blank")  # else another fragment of the same page would not load it again
    browser.get(f"{folder.as_uri()}/{address}")


def search(browser: Any, text: str) -> list[str]:
    """What is found, the best first, by name."""
    field = browser.find_element("id", "search")
    field.clear()
    field.send_keys(text)
    css = "#found [role=option], #found .none"
    browser.wait.until(lambda _: browser.find_elements("css selector", css))
    return [element.text for element in browser.find_elements("css selector", "#found code")]


def fragment(browser: Any) -> str:
    return str(browser.execute_script("return decodeURIComponent(location.hash)"))


def is_in_view(browser: Any, anchor: str) -> bool:
    top = browser.execute_script(
        "return document.getElementById(arguments[0]).getBoundingClientRect().top", anchor
    )
    return 0 <= top < 450


@pytest.mark.parametrize(
    "anchor", ["queue.declare.passive", "class.basic", "domain.bit", "constant.not-found", "rule.basic.01"]
)
def test_deep_links(window: Any, guide: Path, anchor: str) -> None:
    show(window, guide, f"index.html#{anchor}")
    target = window.find_element("css selector", ":target")
    assert target.get_attribute("id") == anchor
    assert is_in_view(window, anchor)


def test_links_without_scripts(window: Any, guide: Path) -> None:
    window.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(window, guide, "index.html#queue.declare.passive")
        assert window.find_element("css selector", ":target").text.startswith("3 passive")
        assert not window.find_element("id", "search").is_displayed()
        window.find_element("css selector", '.sidebar a[href="#constants"]').click()
        assert window.current_url.endswith("#constants")
    finally:
        window.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_search_and_keys(window: Any, guide: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(window, guide)
    window.find_element("tag name", "body").send_keys("/")
    assert window.switch_to.active_element.get_attribute("id") == "search"
    assert search(window, "queue.declare")[0] == "queue.declare"
    assert search(window, "declare.passive")[:2] == ["exchange.declare.passive", "queue.declare.passive"]
    field = window.find_element("id", "search")
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert fragment(window) == "#queue.declare.passive"
    assert is_in_view(window, "queue.declare.passive")
    assert not window.find_element("id", "found").is_displayed()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("404", "not-found"),
        ("QueueDeclareOk", "queue.declare-ok"),
        ("LONGLONG 64", "longlong"),
        ("50.10", "queue.declare"),
        ("content-type", "basic.properties.content-type"),
    ],
)
def test_search_finds_names_numbers_and_words(window: Any, guide: Path, text: str, expected: str) -> None:
    show(window, guide)
    assert expected in search(window, text)[:2]


def test_nothing_is_said_before_the_index_is_loaded(window: Any, guide: Path) -> None:
    show(window, guide)
    window.execute_script(
        "const append = document.head.append.bind(document.head);"
        "document.head.append = (script) => { window.deliver = () => append(script); };"
    )
    window.find_element("id", "search").send_keys("queue.declare")
    assert window.find_elements("css selector", "#found li") == []
    window.execute_script("window.deliver()")
    window.wait.until(lambda _: window.find_elements("css selector", "#found [role=option]"))


def test_search_finds_rules_and_words_of_docs(window: Any, guide: Path) -> None:
    show(window, guide)
    assert "queue.declare/minimum-queues" in search(window, "256 queues")
    assert search(window, "zebra") == []
    assert window.find_element("css selector", "#found .none").text == "nothing found"
    from selenium.webdriver.common.keys import Keys

    window.find_element("id", "search").send_keys(Keys.ESCAPE)
    assert not window.find_element("id", "found").is_displayed()


def test_a_click_on_what_is_found(window: Any, guide: Path) -> None:
    show(window, guide)
    search(window, "basic.nack")
    window.find_element("css selector", "#found a").click()
    assert fragment(window) == "#basic.nack"


def test_links_are_followed(window: Any, guide: Path) -> None:
    show(window, guide, "index.html#queue.declare")
    method = window.find_element("id", "queue.declare").find_element("xpath", "..")
    method.find_element("link text", "declare-ok").click()
    assert fragment(window) == "#queue.declare-ok"
    show(window, guide, "index.html#class.channel")
    window.find_element("link text", "S:FLOW-OK").click()
    assert fragment(window) == "#channel.flow-ok"


def test_the_way_to_the_changes_and_back(window: Any, guide: Path) -> None:
    show(window, guide)
    window.find_element("link text", "0-9-1 to 0-9-1-rabbitmq").click()
    assert window.title == "AMQP 0-9-1 to 0-9-1-rabbitmq"
    window.find_element("css selector", '[aria-label="basic.nack in the guide"]').click()
    assert window.current_url.endswith("/index.html#basic.nack")
    show(window, guide, "changes-0-9-1-rabbitmq-to-1.0.html")
    window.find_element("partial link text", "\N{LEFTWARDS ARROW}").click()
    assert window.current_url.endswith("/index.html")


def test_the_sidebar_says_where_the_reader_is(window: Any, guide: Path) -> None:
    show(window, guide, "index.html#tx.commit")
    here = window.wait.until(lambda _: window.find_elements("css selector", ".sidebar [aria-current]"))
    assert [item.get_attribute("href").partition("#")[2] for item in here] == ["tx.commit"]
    assert here[0].is_displayed()
    window.execute_script("document.getElementById('constants').scrollIntoView()")
    window.wait.until(lambda _: not here[0].is_displayed())


def test_several_guides(window: Any, guides: Path) -> None:
    show(window, guides)
    window.find_element("link text", "AMQP 0-9").click()
    assert window.current_url.endswith("/0-9/index.html")
    found = search(window, "queue.declare")
    assert found[:2] == ["queue.declare", "queue.declare"]
    links = [
        element.get_attribute("href")
        for element in window.find_elements("css selector", "#found [role=option] a")
    ]
    assert [link.partition("guides0/")[2] for link in links[:2]] == [
        "0-9/index.html#queue.declare",
        "0-9-1/index.html#queue.declare",
    ]
    window.find_elements("css selector", "#found a")[1].click()
    window.wait.until(lambda _: window.current_url.endswith("/0-9-1/index.html#queue.declare"))


def test_an_address_of_the_guide_alone_finds_its_place_among_several(window: Any, guides: Path) -> None:
    show(window, guides, "index.html#queue.declare.passive")
    window.wait.until(lambda _: window.current_url.endswith("/0-9-1/index.html#queue.declare.passive"))
    show(window, guides, "index.html#part.transport")
    window.wait.until(lambda _: window.current_url.endswith("/1.0/transport.html#part.transport"))
    show(window, guides, "index.html#access.request")
    window.wait.until(lambda _: window.current_url.endswith("/0-9/index.html#access.request"))


@pytest.mark.parametrize(
    "page",
    [
        "index.html",
        "0-9/index.html",
        "0-9-1/index.html",
        "1.0/index.html",
        "1.0/types.html",
        "1.0/transport.html",
        "1.0/messaging.html",
        "changes-0-9-to-0-9-1.html",
        "changes-0-9-1-to-1.0.html",
    ],
)
@pytest.mark.parametrize("width", [320, PHONE, 800, DESK])
def test_nothing_is_wider_than_the_window(window: Any, guides: Path, page: str, width: int) -> None:
    resize(window, width)
    show(window, guides, page)
    window.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert window.execute_script("return document.documentElement.scrollWidth") <= width


def test_the_sidebar_on_a_phone(window: Any, guide: Path) -> None:
    resize(window, PHONE)
    show(window, guide)
    sidebar = window.find_element("id", "sidebar")
    assert not sidebar.is_displayed()
    window.find_element("css selector", ".menu").click()
    assert sidebar.is_displayed()
    sidebar.find_element("link text", "Constants").click()
    assert not sidebar.is_displayed()
    assert is_in_view(window, "constants")


def test_light_and_dark(window: Any, guide: Path) -> None:
    """As the system has it, until the reader chooses; pictures too."""
    show(window, guide, "index.html#queue.declare")
    body = window.find_element("tag name", "body")
    label = window.find_element("css selector", "article svg text")

    def colours() -> tuple[str, str]:
        return body.value_of_css_property("background-color"), label.value_of_css_property("fill")

    light = colours()
    use_scheme(window, "dark")
    dark = colours()
    assert all(one != other for one, other in zip(light, dark, strict=True))
    window.find_element("css selector", ".theme").click()
    assert colours() == light
    window.execute_script("localStorage.clear()")


def test_printed_it_is_only_the_text(window: Any, guide: Path) -> None:
    """And black on white, whatever the screen shows."""
    show(window, guide)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
    try:
        colour = window.find_element("tag name", "body").value_of_css_property("color")
        assert colour == "rgba(29, 32, 36, 1)"
        assert not window.find_element("id", "search").is_displayed()
        assert not window.find_element("id", "sidebar").is_displayed()
        assert window.find_element("id", "queue.declare").is_displayed()
    finally:
        window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_texts_are_shown_and_never_obeyed(window: Any, tmp_path: Path) -> None:
    files = made(read(written(tmp_path, specification(TEXTS))))
    show(window, put(tmp_path / "guide", files))
    scripts = len(window.find_elements("tag name", "script"))
    shown = window.execute_script("return document.getElementById('content-pane').textContent")
    assert "</script><script>alert(1)</script>" in shown
    found = search(window, "alert(1)")
    assert found
    texts = [element.text for element in window.find_elements("css selector", "#found small")]
    assert any("</script><script>alert(1)</script>" in text for text in texts)
    assert scripts == 2


def test_an_unknown_anchor_is_said(window: Any, guide: Path) -> None:
    show(window, guide, "index.html#queue.nonsense")
    line = window.wait.until(lambda _: window.find_elements("id", "unknown-anchor"))[0]
    assert "queue.nonsense" in line.text
    line.find_element("tag name", "a").click()
    window.wait.until(lambda _: not window.find_elements("id", "unknown-anchor"))
    assert window.find_element("css selector", ":target")


def test_an_anchor_in_another_spelling(window: Any, guide: Path) -> None:
    show(window, guide, "index.html#basic-publish")
    window.wait.until(lambda _: fragment(window) == "#basic.publish")
    assert is_in_view(window, "basic.publish")


def test_a_mistyped_word_is_mended(window: Any, guide: Path) -> None:
    show(window, guide)
    assert "connection.tune.heartbeat" in search(window, "heartbeet")
    assert "heartbeat" in window.find_element("css selector", "#found .none").text


@pytest.mark.parametrize("page", ["index.html", "1.0/transport.html", "changes-0-9-to-0-9-1.html"])
def test_no_control_is_inside_another(window: Any, guides: Path, page: str) -> None:
    show(window, guides, page)
    assert window.find_elements("css selector", "summary a, summary button, a button, button a") == []
    description = window.find_element("css selector", 'meta[name="description"]')
    assert description.get_attribute("content")
