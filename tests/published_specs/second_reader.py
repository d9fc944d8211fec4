"""A second reader of the files of 0-x, by plain ElementTree, which shares no code with the generator."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

Facts = dict[str, object]


def read_facts(path: Path, ignored_class: str = "") -> Facts:
    """Return all that a file states but texts: the attributes of each element, by its place, and grammars."""
    root = ElementTree.parse(path).getroot()
    for element in root.findall(f"class[@name='{ignored_class}']"):
        root.remove(element)
    facts: Facts = {}
    _read(root, "amqp", facts)
    return facts


def _read(element: ElementTree.Element, place: str, facts: Facts) -> None:
    facts[place] = {
        name: _plain(value)
        for name, value in element.attrib.items()
        if name not in ("name", "label") and value != "0"
    }
    numbers: dict[str, int] = {}
    for child in element:
        kind = child.get("type") or child.get("name") if child.tag == "doc" else child.tag
        if kind == "grammar":
            facts[f"{place} grammar"] = "".join("".join(child.itertext()).split())
        elif kind == "scenario":
            facts[f"{place} scenario"] = True
        elif kind:
            # The order counts, and rules of 0-8 have no names.
            numbers[kind] = numbers.get(kind, 0) + 1
            name = "" if child.tag == "doc" else _plain(child.get("name", ""))
            _read(child, f"{place}, {kind} {numbers[kind]} {name}", facts)


def _plain(text: str) -> str:
    """Separators and case differ, and mean nothing."""
    return re.sub("[ _-]+", "-", text.strip().lower())
