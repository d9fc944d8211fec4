"""A specification with what the published ones never have, and a package made of it.

Bit runs of every length and split by other fields, many properties, properties that are bits, reserved
fields in every place, names that Python or the generated code uses itself, replies in a circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.shared_folders import Shared

from .small_specifications import element, fields, imported, publish_to, unformatted, written

NAMES = [
    *("code", "type", "from", "global", "size", "n", "buffer", "position", "end", "self", "bytes", "len"),
    *(
        "flags",
        "parts",
        "octets",
        "struct",
        "stop",
        "words",
        "tables",
        "int",
        "str",
        "bool",
        "encode",
        "pack",
    ),
    *(
        "residue",
        "property",
        "data",
        "datetime",
        "object",
        "epoch-seconds",
        "unpack-i",
        "read-table",
        "flags-2",
        "bits",
    ),
    *("class-id", "any", "none", "match", "lambda", "malformed", "content", "describe", "method-base"),
]
KINDS = [
    "octet",
    "shortstr",
    "short",
    "longstr",
    "long",
    "table",
    "longlong",
    "timestamp",
    "bit",
    "bit",
    "content",
]


def method(name: str, index: int, inner: str = "", **attributes: str | int) -> str:
    both = '<chassis name="server" implement="MUST"/><chassis name="client" implement="MAY"/>'
    return element("method", both + inner, name=name, index=index, **attributes)


def klass(name: str, index: int, content: str) -> str:
    return element("class", content, name=name, index=index)


def bits(count: int, start: int = 0) -> str:
    return fields(**{f"b{number}": "bit" for number in range(start, start + count)})


BITS = klass(
    "bits",
    10,
    method("one", 1, bits(1))
    + method("eight", 8, bits(8))
    + method("nine", 9, bits(9))
    + method("sixteen", 16, bits(16))
    + method("seventeen", 17, bits(17))
    + method("ends", 20, bits(2) + fields(x="octet") + bits(9, 2) + fields(s="shortstr") + bits(1, 11))
    + method("table", 21, bits(1) + fields(t="table") + bits(1, 1))
    + method("between", 22, fields(x="octet", r1="-bit", r2="-bit", y="octet"))
    + method("mixed", 23, fields(b0="bit", r1="-bit", b2="bit", r3="-bit", x="short", r4="-bit"))
    + method("last", 24, fields(x="longstr") + bits(10)),
)
RESERVED = klass(
    "reserved",
    11,
    method("all", 1, fields(**{f"r{number}": f"-{kind}" for number, kind in enumerate(KINDS)}))
    + method(
        "every-other",
        2,
        fields(**{f"f{number}": f"{'-' * (number % 2)}{kind}" for number, kind in enumerate(KINDS * 2)}),
    )
    + method("table", 3, fields(r="-table", x="octet"))
    + method("content", 4, fields(r="-content", x="octet"))
    + method("timestamp", 5, fields(x="octet", r="-timestamp", y="octet")),
)
TABLES_ONLY_RESERVED = klass("only", 12, method("table", 1, fields(r="-table", x="octet")))
CONTENT_ONLY_RESERVED = klass("only-content", 13, method("content", 1, fields(r="-content", x="octet")))
NAMED = klass(
    "named",
    20,
    "".join(
        method(
            kind,
            number,
            fields(**dict.fromkeys(NAMES, kind)) + fields(own_table="table", own_time="timestamp"),
        )
        for number, kind in enumerate(["octet", "shortstr", "longstr", "table", "timestamp"], 1)
    ),
)
VERBS = ["open", "return", "import", "class", "match", "self", "len", "type", "print", "del", "none", "init"]
WORDS = klass(
    "return",
    30,
    "".join(
        method(
            verb,
            number,
            element("response", name=VERBS[number % len(VERBS)]) + fields(x="octet"),
            synchronous=1,
        )
        for number, verb in enumerate(VERBS, 1)
    ),
)
EMPTY = klass("empty", 40, "<doc>Has no methods.</doc>")


def with_properties(name: str, index: int, kinds: dict[str, str]) -> str:
    return klass(name, index, fields(**kinds) + method("send", 1, content=1))


def octets(count: int) -> dict[str, str]:
    return {f"p{number}": "octet" for number in range(1, count + 1)}


PROPERTIES = "".join(
    [
        with_properties("none", 50, {}),
        with_properties("fourteen", 51, octets(14)),
        with_properties("fifteen", 52, octets(15)),
        with_properties("sixteen", 53, octets(16)),
        with_properties("thirty", 54, octets(30)),
        with_properties("thirty-one", 55, octets(31)),
        with_properties("flagged", 56, {"b1": "bit", **octets(14), "b16": "bit", "s17": "shortstr"}),
        with_properties("kinds", 57, {f"k{number}": kind for number, kind in enumerate(KINDS[:-1])}),
        with_properties(
            "clashing",
            58,
            {name: ("shortstr", "octet", "timestamp")[number % 3] for number, name in enumerate(NAMES)},
        ),
        with_properties(
            "second",
            59,
            {**octets(15), "flags-2": "octet", "flags-3": "octet", "flags": "octet", "words": "octet"},
        ),
        with_properties("type", 60, {"type": "table", "len": "longstr"}),
    ]
)
MODULES = "".join(
    klass(name, 70 + number, method("m", 1, fields(x="octet")))
    for number, name in enumerate(
        [
            "len",
            "dict",
            "int",
            "str",
            "tuple",
            "list",
            "bytes",
            "table-reader",
            "walk-fields",
            "decode-method",
        ]
    )
)
DOMAINS = "".join(
    element("domain", name=name, type="bit")
    for name in ("none", "true", "any", "mapping", "type-alias", "final", "dataclass")
)
CONSTANTS = "".join(
    element("constant", name=name, value=900 + number, **{"class": "hard-error"})
    for number, name in enumerate(
        ["port", "spec", "protocol-header", "soft-errors", "final", "int-enum", "none", "codec-error"]
    )
)
CHECKED = klass(
    "checked",
    90,
    method(
        "all",
        1,
        "".join(
            f'<field name="{name}" domain="{kind}">{check}</field>'
            for name, kind, check in [
                ("pattern", "shortstr", r'<assert check="regexp" value="^a\$"/>'),
                ("choice", "shortstr", '<assert check="regexp" value="^a|b$"/>'),
                ("range", "shortstr", '<assert check="regexp" value="^[a-zA-Z0-9-_.:]*$"/>'),
                ("short", "shortstr", '<assert check="length" value="3"/>'),
                ("number", "short", '<assert check="ne" value="7"/>'),
                ("there", "long", '<assert check="notnull"/>'),
                ("gone", "octet", '<assert check="null"/>'),
                ("word", "octet", '<assert check="enum"><value name="a"/><value name="b"/></assert>'),
                ("low", "short", '<assert check="le" field="high"/>'),
                ("high", "short", ""),
                ("octets", "longstr", '<assert check="regexp" value="^[\\x80-\\xff]*$"/>'),
            ]
        ),
    )
    + method(
        "bound",
        2,
        '<field name="upper" domain="short"><assert check="le" method="all" field="high"/></field>',
    ),
)
BODY = "".join(
    [
        DOMAINS,
        CONSTANTS,
        BITS,
        RESERVED,
        TABLES_ONLY_RESERVED,
        CONTENT_ONLY_RESERVED,
        NAMED,
        WORDS,
        EMPTY,
        PROPERTIES,
        MODULES,
        CHECKED,
    ]
)


@pytest.fixture(scope="session")
def folder(shared: Shared) -> Path:
    """The folder that the package ``synthetic`` stands in."""
    return shared(
        "synthetic", lambda place: publish_to(place, unformatted(written(place, BODY), "synthetic"))
    )


@pytest.fixture(scope="session")
def amqp(folder: Path) -> Iterator[ModuleType]:
    with imported(folder, "synthetic") as package:
        yield package
