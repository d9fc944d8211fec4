"""Packages of specifications that lack what the standard has: type checkers are content with each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.emit.small_specifications import publish_to, run_python, unformatted
from tests.shared_folders import Shared
from tests.type_checks import run_mypy

from .specification import FILES, FOLDER, local

Edit = Callable[[str, ElementTree.Element], None]


def dropped(root: ElementTree.Element, unwanted: Callable[[ElementTree.Element], bool]) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if unwanted(child):
                parent.remove(child)


def no_rules(_name: str, root: ElementTree.Element) -> None:
    dropped(root, lambda element: local(element) == "rule")


def no_definitions(_name: str, root: ElementTree.Element) -> None:
    dropped(root, lambda element: local(element) == "definition")


def no_choices(_name: str, root: ElementTree.Element) -> None:
    dropped(root, lambda element: local(element) == "choice")


def no_archetypes(_name: str, root: ElementTree.Element) -> None:
    for element in root.iter():
        for attribute in ("provides", "requires"):
            element.attrib.pop(attribute, None)


def no_composites(_name: str, root: ElementTree.Element) -> None:
    dropped(root, lambda element: local(element) == "type" and element.get("class") == "composite")


def no_restricted(_name: str, root: ElementTree.Element) -> None:
    dropped(root, lambda element: local(element) == "type" and element.get("class") == "restricted")
    for element in root.iter():
        if local(element) == "field" and element.get("type") not in PRIMITIVES:
            element.set("type", "symbol" if element.get("multiple") == "true" else "*")
            element.attrib.pop("default", None)


PRIMITIVES = frozenset(
    ("boolean", "ubyte", "ushort", "uint", "ulong", "timestamp", "binary", "string", "symbol", "map", "*")
)

# Which files, and what is taken out of them.
CASES: dict[str, tuple[tuple[str, ...], Edit | None]] = {
    "types alone": (("types",), None),
    "without sasl": (FILES[:4], None),
    "without messages": (("types", "transport"), None),
    "without rules": (FILES, no_rules),
    "without definitions": (FILES, no_definitions),
    "without archetypes": (FILES, no_archetypes),
    "without composites": (("types", "transport"), no_composites),
    "without restricted types": (("types", "transport"), no_restricted),
}


@pytest.mark.slow
def test_type_checkers_are_content_whatever_is_missing(shared: Shared, tmp_path: Path) -> None:
    packages = []
    for number, (files, edit) in enumerate(CASES.values()):
        sources = []
        for name in files:
            tree = ElementTree.parse(FOLDER / f"{name}.xml")
            if edit is not None:
                no_rules(name, tree.getroot())  # which name conditions that may go
                edit(name, tree.getroot())
            source = tmp_path / f"case{number}" / f"{name}.xml"
            source.parent.mkdir(exist_ok=True)
            tree.write(source, encoding="utf-8")
            sources.append(source)
        packages.append(f"small_{number}")
        publish_to(tmp_path, unformatted(sources, packages[-1], emit=("codecs",)))
    done = run_python(f"import {', '.join(packages)}", tmp_path)
    assert done.stderr == ""
    checked = run_mypy(shared, *packages, cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
