"""The variables of the 0-x templates, and the files that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.amqp0.field_types import FieldFacts, WireType
from ...model.amqp0.spec import Class, Constant, Method, Spec
from ...resolve.amqp0.replies import replies_of
from ..target import PlannedFile, template_variables
from .argument_code import argument_context
from .client_code import client_context, client_files
from .column_code import (
    Column,
    header_names,
    header_rows,
    header_schema,
    method_names,
    method_rows,
    method_schema,
)
from .connection_code import connection_context, has_connection
from .filters import unstated_frame_constants
from .state_code import ClassStates, class_states, closing_methods, no_wait_fields, open_states
from .validation_code import VALUE_CHECKS, Pattern, all_checks, asserted_methods, patterns
from .wire_code import pack_runs, unpack_runs

_TEMPLATES = (
    "__init__.py",
    "_fields.py",
    "_headers.py",
    "_method.py",
    "_native.py",
    "_states.py",
    "_table_reader.py",
    "_table_walker.py",
    "_table_writer.py",
    "_values.py",
    "constants.py",
    "content.py",
    "dialects.py",
    "errors.py",
    "frames.py",
    "grammar.py",
    "methods/__init__.py",
    "table.py",
    "validation.py",
    "py.typed",
)

# The files of ``columns/`` besides those of rows, and the one that both families share.
_COLUMN_TEMPLATES = ("__init__.py", "_rows.py", "variant.py")

# The names of ``constants.py`` that are not those of constants of the specification.
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


def amqp0_files(spec: Spec, package: str, has_client: bool) -> list[PlannedFile]:
    """Return every file of the package of a 0-x specification, whose top names what clients need or does not."""
    context = amqp0_context(spec, package, has_client)
    files = [PlannedFile(f"{package}/{name}", f"amqp0/{name}.jinja", context) for name in _TEMPLATES]
    if context["argument_profile"]:
        files.append(PlannedFile(f"{package}/_arguments.py", "amqp0/_arguments.py.jinja", context))
    for entry in spec.classes:
        if entry.methods:
            path = f"{package}/methods/_{entry.identifier}.py"
            files.append(PlannedFile(path, "amqp0/methods/class.py.jinja", {**context, "class": entry}))
    return files


def amqp0_client_files(spec: Spec, package: str) -> list[PlannedFile]:
    """Return the files of what clients need, a folder in the package."""
    context = amqp0_context(spec, package)
    return [
        PlannedFile(f"{package}/client/{name}", template, context) for name, template in client_files(spec)
    ]


def amqp0_column_files(spec: Spec, package: str) -> list[PlannedFile]:
    """Return the files for rows and VARIANT, a folder in the package."""
    context = amqp0_context(spec, package)
    folder = f"{package}/columns"
    files = [
        PlannedFile(f"{folder}/{name}", f"amqp0/columns/{name}.jinja", context) for name in _COLUMN_TEMPLATES
    ]
    common = "variant_octets.py"
    files.append(PlannedFile(f"{folder}/{common}", f"common/columns/{common}.jinja", context))
    methods, headers = method_names(spec), header_names(spec)
    for entry in spec.classes:
        if entry.methods or entry.has_content:
            rows = {"method_rows": method_rows(entry, methods), "header_rows": header_rows(entry, headers)}
            own = {**context, "class": entry, **rows}
            files.append(PlannedFile(f"{folder}/_{entry.identifier}.py", "amqp0/columns/class.py.jinja", own))
    return files


@dataclass(frozen=True, slots=True)
class _Context:
    """The variables of the templates of a package, its columns and its methods; those of client modules are apart.

    Attributes:
        has_client: True if the top of the package names what is in ``client``.
        constant_names: What ``constants.py`` defines; ``content_names`` likewise.
        method_modules: The modules of ``methods/``; ``header_modules`` and ``column_modules`` are those of ``columns/``.
        method_imports: The modules of ``methods/`` with the classes of each.
        field_types: The elementary types of fields.
        timestamp: What depends on the type timestamp.
        unpack_runs: The letters of the runs of integers that are read; ``pack_runs`` are written.
        wire_names: What ``_values.py`` defines to read and write with.
    """

    spec: Spec
    package: str
    has_client: bool
    constants: tuple[Constant, ...]
    constant_names: Sequence[str]
    content_classes: tuple[Class, ...]
    content_names: Sequence[str]
    method_modules: Sequence[str]
    header_modules: Sequence[str]
    column_modules: Sequence[str]
    method_schema: Sequence[Column]
    header_schema: Sequence[Column]
    method_imports: Sequence[tuple[str, Sequence[str]]]
    method_names: Sequence[str]
    has_content_type: bool
    field_types: Sequence[WireType]
    timestamp: FieldFacts
    properties_union: str
    other_frame_types: Sequence[int]
    unpack_runs: Sequence[str]
    pack_runs: Sequence[str]
    wire_names: Sequence[str]
    asserted_methods: Sequence[Method]
    all_checks: Sequence[str]
    patterns: Sequence[Pattern]
    profile_names: str
    class_states: Sequence[ClassStates]
    open_states: Sequence[tuple[str, Sequence[int]]]
    closing_methods: Sequence[tuple[Method, str]]
    no_wait_fields: Mapping[str, str]
    replies: Mapping[str, Sequence[str]]


def amqp0_context(spec: Spec, package: str, has_client: bool = True) -> Mapping[str, Any]:
    """Return the variables of every template of the family."""
    return template_variables(
        _context(spec, package, has_client),
        client_context(spec),
        argument_context(spec),
        *([connection_context(spec)] if has_connection(spec) else []),
    )


def _context(spec: Spec, package: str, has_client: bool) -> _Context:
    content_classes = spec.content_classes
    properties = [f"{entry.class_name}Properties" for entry in content_classes]
    has_content_type = any(
        field.type is WireType.CONTENT for method in spec.methods for field in method.fields
    )
    unpacked, packed = unpack_runs(spec), pack_runs(spec)
    with_methods = sorted((entry for entry in spec.classes if entry.methods), key=_module)
    return _Context(
        spec=spec,
        package=package,
        has_client=has_client,
        constants=spec.constants,
        constant_names=[
            *_CONSTANTS,
            *(f"FRAME_{name}" for name, _ in unstated_frame_constants(spec)),
            *(constant.identifier for constant in spec.constants),
        ],
        content_classes=content_classes,
        content_names=["ContentBody", "ContentHeader", *properties],
        method_modules=list(map(_module, with_methods)),
        header_modules=sorted(map(_module, content_classes)),
        column_modules=sorted(_module(entry) for entry in spec.classes if entry.methods or entry.has_content),
        method_schema=method_schema(spec),
        header_schema=header_schema(spec),
        method_imports=[
            (_module(entry), [method.class_name for method in entry.methods]) for entry in with_methods
        ],
        method_names=sorted(method.class_name for method in spec.methods),
        has_content_type=has_content_type,
        field_types=[kind for kind in WireType if has_content_type or kind is not WireType.CONTENT],
        properties_union=" | ".join(properties) or "PropertiesBase",
        other_frame_types=[
            number
            for meaning, number in spec.wire.frames.items()
            if meaning not in ("method", "header", "body", "heartbeat")
        ],
        timestamp=WireType.TIMESTAMP.facts,
        unpack_runs=unpacked,
        pack_runs=packed,
        wire_names=[
            *("FIELD_OCTETS", "OCTETS", "PER_SECOND", "new"),
            *("pack_tagged_timestamp", "unpack_timestamp"),
            *(f"pack_{letters}" for letters in packed),
            *(f"unpack_{letters}" for letters in unpacked),
        ],
        asserted_methods=asserted_methods(spec),
        all_checks=[*all_checks(spec), *VALUE_CHECKS],
        patterns=patterns(spec),
        profile_names=", ".join(f"``{profile.name}``" for profile in spec.profiles),
        class_states=class_states(spec),
        open_states=open_states(spec),
        closing_methods=closing_methods(spec),
        no_wait_fields=no_wait_fields(spec),
        replies=replies_of(spec),
    )


def _module(entry: Class) -> str:
    return f"_{entry.identifier}"
