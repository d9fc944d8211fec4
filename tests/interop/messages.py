"""Messages, and the neutral forms of their sections: what a peer must find in them, and what it makes them of."""

from __future__ import annotations

import uuid
from typing import Any

from amqp_1_0 import Described, Message, SimpleValue, Symbol, Value
from amqp_1_0.messaging import AmqpSequence, AmqpValue, Data, Header, Properties
from amqp_1_0.types import Byte, Int, Timestamp, UInt, ULong

from .exchanged_values import ARRAYS, COMPOUNDS, SCALARS
from .neutral_values import value_of


def section(code: int, value: list[Any]) -> list[Any]:
    return ["described", ["ulong", str(code)], value]


def data(octets: bytes) -> list[Any]:
    return section(0x75, ["binary", octets.hex()])


NULL = ["null"]
ANNOTATIONS: dict[Symbol, Value] = {
    Symbol("x-text"): "t",
    Symbol("x-number"): UInt(7),
    Symbol("x-list"): [1, None],
}
ANNOTATIONS_FORM = [
    "map",
    [
        [["symbol", "x-text"], ["string", "t"]],
        [["symbol", "x-number"], ["uint", "7"]],
        [["symbol", "x-list"], ["list", [["long", "1"], NULL]]],
    ],
]
PROPERTIES = Properties(
    message_id=ULong(2**64 - 1),
    user_id=b"\x00me",
    to="to",
    subject="subject",
    reply_to="reply-to",
    correlation_id=uuid.UUID(int=7),
    content_type=Symbol("text/plain"),
    content_encoding=Symbol("gzip"),
    absolute_expiry_time=Timestamp(1_700_000_000_123),
    creation_time=Timestamp(-1),
    group_id="group",
    group_sequence=2**32 - 1,
    reply_to_group_id="reply-to-group",
)
PROPERTIES_FORM = [
    "list",
    [
        ["ulong", str(2**64 - 1)],
        ["binary", b"\x00me".hex()],
        ["string", "to"],
        ["string", "subject"],
        ["string", "reply-to"],
        ["uuid", uuid.UUID(int=7).hex],
        ["symbol", "text/plain"],
        ["symbol", "gzip"],
        ["timestamp", "1700000000123"],
        ["timestamp", "-1"],
        ["string", "group"],
        ["uint", str(2**32 - 1)],
        ["string", "reply-to-group"],
    ],
]
HEADER = Header(durable=True, priority=7, ttl=60_000, first_acquirer=True, delivery_count=2)
HEADER_FORM = [
    "list",
    [["boolean", True], ["ubyte", "7"], ["uint", "60000"], ["boolean", True], ["uint", "2"]],
]
SIMPLE: dict[str, SimpleValue] = {
    "text": "t",
    "byte": Byte(-1),
    "int": Int(2**31 - 1),
    "no": False,
    "none": None,
    "double": 0.1,
}
SIMPLE_FORM = [
    "map",
    [
        [["string", "text"], ["string", "t"]],
        [["string", "byte"], ["byte", "-1"]],
        [["string", "int"], ["int", str(2**31 - 1)]],
        [["string", "no"], ["boolean", False]],
        [["string", "none"], NULL],
        [["string", "double"], ["double", "3fb999999999999a"]],
    ],
]
SEQUENCE_FORM = ["list", [["long", "1"], ["string", "two"], ["list", []]]]
EMPTY = (Data(b""), [data(b"")])

# Name, message, sections.
MESSAGES: list[tuple[str, Message, list[Any]]] = [
    ("data", Message(body=Data(b"\x00\xff")), [data(b"\x00\xff")]),
    ("no data", Message(body=Data(b"")), [data(b"")]),
    ("much data", Message(body=Data(b"x" * 256)), [data(b"x" * 256)]),
    ("several data", Message(body=[Data(b"1"), Data(b""), Data(b"3")]), [data(b"1"), data(b""), data(b"3")]),
    ("sequence", Message(body=AmqpSequence([1, "two", []])), [section(0x76, SEQUENCE_FORM)]),
    ("sequences", Message(body=[AmqpSequence([]), AmqpSequence([1, "two", []])]),
     [section(0x76, ["list", []]), section(0x76, SEQUENCE_FORM)]),
    ("header", Message(HEADER, body=EMPTY[0]), [section(0x70, HEADER_FORM), *EMPTY[1]]),
    ("defaults", Message(Header(), body=EMPTY[0]), [section(0x70, ["list", []]), *EMPTY[1]]),
    ("delivery annotations", Message(delivery_annotations=ANNOTATIONS, body=EMPTY[0]),
     [section(0x71, ANNOTATIONS_FORM), *EMPTY[1]]),
    ("message annotations", Message(message_annotations=ANNOTATIONS, body=EMPTY[0]),
     [section(0x72, ANNOTATIONS_FORM), *EMPTY[1]]),
    ("properties", Message(properties=PROPERTIES, body=EMPTY[0]), [section(0x73, PROPERTIES_FORM), *EMPTY[1]]),
    ("one property", Message(properties=Properties(subject="s"), body=EMPTY[0]),
     [section(0x73, ["list", [NULL, NULL, NULL, ["string", "s"]]]), *EMPTY[1]]),
    ("application properties", Message(application_properties=SIMPLE, body=EMPTY[0]),
     [section(0x74, SIMPLE_FORM), *EMPTY[1]]),
    ("footer", Message(body=EMPTY[0], footer=ANNOTATIONS), [*EMPTY[1], section(0x78, ANNOTATIONS_FORM)]),
    (
        "everything",
        Message(HEADER, ANNOTATIONS, ANNOTATIONS, PROPERTIES, SIMPLE, AmqpValue("body"), ANNOTATIONS),
        [
            section(0x70, HEADER_FORM),
            section(0x71, ANNOTATIONS_FORM),
            section(0x72, ANNOTATIONS_FORM),
            section(0x73, PROPERTIES_FORM),
            section(0x74, SIMPLE_FORM),
            section(0x77, ["string", "body"]),
            section(0x78, ANNOTATIONS_FORM),
        ],
    ),
    ("unknown described value", Message(body=AmqpValue(Described(Symbol("com.example:x"), [1]))),
     [section(0x77, ["described", ["symbol", "com.example:x"], ["list", [["long", "1"]]]])]),
    *(
        (f"value {form[0]}", Message(body=AmqpValue(value_of(form))), [section(0x77, form)])
        for form in (
            *{form[0]: form for form in SCALARS}.values(),  # the last of each type
            *COMPOUNDS[:6],
            COMPOUNDS[8],
            *ARRAYS,
        )
    ),
]  # fmt: skip
