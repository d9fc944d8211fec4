"""The import statements of the modules of 1.0 types: exactly the names that their code uses."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...model.amqp1.spec import Part, Restricted, Spec
from ..python_text import import_from
from .archetypes import archetype_constants
from .python_types import (
    KEY_TYPES,
    PYTHON_TYPES,
    enum_base,
    enum_constant,
    has_class,
    is_described,
    key_types,
    module_name,
    part_module,
    type_module,
)

_LIBRARY = {
    "collections.abc": ("Iterable", "Mapping", "Sequence"),
    "datetime": ("datetime",),
    "typing": ("Any", "Final", "TypeAlias"),
    "uuid": ("UUID",),
}
_PACKAGE = {
    "_arguments": ("whole_number",),
    "_dataclass": ("dataclass",),
    "_containers": ("Array", "Described"),
    "_decimals": ("Decimal32", "Decimal64", "Decimal128"),
    "described": ("DescribedType", "describe"),
    "errors": ("Malformed",),
    "_field_reader": (
        "read_any",
        "read_binary",
        "read_boolean",
        "read_described",
        "read_list",
        "read_map",
        "read_primitive",
        "read_required",
        "read_several",
        "read_string",
        "read_symbol",
        "read_timestamp",
        "read_ubyte",
        "read_uint",
        "read_ulong",
        "read_ushort",
    ),
    "_field_writer": (
        "composite_octets",
        "several",
        "write_any",
        "write_at_least_one",
        "write_described",
        "write_mapping",
        "write_primitive",
        "write_required",
        "write_required_text",
        "write_several",
        "write_symbol_map",
    ),
    "_layout": ("FieldLayout",),
    "_limits": ("Limits",),
    "_scalar_reader": ("symbol_of",),
    "_scalar_writer": (
        "NULL",
        "boolean_choice",
        *(f"write_{name}" for name in PYTHON_TYPES if name not in ("list", "map", "array")),
    ),
    "types": ("IntegerChoice", "SymbolChoice", "TextChoice", "ULong"),
    "_value_reader": ("read_value",),
    "_value_writer": ("add_scalar", "write_value"),
    "_values": ("SimpleValue", "Value"),
}


# Further names for the modules of rows.
_ROW_NAMES = {
    "._batch": ("Columns", "Row"),
    "._misfits": ("FIRST_MOMENT", "LARGEST", "LAST_MOMENT", "MICROSECONDS", "misfit_row"),
    "._variant_fields": (
        "read_any_variant",
        "read_described_variant",
        "read_map_variant",
        "read_primitive_variant",
        "read_required_variant",
        "read_several_variant",
        "read_variant",
        "text_variant",
    ),
    "._variant_state": ("VariantState",),
}


def row_imports(spec: Spec, lines: Sequence[str]) -> list[str]:
    """Return the import statements for the code of a module of rows."""
    used = _used_names(lines)
    classes = {
        part_module(part): tuple(name for _, names in part_imports(part) for name in names)
        for part in spec.parts
    }
    modules = {**dict(sorted({**_names_of_package("", spec), **classes}.items())), **_ROW_NAMES}
    return ["from typing import Final", "", *_from(modules, used, "..")]


def described_imports(module: str, spec: Spec, lines: Sequence[str]) -> list[str]:
    """Return the import statements of the module of a type with a descriptor, for its code.

    Other types with a descriptor are named with their module, ``messaging.Source``: types may refer to each other.
    """
    used = _used_names(lines)
    library = _from(_LIBRARY, used, "")
    package = [*_modules_of_types(spec, used), *_from(_names_of_package(module, spec), used, "..")]
    return [*library, "", *package] if library else package


def archetype_imports(spec: Spec, lines: Sequence[str]) -> list[str]:
    """Return the import statements of ``archetypes.py``, except those of the types' classes."""
    used = _used_names(lines)
    library, package = _from(_LIBRARY, used, ""), _from(_runtime_names(spec), used, ".")
    return [*library, "", *package] if library and package else [*library, *package]


def _used_names(lines: Sequence[str]) -> set[str]:
    """Return the names that code uses, also in quoted annotations; read from its syntax tree."""
    names: set[str] = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Constant):
            names |= _used_names([str(node.annotation.value)])
    return names


def _from(modules: dict[str, tuple[str, ...]], used: set[str], dots: str) -> list[str]:
    """Return the import statements for the used names of some modules."""
    lines: list[str] = []
    for module, names in modules.items():
        imported = [name for name in names if name in used]
        if imported:
            lines.append(import_from(module if module.startswith(".") else f"{dots}{module}", imported))
    return lines


def _runtime_names(spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return the names that the package has besides those of its types, by module."""
    constants = [each.name for each in archetype_constants(spec)]
    keys = [each for name in KEY_TYPES for each in key_types(name, spec)]
    modules = dict(_PACKAGE)
    modules["_layout"] = (*constants, *_PACKAGE["_layout"])
    modules["_values"] = (*sorted(keys), *_PACKAGE["_values"])
    return modules


def _names_of_package(module: str, spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return the names that types use at run time, by module of the package."""
    modules = _runtime_names(spec)
    own: dict[str, tuple[str, ...]] = {}
    for part in spec.parts:
        names: list[str] = []
        for each in part.types:
            if isinstance(each, Restricted) and enum_base(each):
                constant = enum_constant(each)
                names += [each.class_name, f"{constant}_MEMBERS", f"{constant}_OCTETS"]
        if part_module(part) == module:
            own["._restricted"] = tuple(names)
        else:
            modules[f"{part_module(part)}._restricted"] = tuple(names)
    return {**dict(sorted(modules.items())), **own}


def _modules_of_types(spec: Spec, used: set[str]) -> list[str]:
    """Return the imports of the modules that have classes of types, or unions of them."""
    lines: list[str] = []
    for module in sorted(["archetypes", *map(part_module, spec.parts)]):
        name = module_name(module, spec)
        if name in used:
            lines.append(f"from .. import {module}" + (f" as {name}" if name != module else ""))
    return lines


def restricted_imports(part: Part, spec: Spec, lines: Sequence[str]) -> list[str]:
    """Return the import statements of a part's restricted types; ``lines`` have no docstrings and comments."""
    used = _used_names(lines)
    names = _names_of_package(part_module(part), spec)
    names.pop("._restricted")
    library, package = _from(_LIBRARY, used, ""), _from(names, used, "..")
    return [*library, "", *package] if library and package else [*library, *package]


def part_imports(part: Part) -> list[tuple[str, list[str]]]:
    """Return the modules of a part and the names that they define, for its ``__init__``."""
    restricted = [
        each.class_name for each in part.types if isinstance(each, Restricted) and not each.descriptors
    ]
    modules = [
        (type_module(each), [each.class_name])
        for each in part.types
        if is_described(each) and has_class(each)
    ]
    if restricted:
        modules.append(("_restricted", sorted(restricted)))
    return sorted(modules)
