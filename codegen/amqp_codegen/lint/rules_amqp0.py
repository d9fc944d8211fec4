"""The catalogue, third part: 0-8, 0-9 and 0-9-1 but for the class grammars."""

from __future__ import annotations

from .rule import Rule, Severity

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

NAMES_0 = (
    Rule("duplicate-constant", _ERROR, "Two constants of one name", 'two <constant name="not-found" .../>'),
    Rule("duplicate-domain", _ERROR, "Two domains of one name", 'domains "queue-name" and "queue name"'),
    Rule("duplicate-class", _ERROR, "Two classes of one name", 'two <class name="basic" ...>'),
    Rule("duplicate-method", _ERROR, "Two methods of one name in a class", 'two <method name="get" ...>'),
    Rule(
        "duplicate-index",
        _ERROR,
        "Two classes, or two methods of a class, with one index: nobody could tell them apart on the wire",
        'methods "get" and "get-ok", both with index="70"',
    ),
    Rule(
        "index-zero",
        _WARNING,
        "A class or method with the index 0, which close methods use for none",
        '<class name="c" index="0">',
    ),
    Rule(
        "other-spelling",
        _WARNING,
        "A name that is declared with other blanks, hyphens or capitals",
        'domain="queue name" where "queue-name" is declared',
    ),
    Rule(
        "unknown-handler",
        _WARNING,
        "A class whose handler is no class",
        '<class name="basic" handler="chanel" ...>',
    ),
    Rule(
        "undocumented",
        _NOTE,
        "A class or method without label and doc, in a file that has some",
        '<method name="get" index="70"/>',
    ),
)

DOMAINS = (
    Rule(
        "undefined-domain",
        _ERROR,
        "A domain or type that nothing declares",
        '<field name="f" domain="shrtstr"/>',
        "declare it, or name one that is",
    ),
    Rule(
        "cyclic-domain",
        _ERROR,
        "Domains that lead back to themselves and never to a type",
        '<domain name="a" type="b"/><domain name="b" type="a"/>',
        "let one of them have an elementary type",
    ),
    Rule(
        "redefined-type",
        _WARNING,
        "A domain that changes what an elementary type means",
        '<domain name="short" type="long"/>',
    ),
    Rule(
        "undeclared-type",
        _WARNING,
        "An elementary type as a domain, which the file does not declare though it declares others",
        '0-9: <field name="body" domain="content"/>',
    ),
    Rule(
        "unused-domain", _NOTE, "A domain that nothing uses", '<domain name="peer-properties" type="table"/>'
    ),
    Rule(
        "domain-mismatch",
        _WARNING,
        "A field with the domain of another field beside it",
        '<field name="method id" domain="class id"/>',
    ),
    Rule(
        "overlooked-domain",
        _NOTE,
        "A field with a bare type though a domain has its name, and perhaps asserts",
        '<field name="consumer tag" type="shortstr"/>',
    ),
)

REPLY_CODES = (
    Rule(
        "duplicate-reply-code",
        _ERROR,
        "Two reply codes with one number",
        'constants "not-found" and "no-route", both 404',
    ),
    Rule(
        "frame-type",
        _ERROR,
        "A frame constant whose number is not that of the version",
        '<constant name="frame-end" value="205"/>',
        "correct the number: frames of this version are fixed",
    ),
    Rule(
        "error-without-class",
        _WARNING,
        "An error code that is neither soft nor hard: what is it to close?",
        '<constant name="no-consumers" value="313"/>',
    ),
    Rule(
        "on-failure-no-error",
        _WARNING,
        "A rule that fails with a constant that is no error",
        '<rule name="r" on-failure="frame-end">',
    ),
)

METHODS = (
    Rule(
        "no-methods",
        _ERROR,
        "A specification without any method",
        '<amqp major="0" minor="9"/>',
        "add a class with methods",
    ),
    Rule(
        "duplicate-field",
        _ERROR,
        "Two fields of one name in a method or type",
        'two <field name="queue" .../>',
    ),
    Rule(
        "dangling-response",
        _ERROR,
        "A response that is no method of the class",
        '<response name="opn-ok"/>',
        "name a method of the class",
    ),
    Rule(
        "response-not-synchronous",
        _WARNING,
        "A method with a response that is not synchronous",
        "0-9: channel.ping",
    ),
    Rule(
        "synchronous-alone",
        _WARNING,
        "A synchronous method that has no response and is none",
        '<method name="ask" index="10" synchronous="1"/>',
    ),
    Rule(
        "reply-direction",
        _WARNING,
        "A method and its response that go the same way",
        'chassis "server" at both open and open-ok',
    ),
    Rule(
        "reply-unnamed",
        _WARNING,
        "A method named NAME-ok that NAME does not have as its response",
        "0-9-1: recover-ok, which recover does not name",
    ),
    Rule(
        "chassis-missing",
        _WARNING,
        "A method that does not say who must accept it",
        '<method name="get" ...>',
    ),
    Rule("chassis-repeated", _WARNING, "Two chassis for the same peer", "MUST here, MAY there"),
    Rule(
        "chassis-uncovered",
        _WARNING,
        "A method that a peer must accept, of a class that says nothing of that peer",
        'class with chassis "server" only, method with chassis "client"',
    ),
    Rule(
        "content-without-properties",
        _NOTE,
        "A method with content in a class without properties",
        "0-8: test.content",
    ),
    Rule(
        "properties-without-content",
        _WARNING,
        "A class with properties though no method of it carries content",
        '<class name="c" ...><field name="priority" .../>',
    ),
    Rule(
        "property-type",
        _ERROR,
        "A content property of a type that it cannot have",
        '<field name="p" type="content"/> in a class',
        "give it another type",
    ),
)

BITS = (
    Rule(
        "long-bit-run",
        _WARNING,
        "More than eight bits in a row: the ninth begins another octet, which known decoders miss",
        "nine fields of the domain bit",
    ),
    Rule(
        "parted-bit-run",
        _NOTE,
        "Bits with another field between them: they take two octets instead of one",
        "bit, short, bit",
    ),
    Rule(
        "bit-property",
        _WARNING,
        "A content property that is a bit",
        '<field name="p" type="bit"/> in a class',
    ),
    Rule(
        "many-properties",
        _WARNING,
        "More than fifteen properties: their flags need a second word, which RabbitMQ refuses",
        "sixteen fields in a class",
    ),
    Rule(
        "reserved-not-zero",
        _WARNING,
        "A reserved field that must be zero, and must not",
        '<field name="reserved-1" domain="delivery-tag" reserved="1"/>',
    ),
    Rule(
        "unmarked-reserved",
        _WARNING,
        "A field called reserved that is not marked so",
        '<field name="reserved-1"/>',
    ),
)

CHECKS = (
    Rule(
        "unfitting-assert",
        _ERROR,
        "An assert that its type cannot be held against",
        '<assert check="length" value="9"/> on a short',
        "remove it, or write one that fits the type",
    ),
    Rule(
        "dangling-assert",
        _ERROR,
        "An upper limit that is no field",
        '<assert check="le" method="tun" field="channel-max"/>',
        "name a method and a field of it",
    ),
    Rule("own-bound", _WARNING, "A field that is its own upper limit", '<assert check="le" field="f"/> in f'),
    Rule(
        "unknown-syntax", _WARNING, "A syntax that no rule explains", '<assert check="syntax" rule="path"/>'
    ),
    Rule("idle-assert", _WARNING, "An assert that always holds", '<assert check="length" value="256"/>'),
    Rule(
        "repeated-assert",
        _NOTE,
        "An assert that a field has already, itself or by its domain",
        "notnull twice",
    ),
    Rule("assert-contradiction", _WARNING, "Asserts that cannot both hold", "null and notnull"),
    Rule(
        "regexp-range",
        _WARNING,
        "A range between characters that are not of a kind, where a hyphen was meant",
        "^[a-zA-Z0-9/-_]+$ lets ; through, and not -",
    ),
    Rule(
        "regexp-hyphen", _NOTE, "A hyphen behind a range, which not all dialects take", "^[a-zA-Z0-9-_.:]*$"
    ),
    Rule("regexp-line-end", _NOTE, "A $ that lets a final line end through in some languages", "^[a-z]*$"),
    Rule("open-regexp", _WARNING, "A pattern that does not hold the whole value", "[a-z]+"),
)
