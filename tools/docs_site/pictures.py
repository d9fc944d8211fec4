"""Take pictures of the pages that the commands write, from real runs on synthetic data, for the gallery of the site.

    python -m tools.docs_site.pictures build/docs-pictures

A picture whose run needs what is not there (a RabbitMQ on localhost, Java for Spark) is left out, with a word.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

_BROKER = "amqp://guest:guest@localhost:5672/"


@dataclass(frozen=True)
class Picture:
    """A page of ours in the gallery.

    Attributes:
        file: Of the picture.
        text: What the page is for.
        page: The document about it.
        commands: What makes it, in a folder of its own; the last one is shown.
        address: The page, relative to that folder.
    """

    file: str
    title: str
    text: str
    page: str
    commands: tuple[str, ...]
    address: str


PICTURES = (
    Picture(
        "guide.png", "Reference guide", "A method: its signature, rules, fields and octets.", "reference.md",
        ("reference 0-9-1-rabbitmq -o guide",), "guide/index.html#queue.declare",
    ),
    Picture(
        "states.png", "States of a class", "Who may send what in which state, from the class grammar.", "grammar.md",
        ("reference 0-9-1-rabbitmq -o guide",), "guide/index.html#class.channel",
    ),
    Picture(
        "changes.png", "What differs between two versions", "Each change with whom it breaks, filtered and searched.",
        "diff.md", ("diff 0-9 0-9-1 --format html -o changes.html",), "changes.html",
    ),
    Picture(
        "traffic.png", "Report on traffic", "Who is connected, what they do wrong, how much and how fast.",
        "traffic-report.md", (
            "traffic synth --seed 1 --out monday.pcapng --format pcapng --size 2MB --mix 0-9-1-rabbitmq=3,1.0",
            "traffic ingest monday.pcapng --out lake --engine local",
            "traffic report lake -o report.html",
        ), "report.html",
    ),
    Picture(
        "conformance.png", "Conformance of a live broker",
        "Each rule of the specification, what the broker made of it, and the frames that prove it.",
        "conformance-live.md", (f"conformance {_BROKER} --rules queue.* --format html -o conformance.html",),
        "conformance.html",
    ),
)  # fmt: skip


def main(folder: Path) -> int:
    """Take all pictures; return the exit code."""
    from tools.chromium import resize, start_chromium, use_scheme

    try:
        browser = start_chromium()
    except LookupError as error:
        print(f"error: no pictures can be taken: {error}", file=sys.stderr)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    use_scheme(browser, "light")
    resize(browser, 1280, 800)
    try:
        for picture in PICTURES:
            with tempfile.TemporaryDirectory() as place:
                if _run(picture, Path(place)):
                    _take(browser, Path(place), picture, folder)
                else:
                    (folder / picture.file).unlink(missing_ok=True)
    finally:
        browser.quit()
    return 0


def _run(picture: Picture, place: Path) -> bool:
    for command in picture.commands:
        words = [sys.executable, "-m", "amqp_codegen", *command.split()]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode > 1:  # 1: something was found
            print(f"{picture.title} is left out of the gallery: {done.stderr.strip()[-300:]}")
            return False
    return True


def _take(browser: Any, place: Path, picture: Picture, folder: Path) -> None:
    browser.get("about:blank")
    browser.get(f"{place.as_uri()}/{picture.address}")
    browser.save_screenshot(str(folder / picture.file))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
