"""Fields of composite types, and their defaults."""

from __future__ import annotations

import pytest
from amqp_codegen.model.amqp1.spec import Default, Field, Kind

from tests.written_cases import written_cases

from .small_specifications import COMPOSITE, refusal, resolved, restricted, warned

MODE = restricted("mode", "ubyte", "<choice name='none' value='0'/><choice name='second' value='1'/>")
NAME = restricted("name", "symbol", "<choice name='one' value='x:one'/>", "provides='names'")


def fields(content: str, others: str = "") -> tuple[Field, ...]:
    return resolved(COMPOSITE.format(content) + others).composites[0].fields


def default(attributes: str, others: str = "") -> Default | None:
    return fields(f"<field name='f' {attributes}/>", others)[0].default


def test_fields_have_attributes_and_locals_of_their_own() -> None:
    found = fields(
        "".join(f"<field name='{name}'/>" for name in ("max-size", "from", "bytes", "size", "filter"))
    )
    assert [(item.identifier, item.local) for item in found] == [
        ("max_size", "max_size"),
        ("from_", "from_"),
        ("bytes_", "bytes_"),
        ("size", "size_"),
        ("filter", "filter"),
    ]


def test_a_field_knows_what_its_type_comes_to() -> None:
    found = fields(
        "<field name='a' type='mode' mandatory='true'/><field name='b' type='c' multiple='true'/><field name='d'/>"
        "<field name='e' type='list'/>",
        MODE,
    )
    assert [(item.type.kind, item.type.primitive, item.type.enumeration) for item in found] == [
        (Kind.RESTRICTED, "ubyte", "Mode"),
        (Kind.COMPOSITE, "list", ""),
        (Kind.ANY, "", ""),
        (Kind.PRIMITIVE, "list", ""),
    ]
    assert [item.type.described for item in found] == [False, True, False, False]
    assert [(item.mandatory, item.multiple) for item in found[:2]] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("type='uint'", None),
        ("type='uint' default='4294967295'", Default("4294967295", 4294967295, "", "", "4294967295")),
        ("type='boolean' default='false'", Default("false", False, "", "", "False")),
        ("type='string' default=''", Default("", "", "", "", "''")),
        ("type='double' default='1.50'", Default("1.50", 1.5, "", "", "1.5")),
        ("type='mode' default='second'", Default("second", 1, "Mode", "SECOND", "Mode.SECOND")),
        ("type='mode' default='none'", Default("none", 0, "Mode", "NONE", "Mode.NONE")),
        ("type='mode' default='1'", Default("1", 1, "Mode", "SECOND", "Mode.SECOND")),
        ("type='narrow' default='none'", Default("none", 0, "Mode", "NONE", "Mode.NONE")),
        ("type='name' default='one'", Default("one", "x:one", "Name", "ONE", "Name.ONE")),
        ("type='name' default='x:one'", Default("x:one", "x:one", "Name", "ONE", "Name.ONE")),
        ("type='name' default='x:two'", Default("x:two", "x:two", "", "", "'x:two'")),
        ("type='uint' multiple='true' default='1'", Default("1", 1, "", "", "1")),
    ],
)
def test_defaults(attributes: str, expected: Default | None) -> None:
    assert default(attributes, MODE + NAME + restricted("narrow", "mode")) == expected


def test_a_default_cannot_break_out_of_its_literal() -> None:
    found = default("type='string' default='&quot;&quot;&quot;\\&#10;{x}__import__'")
    assert found is not None
    assert found.expression == repr('"""\\\n{x}__import__')


@pytest.mark.parametrize(
    ("field", "expected"),
    written_cases("""
        <field name='f' type='unit'/>
            field 'f' of 'c' has the type 'unit', which is not defined (did you mean 'uint'?) [undefined-type]
        <field name='7'/>
            the name '7' of this field does not make a Python identifier (use ASCII letters, digits, blanks, hyphens and
                underscores, a letter first) [bad-name]
        <field name='f' type='ubyte' default='256'/>
            field 'f' of 'c': default '256' is out of the range of ubyte: 0 to 255 [bad-default]
        <field name='f' type='boolean' default='0'/>
            field 'f' of 'c': default '0' is not a valid boolean [bad-default]
        <field name='f' type='mode' default='secnd'/>
            field 'f' of 'c': default 'secnd' is not a choice of 'mode' (did you mean 'second'?) [bad-default]
        <field name='f' type='mode' default='7'/>
            field 'f' of 'c': default '7' is not a choice of 'mode' (known: none, second) [bad-default]
        <field name='f' type='name' default='&#228;'/>
            field 'f' of 'c': default 'ä' is not a valid symbol [bad-default]
        <field name='f' default='1'/>
            field 'f' of 'c': default '1' cannot be read: values of type * cannot be written down [bad-default]
        <field name='f' type='c' default='1'/>
            field 'f' of 'c': default '1' cannot be read: values of type list cannot be written down [bad-default]
        <field name='f' type='array' multiple='true'/>
            field 'f' of 'c' is multiple, but 'array' is an array (one array could not be told from several values, nor
                null from none) [impossible-multiple]
        <field name='f' type='null' multiple='true'/>
            field 'f' of 'c' is multiple, but 'null' is null (one array could not be told from several values, nor null
                from none) [impossible-multiple]
        <field name='f' requires='many' multiple='true'/>
            field 'f' of 'c' is multiple, but 'row' is an array (one array could not be told from several values, nor
                null from none) [impossible-multiple]
        <field name='f' multiple='true'/>
            field 'f' of 'c' is multiple and of any type (one array could not be told from several values, nor null from
                none) [impossible-multiple]
        """),
)
def test_fields_that_do_not_fit(field: str, expected: list[str]) -> None:
    row = restricted("row", "array", "", "provides='many'")
    found = refusal(COMPOSITE.format(field) + MODE + NAME + row)
    assert found == [f"p.xml:3:1: error: {problem}" for problem in expected]


def test_names_are_unique() -> None:
    text = "<field name='a-b'/>\n<field name='a-b' type='uint'/>\n<field name='a_b'/>"
    assert refusal(COMPOSITE.format(text)) == [
        "p.xml:4:1: error: field 'a-b' repeats the name of field 'a-b' at p.xml:3:1 (give each its own) "
        "[duplicate-field]",
        "p.xml:5:1: error: field 'a_b' repeats the Python name of field 'a-b' at p.xml:3:1 (give each its own) "
        "[name-collision]",
    ]


def test_an_array_with_a_descriptor_may_be_one_of_several() -> None:
    row = restricted("row", "array", "<descriptor name='d'/>")
    spec, warnings = warned(COMPOSITE.format("<field name='f' type='row' multiple='true'/>") + row)
    assert warnings == []
    assert spec.composites[0].fields[0].multiple
