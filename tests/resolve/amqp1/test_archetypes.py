"""Archetypes: who provides them, who requires them."""

from __future__ import annotations

from .small_specifications import COMPOSITE, refusal, resolved, restricted, warned


def test_providers_of_all_files_in_order() -> None:
    spec = resolved(
        restricted("a", "uint", "", "provides='x, y'") + COMPOSITE.format("<field name='f' requires='y,z'/>"),
        restricted("b", "uint", "", "provides='z'") + restricted("d", "map", "", "provides='y,z'"),
    )
    assert [
        (archetype.name, [found.name for found in archetype.providers], archetype.required_by)
        for archetype in spec.archetypes
    ] == [
        ("x", ["a"], ()),
        ("y", ["a", "d"], ("c.f",)),
        ("z", ["b", "d"], ("c.f",)),
    ]
    (field,) = spec.composites[0].fields
    assert field.requires == ("y", "z")
    assert [provider.name for provider in field.providers] == ["a", "d", "b"]
    assert spec.archetype("x") is spec.archetypes[0]
    assert spec.archetype("none") is None


def test_a_composite_may_hold_itself() -> None:
    text = "<type name='c' class='composite' provides='x'><descriptor code='1'/><field name='f' requires='x'/></type>"
    field = resolved(text).composites[0].fields[0]
    assert [provider.name for provider in field.providers] == ["c"]


def test_an_archetype_that_nobody_provides_is_a_warning() -> None:
    spec, warnings = warned(
        COMPOSITE.format("<field name='f' requires='y'/>") + restricted("a", "uint", "", "provides='x'")
    )
    assert warnings == [
        "p.xml:3:1: warning: field 'f' of 'c' requires 'y', which no type provides (known: x) [unprovided-archetype]"
    ]
    assert spec.archetypes[0].providers == ()
    assert spec.composites[0].fields[0].providers == ()


def test_a_typed_field_needs_a_provider_of_that_type() -> None:
    field = "<field name='f' type='{}' requires='x'/>"
    provider = restricted("a", "symbol", "", "provides='x'")
    assert resolved(COMPOSITE.format(field.format("symbol")) + provider)
    assert resolved(COMPOSITE.format(field.format("a")) + provider)
    assert resolved(COMPOSITE.format(field.format("b")) + provider + restricted("b", "a"))
    _, warnings = warned(COMPOSITE.format(field.format("uint")) + provider)
    assert warnings == [
        "p.xml:3:1: warning: field 'f' of 'c' requires 'x', but no type that provides it is a 'uint' [unfit-archetype]"
    ]


def test_an_archetype_named_twice_counts_once() -> None:
    text = (
        restricted("a", "uint", "", "provides='x,x'")
        + "\n"
        + COMPOSITE.format("<field name='f' requires='x,x'/>")
    )
    spec, warnings = warned(text)
    assert warnings == [
        "p.xml:2:1: warning: type 'a' provides 'x' 2 times [repeated-archetype]",
        "p.xml:4:1: warning: field 'f' requires 'x' 2 times [repeated-archetype]",
    ]
    assert spec.restricted_types[0].provides == ("x",)
    assert spec.composites[0].fields[0].requires == ("x",)
    assert len(spec.archetypes[0].providers) == 1
    assert spec.archetypes[0].required_by == ("c.f",)


def test_a_name_must_make_an_identifier() -> None:
    (problem,) = refusal(restricted("a", "uint", "", "provides='?'"))
    assert problem.startswith(
        "p.xml:2:1: error: the name '?' of this archetype does not make a Python identifier"
    )
