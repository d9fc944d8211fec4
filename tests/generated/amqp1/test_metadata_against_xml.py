"""Names, descriptors, fields, choices, archetypes of every type against the XML, read here a second time."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from amqp_1_0._limits import READERS
from amqp_1_0.described import CLASSES, DescribedType
from amqp_1_0.types import SymbolChoice

from tests.published_specs.published_files import PARTS, needs_published, published_file

from .packages import BY_NAME, amqp
from .specification import (
    COMPOSITES,
    DESCRIBED,
    ENUMERATIONS,
    FILES,
    FOLDER,
    MODULES,
    TYPES,
    Field,
    Type,
    camel,
    class_name,
    identifier,
    primitive,
    read,
)

each_type = pytest.mark.parametrize("expected", [pytest.param(type_, id=type_.name) for type_ in DESCRIBED])
each_composite = pytest.mark.parametrize(
    "expected", [pytest.param(composite, id=composite.name) for composite in COMPOSITES]
)
each_enumeration = pytest.mark.parametrize(
    "expected", [pytest.param(enumeration, id=enumeration.name) for enumeration in ENUMERATIONS]
)


def test_counts() -> None:
    assert (len(TYPES), len(COMPOSITES), len(DESCRIBED)) == (96 - 24, 33, 40)
    assert sum(len(composite.fields) for composite in COMPOSITES) == 125
    assert sum(len(enumeration.choices) for enumeration in ENUMERATIONS) == 54
    assert len(set(CLASSES.values())) == 40
    # Each by its number and by its symbol.
    assert len(CLASSES) == len(READERS) == 2 * 40


@needs_published(*PARTS)
def test_our_files_say_what_the_published_ones_say() -> None:
    published = read(map(published_file, PARTS))
    for name, ours in TYPES.items():
        theirs = published.pop(name)
        if name == "header":  # their copies lack defaults that the text has
            assert [field.default for field in ours.fields] == ["false", "4", None, "false", "0"]
            theirs.fields = ours.fields
        assert ours == theirs
    assert not published


def test_sources() -> None:
    assert amqp.SPEC.version == "1.0"
    assert amqp.SPEC.files == tuple(f"{name}.xml" for name in FILES)
    assert len(amqp.SPEC.sha256) == 5


def test_definitions() -> None:
    constants = amqp.constants
    assert (constants.PORT, constants.SECURE_PORT) == (5672, 5671)
    assert (constants.MAJOR, constants.MINOR, constants.REVISION) == (1, 0, 0)
    assert (constants.SASL_MAJOR, constants.SASL_MINOR, constants.SASL_REVISION) == (1, 0, 0)
    assert (constants.TLS_MAJOR, constants.TLS_MINOR, constants.TLS_REVISION) == (1, 0, 0)
    assert (constants.MIN_MAX_FRAME_SIZE, constants.MESSAGE_FORMAT) == (512, 0)
    assert (constants.FRAME_AMQP, constants.FRAME_SASL) == (0, 1)


@each_type
def test_descriptors(expected: Type) -> None:
    cls = CLASSES[expected.code]
    assert cls is CLASSES[expected.symbol]
    assert expected.name == cls.NAME
    assert expected.code == cls.CODE
    assert expected.symbol == cls.SYMBOL
    assert frozenset(expected.provides) == cls.PROVIDES
    assert issubclass(cls, DescribedType)
    if expected.kind == "restricted":
        assert primitive(expected.source) == cls.SOURCE
        assert cls.FIELDS == ()
    else:
        assert cls.SOURCE == ""


@pytest.mark.parametrize("expected", [pytest.param(type_, id=type_.name) for type_ in TYPES.values()])
def test_python_names(expected: Type) -> None:
    module = getattr(amqp, MODULES[expected.part])
    found = getattr(module, class_name(expected))
    assert class_name(expected) in module.__all__
    if expected.code is not None:
        assert found is CLASSES[expected.code]
    elif expected.choices:
        assert issubclass(found, Enum)
    else:
        assert not isinstance(found, type) or not issubclass(found, (Enum, DescribedType))


def test_there_are_no_other_names() -> None:
    for part, module in MODULES.items():
        assert set(getattr(amqp, module).__all__) == {
            class_name(type_) for type_ in TYPES.values() if type_.part == part
        }


@each_composite
def test_fields(expected: Type) -> None:
    cls = BY_NAME[expected.name]
    assert [field.name for field in cls.FIELDS] == [field.name for field in expected.fields]
    for ours, theirs in zip(cls.FIELDS, expected.fields, strict=True):
        assert ours.attribute == identifier(theirs.name)
        assert ours.type == theirs.type
        assert (ours.mandatory, ours.multiple) == (theirs.mandatory, theirs.multiple)
        described = theirs.type in TYPES and TYPES[theirs.type].code is not None
        assert ours.primitive == ("" if theirs.type == "*" or described else primitive(theirs.type))
        check_default(ours, theirs)
        check_archetype(ours, theirs)
        check_choices(ours, theirs)


def check_default(ours: Any, theirs: Field) -> None:
    if theirs.default is None:
        assert ours.default is None
        return
    choices = TYPES[theirs.type].choices if theirs.type in TYPES else {}
    if choices:
        # A choice, by its name.
        assert ours.default.name == identifier(theirs.default).upper()
        assert str(ours.default.value) == choices[theirs.default]
    else:
        expected: bool | int = theirs.default == "true"
        if theirs.default not in ("true", "false"):
            expected = int(theirs.default, 0)
        assert ours.default == expected
        assert type(ours.default) is type(expected)


def check_archetype(ours: Any, theirs: Field) -> None:
    provided = {name for type_ in TYPES.values() for name in type_.provides}
    required = provided & set(theirs.requires)
    assert (ours.archetype.names if ours.archetype else frozenset()) == required
    if required:
        plain = {
            primitive(type_.name)
            for type_ in TYPES.values()
            if required & set(type_.provides) and type_.code is None
        }
        assert set(ours.archetype.types) == plain


def check_choices(ours: Any, theirs: Field) -> None:
    found = TYPES.get(theirs.type)
    if found is None or not found.choices:
        assert ours.values is None
        return
    parse: Any = {"boolean": lambda text: text == "true", "symbol": str}.get(primitive(found.name), int)
    assert ours.values == {parse(value) for value in found.choices.values()}
    assert {type(value) for value in ours.values} == {enumeration(found)}


def enumeration(expected: Type) -> Any:
    return getattr(getattr(amqp, MODULES[expected.part]), class_name(expected))


@each_enumeration
def test_choices(expected: Type) -> None:
    cls = enumeration(expected)
    kind = primitive(expected.name)
    parse: Any = {"boolean": lambda text: text == "true", "symbol": str}.get(kind, int)
    found = {member.name: member.value for member in cls}
    assert found == {identifier(name).upper(): parse(value) for name, value in expected.choices.items()}
    assert issubclass(cls, SymbolChoice if kind == "symbol" else int)


def test_archetypes_as_unions() -> None:
    """A union for each archetype that has providers, of just these and of what extensions may add."""
    provided = {name for type_ in TYPES.values() for name in type_.provides}
    for archetype in provided:
        union = next(
            found
            for name in (camel(archetype), f"Any{camel(archetype)}")
            if name in amqp.archetypes.__all__ and (found := getattr(amqp.archetypes, name))
        )
        members = {arg.__name__ for arg in union.__args__}
        providers = [type_ for type_ in TYPES.values() if archetype in type_.provides]
        classes = {
            class_name(provider) for provider in providers if provider.code is not None or provider.choices
        }
        assert classes <= members
        assert members - classes <= {"Described", "int", "str", "bytes", "UUID"}


def test_the_folder_is_the_one_generated_from() -> None:
    from hashlib import sha256

    digests = [sha256(Path(FOLDER, name).read_bytes()).hexdigest() for name in amqp.SPEC.files]
    assert tuple(digests) == amqp.SPEC.sha256
