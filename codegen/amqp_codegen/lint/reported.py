"""The rules that reading and resolving report: calls, XML, the form of files, overlays, class grammars.

Rules about names and references that the resolution reports stand beside the checks of the same topic.
"""

from __future__ import annotations

from .rule import LintRule, LintSeverity

CALL = "call"
_XML, _FORM, _OVERLAY, _GRAMMAR = "xml", "form", "overlay", "grammar-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE

CALLS = (
    LintRule(
        CALL,
        "no-such-file",
        _ERROR,
        "A file, folder or built-in name that is not there",
        "amqp-codegen lint 0-9-2",
    ),
    LintRule(
        CALL,
        "unreadable-file",
        _ERROR,
        "A file that the system does not permit to read",
        "a file without permission",
    ),
    LintRule(
        CALL,
        "one-file",
        _ERROR,
        "Several files as one specification of a family that is one file",
        "two 0-9-1 files",
    ),
    LintRule(
        CALL,
        "unsupported-version",
        _ERROR,
        "A file that is not an AMQP specification, or of an unknown version",
        '<amqp major="0" minor="10">',
    ),
    LintRule(
        CALL, "wire-file", _ERROR, "A wire.toml that is broken", "a dialect that writes what it does not read"
    ),
    LintRule(
        CALL,
        "unknown-dialect",
        _ERROR,
        "A dialect of field tables that wire.toml does not have",
        "--dialect rabit",
    ),
    LintRule(
        CALL,
        "no-dialects",
        _ERROR,
        "A dialect of field tables for AMQP 1.0, which has none",
        "1.0 --dialect qpid",
    ),
)

XML = (
    LintRule(
        _XML, "xml-not-well-formed", _ERROR, "A file that is not XML", "<amqp><class></amqp>", "mend the XML"
    ),
    LintRule(
        _XML,
        "xml-encoding",
        _ERROR,
        "An encoding that is not supported",
        '<?xml version="1.0" encoding="EBCDIC"?>',
    ),
    LintRule(
        _XML,
        "xml-doctype",
        _ERROR,
        "A document type declaration, which could bring entities",
        "<!DOCTYPE amqp>",
    ),
    LintRule(
        _XML,
        "xml-entity",
        _ERROR,
        "An entity, declared or not: texts are to be in the file",
        "<doc>&company;</doc>",
        "write the text itself",
    ),
    LintRule(
        _XML,
        "xml-too-deep",
        _ERROR,
        "Elements nested deeper than any specification needs",
        "65 elements inside one another",
        "take the elements out of one another",
    ),
    LintRule(
        _XML,
        "xml-too-large",
        _ERROR,
        "A file larger than any specification is",
        "a file of nine million octets",
        "check that this is the right file",
    ),
)

FORM = (
    LintRule(
        _FORM,
        "unknown-element",
        _ERROR,
        "An element that the grammar of these files does not have there",
        '<metod name="open" index="10"/>',
        "remove it, or correct its name",
    ),
    LintRule(
        _FORM,
        "unknown-attribute",
        _ERROR,
        "An attribute that its element does not have: no reader would heed it",
        '<method name="open" index="10" synchronus="1"/>',
        "remove it, or correct its name",
    ),
    LintRule(
        _FORM,
        "missing-attribute",
        _ERROR,
        "An attribute that its element needs",
        '<class name="basic"/>',
        "add the attribute",
    ),
    LintRule(
        _FORM,
        "missing-element",
        _ERROR,
        "An element that its parent needs",
        '<type name="t" class="composite"/>',
        "add the element",
    ),
    LintRule(
        _FORM,
        "conflicting-attributes",
        _ERROR,
        "Two attributes that exclude one another",
        '<field name="f" type="bit" domain="octet"/>',
        "keep the one that is right",
    ),
    LintRule(
        _FORM,
        "bad-value",
        _ERROR,
        "A value that its attribute cannot have: no number, too large, not one of the words",
        '<class name="basic" index="70000"/>',
        "correct the value",
    ),
    LintRule(
        _FORM,
        "misplaced-text",
        _ERROR,
        "Text where none belongs",
        '<response name="open-ok">here</response>',
        "put it into a <doc>, or remove it",
    ),
    LintRule(
        _FORM,
        "too-many-problems",
        _ERROR,
        "More than a thousand problems of one kind: the rest is not told",
        "a file in another language",
        "mend the first ones, then look again",
    ),
)

OVERLAYS = (
    LintRule(
        _OVERLAY,
        "overlay-attribute",
        _ERROR,
        "An overlay entry that is incomplete, or asks for two things at once",
        '<constant overlay="add" name="c" value="1"/> without a reason',
        "say overlay, reason and source, once",
    ),
    LintRule(
        _OVERLAY,
        "overlay-target",
        _ERROR,
        "An overlay entry for something that is not there, or not as the entry says",
        '<class name="bsic"> in an overlay',
        "name what the specification has",
    ),
    LintRule(
        _OVERLAY,
        "overlay-conflict",
        _ERROR,
        "Two overlay entries that touch the same element: neither comes first",
        "two overlays that replace the same field",
        "keep one of the entries",
    ),
)

# The class grammars of 0-8, 0-9 and 0-9-1; ``docs/grammar.md`` explains the words.
GRAMMARS = (
    LintRule(
        _GRAMMAR,
        "grammar-syntax",
        _WARNING,
        "A grammar that cannot be read, and is passed over",
        "c = C:ASK S:",
        "write name = C:METHOD S:METHOD-OK ...",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-duplicate",
        _WARNING,
        "Two productions of one name",
        "c = ... and later c = ...",
        "join them with /",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-undefined",
        _WARNING,
        "A name that is neither a production nor a class",
        "c = open-chanel",
        "write the production, or correct the name",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-unknown-method",
        _WARNING,
        "A grammar that names a method which its class does not have",
        "c = C:OPEM S:OPEN-OK",
        "name a method of the class",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-cycle",
        _WARNING,
        "A production that needs itself",
        "c = C:ASK c",
        "write *name to repeat",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-too-large",
        _WARNING,
        "A grammar with more parts or states than can be checked",
        "thousands of alternatives",
        "let alternatives differ in their first method",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-closed",
        _WARNING,
        "The grammar of connections or channels, with no place for what happens inside",
        "channel = open-channel close-channel",
        "refer to what happens inside",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-none",
        _NOTE,
        "A class without a grammar in a file that has some",
        '<class name="c" index="1"> with methods and without <doc type="grammar">',
        "say in a <doc> of type grammar what may follow what",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-start",
        _NOTE,
        "A grammar without a production of its class's name",
        "class c with d = C:ASK",
        "name one production like the class",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-unused",
        _NOTE,
        "A production that nothing leads to",
        "c = C:ASK, d = C:TELL",
        "refer to it",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-bar",
        _NOTE,
        "A bar: nothing says how far its alternatives reach",
        "c = C:ASK S:YES | S:NO",
        "write / and brackets",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-repeat",
        _NOTE,
        "A repetition of what repeats itself",
        "c = *( *C:ASK )",
        "one * will do",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-direction",
        _WARNING,
        "A method that comes from the wrong side, by its chassis",
        'c = S:ASK where ask has chassis "server"',
        "correct the letter, or the chassis",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-content",
        _NOTE,
        "Content that the method does not have, or that goes unsaid",
        "c = C:PUBLISH",
        "write content behind the methods that have it, and nowhere else",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-lacks",
        _NOTE,
        "A method that a peer may send by its chassis, but not by the grammar",
        "RabbitMQ's 0-9-1: no S:CANCEL in class basic",
        "give it a place in the grammar",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-reply",
        _WARNING,
        "A method that the grammar lets be answered by other methods than its responses",
        "c = C:ASK S:NO where ask has the response yes",
        "bring the grammar and the responses together",
    ),
    LintRule(
        _GRAMMAR,
        "grammar-handler",
        _NOTE,
        "A class handled by one whose grammar has no place for it",
        '<class name="c" handler="basic" ...>',
        "name the class channel or connection",
    ),
)
