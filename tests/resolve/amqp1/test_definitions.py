"""Definitions: the constants of a specification."""

from __future__ import annotations

from .small_specifications import raw_spec, refusal, resolved


def test_values_are_numbers_or_texts() -> None:
    text = "<definition name='PORT' value='5672' label='l'/><definition name='MASK' value='0xFF'/>"
    found = resolved(text + "<definition name='TEXT' value='1.0'/>").definitions
    assert [(item.name, item.identifier, item.value) for item in found] == [
        ("PORT", "PORT", 5672),
        ("MASK", "MASK", 255),
        ("TEXT", "TEXT", "1.0"),
    ]
    assert (found[0].part, found[0].section, found[0].label) == ("p", "s", "l")


def test_two_sections_may_have_one_name() -> None:
    text = "<definition name='MAX-SIZE' value='1'/></section><section name='t'><definition name='MAX-SIZE' value='2'/>"
    spec = resolved(
        text, "<definition name='MAX-SIZE' value='3'/>", "<definition name='S-MAX-SIZE' value='4'/>"
    )
    assert [
        (definition.identifier, definition.value, definition.section) for definition in spec.definitions
    ] == [
        ("MAX_SIZE", 1, "s"),
        ("T_MAX_SIZE", 2, "t"),
        ("S_MAX_SIZE", 3, "s"),
        ("S_S_MAX_SIZE", 4, "s"),
    ]
    first = spec.definition("MAX-SIZE")
    assert first is not None
    assert first.value == 1
    assert spec.definition("none") is None


def test_one_section_may_not() -> None:
    text = (
        "<definition name='N' value='1'/>\n<definition name='N' value='1'/>\n<definition name='?' value='1'/>"
    )
    assert refusal(text) == [
        "p.xml:3:1: error: definition 'N' repeats the name of definition 'N' at p.xml:2:1 (give each its own) "
        "[duplicate-definition]",
        "p.xml:4:1: error: the name '?' of this definition does not make a Python identifier "
        "(use ASCII letters, digits, blanks, hyphens and underscores, a letter first) [bad-name]",
    ]


def test_sections_of_a_part_have_names_of_their_own() -> None:
    assert refusal("</section>\n<section name='s'>") == [
        "p.xml:3:1: error: section 's' repeats the name of section 's' at p.xml:1:16 (give each its own) "
        "[duplicate-section]"
    ]
    assert raw_spec("", "")
