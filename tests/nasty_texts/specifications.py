"""A specification of each family with nasty texts wherever texts may be, and its tame twin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from xml.etree import ElementTree

from amqp_codegen.support.resources import specs_dir

from tests.emit.nasty_specifications import TEXTS
from tests.emit.small_specifications import written
from tests.emit.test_nasty_specification import specification

FAMILIES = ("amqp0", "amqp1")
# A name that files may have on any system that has files of many names; longer texts do not fit.
FILE_NAME = "<script>alert(1)<img src=x> \"'{{ 7 }} ]]> ;`$(x)` --> *.xml"
# Texts that a symbol can hold.
ASCII = [text for text in TEXTS if text.isascii() and text.isprintable() and len(text) < 100]
_NAMESPACE = "http://www.amqp.org/schema/amqp.xsd"


def write_nasty(family: str, folder: Path) -> None:
    """Write the files of the nasty specification of a family."""
    if family == "amqp0":
        written(folder, specification(TEXTS), FILE_NAME)
    else:
        _write_amqp1(folder, TEXTS, ASCII, FILE_NAME)


def write_tame(family: str, folder: Path, word: str = "text") -> None:
    """Write the same specification with texts that mean no harm."""
    texts = [f"{word} {number}" for number in range(len(TEXTS))]
    if family == "amqp0":
        written(folder, specification(texts), "tame.xml")
    else:
        _write_amqp1(folder, texts, [f"{word}-{number}" for number in range(len(ASCII))], "tame.xml")


def _write_amqp1(folder: Path, texts: Sequence[str], symbols: Sequence[str], name: str) -> None:
    """The published files with other texts, and with types and rules besides that are all texts.

    What is added has no namespace here, and that of the files once it is written.
    """
    ElementTree.register_namespace("", _NAMESPACE)
    endless = cycle(texts)
    for path in sorted((specs_dir() / "amqp1-0").glob("*.xml")):
        root = ElementTree.parse(path).getroot()
        for element in root.iter():
            if "label" in element.attrib:
                element.set("label", next(endless))
            if element.tag == f"{{{_NAMESPACE}}}p":
                for child in list(element):
                    element.remove(child)
                element.text = next(endless)
        if root.get("name") == "transport":
            _add_types(root, texts, symbols)
        path = folder / f"{root.get('name')} {name}"
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add_types(root: ElementTree.Element, texts: Sequence[str], symbols: Sequence[str]) -> None:
    section = ElementTree.SubElement(root, "section", name="nasty", title=texts[0], label=texts[1])
    doc(section, texts)
    for number, text in enumerate(texts):
        definition = ElementTree.SubElement(section, "definition", name=f"N{number}", value=text, label=text)
        doc(definition, [text])
    for name, source, values in (("nasty-string", "string", texts), ("nasty-symbol", "symbol", symbols)):
        kind = ElementTree.SubElement(
            section, "type", {"name": name, "class": "restricted", "source": source, "label": texts[2]}
        )
        for number, text in enumerate(values):
            choice = ElementTree.SubElement(kind, "choice", name=f"c{number}", value=text, label=text)
            doc(choice, [text])
    kind = ElementTree.SubElement(
        section, "type", {"name": "nasty-list", "class": "composite", "source": "list", "label": texts[3]}
    )
    ElementTree.SubElement(kind, "descriptor", name=symbols[0], code="0x00000000:0x00000099")
    for number, text in enumerate(texts):
        field = ElementTree.SubElement(
            kind, "field", name=f"f{number}", type="string", default=text, label=text
        )
        doc(field, [text])
        rule = ElementTree.SubElement(kind, "rule", name=text, label=text)
        doc(rule, [text])
        ElementTree.SubElement(ElementTree.SubElement(rule, "doc", type="scenario"), "p").text = text


def doc(parent: ElementTree.Element, texts: Sequence[str]) -> None:
    """Add a doc with a paragraph for each text."""
    element = ElementTree.SubElement(parent, "doc")
    for text in texts:
        ElementTree.SubElement(element, "p").text = text
