"""The catalogue, fifth part: AMQP 1.0."""

from __future__ import annotations

from .rule import Rule, Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

NAMES_1 = (
    Rule(
        "duplicate-part", _ERROR, "Two files that are the same part", 'two files with <amqp name="transport">'
    ),
    Rule(
        "duplicate-section",
        _ERROR,
        "Two sections of one name in a part",
        'two <section name="performatives">',
    ),
    Rule("duplicate-type", _ERROR, "Two types of one name", 'two <type name="open" ...>'),
    Rule(
        "duplicate-definition",
        _ERROR,
        "Two definitions of one name in a section",
        'two <definition name="PORT">',
    ),
    Rule("dangling-link", _WARNING, "A link in a text to what is nowhere", '<xref name="sesion-end"/>'),
)

TYPES = (
    Rule(
        "undefined-type",
        _ERROR,
        "A type that nothing declares",
        'source="lst"',
        "declare it, or name one that is",
    ),
    Rule(
        "cyclic-type",
        _ERROR,
        "Restricted types that lead back to themselves and never to a primitive type",
        'types "a" with source="b" and "b" with source="a"',
        "let one of them have a primitive type as its source",
    ),
    Rule(
        "too-deep-type",
        _ERROR,
        "A restricted type whose sources lead on and on",
        "a hundred restricted types, each the source of the next",
        "name the primitive type as the source",
    ),
    Rule(
        "endless-type",
        _WARNING,
        "A composite type that needs another value of itself to be complete",
        'type "t" with a mandatory field of the type "t"',
    ),
    Rule(
        "unused-type",
        _NOTE,
        "A type that nothing leads to",
        '<type name="t" class="restricted" source="uint"/>',
    ),
    Rule(
        "reserved-class",
        _WARNING,
        "A type of the class union, which the standard reserves",
        '<type name="t" class="union"/>',
        "use archetypes: provides= and requires=",
    ),
    Rule(
        "unsupported-source",
        _ERROR,
        "A type made of what types cannot be made of",
        '<type name="t" class="composite" source="map">',
        "make it of a list, or restrict a primitive type",
    ),
    Rule(
        "unsupported-primitive",
        _ERROR,
        "A primitive type that the standard does not have",
        '<type name="int128" class="primitive">',
        "primitive types are fixed: restrict one of them",
    ),
    Rule(
        "unsupported-code",
        _ERROR,
        "A format code that needs a second octet",
        '<encoding code="0x4f" .../>',
        "take a code that does not end in f",
    ),
    Rule(
        "bad-encoding",
        _ERROR,
        "An encoding whose code says something else than its category and width",
        '<encoding code="0x52" category="fixed" width="2"/>',
        "the upper half of the code fixes category and width (section 1.2)",
    ),
    Rule("duplicate-code", _ERROR, "Two encodings with one format code", 'two <encoding code="0x43" .../>'),
    Rule(
        "duplicate-encoding",
        _ERROR,
        "Two encodings of one name in a type",
        'two <encoding name="smallint" .../>',
    ),
    Rule("duplicate-choice", _ERROR, "Two choices of one name or value", 'two <choice name="first" .../>'),
    Rule(
        "bad-choice",
        _ERROR,
        "A choice that is no value of its type",
        '<choice name="on" value="300"/> of a ubyte',
        "correct the value, or the source of the type",
    ),
)

DESCRIPTORS = (
    Rule(
        "duplicate-descriptor",
        _ERROR,
        "Two types with one descriptor: nobody could tell them apart",
        'two <descriptor code="0x00000000:0x00000010"/>',
    ),
    Rule(
        "half-descriptor",
        _WARNING,
        "A descriptor without its symbol or its code",
        '<descriptor name="a:b:list"/>',
    ),
    Rule(
        "descriptor-suffix",
        _WARNING,
        "A symbol whose end says another type than the value is",
        'name="amqp:footer:list" of a type over maps',
    ),
    Rule(
        "foreign-descriptor",
        _NOTE,
        "A code in the domain of the standard, in a part that is not of it",
        'code="0x00000000:0x00000999" in <amqp name="mine">',
    ),
)

FIELDS = (
    Rule(
        "bad-default",
        _ERROR,
        "A default that is no value or no choice of the type of its field",
        'default="mixd" of the type sender-settle-mode',
        "correct the default",
    ),
    Rule(
        "useless-default",
        _WARNING,
        "A default of a field that is always sent",
        'mandatory="true" default="0"',
        "remove one of the two",
    ),
    Rule(
        "default-of-multiple",
        _WARNING,
        "A default of a field with several values",
        'multiple="true" default="a"',
    ),
    Rule(
        "impossible-multiple",
        _ERROR,
        "Several values of a type that could not be told from one",
        'type="array" multiple="true"',
        "wrap the values in a described type",
    ),
    Rule(
        "boolean-without-default",
        _NOTE,
        "A boolean that may be left out, and then means nobody knows what",
        '<field name="durable" type="boolean"/>',
    ),
    Rule(
        "untyped-field",
        _NOTE,
        "A field of any type that requires no archetype",
        '<field name="value" type="*"/>',
    ),
)

ARCHETYPES = (
    Rule(
        "unprovided-archetype",
        _WARNING,
        "A field that no value can fill, since no type provides what it requires",
        'requires="global-tx-id"',
        "let a type provide it",
    ),
    Rule(
        "unfit-archetype",
        _WARNING,
        "A field whose type and required archetype have no value in common",
        'type="uint" requires="error-condition"',
        "correct one of the two",
    ),
    Rule(
        "repeated-archetype",
        _WARNING,
        "An archetype that is named twice in a list",
        'provides="source,source"',
        "name it once",
    ),
    Rule(
        "unrequired-archetype",
        _NOTE,
        "An archetype that no field requires",
        'provides="lifetime-policy"',
    ),
)
