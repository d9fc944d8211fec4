"""What the XML files of AMQP 1.0 say, by plain ElementTree: a second reader, which the generator has no part in."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "specs" / "amqp1-0"
FILES = ("types", "transport", "messaging", "transactions", "security")
# The module of each part, but for that of the primitive types.
MODULES = {
    "transport": "performatives",
    "messaging": "messaging",
    "transactions": "transactions",
    "security": "sasl",
}


@dataclass
class Field:
    """A field of a composite type, as written."""

    name: str
    type: str
    requires: tuple[str, ...]
    default: str | None
    mandatory: bool
    multiple: bool


@dataclass
class Type:
    """A type that is no primitive one, as written."""

    part: str
    name: str
    kind: str
    source: str
    provides: tuple[str, ...]
    symbol: str = ""
    code: int | None = None
    fields: list[Field] = field(default_factory=list)
    choices: dict[str, str] = field(default_factory=dict)


def read(files: Iterable[Path]) -> dict[str, Type]:
    """The composite and the restricted types of the files of all parts, by name."""
    types: dict[str, Type] = {}
    for name, file in zip(FILES, files, strict=True):
        root = ElementTree.parse(file).getroot()
        for element in root.iter():
            if local(element) == "type" and element.get("class") != "primitive":
                found = read_type(name, element)
                assert found.name not in types
                types[found.name] = found
    return types


def local(element: ElementTree.Element) -> str:
    """The name of an element, whatever its namespace."""
    return element.tag.rpartition("}")[2]


def read_type(part: str, element: ElementTree.Element) -> Type:
    found = Type(
        part,
        element.get("name", ""),
        element.get("class", ""),
        element.get("source", ""),
        names(element, "provides"),
    )
    for child in element:
        if local(child) == "descriptor":
            found.symbol = child.get("name", "")
            domain, _, number = child.get("code", "").partition(":")
            found.code = int(domain, 16) << 32 | int(number, 16)
        elif local(child) == "field":
            found.fields.append(
                Field(
                    child.get("name", ""),
                    child.get("type", ""),
                    names(child, "requires"),
                    child.get("default"),
                    child.get("mandatory") == "true",
                    child.get("multiple") == "true",
                )
            )
        elif local(child) == "choice":
            found.choices[child.get("name", "")] = child.get("value", "")
    return found


def names(element: ElementTree.Element, attribute: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in element.get(attribute, "").split(",") if name.strip())


TYPES = read(FOLDER / f"{name}.xml" for name in FILES)
COMPOSITES = [type_ for type_ in TYPES.values() if type_.kind == "composite"]
DESCRIBED = [type_ for type_ in TYPES.values() if type_.code is not None]
ENUMERATIONS = [type_ for type_ in TYPES.values() if type_.choices]


def primitive(name: str) -> str:
    """The primitive type that a type comes down to; a composite is a list."""
    while name in TYPES:
        name = "list" if TYPES[name].kind == "composite" else TYPES[name].source
    return name


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def class_name(item: Type) -> str:
    """The name of the class or alias of a type, which does not hide a built-in."""
    name = camel(item.name)
    return f"{name}{camel(item.provides[0]).removeprefix('Error')}" if hasattr(builtins, name) else name


def identifier(name: str) -> str:
    name = name.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name
