"""Look at the built site in headless Chromium, page by page: light, dark, and as wide as a phone.

    python -m tools.docs_site.look build/site build/docs-looks

It serves the site on localhost, puts a screenshot of each view into the second folder, and fails if a page asks another
host for anything, logs an error, is wider than a phone, or has a serious fault of accessibility (axe-core).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

from tools.chromium import resize, start_chromium, use_scheme
from tools.npm import NpmError, installed

# One page of each kind; they share their templates with all others.
PAGES = (
    "index.html",
    "packages.html",
    "templates.html",
    "traffic.html",
    "gallery.html",
    "cli.html",
    "guides.html",
    "api/amqp_codegen.api.html",
    "api/amqp_0_9_1_rabbitmq.methods.html",
    "guide/index.html",
    "guide/0-9-1-rabbitmq/index.html#queue.declare",
    "guide/1.0/transport.html#type.attach",
    "guide/changes-0-9-to-0-9-1.html",
    "guide/changes-0-9-1-rabbitmq-to-1.0.html",
)
DESK, PHONE = 1280, 390
VIEWS = (("light", "light", DESK), ("dark", "dark", DESK), ("phone", "light", PHONE))
_GRAVE = ("serious", "critical")
_REQUESTS = "return performance.getEntriesByType('resource').map((each) => each.name)"
_AXE = """const done = arguments[arguments.length - 1];
axe.run({ exclude: arguments[0] }, { resultTypes: ["violations"] }).then((found) => done(found.violations))"""
# Of what is repeated a thousand times, the first ones tell.
_REPEATED = [
    [".class ~ .class"],
    [".method ~ .method ~ .method"],
    ["tr:nth-child(n+20)"],
    [".entry ~ .entry ~ .entry"],
]
_AXE_SECONDS = 1800  # to end a hang; a busy machine takes minutes for the longest page


def main(site: Path, looks: Path) -> int:
    """Look at every page; return the exit code."""
    try:
        modules = installed(Path(__file__).with_name("package.json"))
        axe = (modules / "axe-core" / "axe.min.js").read_text("utf-8")
        browser = start_chromium()
    except (NpmError, LookupError) as error:
        print(f"error: the site cannot be looked at: {error}", file=sys.stderr)
        return 2
    browser.set_script_timeout(_AXE_SECONDS)
    looks.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    try:
        with served(site) as address:
            for page, view in product(PAGES, VIEWS):
                found = look(browser, axe, address, page, view, looks)
                faults += [f"{page} ({view[0]}): {fault}" for fault in found]
    finally:
        browser.quit()
    for fault in faults:
        print(fault)
    print(f"{len(PAGES)} pages in {len(VIEWS)} views: {len(faults)} faults; pictures in {looks}")
    return 1 if faults else 0


def look(
    browser: Any, axe: str, address: str, page: str, view: tuple[str, str, int], looks: Path
) -> Iterator[str]:
    """Open a page, take its picture, and yield what is wrong with it."""
    name, scheme, width = view
    use_scheme(browser, scheme)
    resize(browser, width)
    # The theme keeps the colours of its first visit.
    browser.execute_cdp_cmd(
        "Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"}
    )
    browser.get("about:blank")
    browser.get(f"{address}/{page}")
    browser.save_screenshot(str(looks / f"{page.partition('#')[0].replace('/', '-')}.{name}.png"))
    if browser.execute_script("return document.documentElement.scrollWidth") > width:
        yield f"wider than {width} pixels"
    yield from (
        f"asks for {request}"
        for request in browser.execute_script(_REQUESTS)
        if not request.startswith((f"{address}/", "data:"))
    )
    yield from (entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE")
    browser.execute_script(axe)
    for violation in browser.execute_async_script(_AXE, _REPEATED):
        if violation["impact"] in _GRAVE:
            nodes = violation["nodes"]
            yield f"axe: {violation['id']} ({violation['impact']}), {len(nodes)} times: {nodes[0]['html'][:160]}"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on localhost, and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: what is missing, the page says."""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
