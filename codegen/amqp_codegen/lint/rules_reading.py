"""The catalogue, first part: what keeps a file from being read, or does not belong where it stands."""

from __future__ import annotations

from .rule import Rule, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

CALLS = (
    Rule(
        "no-such-file", _ERROR, "A file, folder or built-in name that is not there", "amqp-codegen lint 0-9-2"
    ),
    Rule(
        "unreadable-file", _ERROR, "A file that the system does not let us read", "a file without permission"
    ),
    Rule(
        "one-file",
        _ERROR,
        "Several files as one specification of a family that is one file",
        "two 0-9-1 files",
    ),
    Rule(
        "unsupported-version",
        _ERROR,
        "A file that is no AMQP specification, or of a version that is not known",
        '<amqp major="0" minor="10">',
    ),
    Rule("wire-file", _ERROR, "A wire.toml that is broken", "a dialect that writes what it does not read"),
    Rule(
        "unknown-dialect", _ERROR, "A dialect of field tables that wire.toml does not have", "--dialect rabit"
    ),
    Rule(
        "no-dialects", _ERROR, "A dialect of field tables for AMQP 1.0, which has none", "1.0 --dialect qpid"
    ),
)

XML = (
    Rule("xml-not-well-formed", _ERROR, "A file that is no XML", "<amqp><class></amqp>", "mend the XML"),
    Rule(
        "xml-encoding", _ERROR, "An encoding that is not supported", '<?xml version="1.0" encoding="EBCDIC"?>'
    ),
    Rule("xml-doctype", _ERROR, "A document type declaration, which could bring entities", "<!DOCTYPE amqp>"),
    Rule(
        "xml-entity",
        _ERROR,
        "An entity, declared or not: texts are to be in the file",
        "<doc>&company;</doc>",
        "write the text itself",
    ),
    Rule(
        "xml-too-deep",
        _ERROR,
        "Elements nested deeper than any specification needs",
        "65 elements inside one another",
        "take the elements out of one another",
    ),
    Rule(
        "xml-too-large",
        _ERROR,
        "A file larger than any specification is",
        "a file of nine million octets",
        "check that this is the right file",
    ),
)

FORM = (
    Rule(
        "unknown-element",
        _ERROR,
        "An element that the grammar of these files does not have there",
        '<metod name="open" index="10"/>',
        "remove it, or correct its name",
    ),
    Rule(
        "unknown-attribute",
        _ERROR,
        "An attribute that its element does not have, so that nobody would heed it",
        '<method name="open" index="10" synchronus="1"/>',
        "remove it, or correct its name",
    ),
    Rule(
        "missing-attribute",
        _ERROR,
        "An attribute that its element needs",
        '<class name="basic"/>',
        "add the attribute",
    ),
    Rule(
        "missing-element",
        _ERROR,
        "An element that its parent needs",
        '<type name="t" class="composite"/>',
        "add the element",
    ),
    Rule(
        "conflicting-attributes",
        _ERROR,
        "Two attributes that exclude one another",
        '<field name="f" type="bit" domain="octet"/>',
        "keep the one that is right",
    ),
    Rule(
        "bad-value",
        _ERROR,
        "A value that its attribute cannot have: no number, too large, not one of the words",
        '<class name="basic" index="70000"/>',
        "correct the value",
    ),
    Rule(
        "misplaced-text",
        _ERROR,
        "Text where none belongs",
        '<response name="open-ok">here</response>',
        "put it into a <doc>, or remove it",
    ),
    Rule(
        "too-many-problems",
        _ERROR,
        "More than a thousand problems of one kind: the rest is not told",
        "a file in another language",
        "mend the first ones, then look again",
    ),
)

OVERLAYS = (
    Rule(
        "overlay-attribute",
        _ERROR,
        "An overlay entry that is incomplete, or asks for two things at once",
        '<constant overlay="add" name="c" value="1"/> without a reason',
        "say overlay, reason and source, once",
    ),
    Rule(
        "overlay-target",
        _ERROR,
        "An overlay entry for something that is not there, or not as the entry says",
        '<class name="bsic"> in an overlay',
        "name what the specification has",
    ),
    Rule(
        "overlay-conflict",
        _ERROR,
        "Two overlay entries that touch the same element: neither comes first",
        "two overlays that replace the same field",
        "keep one of the entries",
    ),
)
