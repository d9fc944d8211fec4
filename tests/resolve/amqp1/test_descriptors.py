"""Descriptors: each stands for one type."""

from __future__ import annotations

from .small_specifications import refusal, resolved, restricted

COMPOSITE = "<type name='{}' class='composite'>{}</type>"


def test_several_descriptors_are_accepted_and_the_first_is_sent() -> None:
    spec = resolved(
        COMPOSITE.format("c", "<descriptor name='x:c'/><descriptor name='x:old' code='0x1:0x2'/>")
    )
    (composite,) = spec.composites
    assert [(descriptor.symbol, descriptor.code) for descriptor in composite.descriptors] == [
        ("x:c", None),
        ("x:old", 1 << 32 | 2),
    ]
    assert composite.descriptor.symbol == "x:c"
    assert spec.described_types == (composite,)


def test_symbols_and_numbers_occur_once_in_all_files() -> None:
    first = COMPOSITE.format("a", "<descriptor name='d' code='0x0:0x7'/>")
    second = restricted("b", "uint", "<descriptor name='d' code='8'/>")
    third = restricted("c", "uint", "<descriptor name='e' code='7'/>")
    assert refusal(first, second, third) == [
        "p2.xml:2:50: error: descriptor 'd' of type 'b' repeats the name of descriptor 'd' of type 'a' at p.xml:2:34 "
        "(give each its own) [duplicate-descriptor]",
        "p3.xml:2:50: error: descriptor 0x00000000:0x00000007 of type 'c' repeats the code of descriptor "
        "0x00000000:0x00000007 of type 'a' at p.xml:2:34 (give each its own) [duplicate-descriptor]",
    ]


def test_one_type_has_no_descriptor_twice() -> None:
    (problem,) = refusal(COMPOSITE.format("a", "<descriptor name='d'/><descriptor name='d'/>"))
    assert problem.endswith("[duplicate-descriptor]")
