"""The rules that reading and resolving report: calls, XML, the form of files, overlays, class grammars.

Rules about names and references that the resolution reports stand beside the checks of the same topic.
"""

from __future__ import annotations

from .rule import LintSeverity, reported

CALL = "call"
_XML, _FORM, _OVERLAY, _ARGUMENTS, _GRAMMAR = "xml", "form", "overlay", "arguments-0-x", "grammar-0-x"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE

CALLS = reported(
    CALL,
    ("no-such-file", _ERROR, "A file, folder or built-in name that is not there",
     "amqp-codegen lint 0-9-2", ""),
    ("unreadable-file", _ERROR, "A file that the system does not permit to read",
     "a file without permission", ""),
    ("one-file", _ERROR, "Several files as one specification of a family that is one file",
     "two 0-9-1 files", ""),
    ("unsupported-version", _ERROR, "A file that is not an AMQP specification, or of an unknown version",
     '<amqp major="0" minor="10">', ""),
    ("wire-file", _ERROR, "A wire.toml that is broken, or an arguments.toml that is not TOML", "a dialect that writes what it does not read", ""),
    ("unknown-dialect", _ERROR, "A dialect of field tables that wire.toml does not have",
     "--dialect rabit", ""),
    ("no-dialects", _ERROR, "A dialect of field tables for AMQP 1.0, which has none",
     "1.0 --dialect qpid", ""),
)  # fmt: skip

XML = reported(
    _XML,
    ("xml-not-well-formed", _ERROR, "A file that is not XML", "<amqp><class></amqp>", "mend the XML"),
    ("xml-encoding", _ERROR, "An encoding that is not supported",
     '<?xml version="1.0" encoding="EBCDIC"?>', ""),
    ("xml-doctype", _ERROR, "A document type declaration, which could bring entities", "<!DOCTYPE amqp>", ""),
    ("xml-entity", _ERROR, "An entity, declared or not: texts are to be in the file",
     "<doc>&company;</doc>", "write the text itself"),
    ("xml-too-deep", _ERROR, "Elements nested deeper than any specification needs",
     "65 elements inside one another", "take the elements out of one another"),
    ("xml-too-large", _ERROR, "A file larger than any specification is",
     "a file of nine million octets", "check that this is the right file"),
)  # fmt: skip

FORM = reported(
    _FORM,
    ("unknown-element", _ERROR, "An element that the grammar of these files does not have there",
     '<metod name="open" index="10"/>', "remove it, or correct its name"),
    ("unknown-attribute", _ERROR, "An attribute that its element does not have: no reader would heed it",
     '<method name="open" index="10" synchronus="1"/>', "remove it, or correct its name"),
    ("missing-attribute", _ERROR, "An attribute that its element needs",
     '<class name="basic"/>', "add the attribute"),
    ("missing-element", _ERROR, "An element that its parent needs",
     '<type name="t" class="composite"/>', "add the element"),
    ("conflicting-attributes", _ERROR, "Two attributes that exclude one another",
     '<field name="f" type="bit" domain="octet"/>', "keep the one that is right"),
    ("bad-value", _ERROR, "A value that its attribute cannot have: no number, too large, not one of the words",
     '<class name="basic" index="70000"/>', "correct the value"),
    ("misplaced-text", _ERROR, "Text where none belongs",
     '<response name="open-ok">here</response>', "put it into a <doc>, or remove it"),
    ("too-many-problems", _ERROR, "More than a thousand problems of one kind: the rest is not told",
     "a file in another language", "mend the first ones, then look again"),
)  # fmt: skip

OVERLAYS = reported(
    _OVERLAY,
    ("overlay-attribute", _ERROR, "An overlay entry that is incomplete, or asks for two things at once",
     '<constant overlay="add" name="c" value="1"/> without a reason', "say overlay, reason and source, once"),
    ("overlay-target", _ERROR, "An overlay entry for something that is not there, or not as the entry says",
     '<class name="bsic"> in an overlay', "name what the specification has"),
    ("overlay-conflict", _ERROR, "Two overlay entries that touch the same element: neither comes first",
     "two overlays that replace the same field", "keep one of the entries"),
)  # fmt: skip

# The table of arguments that a broker knows, specs/arguments.toml.
ARGUMENTS = reported(
    _ARGUMENTS,
    ("argument-form", _ERROR, "A key of the table of arguments that is unknown, missing or of the wrong type",
     '[queue.x-expires] with colour = "red"', "see the keys at the head of the file"),
    ("argument-type", _ERROR, "An argument of an unknown type, or with a value, a range or a pattern that its types do not have",
     'type = "text" and least = 1', "bring type and values together"),
    ("argument-values", _ERROR, "Values of an argument that are listed twice, or of the newest version alone",
     "values = [1, 2] and newest = [3]", "list each value once, and in values those of all versions"),
    ("argument-range", _ERROR, "A range in which there is no number", "least = 255 and most = 0", "swap least and most"),
    ("argument-pattern", _ERROR, "A pattern of texts that is not a regular expression", 'pattern = "("', "correct the pattern"),
    ("argument-needs", _ERROR, "An argument that needs one which is not there, or not for the same types of queue",
     'needs = "x-dead-leter-exchange"', "name an argument of the same methods and types of queue"),
    ("argument-queues", _ERROR, "An argument of a queue without types of queue, one of others with them, or an unknown type",
     'queues = { lazy = "3.10" }', "give queues for queues and consumers, since for others"),
    ("argument-version", _ERROR, "A version of which no broker was asked, versions in the wrong order, or an end before the beginning",
     'queues = { classic = "4.3" } and until = "4.0"', "correct the version"),
    ("argument-answer", _ERROR, "A word for what brokers answer that does not exist, or has nothing to be about",
     'refused = "broker"', "see the keys at the head of the file"),
)  # fmt: skip

# The class grammars of 0-8, 0-9 and 0-9-1; ``docs/grammar.md`` explains the words.
GRAMMARS = reported(
    _GRAMMAR,
    ("grammar-syntax", _WARNING, "A grammar that cannot be read, and is passed over",
     "c = C:ASK S:", "write name = C:METHOD S:METHOD-OK ..."),
    ("grammar-duplicate", _WARNING, "Two productions of one name",
     "c = ... and later c = ...", "join them with /"),
    ("grammar-undefined", _WARNING, "A name that is neither a production nor a class",
     "c = open-chanel", "write the production, or correct the name"),
    ("grammar-unknown-method", _WARNING, "A grammar that names a method which its class does not have",
     "c = C:OPEM S:OPEN-OK", "name a method of the class"),
    ("grammar-cycle", _WARNING, "A production that needs itself", "c = C:ASK c", "write *name to repeat"),
    ("grammar-too-large", _WARNING, "A grammar with more parts or states than can be checked",
     "thousands of alternatives", "let alternatives differ in their first method"),
    ("grammar-closed", _WARNING, "The grammar of connections or channels, with no place for what happens inside",
     "channel = open-channel close-channel", "refer to what happens inside"),
    ("grammar-none", _NOTE, "A class without a grammar in a file that has some",
     '<class name="c" index="1"> with methods and without <doc type="grammar">',
     "say in a <doc> of type grammar what may follow what"),
    ("grammar-start", _NOTE, "A grammar without a production of its class's name",
     "class c with d = C:ASK", "name one production like the class"),
    ("grammar-unused", _NOTE, "A production that nothing leads to", "c = C:ASK, d = C:TELL", "refer to it"),
    ("grammar-bar", _NOTE, "A bar: nothing says how far its alternatives reach",
     "c = C:ASK S:YES | S:NO", "write / and brackets"),
    ("grammar-repeat", _NOTE, "A repetition of what repeats itself", "c = *( *C:ASK )", "one * will do"),
    ("grammar-direction", _WARNING, "A method that comes from the wrong side, by its chassis",
     'c = S:ASK where ask has chassis "server"', "correct the letter, or the chassis"),
    ("grammar-content", _NOTE, "Content that the method does not have, or that goes unsaid",
     "c = C:PUBLISH", "write content behind the methods that have it, and nowhere else"),
    ("grammar-lacks", _NOTE, "A method that a peer may send by its chassis, but not by the grammar",
     "RabbitMQ's 0-9-1: no S:CANCEL in class basic", "give it a place in the grammar"),
    ("grammar-reply", _WARNING, "A method that the grammar lets be answered by other methods than its responses",
     "c = C:ASK S:NO where ask has the response yes", "bring the grammar and the responses together"),
    ("grammar-handler", _NOTE, "A class handled by one whose grammar has no place for it",
     '<class name="c" handler="basic" ...>', "name the class channel or connection"),
)  # fmt: skip
