"""The schema of AMQP 1.0 files: the document type definition that the standard prints in full.

Three things are added to it: ``rule`` elements, docs that hold the scenario of a rule, and labels of
choices. The definition says of some attributes only that they are text; what the standard says of them
(names, numbers, ``true`` or ``false``) is checked here or in ``check_amqp1``.
"""

from __future__ import annotations

from collections.abc import Mapping

from .grammar import NAME, TEXT, U8, Attribute, ElementRule, Kind, Schema, Value, one_of, optional, required

TYPE_CLASSES = ("primitive", "composite", "restricted", "union")
CATEGORIES = ("fixed", "variable", "compound", "array")

_TRUTH = one_of("true", "false")
_NAMES = Value(
    Kind.PATTERN, pattern=r"\s*[^,\s]+(?:\s*,\s*[^,\s]+)*\s*", meaning="a list of names parted by commas"
)
_SECTION = Value(Kind.PATTERN, pattern=r"[0-9]+(?:\.[0-9]+)*", meaning="the number of a section")


def _attributes(**attributes: Attribute) -> Mapping[str, Attribute]:
    """Return attributes; an underscore in a name stands for a hyphen."""
    return {name.replace("_", "-"): attribute for name, attribute in attributes.items()}


def _children(*tags: str, **ruled: str) -> Mapping[str, str]:
    """Return children whose rule has their tag's name, and others whose rule is named here."""
    return {**{tag: tag for tag in tags}, **ruled}


_TITLED = _attributes(title=optional(TEXT))
_BLOCKS = _children("doc", "p", "ul", "ol", "dl", "picture")

AMQP1 = Schema(
    root="amqp",
    namespaces=True,  # published copies say http or https or none at all
    rules={
        "amqp": ElementRule(
            _attributes(name=required(NAME), label=optional(TEXT)), _children("doc", "section", "rule")
        ),
        "section": ElementRule(
            _attributes(name=required(NAME), title=optional(TEXT), label=optional(TEXT)),
            _children("doc", "definition", "type", "rule"),
        ),
        "definition": ElementRule(
            _attributes(name=required(NAME), value=required(TEXT), label=optional(TEXT)), _children("doc")
        ),
        "type": ElementRule(
            {
                "name": required(NAME),
                "class": required(one_of(*TYPE_CLASSES)),
                "source": optional(NAME),
                "provides": optional(_NAMES),
                "label": optional(TEXT),
            },
            _children("encoding", "descriptor", "field", "choice", "doc", "rule"),
        ),
        "encoding": ElementRule(
            _attributes(
                name=optional(NAME),
                label=optional(TEXT),
                code=required(U8),
                category=required(one_of(*CATEGORIES)),
                width=optional(U8),
            ),
            _children("doc"),
        ),
        "descriptor": ElementRule(_attributes(name=optional(NAME), code=optional(NAME)), _children("doc")),
        "field": ElementRule(
            _attributes(
                name=required(NAME),
                type=optional(NAME),
                requires=optional(_NAMES),
                default=optional(TEXT),
                label=optional(TEXT),
                mandatory=optional(_TRUTH),
                multiple=optional(_TRUTH),
            ),
            _children("doc", "rule"),
        ),
        "choice": ElementRule(
            _attributes(name=required(NAME), value=required(TEXT), label=optional(TEXT)),
            _children("doc", "rule"),
        ),
        "rule": ElementRule(
            _attributes(
                name=required(NAME),
                label=optional(TEXT),
                section=optional(_SECTION),
                on_failure=optional(NAME),
            ),
            _children(doc="rule doc"),
        ),
        "doc": ElementRule(_attributes(name=optional(TEXT), title=optional(TEXT)), _BLOCKS),
        "rule doc": ElementRule(
            _attributes(name=optional(TEXT), title=optional(TEXT), type=optional(one_of("scenario"))),
            _BLOCKS,
        ),
        "p": ElementRule(
            _TITLED, _children("anchor", "xref", "b", "i", "term", "sup", "sub", "br"), text=True
        ),
        "xref": ElementRule(
            _attributes(type=optional(TEXT), name=required(TEXT), choice=optional(TEXT)), text=True
        ),
        "anchor": ElementRule(_attributes(name=required(TEXT)), text=True),
        "br": ElementRule({}),
        "b": ElementRule({}, _children("sub", "sup", "i", "br", "anchor"), text=True),
        "i": ElementRule({}, _children("sub", "sup", "b", "br", "anchor"), text=True),
        "term": ElementRule({}, text=True),
        "sup": ElementRule({}, _children("sup", "sub", "b", "i"), text=True),
        "sub": ElementRule({}, _children("sup", "sub", "b", "i"), text=True),
        "ul": ElementRule(_TITLED, _children("li")),
        "ol": ElementRule(_TITLED, _children("li")),
        "li": ElementRule({}, _children("p", "ul", "dl"), text=True),
        "dl": ElementRule(_TITLED, _children("dt", "dd")),
        "dt": ElementRule({}, text=True),
        "dd": ElementRule({}, _children("p", "picture", "ul", "ol")),
        "picture": ElementRule(_TITLED, text=True),
    },
)
