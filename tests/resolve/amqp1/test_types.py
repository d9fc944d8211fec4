"""Types followed to their primitives."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp1.spec import Kind, Restricted, TypeReference, Union

from .small_specifications import COMPOSITE, refusal, resolved, restricted, warned

SOURCES = (
    "(only primitive types and restricted types without descriptors can be restricted) [unsupported-source]"
)


def one_restricted(text: str, name: str) -> Restricted:
    found = resolved(text).type(name)
    assert isinstance(found, Restricted)
    return found


def test_a_restricted_type_is_followed_to_its_primitive() -> None:
    text = restricted("a", "b") + restricted("b", "c") + restricted("c", "uint")
    found = one_restricted(text, "a")
    assert (found.chain, found.primitive) == (("b", "c", "uint"), "uint")
    assert found.source == TypeReference("b", Kind.RESTRICTED, "B", "uint", "", False, False, "p")
    assert found.descriptor is None


def test_any_type_will_do_for_a_restricted_one() -> None:
    found = one_restricted(restricted("a", "b") + restricted("b", "*"), "a")
    assert (found.chain, found.primitive) == (("b", "*"), "")
    assert one_restricted(restricted("b", "*"), "b").source.kind is Kind.ANY


def test_a_described_restricted_type_says_so() -> None:
    text = restricted("a", "b", "<descriptor name='d' code='7'/>") + restricted("b", "map")
    found = one_restricted(text, "a")
    assert found.descriptor is not None
    assert (found.descriptor.symbol, found.descriptor.code) == ("d", 7)
    composite = resolved(text + COMPOSITE.format("<field name='f' type='a'/>")).composites[0]
    assert composite.fields[0].type == TypeReference("a", Kind.RESTRICTED, "A", "map", "", False, True, "p")


def test_choices_are_inherited() -> None:
    text = restricted("a", "b") + restricted("b", "ubyte", "<choice name='n' value='1'/>")
    found = one_restricted(text, "a")
    assert (found.enumeration, found.open, found.choices) == ("B", False, ())


@pytest.mark.parametrize(
    ("source", "value", "provides", "expected"),
    [
        ("symbol", "x", "y", True),
        ("symbol", "x", "", False),
        ("ubyte", "1", "y", False),
        ("boolean", "true", "", False),
        ("string", "x", "y", False),
    ],
)
def test_choices_of_symbols_that_others_can_provide_as_well_are_open(
    source: str, value: str, provides: str, expected: bool
) -> None:
    attribute = f"provides='{provides}'" if provides else ""
    found = one_restricted(restricted("a", source, f"<choice name='n' value='{value}'/>", attribute), "a")
    assert found.open is expected


def test_a_type_without_choices_is_not_open() -> None:
    assert one_restricted(restricted("a", "symbol"), "a").open is False


def test_types_are_looked_up_in_all_files() -> None:
    spec = resolved(COMPOSITE.format("<field name='f' type='late'/>"), restricted("late", "uint"))
    assert spec.composites[0].fields[0].type.part == "p2"


def test_a_union_holds_what_provides_its_name() -> None:
    text = "<type name='u' class='union'/>" + restricted("a", "uint", "", "provides='u'")
    spec, warnings = warned(text + COMPOSITE.format("<field name='f' type='u'/>"))
    assert warnings == []
    (union,) = spec.unions
    assert isinstance(union, Union)
    assert [member.name for member in union.members] == ["a"]
    reference = spec.composites[0].fields[0].type
    assert (reference.kind, reference.primitive, reference.class_name) == (Kind.UNION, "", "U")
    assert spec.archetypes[0].class_name == "AnyU"


def test_names_are_unique_in_all_files() -> None:
    assert refusal(restricted("a", "uint"), f"\n{restricted('a', 'ulong')}{restricted('uint', 'ulong')}") == [
        "p2.xml:3:1: error: type 'a' repeats the name of type 'a' at p.xml:2:1 (give each its own) [duplicate-type]",
        "p2.xml:3:58: error: type 'uint' repeats the name of type 'uint' at types.xml:45:5 (give each its own) "
        "[duplicate-type]",
    ]


def test_names_are_unique_in_python() -> None:
    assert refusal(restricted("no-wait", "uint"), restricted("no_wait", "uint")) == [
        "p2.xml:2:1: error: type 'no_wait' repeats the Python name of type 'no-wait' at p.xml:2:1 "
        "(give each its own) [name-collision]"
    ]
    assert refusal(restricted("1st", "uint")) == [
        "p.xml:2:1: error: the name '1st' of this type does not make a Python identifier "
        "(use ASCII letters, digits, blanks, hyphens and underscores, a letter first) [bad-name]"
    ]


def test_names_that_every_package_has_are_avoided() -> None:
    spec = resolved(restricted("message", "uint") + restricted("open", "uint"))
    assert [(type_.class_name, type_.identifier) for type_ in spec.restricted_types] == [
        ("Message_", "message"),
        ("Open", "open_"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (restricted("a", "unit"),
         ["type 'a' has the source 'unit', which is not defined (did you mean 'uint'?) [undefined-type]"]),
        (restricted("a", "b") + "\n" + restricted("b", "none"),
         ["3:type 'b' has the source 'none', which is not defined [undefined-type]"]),
        (restricted("a", "a"), ["type 'a' never ends: a -> a [cyclic-type]"]),
        (restricted("a", "b") + "\n" + restricted("b", "a") + "\n" + restricted("c", "b"),
         ["type 'a' never ends: a -> b -> a [cyclic-type]", "3:type 'b' never ends: b -> a -> b [cyclic-type]"]),
        (restricted("a", "c") + "\n" + COMPOSITE.format(""),
         [f"type 'a' is derived from the composite type 'c'; that is not supported {SOURCES}"]),
        (restricted("a", "b") + "\n" + restricted("b", "map", "<descriptor code='1'/>"),
         [f"type 'a' is derived from 'b', which has a descriptor; that is not supported {SOURCES}"]),
        (
            "<type name='u8' class='primitive'><encoding code='0x57' category='fixed'/></type>",
            [
                "primitive type 'u8' is none of the 24 of AMQP 1.0 (make it a restricted or composite type) "
                "[unsupported-primitive]"
            ],
        ),
    ],
)  # fmt: skip
def test_sources_that_lead_nowhere(text: str, expected: list[str]) -> None:
    problems = [problem for problem in refusal(text) if "known:" not in problem]
    places = [item.partition(":")[::2] if item[0] == "3" else ("2", item) for item in expected]
    assert problems == [f"p.xml:{line}:1: error: {message}" for line, message in places]


def test_a_missing_part_is_named() -> None:
    assert refusal(
        restricted("a", "uint") + "\n" + COMPOSITE.format("<field name='f' type='map'/>"), types=False
    ) == [
        "p.xml:2:1: error: type 'a' has the source 'uint', which is not defined "
        "(it is in the part 'types', which is not among the files: name 1.0 beside them) [undefined-type]",
        "p.xml:3:1: error: type 'c' has the source 'list', which is not defined "
        "(it is in the part 'types', which is not among the files: name 1.0 beside them) [undefined-type]",
        "p.xml:4:1: error: field 'f' of 'c' has the type 'map', which is not defined "
        "(it is in the part 'types', which is not among the files: name 1.0 beside them) [undefined-type]",
    ]


def test_what_builds_on_a_bad_type_is_not_reported_again() -> None:
    text = restricted("a", "none", "<choice name='n' value='1'/>") + "\n"
    text += COMPOSITE.format("<field name='f' type='a' default='n'/>")
    assert [problem.rpartition(" ")[2] for problem in refusal(text)] == ["[undefined-type]"]


def test_a_chain_has_an_end() -> None:
    links = [restricted(f"t{number}", f"t{number + 1}") for number in range(65)]
    text = "\n".join([*links, restricted("t65", "uint")])
    assert refusal(text) == [
        f"p.xml:{line}:1: error: type 't{line - 2}' is derived over more than 64 others [too-deep-type]"
        for line in (2, 3)
    ]


def test_messages_stay_on_one_line() -> None:
    problems = refusal(restricted("a&#10;b", "a&#10;b"))
    assert problems[0].startswith(
        "p.xml:2:1: error: the name 'a\\nb' of this type does not make a Python identifier"
    )
    assert problems[1] == "p.xml:2:1: error: type 'a\\nb' never ends: a\\nb -> a\\nb [cyclic-type]"
