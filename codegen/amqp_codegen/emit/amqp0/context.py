"""The variables of the 0-x templates, and the files that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.amqp0.spec import Class, Spec, WireType
from ...resolve.amqp0.replies import replies_of
from ..target import PlannedFile
from .client_code import client_context, client_exports, client_modules
from .column_code import header_names, header_rows, header_schema, method_names, method_rows, method_schema
from .filters import unstated_frame_constants
from .python_types import properties_aliases
from .state_code import class_states, closing_methods, no_wait_fields, open_states, states_imports
from .validation_code import VALUE_CHECKS, all_checks, asserted_methods, patterns
from .wire_code import NUMBERS, pack_runs, unpack_runs

_TEMPLATES = (
    "__init__.py",
    "_fields.py",
    "_headers.py",
    "_method.py",
    "_native.py",
    "_raw_table.py",
    "_signatures.py",
    "_states.py",
    "_table_errors.py",
    "_table_reader.py",
    "_table_walker.py",
    "_table_writer.py",
    "_value_checks.py",
    "_values.py",
    "_wire.py",
    "constants.py",
    "content.py",
    "dialects.py",
    "errors.py",
    "frames.py",
    "grammar.py",
    "methods/__init__.py",
    "table.py",
    "unreadable.py",
    "validation.py",
    "py.typed",
)

# Templates that both families share.
_COMMON_TEMPLATES = (
    "_arguments.py",
    "_dataclass.py",
    "_native_module.py",
    "_texts.py",
    "numbers.py",
    "sasl_responses.py",
)

# The files of ``columns/`` besides those of rows, and those of them that both families share.
_COLUMN_TEMPLATES = ("__init__.py", "_tolerant_rows.py", "_variant_reader.py", "variant.py")
_COMMON_COLUMN_TEMPLATES = ("_batch.py", "_misfits.py", "variant_octets.py")

# The names of ``constants.py`` and ``errors.py`` that are not those of constants of the specification.
_CONSTANTS = (
    "FRAME_OVERHEAD",
    "HARD_ERRORS",
    "HEARTBEAT_FRAME",
    "OTHER_PROTOCOL_HEADERS",
    "PORT",
    "PROTOCOL_HEADER",
    "SOFT_ERRORS",
    "SPEC",
    "ReplyCode",
    "Spec",
)
_ERRORS = (
    "CLOSE_ERRORS",
    "ChannelCloseError",
    "CloseError",
    "CodecError",
    "ConnectionCloseError",
    "DecodeError",
    "EncodeError",
    "LimitExceeded",
    "Malformed",
    "ProtocolError",
    "TimestampOutOfRange",
    "Truncated",
    "Unknown",
    "ValidationError",
    "close_error",
)

_EXPORTS = (
    "ACCELERATED",
    "CLOSE_ERRORS",
    "METHODS",
    "PROTOCOL_HEADER",
    "SPEC",
    "TEXT_ARGUMENTS",
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
    "ProtocolHeader",
    "RawTable",
    "ReplyCode",
    "Tagged",
    "Timestamp",
    "UnreadableMethod",
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
            path = f"{package}/methods/_{entry.identifier}.py"
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
            files.append(PlannedFile(f"{folder}/_{entry.identifier}.py", "amqp0/columns/class.py.jinja", own))
    return files


def amqp0_context(spec: Spec, package: str) -> Mapping[str, Any]:
    """Return the variables of every template of the family."""
    fields = [field for method in spec.methods for field in method.fields]
    kinds = frozenset(each.field.type for entry in spec.classes for each in entry.properties)
    content_classes = spec.content_classes
    has_content_type = any(field.type is WireType.CONTENT for field in fields)
    field_exports = ["FieldLayout", "FieldType", "Residue", *(["Content"] if has_content_type else [])]
    return {
        "spec": spec,
        "package": package,
        "constants": spec.constants,
        "constant_names": [
            *_CONSTANTS,
            *(f"FRAME_{name}" for name, _ in unstated_frame_constants(spec)),
            *(constant.identifier for constant in spec.constants),
        ],
        "error_names": [
            *_ERRORS,
            *(f"{constant.class_name}Close" for constant in spec.constants if constant.error),
        ],
        "content_classes": content_classes,
        "content_names": [
            "ContentBody",
            "ContentHeader",
            *(f"{entry.class_name}Properties" for entry in content_classes),
        ],
        "method_modules": sorted(f"_{entry.identifier}" for entry in spec.classes if entry.methods),
        "header_modules": sorted(f"_{entry.identifier}" for entry in content_classes),
        "column_modules": sorted(
            f"_{entry.identifier}" for entry in spec.classes if entry.methods or entry.has_content
        ),
        "method_schema": method_schema(spec),
        "header_schema": header_schema(spec),
        "timestamp_microseconds": "1_000_000",
        "method_imports": sorted(
            (f"_{entry.identifier}", [method.class_name for method in entry.methods])
            for entry in spec.classes
            if entry.methods
        ),
        "method_names": sorted(method.class_name for method in spec.methods),
        "exported_names": sorted(
            [
                *_EXPORTS,
                *client_exports(spec),
                *field_exports,
                *(f"{entry.class_name}Properties" for entry in content_classes),
            ]
        ),
        "has_content_type": has_content_type,
        "field_exports": field_exports,
        "has_timestamp_properties": WireType.TIMESTAMP in kinds,
        "property_value_imports": [
            *(["epoch_seconds"] if WireType.TIMESTAMP in kinds else []),
            *(["FieldTable"] if WireType.TABLE in kinds else []),
        ],
        "property_argument_imports": [
            *(["octets"] if WireType.LONGSTR in kinds else []),
            *(["whole_number"] if kinds & NUMBERS else []),
        ],
        "has_bit_properties": WireType.BIT in kinds,
        "content_imports": _content_imports(kinds),
        "header_imports": _header_imports(kinds),
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
        "all_checks": [*all_checks(spec), *VALUE_CHECKS],
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


# The functions of ``_wire.py`` that write and read properties, by their type.
_PACKED = {
    WireType.SHORTSTR: "OCTETS",
    WireType.LONGSTR: "pack_I",
    WireType.OCTET: "pack_B",
    WireType.LONG: "pack_I",
    WireType.LONGLONG: "pack_Q",
    WireType.TIMESTAMP: "pack_Q",
}
_UNPACKED = {
    WireType.LONGSTR: "unpack_I",
    WireType.LONG: "unpack_I",
    WireType.LONGLONG: "unpack_Q",
    WireType.TIMESTAMP: "unpack_Q",
}


def _content_imports(kinds: frozenset[WireType]) -> list[str]:
    """Return the names that ``content.py`` imports from ``_wire.py``."""
    return sorted({*(["pack_H"] if kinds else []), *(_PACKED[kind] for kind in kinds if kind in _PACKED)})


def _header_imports(kinds: frozenset[WireType]) -> list[str]:
    """Return the names that ``_headers.py`` imports from ``_wire.py``."""
    names = {"new", "pack_HHQ", "unpack_H", "unpack_HHQ"}
    return sorted(names | {_UNPACKED[kind] for kind in kinds if kind in _UNPACKED})


def _content_field_imports(classes: tuple[Class, ...]) -> list[str]:
    """Return the names that ``content.py`` imports from ``_fields.py``."""
    has_aliases = any(properties_aliases(entry) for entry in classes)
    return [
        *(["alias_value"] if has_aliases else []),
        *("FieldLayout", "Residue", "fields_text", "write_properties"),
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
            imports.append((f"_{entry.identifier}", names))
    return sorted(imports)
