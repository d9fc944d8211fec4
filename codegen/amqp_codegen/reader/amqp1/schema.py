"""The schema of AMQP 1.0 files: the document type definition that the standard prints in full.

We add three things: ``rule`` elements, docs with the scenario of a rule, and labels of choices. The
definition allows any text in some attributes which the standard restricts to names, numbers, ``true`` or
``false``; those are checked here too.

``check_amqp1`` checks what a schema cannot express: which class of type has which children, and numbers
that must match. The number of a descriptor is a domain and an id: ``0x00000000:0x00000010``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model.problem import Problem, Severity
from ...support.wording import describe, listing, quote
from ..check_schema import parse_number
from ..element import Element
from ..schema import (
    NAME,
    TEXT,
    U8,
    Attribute,
    ElementSchema,
    Schema,
    Value,
    ValueKind,
    children,
    one_of,
    optional,
    required,
)

_MAX_UINT32 = 0xFFFF_FFFF
_MAX_UINT64 = 0xFFFF_FFFF_FFFF_FFFF


def parse_descriptor_code(text: str) -> int | None:
    """Return ``domain << 32 | id`` from two numbers or the combined one; None for anything else."""
    if code_complaint(text):
        return None
    domain, _, identity = text.rpartition(":")
    return (parse_number(domain or "0") or 0) << 32 | (parse_number(identity) or 0)


def code_complaint(text: str) -> str:
    """Return the fault of a code, to follow "code <code>"; empty if there is none."""
    numbers = [parse_number(part) for part in text.split(":")]
    if len(numbers) > 2 or None in numbers:
        return "is not two numbers parted by a colon, like 0x00000000:0x00000010"
    if len(numbers) == 1:
        return f"is larger than {_MAX_UINT64:#x}" if (numbers[0] or 0) > _MAX_UINT64 else ""
    for what, number in zip(("a domain", "an id"), numbers, strict=True):
        if (number or 0) > _MAX_UINT32:
            return f"has {what} larger than {_MAX_UINT32:#x}"
    return ""


TYPE_CLASSES = ("primitive", "composite", "restricted", "union")
CATEGORIES = ("fixed", "variable", "compound", "array")

_TRUTH = one_of("true", "false")
_NAMES = Value(
    ValueKind.PATTERN, pattern=r"\s*[^,\s]+(?:\s*,\s*[^,\s]+)*\s*", meaning="a list of names parted by commas"
)
_SECTION = Value(ValueKind.PATTERN, pattern=r"[0-9]+(?:\.[0-9]+)*", meaning="the number of a section")


def _attributes(**attributes: Attribute) -> Mapping[str, Attribute]:
    """Return attributes; an underscore in a name stands for a hyphen."""
    return {name.replace("_", "-"): attribute for name, attribute in attributes.items()}


_TITLED = _attributes(title=optional(TEXT))
_BLOCKS = children("doc", "p", "ul", "ol", "dl", "picture")

AMQP1_SCHEMA = Schema(
    root="amqp",
    namespaces=True,  # published copies say http or https or none at all
    rules={
        "amqp": ElementSchema(
            _attributes(name=required(NAME), label=optional(TEXT)), children("doc", "section", "rule")
        ),
        "section": ElementSchema(
            _attributes(name=required(NAME), title=optional(TEXT), label=optional(TEXT)),
            children("doc", "definition", "type", "rule"),
        ),
        "definition": ElementSchema(
            _attributes(name=required(NAME), value=required(TEXT), label=optional(TEXT)), children("doc")
        ),
        "type": ElementSchema(
            {
                "name": required(NAME),
                "class": required(one_of(*TYPE_CLASSES)),
                "source": optional(NAME),
                "provides": optional(_NAMES),
                "label": optional(TEXT),
            },
            children("encoding", "descriptor", "field", "choice", "doc", "rule"),
        ),
        "encoding": ElementSchema(
            _attributes(
                name=optional(NAME),
                label=optional(TEXT),
                code=required(U8),
                category=required(one_of(*CATEGORIES)),
                width=optional(U8),
            ),
            children("doc"),
        ),
        "descriptor": ElementSchema(_attributes(name=optional(NAME), code=optional(NAME)), children("doc")),
        "field": ElementSchema(
            _attributes(
                name=required(NAME),
                type=optional(NAME),
                requires=optional(_NAMES),
                default=optional(TEXT),
                label=optional(TEXT),
                mandatory=optional(_TRUTH),
                multiple=optional(_TRUTH),
            ),
            children("doc", "rule"),
        ),
        "choice": ElementSchema(
            _attributes(name=required(NAME), value=required(TEXT), label=optional(TEXT)),
            children("doc", "rule"),
        ),
        "rule": ElementSchema(
            _attributes(
                name=required(NAME),
                label=optional(TEXT),
                section=optional(_SECTION),
                on_failure=optional(NAME),
            ),
            children(doc="rule doc"),
        ),
        "doc": ElementSchema(_attributes(name=optional(TEXT), title=optional(TEXT)), _BLOCKS),
        "rule doc": ElementSchema(
            _attributes(name=optional(TEXT), title=optional(TEXT), type=optional(one_of("scenario"))),
            _BLOCKS,
        ),
        "p": ElementSchema(
            _TITLED, children("anchor", "xref", "b", "i", "term", "sup", "sub", "br"), text=True
        ),
        "xref": ElementSchema(
            _attributes(type=optional(TEXT), name=required(TEXT), choice=optional(TEXT)), text=True
        ),
        "anchor": ElementSchema(_attributes(name=required(TEXT)), text=True),
        "br": ElementSchema({}),
        "b": ElementSchema({}, children("sub", "sup", "i", "br", "anchor"), text=True),
        "i": ElementSchema({}, children("sub", "sup", "b", "br", "anchor"), text=True),
        "term": ElementSchema({}, text=True),
        "sup": ElementSchema({}, children("sup", "sub", "b", "i"), text=True),
        "sub": ElementSchema({}, children("sup", "sub", "b", "i"), text=True),
        "ul": ElementSchema(_TITLED, children("li")),
        "ol": ElementSchema(_TITLED, children("li")),
        "li": ElementSchema({}, children("p", "ul", "dl"), text=True),
        "dl": ElementSchema(_TITLED, children("dt", "dd")),
        "dt": ElementSchema({}, text=True),
        "dd": ElementSchema({}, children("p", "picture", "ul", "ol")),
        "picture": ElementSchema(_TITLED, text=True),
    },
)


# The classes of types that may have an element, and the element that a class must have.
_ALLOWED_CLASSES: Mapping[str, tuple[str, ...]] = {
    "encoding": ("primitive",),
    "descriptor": ("composite", "restricted"),
    "field": ("composite",),
    "choice": ("restricted",),
}
_REQUIRED_CHILDREN: Mapping[str, str] = {"primitive": "encoding", "composite": "descriptor"}

# The category and width that the upper half of a format code means (section 1.2).
_SUBCATEGORIES: Mapping[int, tuple[str, int]] = {
    0x4: ("fixed", 0),
    0x5: ("fixed", 1),
    0x6: ("fixed", 2),
    0x7: ("fixed", 4),
    0x8: ("fixed", 8),
    0x9: ("fixed", 16),
    0xA: ("variable", 1),
    0xB: ("variable", 4),
    0xC: ("compound", 1),
    0xD: ("compound", 4),
    0xE: ("array", 1),
    0xF: ("array", 4),
}
# Format codes with this lower half are followed by another octet.
_EXTENSION_NIBBLE = 0xF


def check_amqp1(root: Element) -> list[Problem]:
    """Return the problems of a 1.0 tree that involve several attributes or elements, in file order."""
    return [problem for element in root.walk() for problem in _check(element)]


def format_width(code: int) -> int:
    """Return the width that a valid format code means."""
    return _SUBCATEGORIES[code >> 4][1]


def _check(element: Element) -> Iterator[Problem]:
    if element.tag == "type":
        yield from _check_type(element)
    elif element.tag == "encoding":
        yield from _check_encoding(element)
    elif element.tag == "descriptor":
        yield from _check_descriptor(element)
    elif element.tag == "field":
        yield from _check_field(element)


def _check_type(element: Element) -> Iterator[Problem]:
    type_class = element.attributes.get("class", "")
    if type_class not in TYPE_CLASSES:
        return
    what = f"{type_class} {describe(element)}"
    for child in element.children:
        owners = _ALLOWED_CLASSES.get(child.tag)
        if owners is not None and type_class not in owners:
            message = f"<{child.tag}> in {what}"
            hint = f"only {listing(owners)} types have them"
            yield Problem("unknown-element", message, child.position, hint)
    needed = _REQUIRED_CHILDREN.get(type_class)
    if needed is not None and not element.find_all(needed):
        yield Problem("missing-element", f"{what} has no <{needed}>", element.position)
    if type_class == "restricted" and "source" not in element.attributes:
        hint = "it names the type whose values are restricted, or is * for any"
        yield Problem("missing-attribute", f"{what} has no attribute 'source'", element.position, hint)
    if type_class in ("primitive", "union") and "source" in element.attributes:
        hint = "only composite and restricted types have it"
        yield Problem("unknown-attribute", f"{what} has an attribute 'source'", element.position, hint)
    if type_class == "composite" and element.attributes.get("source", "list") != "list":
        message = f"{what} has the source {quote(element.attributes['source'])}, which is not supported"
        hint = "the standard reserves every source of composite types but 'list'"
        yield Problem("unsupported-source", message, element.position, hint)
    if type_class == "union":
        message = f"{what} is of a class that the standard reserves without saying what it means"
        hint = "it is taken to hold whatever provides an archetype of its name"
        yield Problem("reserved-class", message, element.position, hint, Severity.WARNING)


def _check_encoding(element: Element) -> Iterator[Problem]:
    code = parse_number(element.attributes.get("code", ""))
    category = element.attributes.get("category", "")
    if code is None or code > 0xFF:
        return
    what = describe(element)
    stated = quote(element.attributes["code"])
    if code >> 4 not in _SUBCATEGORIES:
        message = f"{what}: code {stated} is not a format code: those begin at 0x40"
        yield Problem("bad-value", message, element.position)
        return
    if code & 0xF == _EXTENSION_NIBBLE:
        message = f"{what}: code {stated} needs a second octet, which is not supported"
        yield Problem("unsupported-code", message, element.position)
    meant, width = _SUBCATEGORIES[code >> 4]
    if category in _widths() and category != meant:
        message = f"{what}: category {quote(category)} does not fit code {stated}, which is {meant}"
        yield Problem("bad-encoding", message, element.position)
        return
    written = parse_number(element.attributes.get("width", str(width)))
    if written not in _widths()[meant]:
        message = f"{what}: width {quote(element.attributes['width'])} is none that {meant} encodings have"
        hint = f"known: {', '.join(map(str, _widths()[meant]))}"
        yield Problem("bad-encoding", message, element.position, hint)
    elif written != width:
        message = f"{what}: width {written} does not fit code {stated}, which says {width}"
        yield Problem("bad-encoding", message, element.position)


def _widths() -> Mapping[str, list[int]]:
    """Return the widths of each category."""
    widths: dict[str, list[int]] = {}
    for category, width in _SUBCATEGORIES.values():
        widths.setdefault(category, []).append(width)
    return widths


def _check_descriptor(element: Element) -> Iterator[Problem]:
    name = element.attributes.get("name")
    code = element.attributes.get("code")
    if name is None and code is None:
        message = "descriptor has neither 'name' nor 'code'"
        yield Problem("missing-attribute", message, element.position)
    if name is not None and not name.isascii():
        message = f"{describe(element)}: name {quote(name)} is not a symbol: those are ASCII"
        yield Problem("bad-value", message, element.position)
    if code is not None and code.strip() and (wrong := code_complaint(code)):
        message = f"{describe(element)}: code {quote(code)} {wrong}"
        yield Problem("bad-value", message, element.position)


def _check_field(element: Element) -> Iterator[Problem]:
    if element.attributes.get("mandatory") == "true" and "default" in element.attributes:
        message = f"{describe(element)} is mandatory, its default is never used"
        yield Problem("useless-default", message, element.position, "", Severity.WARNING)
