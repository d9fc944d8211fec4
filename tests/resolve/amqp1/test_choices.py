"""Choices of restricted types."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp1.spec import Choice

from .small_specifications import refusal, resolved, restricted


def choices(source: str, *pairs: tuple[str, str]) -> str:
    return restricted(
        "t", source, "".join(f"\n<choice name='{name}' value='{value}'/>" for name, value in pairs)
    )


def test_choices_have_members_and_values() -> None:
    text = (
        "<choice name='none' value='0' label='l'><doc><p>D.</p></doc></choice>"
        "<choice name='sys-perm' value='0x03'/><choice name='class' value='4'/>"
    )
    (found,) = resolved(restricted("t", "ubyte", text)).enumerations
    assert isinstance(found.choices[0], Choice)
    assert [(choice.name, choice.identifier, choice.value) for choice in found.choices] == [
        ("none", "NONE", 0),
        ("sys-perm", "SYS_PERM", 3),
        ("class", "CLASS", 4),
    ]
    assert (found.choices[0].label, found.choices[0].doc) == ("l", "D.")
    assert (found.class_name, found.enumeration) == ("T", "T")


def test_values_are_of_the_primitive_at_the_end() -> None:
    text = choices("s", ("no", "false"), ("yes", "true")) + restricted("s", "boolean")
    assert [choice.value for choice in resolved(text).enumerations[0].choices] == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            choices("uint", ("a", "1"), ("a", "2")),
            "p.xml:4:1: error: choice 'a' repeats the name of choice 'a' at p.xml:3:1 (give each its own) "
            "[duplicate-choice]",
        ),
        (
            choices("uint", ("a", "1"), ("b", "0x1")),
            "p.xml:4:1: error: choice 'b' (1) repeats the value of choice 'a' (1) at p.xml:3:1 (give each its own) "
            "[duplicate-choice]",
        ),
        (
            choices("symbol", ("a-b", "x"), ("a_b", "y")),
            "p.xml:4:1: error: choice 'a_b' repeats the Python name of choice 'a-b' at p.xml:3:1 (give each its own) "
            "[name-collision]",
        ),
        (
            choices("uint", ("1", "1")),
            "p.xml:3:1: error: the name '1' of this choice does not make a Python identifier "
            "(use ASCII letters, digits, blanks, hyphens and underscores, a letter first) [bad-name]",
        ),
        (choices("ubyte", ("a", "256")),
         "p.xml:3:1: error: choice 'a' of 't': value '256' is out of the range of ubyte: 0 to 255 [bad-choice]"),
        (choices("boolean", ("a", "yes")),
         "p.xml:3:1: error: choice 'a' of 't': value 'yes' is not a valid boolean [bad-choice]"),
        (
            choices("map", ("a", "{}")),
            "p.xml:3:1: error: choice 'a' of 't': value '{}' cannot be read: values of type map cannot be written down "
            "[bad-choice]",
        ),
        (
            choices("*", ("a", "1")),
            "p.xml:3:1: error: choice 'a' of 't': value '1' cannot be read: values of type * cannot be written down "
            "[bad-choice]",
        ),
        (choices("s", ("a", "1"), ("c", "3")) + restricted("s", "uint", "<choice name='b' value='1'/>"),
         "p.xml:4:1: error: choice 'c' of 't': 3 is none of 's', its source [bad-choice]"),
    ],
)  # fmt: skip
def test_choices_that_do_not_fit(text: str, expected: str) -> None:
    assert refusal(text) == [expected]


def test_an_open_source_limits_nothing() -> None:
    source = restricted("s", "symbol", "<choice name='b' value='old'/>", "provides='x'")
    text = choices("s", ("a", "new")) + source
    assert [enumeration.class_name for enumeration in resolved(text).enumerations] == ["T", "S"]
