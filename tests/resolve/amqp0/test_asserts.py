"""Asserts: which types they fit."""

from __future__ import annotations

import pytest

from .small_specifications import field, in_method, refusal, resolved, the_method

STRINGS = ["shortstr", "longstr"]
NUMBERS = ["octet", "short", "long", "longlong", "timestamp"]
OTHERS = ["bit", "table", "content"]
CHECKS = {
    '<assert check="length" value="3"/>': STRINGS,
    '<assert check="regexp" value="^a$"/>': STRINGS,
    '<assert check="enum"><value name="x"/></assert>': NUMBERS,
    '<assert check="ne" value="7"/>': NUMBERS,
    '<assert check="le" field="bound"/>': NUMBERS,
    '<assert check="notnull"/>': STRINGS + NUMBERS + OTHERS,
    '<assert check="null"/>': STRINGS + NUMBERS + OTHERS,
    '<assert check="syntax" rule="x"/>': STRINGS,
}
FITTING = [(kind, check) for check, kinds in CHECKS.items() for kind in kinds]
UNFITTING = [
    (kind, check)
    for check, kinds in CHECKS.items()
    for kind in STRINGS + NUMBERS + OTHERS
    if kind not in kinds and "syntax" not in check
]


@pytest.mark.parametrize(("kind", "check"), FITTING)
def test_an_assert_that_fits_its_type(kind: str, check: str) -> None:
    body = in_method(field("f", kind, check) + field("bound", "long"))
    assert len(the_method(resolved(body)).fields[0].asserts) == 1


@pytest.mark.parametrize(("kind", "check"), UNFITTING)
def test_an_assert_that_does_not_fit_its_type(kind: str, check: str) -> None:
    body = in_method(field("f", kind, f"\n{check}") + field("bound", "long"))
    [message] = refusal(body)
    assert message.startswith("s.xml:3:1: error: ")


def test_an_assert_of_a_domain_that_does_not_fit() -> None:
    """One problem at the domain, however many fields have it."""
    domain = '<domain name="d" type="short">\n<assert check="length" value="3"/></domain>'
    [message] = refusal(domain + in_method(field("f", "d") + field("g", "d")))
    assert message.startswith("s.xml:3:1: error: ")


def test_ne_needs_a_number() -> None:
    [message] = refusal(in_method(field("f", "short", '\n<assert check="ne" value="abc"/>')))
    assert message.startswith("s.xml:3:1: error: ")


def test_le_of_a_field_that_is_no_number() -> None:
    [message] = refusal(
        in_method(field("f", "short", '\n<assert check="le" field="g"/>') + field("g", "shortstr"))
    )
    assert message.startswith("s.xml:3:1: error: ")
