"""Every site as a whole: nothing in it leads nowhere or elsewhere, and it is the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from amqp_codegen.support.resources import specs_dir

from tests.patience import PATIENCE

from .site_pages import AMQP0, Page, faults, leads_somewhere, parsed, search_entries, site

SITES = [*((name,) for name in (*AMQP0, "1.0")), ("0-9", "0-9-1", "0-9-1"), (*AMQP0, "1.0")]


@pytest.mark.parametrize("names", SITES, ids="+".join)
def test_a_whole_site(names: tuple[str, ...]) -> None:
    files = site(*names)
    assert list(faults(files)) == []
    assert "index.html" in files
    for path, text in files.items():
        assert str(specs_dir()) not in text, path
        assert "None" not in (page.text if (page := parsed(*names).get(path)) else ""), path


def test_the_checker_finds_faults() -> None:
    good = dict(site("0-9-1"))
    for added, wrong in (
        ('<a href="#nowhere">x</a>', "leads nowhere"),
        ('<a href="gone.html">x</a>', "leads nowhere"),
        ('<a href="https://example.org/">x</a>', "leads nowhere"),
        ('<img src="x.png">', "loads"),
        ('<p id="classes">x</p>', "two elements"),
        ("<style>p { background: url(x.png) }</style>", "style loads"),
    ):
        bad = {**good, "index.html": good["index.html"].replace("</main>", f"{added}</main>")}
        assert [wrong in fault for fault in faults(bad)] == [True], added


def test_it_is_the_same_each_time() -> None:
    """In another process, too, where sets have another order."""
    program = "from tests.reference.site_pages import site\nprint(site('0-9-1-rabbitmq'))"
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join((str(root), str(root / "codegen")))
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": path},
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == f"{site('0-9-1-rabbitmq')}\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("0-8", ["0-8-to-0-9", "0-8-to-1.0"]),
        ("0-9", ["0-8-to-0-9", "0-9-to-0-9-1", "0-9-to-1.0"]),
        ("0-9-1", ["0-9-to-0-9-1", "0-9-1-to-0-9-1-rabbitmq", "0-9-1-to-1.0"]),
        ("0-9-1-rabbitmq", ["0-9-1-to-0-9-1-rabbitmq", "0-9-1-rabbitmq-to-1.0"]),
        ("1.0", ["0-9-1-to-1.0"]),
    ],
)
def test_the_changes_to_the_neighbours(name: str, expected: list[str]) -> None:
    files = site(name)
    assert [path for path in files if path.startswith("changes-")] == [
        f"changes-{item}.html" for item in expected
    ]
    for item in expected:
        page = parsed(name)[f"changes-{item}.html"]
        assert ("a", "index.html") in page.addresses
        assert ("a", f"changes-{item}.html") in parsed(name)["index.html"].addresses
    assert "queue.declare" in parsed("0-9")["changes-0-9-to-0-9-1.html"].text


def test_several_specifications_are_one_site() -> None:
    files = site("0-9", "0-9-1", "0-9-1")
    assert set(files) == {
        "index.html",
        "0-9/index.html",
        "0-9-1/index.html",
        "0-9-1.2/index.html",
        "changes-0-9-to-0-9-1.html",
        "changes-0-9-1-to-0-9-1.html",
        "search-data.js",
    }
    found = parsed("0-9", "0-9-1", "0-9-1")
    start = found["index.html"]
    for target in set(files) - {"index.html", "search-data.js"}:
        assert ("a", target) in start.addresses
    assert "no differences" in start.text
    entries = search_entries(files)
    assert {kind for kind, name, *_ in entries if name == "queue.declare"} == {
        "method, 0-9",
        "method, 0-9-1",
        "method, 0-9-1.2",
    }


def test_a_guide_alone_has_everything_on_its_first_page() -> None:
    """So that old links, ``index.html#...``, need no script."""
    assert [path for path in site("0-9-1") if path.endswith(".html") and "changes" not in path] == [
        "index.html"
    ]


def test_links_are_resolved_as_a_browser_does() -> None:
    found = {"a/index.html": Page('<br id="x y">'), "b.html": Page("")}
    assert leads_somewhere(found, "a/index.html", "../b.html")
    assert leads_somewhere(found, "b.html", "a/index.html#x%20y")
    assert not leads_somewhere(found, "b.html", "a/index.html#z")
    assert not leads_somewhere(found, "b.html", "../b.html")


def test_what_has_changed_leads_to_where_it_is() -> None:
    addresses = [address for _, address in parsed("0-9-1")["changes-0-9-to-0-9-1.html"].addresses]
    assert "index.html#queue.declare.reserved-1" in addresses
    assert not any("access.request" in address for address in addresses)
    both = [address for _, address in parsed("0-9", "0-9-1", "0-9-1")["changes-0-9-to-0-9-1.html"].addresses]
    assert "0-9-1/index.html#queue.declare.reserved-1" in both
    assert "0-9/index.html#access.request" in both or "0-9/index.html#class.access" in both


def test_concepts_lead_to_where_they_are() -> None:
    page = parsed(*AMQP0, "1.0")["changes-0-9-1-rabbitmq-to-1.0.html"]
    leading = {address for _, address in page.addresses if "#" in address}
    assert "0-9-1-rabbitmq/index.html#basic.properties.headers" in leading
    assert any(address.startswith("1.0/transport.html#") for address in leading)
    assert len(leading) > 120
