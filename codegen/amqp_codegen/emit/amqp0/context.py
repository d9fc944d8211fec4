"""The variables of the 0-x templates, and the files that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.amqp0.spec import Class, Spec, WireType
from ...resolve.amqp0.replies import replies_of
from ..render import PlannedFile
from .client_code import client_context, client_exports, client_modules
from .column_code import header_names, header_rows, header_schema, method_names, method_rows, method_schema
from .python_types import properties_aliases
from .state_code import class_states, closing_methods, no_wait_fields, open_states, states_imports
from .validation_code import all_checks, asserted_methods, patterns
from .wire_code import pack_runs, unpack_runs

_TEMPLATES = (
    "__init__.py",
    "_wire.py",
    "constants.py",
    "content.py",
    "dialects.py",
    "errors.py",
    "fields.py",
    "frames.py",
    "grammar.py",
    "method.py",
    "methods/__init__.py",
    "states.py",
    "table.py",
    "table_reader.py",
    "table_walker.py",
    "table_writer.py",
    "validation.py",
    "values.py",
    "py.typed",
)

# Templates that both families share.
_COMMON_TEMPLATES = ("_dataclass.py", "numbers.py", "sasl_responses.py")

# The files of ``columns/`` besides those of rows, and those of them that both families share.
_COLUMN_TEMPLATES = ("__init__.py", "variant.py", "variant_reader.py")
_COMMON_COLUMN_TEMPLATES = ("batch.py", "misfits.py", "variant_octets.py")

_EXPORTS = (
    "CLOSE_ERRORS",
    "METHODS",
    "PROTOCOL_HEADER",
    "SPEC",
    "CodecError",
    "ContentBody",
    "ContentHeader",
    "DecodeError",
    "Dialect",
    "EncodeError",
    "FieldTable",
    "FieldValue",
    "Frame",
    "FrameDecoder",
    "Heartbeat",
    "Method",
    "OtherFrame",
    "ProtocolError",
    "RawTable",
    "ReplyCode",
    "Tagged",
    "Timestamp",
    "ValidationError",
    "constants",
    "content",
    "decode_frames",
    "decode_method",
    "decode_table",
    "dialects",
    "encode_frame",
    "encode_message",
    "encode_table",
    "errors",
    "fields",
    "frames",
    "methods",
    "table",
    "validate",
    "validation",
)


def amqp0_files(spec: Spec, package: str) -> list[PlannedFile]:
    """Return every file of the package of a 0-x specification."""
    context = amqp0_context(spec, package)
    modules = (*_TEMPLATES, *client_modules(spec))
    files = [PlannedFile(f"{package}/{name}", f"amqp0/{name}.jinja", context) for name in modules]
    files += [PlannedFile(f"{package}/{name}", f"common/{name}.jinja", context) for name in _COMMON_TEMPLATES]
    for entry in spec.classes:
        if entry.methods:
            path = f"{package}/methods/{entry.identifier}.py"
            files.append(PlannedFile(path, "amqp0/methods/class.py.jinja", {**context, "class": entry}))
    return files


def amqp0_column_files(spec: Spec, package: str) -> list[PlannedFile]:
    """Return the files for rows and VARIANT, a folder in the package."""
    context = amqp0_context(spec, package)
    folder = f"{package}/columns"
    files = [
        PlannedFile(f"{folder}/{name}", f"amqp0/columns/{name}.jinja", context) for name in _COLUMN_TEMPLATES
    ]
    files += [
        PlannedFile(f"{folder}/{name}", f"common/columns/{name}.jinja", context)
        for name in _COMMON_COLUMN_TEMPLATES
    ]
    methods, headers = method_names(spec), header_names(spec)
    for entry in spec.classes:
        if entry.methods or entry.has_content:
            rows = {"method_rows": method_rows(entry, methods), "header_rows": header_rows(entry, headers)}
            own = {**context, "class": entry, **rows}
            files.append(PlannedFile(f"{folder}/{entry.identifier}.py", "amqp0/columns/class.py.jinja", own))
    return files


def amqp0_context(spec: Spec, package: str) -> Mapping[str, Any]:
    """Return the variables of every template of the family."""
    fields = [field for method in spec.methods for field in method.fields]
    properties = [each.field for entry in spec.classes for each in entry.properties]
    content_classes = spec.content_classes
    has_content_type = any(field.type is WireType.CONTENT for field in fields)
    return {
        "spec": spec,
        "package": package,
        "constants": spec.constants,
        "content_classes": content_classes,
        "content_names": [
            "ContentBody",
            "ContentHeader",
            *(f"{entry.class_name}Properties" for entry in content_classes),
        ],
        "method_modules": sorted(entry.identifier for entry in spec.classes if entry.methods),
        "header_modules": sorted(entry.identifier for entry in content_classes),
        "column_modules": sorted(
            entry.identifier for entry in spec.classes if entry.methods or entry.has_content
        ),
        "method_schema": method_schema(spec),
        "header_schema": header_schema(spec),
        "timestamp_microseconds": "1_000_000",
        "method_imports": sorted(
            (entry.identifier, [method.class_name for method in entry.methods])
            for entry in spec.classes
            if entry.methods
        ),
        "method_names": sorted(method.class_name for method in spec.methods),
        "exported_names": sorted(
            [
                *_EXPORTS,
                *client_exports(spec),
                *(["Content"] if has_content_type else []),
                *(f"{entry.class_name}Properties" for entry in content_classes),
            ]
        ),
        "has_content_type": has_content_type,
        "has_timestamp_properties": any(field.type is WireType.TIMESTAMP for field in properties),
        "property_value_imports": [
            *(["epoch_seconds"] if any(field.type is WireType.TIMESTAMP for field in properties) else []),
            *(["FieldTable"] if any(field.type is WireType.TABLE for field in properties) else []),
            *(["octets"] if any(field.type is WireType.LONGSTR for field in properties) else []),
        ],
        "content_imports": _content_imports(content_classes),
        "content_field_imports": _content_field_imports(content_classes),
        "properties_union": " | ".join(f"{entry.class_name}Properties" for entry in content_classes)
        or "PropertiesBase",
        "other_frame_types": [
            number
            for meaning, number in spec.wire.frames.items()
            if meaning not in ("method", "header", "body", "heartbeat")
        ],
        "makes_objects": True,
        "unpack_runs": unpack_runs(spec),
        "pack_runs": pack_runs(spec),
        "asserted_methods": asserted_methods(spec),
        "all_checks": all_checks(spec),
        "patterns": patterns(spec),
        "profile_names": ", ".join(f"``{profile.name}``" for profile in spec.profiles),
        "validation_imports": _validation_imports(spec),
        "class_states": class_states(spec),
        "open_states": open_states(spec),
        "closing_methods": closing_methods(spec),
        "no_wait_fields": no_wait_fields(spec),
        "replies": replies_of(spec),
        **client_context(spec),
        "states_imports": states_imports(spec),
    }


def _content_imports(classes: tuple[Class, ...]) -> list[str]:
    """Return the names that ``content.py`` imports from ``_wire.py``."""
    kinds = {each.field.type for entry in classes for each in entry.properties}
    names = {"new", "pack_H", "pack_HHQ", "unpack_H", "unpack_HHQ"}
    if WireType.SHORTSTR in kinds:
        names.add("OCTETS")
    by_kind = {
        WireType.LONGSTR: ("pack_I", "unpack_I"),
        WireType.LONG: ("pack_I", "unpack_I"),
        WireType.LONGLONG: ("pack_Q", "unpack_Q"),
        WireType.TIMESTAMP: ("pack_Q", "unpack_Q"),
        WireType.OCTET: ("pack_B",),
    }
    for kind in kinds:
        names.update(by_kind.get(kind, ()))
    return sorted(names)


def _content_field_imports(classes: tuple[Class, ...]) -> list[str]:
    """Return the names that ``content.py`` imports from ``fields.py``."""
    has_aliases = any(properties_aliases(entry) for entry in classes)
    return [
        *(["alias_value"] if has_aliases else []),
        *(
            "FieldLayout",
            "Residue",
            "checked_residue",
            "escaped_names",
            "fields_text",
            "walk_value",
            "write_value",
        ),
    ]


def _validation_imports(spec: Spec) -> list[tuple[str, list[str]]]:
    """Return the modules of methods and the classes that ``validation.py`` imports from each."""
    needed = {method.class_name for method in asserted_methods(spec)}
    needed |= {
        check.method
        for method in spec.methods
        for field in method.arguments
        for check in field.asserts
        if check.check == "le"
    }
    imports = []
    for entry in spec.classes:
        names = sorted(method.class_name for method in entry.methods if method.class_name in needed)
        if names:
            imports.append((entry.identifier, names))
    return sorted(imports)
