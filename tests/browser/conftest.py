"""One headless Chromium for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.chromium import start_chromium, use_scheme

Open = Callable[[str], Any]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    pytest.importorskip("selenium.webdriver", reason="needs Selenium: pip install '.[test]'")
    try:
        chromium = start_chromium()
    except LookupError as error:
        pytest.skip(f"needs Chromium: {error}")
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
