"""One headless Chromium for all tests of a process."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# The names of Debian, of other systems, and of Google's own build.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

Open = Callable[[str], Any]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    webdriver = pytest.importorskip(
        "selenium.webdriver", reason="selenium is not installed: pip install .[test]"
    )
    binary = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("there is no Chromium with chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(argument)
    # A page that needs the network shows it here: every name resolves to nothing.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield chromium
    chromium.quit()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Shows a page, in a window of the usual size and the light theme; none may log an error."""

    def show(page: str) -> Any:
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        browser.get(file.as_uri())
        return browser

    browser.set_window_size(1280, 1000)
    use_scheme(browser, "light")
    yield show
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def use_scheme(browser: Any, scheme: str) -> None:
    """What the system says it prefers: ``light`` or ``dark``."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
