"""A picture in SVG that is drawn from what is measured, and committed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def svg(title: str, size: tuple[float, float], style: str, shapes: Iterable[str], *definitions: str) -> str:
    """Return the text of a file with these shapes on white."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<title>{title}</title>",
        f"<style>{style}</style>",
        *definitions,
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
        *shapes,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def write_or_check(description: str | None, picture: Path, text: str, command: str) -> int:
    """Write a picture, or with ``--check`` return 1 if the committed one is not current."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="only say whether the committed picture is current"
    )
    if not parser.parse_args().check:
        picture.write_text(text, encoding="utf-8")
    elif not picture.is_file() or picture.read_text(encoding="utf-8") != text:
        print(f"{picture.relative_to(ROOT)} is not current; run: {command}")
        return 1
    return 0
