"""The filters of the 1.0 templates, by the name that templates use.

The tests of the 1.0 templates (``{% if type is composite %}``), by the name that templates use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from ...model.amqp1.spec import Composite, Field, Part, Primitive, Restricted, Spec, Union
from ..python_text import docstring, literal, tuple_literal
from . import archetypes, column_code, docstrings, imports
from .pack_code import descriptor_prefix, field_expressions, restricted_expression
from .primitives import hex_literal
from .python_types import (
    PYTHON_TYPES,
    Carrier,
    annotation,
    carrier,
    default_expression,
    enum_base,
    enum_constant,
    field_carrier,
    parameter_annotation,
    part_module,
    plain_name,
)
from .read_code import composite_read_lines, restricted_read_lines


def amqp1_tests() -> dict[str, Callable[[object], bool]]:
    """Name to function."""
    return {
        "composite": lambda value: isinstance(value, Composite),
        "primitive": lambda value: isinstance(value, Primitive),
        "restricted": lambda value: isinstance(value, Restricted),
        "union": lambda value: isinstance(value, Union),
    }


def amqp1_filters() -> dict[str, Callable[..., Any]]:
    """Name to function."""
    return {
        "alias_imports": archetypes.alias_imports,
        "alias_members": alias_members,
        "archetype_import_lines": archetype_import_lines,
        "attribute_lines": attribute_lines,
        "composite_docstring": docstrings.composite_docstring,
        "composite_init_parameters": composite_init_parameters,
        "composite_pack_lines": composite_pack_lines,
        "composite_read_lines": composite_read_lines,
        "definition_comment": docstrings.definition_comment,
        "describe_lines": describe_lines,
        "docstring_text": docstring_text,
        "described_imports": imports.described_imports,
        "enum_archetypes": archetypes.enum_archetypes,
        "enum_base": enum_base,
        "enum_lines": enum_lines,
        "flat": flat,
        "hex": hex_literal,
        "init_value_of": init_value_of,
        "octet": octet,
        "part_docstring": docstrings.part_docstring,
        "part_exports": part_exports,
        "part_imports": imports.part_imports,
        "part_module": part_module,
        "plain_name": plain_name,
        "plain_type": plain_type,
        "primitive_docstring": docstrings.primitive_docstring,
        "restricted_comment": docstrings.restricted_comment,
        "restricted_code": restricted_code,
        "restricted_docstring": docstrings.restricted_docstring,
        "restricted_imports": imports.restricted_imports,
        "restricted_pack_lines": restricted_pack_lines,
        "restricted_read_lines": restricted_read_lines,
        "restricted_types": restricted_types,
        "row_import_lines": column_code.row_import_lines,
        "value_annotation": value_annotation,
    }


def octet(code: str) -> str:
    r"""A format code inside a literal of octets: ``0x40`` as ``\x40``."""
    return f"\\x{int(code, 16):02x}"


def flat(groups: Iterable[str | Iterable[str]]) -> list[str]:
    """Lines, and lists of lines, as one list."""
    return [line for group in groups for line in ([group] if isinstance(group, str) else group)]


def docstring_text(text: str) -> str:
    """A text inside a docstring of ours."""
    return docstring(text, 0).removeprefix('"""').removesuffix('"""')


def restricted_types(part: Part) -> list[Restricted]:
    """The restricted types of a part that have no descriptor; aliases after what they are made of."""
    found = [each for each in part.types if isinstance(each, Restricted) and not each.descriptors]
    return sorted(found, key=lambda each: not enum_base(each))


def enum_lines(restricted: Restricted, spec: Spec) -> list[str]:
    """What the codec needs to know of an enum: members by value, and the octets of each if there are no others."""
    constant, name = enum_constant(restricted), restricted.class_name
    kind = "int" if enum_base(restricted) == "IntEnum" else "str"
    lines = [
        f"{constant}_MEMBERS: Final[dict[{kind}, {kind}]] = {{member.value: member for member in {name}}}"
    ]
    if not restricted.open:
        value = "bool(member)" if restricted.primitive == "boolean" else "member"
        octets = f"member: write_{restricted.primitive}({value}) for member in {name}"
        lines = [f"{constant}_OCTETS: Final[dict[{kind}, bytes]] = {{{octets}}}"]
        lines.append(f'add_scalar({name}, "{restricted.primitive}", {constant}_OCTETS.__getitem__)')
    else:
        unions = archetypes.enum_archetypes(spec, restricted.name)
        lines += [f"{union}.members.update({constant}_MEMBERS)" for union in unions]
    return lines


def restricted_code(part: Part, spec: Spec) -> list[str]:
    """The code of the module of a part's restricted types, as far as it names anything to import."""
    lines: list[str] = []
    for each in restricted_types(part):
        base = enum_base(each)
        lines += [base, *enum_lines(each, spec)] if base else [plain_type(each, spec)]
    return lines


def part_exports(part: Part) -> list[str]:
    """The names that the package of a part exports."""
    return sorted(name for _, names in imports.part_imports(part) for name in names)


def archetype_import_lines(spec: Spec) -> list[str]:
    """The import statements of ``archetypes.py`` for what the unions are made of, besides the types' classes."""
    aliases = archetypes.archetype_aliases(spec)
    words = [member for alias in aliases for member in alias.members]
    words += ["Final Archetype"] if archetypes.archetype_constants(spec) else []
    words += ["Union"] if aliases else []
    words += ["TYPE_CHECKING"] if archetypes.alias_imports(spec) else []
    return imports.plain_imports(words, ".")


def alias_members(alias: archetypes.ArchetypeAlias) -> list[str]:
    """The members of the union of an archetype's providers; classes of types by name only."""
    return [literal(member) if member in alias.classes else member for member in alias.members]


def composite_init_parameters(composite: Composite, spec: Spec) -> list[str]:
    """The parameters of a composite's constructor."""
    parameters = [
        f"{field.identifier}: {_quoted(parameter_annotation(field, spec), field_carrier(field, spec))}"
        f" = {default_expression(field)}"
        for field in composite.fields
    ]
    return ["self", *parameters]


def _quoted(text: str, found: Carrier) -> str:
    """An annotation, in quotes if it names a class whose module is imported for type checkers only."""
    return f'"{text}"' if found.class_name else text


def attribute_lines(composite: Composite, spec: Spec) -> list[str]:
    """The declarations of a composite's attributes."""
    return [
        f"{field.identifier}: {_quoted(annotation(field, spec), field_carrier(field, spec))}"
        for field in composite.fields
    ]


def init_value_of(field: Field) -> str:
    """What the constructor stores for a field."""
    return f"several({field.identifier})" if field.multiple else str(field.identifier)


def composite_pack_lines(
    composite: Composite, spec: Spec, keys: Collection[str], codes: dict[str, int]
) -> list[str]:
    """The statements that write a composite."""
    prefix = descriptor_prefix(composite.descriptor, codes)
    expressions = field_expressions(composite, spec, keys)
    items = "".join(f"{expression}, " for expression in expressions)
    return [f"return composite_octets({prefix}, ({items}))"]


def restricted_pack_lines(
    restricted: Restricted, spec: Spec, keys: Collection[str], codes: dict[str, int]
) -> list[str]:
    """The statement that writes a restricted type with a descriptor."""
    prefix = descriptor_prefix(restricted.descriptors[0], codes)
    return [f"return {prefix} + {restricted_expression(restricted, spec, keys)}"]


def value_annotation(restricted: Restricted, spec: Spec) -> str:
    """The annotation of the value of a restricted type."""
    found = carrier(restricted.source, spec)
    return _quoted(found.class_name or PYTHON_TYPES.get(found.primitive, "Any"), found)


def plain_type(restricted: Restricted, spec: Spec) -> str:
    """The Python type that a restricted type without choices or descriptor is an alias of."""
    found = carrier(restricted.source, spec)
    return found.enumeration or PYTHON_TYPES.get(found.primitive, "Any")


def describe_lines(each: Composite | Restricted, spec: Spec) -> list[str]:
    """The arguments of ``describe`` after the class."""
    descriptor = each.descriptors[0]
    lines = [f"name={literal(each.name)},"]
    lines.append(f"code={'None' if descriptor.code is None else hex_literal(descriptor.code)},")
    lines.append(f"symbol={literal(descriptor.symbol)},")
    lines.append(f"read=read_{plain_name(each)},")
    also = [
        name
        for other in each.descriptors[1:]
        for name in (other.code, other.symbol)
        if name not in (None, "")
    ]
    if also:
        lines.append(f"also={tuple_literal(also)},")
    if each.provides:
        lines.append(f"provides={tuple_literal(each.provides)},")
    if isinstance(each, Restricted):
        found = carrier(each.source, spec)
        lines.append(f"source={literal(found.described or found.primitive or '*')},")
    elif each.fields:
        lines.append(f"fields=({''.join(f'{_layout(field, spec)}, ' for field in each.fields)}),")
    return lines


def _layout(field: Field, spec: Spec) -> str:
    found = field_carrier(field, spec)
    parts = [literal(field.name), literal(field.identifier)]
    parts += [literal(found.described or field.type.name), literal(found.primitive)]
    if field.mandatory:
        parts.append("mandatory=True")
    if field.multiple:
        parts.append("multiple=True")
    if found.archetype:
        parts.append(f"archetype={found.archetype}")
    if found.enumeration and not found.open:
        parts.append(f"values=frozenset({found.enumeration})")
    if field.default is not None:
        parts.append(f"default={field.default.expression}")
    return f"FieldLayout({', '.join(parts)})"
