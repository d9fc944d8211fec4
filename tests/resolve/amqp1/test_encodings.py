"""Encodings of primitive types."""

from __future__ import annotations

from .small_specifications import outcome, refusal, resolved

UINT = "<type name='uint' class='primitive'>\n{}</type>"


def test_identifiers_are_unique_in_the_whole_specification() -> None:
    spec, problems = outcome(
        UINT.format(
            "<encoding code='0x70' category='fixed'/>"
            "<encoding code='0x71' category='fixed'/>"
            "<encoding name='small-uint' code='0x52' category='fixed'/>"
        )
        + "<type name='list' class='primitive'><encoding name='true' code='0x45' category='fixed'/></type>",
        types=False,
    )
    assert problems == []
    assert spec is not None
    assert [(encoding.identifier, encoding.type) for encoding in spec.encodings] == [
        ("UINT", "uint"),
        ("UINT_71", "uint"),
        ("UINT_SMALL_UINT", "uint"),
        ("LIST_TRUE", "list"),
    ]


def test_a_width_left_out_is_that_of_the_code() -> None:
    codes = ["0x41", "0x52", "0x63", "0x74", "0x85", "0x96", "0xa7", "0xb8", "0xc9", "0xda", "0xeb", "0xfc"]
    kinds = ["fixed"] * 6 + ["variable"] * 2 + ["compound"] * 2 + ["array"] * 2
    text = "".join(
        f"<encoding code='{code}' category='{kind}'/>" for code, kind in zip(codes, kinds, strict=True)
    )
    spec, _ = outcome(UINT.format(text), types=False)
    assert spec is not None
    assert [encoding.width for encoding in spec.encodings] == [0, 1, 2, 4, 8, 16, 1, 4, 1, 4, 1, 4]


def test_codes_and_names_occur_once() -> None:
    first = UINT.format(
        "<encoding code='0x70' name='e' category='fixed'/>\n<encoding name='e' code='0x52' category='fixed'/>"
    )
    second = "<type name='int' class='primitive'>\n<encoding code='112' category='fixed'/></type>"
    assert refusal(first, second, types=False) == [
        "p.xml:4:1: error: encoding 'e' repeats the name of encoding 'e' at p.xml:3:1 (give each its own) "
        "[duplicate-encoding]",
        "p2.xml:3:1: error: encoding 0x70 of 'int' repeats the code of encoding 0x70 of 'uint' at p.xml:3:1 "
        "(give each its own) [duplicate-code]",
    ]


def test_a_name_must_make_an_identifier() -> None:
    assert refusal(UINT.format("<encoding name='?' code='0x70' category='fixed'/>"), types=False) == [
        "p.xml:3:1: error: the name '?' of this encoding does not make a Python identifier "
        "(use ASCII letters, digits, blanks, hyphens and underscores, a letter first) [bad-name]"
    ]


def test_the_standard_has_them_all() -> None:
    spec = resolved("")
    assert len(spec.encodings) == 39
    assert {encoding.identifier: encoding.code for encoding in spec.encodings}["ULONG_SMALLULONG"] == 0x53
