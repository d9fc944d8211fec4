"""Names of 1.0 in Python."""

from __future__ import annotations

import ast
import keyword

import pytest
from amqp_codegen.resolve.amqp1.names import (
    archetype_class_name,
    field_identifier,
    member_name,
    part_module,
    primitive_class_name,
    python_name,
    type_class_name,
    type_identifier,
)

WICKED = [
    "",
    " ",
    "1st",
    "-",
    "_",
    "__init__",
    "a;b",
    'a"b',
    "a\nb",
    "a\u2028b",
    "\u212a",
    "ﬁ",
    "İ",
    "../../x",
    "C:\\x",
    "{x}",
    "import os",
    "x" * 300,
    "None",
    "class",
    "a--b",
    "a.b:c/d",
    "\u202e",
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("max-frame-size", "max_frame_size"),
        ("class", "class_"),
        ("None", "none"),
        ("amqp:open.list/x", "amqp_open_list_x"),
        ("MIN-MAX", "min_max"),
        ("1st", ""),
        ("", ""),
        ("\u212a", ""),
        ("ﬁ", ""),
    ],
)
def test_python_names(name: str, expected: str) -> None:
    assert python_name(name) == expected


def test_names_that_would_hide_something_get_an_underscore() -> None:
    assert [type_identifier(name) for name in ("list", "open", "map", "uint")] == [
        "list_",
        "open_",
        "map_",
        "uint",
    ]
    assert [field_identifier(name) for name in ("bytes", "encode", "from", "filter")] == [
        "bytes_",
        "encode_",
        "from_",
        "filter",
    ]
    assert [type_class_name(name) for name in ("message", "sasl-init", "frame-decoder")] == [
        "Message_",
        "SaslInit",
        "FrameDecoder_",
    ]


def test_members_are_in_upper_case() -> None:
    assert [member_name(name) for name in ("none", "sys-perm", "class", "SECURE-PORT", "1")] == [
        "NONE",
        "SYS_PERM",
        "CLASS",
        "SECURE_PORT",
        "",
    ]


def test_primitives_have_the_names_of_the_design() -> None:
    names = ["ubyte", "ushort", "uint", "ulong", "decimal128", "uuid", "array"]
    assert [primitive_class_name(name) for name in names] == [
        "UByte",
        "UShort",
        "UInt",
        "ULong",
        "Decimal128",
        "Uuid",
        "Array",
    ]


def test_archetypes_step_back_before_types() -> None:
    taken = {"Source", "Outcome_"}
    names = ("source", "delivery-state", "frame", "source")
    assert [archetype_class_name(name, taken) for name in names] == [
        "AnySource",
        "DeliveryState",
        "AnyFrame",
        "AnySource_",
    ]


def test_modules_are_unique_and_no_module_of_every_package() -> None:
    taken: set[str] = set()
    names = ("types", "transport", "security", "errors", "sasl", "my-filters", "my.filters", "7")
    assert [part_module(name, taken) for name in names] == [
        "types",
        "performatives",
        "sasl",
        "errors_",
        "sasl_",
        "my_filters",
        "my_filters_",
        "",
    ]


@pytest.mark.parametrize("name", WICKED)
def test_a_name_is_an_identifier_or_nothing(name: str) -> None:
    for made in (python_name(name), type_identifier(name), field_identifier(name), member_name(name)):
        assert made == "" or (made.isidentifier() and made.isascii() and not keyword.iskeyword(made))
    if python_name(name):
        ast.parse(f"class {type_class_name(name)}: pass")
