"""One headless Chromium, driven by Selenium, that cannot reach any other host."""

from __future__ import annotations

import shutil
from typing import Any

# The names of Debian, of other systems, and of Google's own build.
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def start_chromium() -> Any:
    """Start a Chromium; the caller ends it with ``quit``.

    Raises:
        LookupError: There is no Chromium, or no chromedriver.
    """
    from selenium import webdriver

    binary = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        raise LookupError("there is no Chromium with chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,1000"):
        options.add_argument(argument)
    # A page that needs the network shows it here: every name resolves to nothing.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def use_scheme(browser: Any, scheme: str) -> None:
    """Set what the system says it prefers: ``light`` or ``dark``."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def resize(browser: Any, width: int, height: int = 900) -> None:
    """Set the size of the page; a window of Chromium cannot be as narrow as a phone."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
