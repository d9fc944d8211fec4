"""The verdicts of the conformance report can be read in light and in dark: 4.5 to 1, as WCAG 2 asks for small text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
PAGE = (TEMPLATES / "page/page.css").read_text(encoding="utf-8")
REPORT = (TEMPLATES / "conformance_report/report.css").read_text(encoding="utf-8")
VARIABLES = dict(re.findall(r"--(\w+): (light-dark\([^;]*\));", PAGE))
VERDICTS = dict(re.findall(r"^\.(\w+) \{ --colour: (.+); \}$", REPORT, re.MULTILINE))
Colour = tuple[float, float, float]


def colour_of(text: str, theme: int) -> Colour:
    """The colour that an expression of the style sheets means in a theme: 0 is light, 1 is dark."""
    if found := re.fullmatch(r"#(\w\w)(\w\w)(\w\w)", text):
        red, green, blue = (int(part, 16) / 255 for part in found.groups())
        return red, green, blue
    if found := re.fullmatch(r"var\(--(\w+)\)", text):
        return colour_of(VARIABLES[found[1]], theme)
    if found := re.fullmatch(r"light-dark\((.+), (.+)\)", text):
        return colour_of(found[theme + 1], theme)
    found = re.fullmatch(r"color-mix\(in srgb, (.+) (\d+)%, (.+)\)", text)
    assert found, text
    share = int(found[2]) / 100
    pairs = zip(colour_of(found[1], theme), colour_of(found[3], theme), strict=True)
    red, green, blue = (first * share + second * (1 - share) for first, second in pairs)
    return red, green, blue


def luminance(colour: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Colour, second: Colour) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_names_of_verdicts_can_be_read(verdict: str, theme: int) -> None:
    own = re.search(rf"^\.{verdict} \.verdict \{{ color: (.+); \}}$", REPORT, re.MULTILINE)
    general = re.search(r"^\.verdict \{.*? color: ([^;]+);", REPORT, re.MULTILINE)
    assert general
    text = own[1] if own else general[1].replace("var(--colour)", VERDICTS[verdict])
    for ground in ("raised", "ground"):
        assert contrast(colour_of(text, theme), colour_of(f"var(--{ground})", theme)) >= 4.5


def test_all_verdicts_are_looked_at() -> None:
    assert {"passed", "failed", "not_testable", "pending", "deviates"} <= set(VERDICTS)
