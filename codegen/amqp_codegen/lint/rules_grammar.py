"""The catalogue, fourth part: the class grammars of 0-8, 0-9 and 0-9-1. ``docs/grammar.md`` explains the words."""

from __future__ import annotations

from .rule import Rule, Severity

_WARNING, _NOTE = Severity.WARNING, Severity.NOTE

GRAMMARS = (
    Rule(
        "grammar-syntax",
        _WARNING,
        "A grammar that cannot be read, and is passed over",
        "c = C:ASK S:",
        "write name = C:METHOD S:METHOD-OK ...",
    ),
    Rule(
        "grammar-duplicate",
        _WARNING,
        "Two productions of one name",
        "c = ... and later c = ...",
        "join them with /",
    ),
    Rule(
        "grammar-undefined",
        _WARNING,
        "A name that is neither a production nor a class",
        "c = open-chanel",
        "write the production, or correct the name",
    ),
    Rule(
        "grammar-unknown-method",
        _WARNING,
        "A grammar that names a method which its class does not have",
        "c = C:OPEM S:OPEN-OK",
        "name a method of the class",
    ),
    Rule("grammar-cycle", _WARNING, "A production that needs itself", "c = C:ASK c", "write *name to repeat"),
    Rule(
        "grammar-too-large",
        _WARNING,
        "A grammar with more parts or states than can be checked",
        "thousands of alternatives",
        "let alternatives differ in their first method",
    ),
    Rule(
        "grammar-closed",
        _WARNING,
        "The grammar of connections or channels, with no place for what happens inside",
        "channel = open-channel close-channel",
        "refer to what happens inside",
    ),
    Rule(
        "grammar-none",
        _NOTE,
        "A class without a grammar in a file that has some",
        '<class name="c" index="1"> with methods and without <doc type="grammar">',
        "say in a <doc> of type grammar what may follow what",
    ),
    Rule(
        "grammar-start",
        _NOTE,
        "A grammar without a production of its class's name",
        "class c with d = C:ASK",
        "name one production like the class",
    ),
    Rule(
        "grammar-unused", _NOTE, "A production that nothing leads to", "c = C:ASK, d = C:TELL", "refer to it"
    ),
    Rule(
        "grammar-bar",
        _NOTE,
        "A bar, of which nobody says how far it reaches",
        "c = C:ASK S:YES | S:NO",
        "write / and brackets",
    ),
    Rule("grammar-repeat", _NOTE, "A repetition of what repeats itself", "c = *( *C:ASK )", "one * will do"),
    Rule(
        "grammar-direction",
        _WARNING,
        "A method that comes from the wrong side, by its chassis",
        'c = S:ASK where ask has chassis "server"',
        "correct the letter, or the chassis",
    ),
    Rule(
        "grammar-content",
        _NOTE,
        "Content that the method does not have, or that goes unsaid",
        "c = C:PUBLISH",
        "write content behind the methods that have it, and nowhere else",
    ),
    Rule(
        "grammar-lacks",
        _NOTE,
        "A method that a peer may send by its chassis, but not by the grammar",
        "RabbitMQ's 0-9-1: no S:CANCEL in class basic",
        "give it a place in the grammar",
    ),
    Rule(
        "grammar-reply",
        _WARNING,
        "A method that the grammar lets be answered by other methods than its responses",
        "c = C:ASK S:NO where ask has the response yes",
        "bring the grammar and the responses together",
    ),
    Rule(
        "grammar-handler",
        _NOTE,
        "A class handled by one whose grammar has no place for it",
        '<class name="c" handler="basic" ...>',
        "name the class channel or connection",
    ),
)
