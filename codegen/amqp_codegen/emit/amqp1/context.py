"""The variables of the 1.0 templates, and the files that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES, PrimitiveFacts
from ...model.amqp1.spec import (
    Composite,
    Encoding,
    Part,
    Primitive,
    Restricted,
    Spec,
    Wire,
    WireFieldRule,
    WireMapRule,
)
from ...resolve.amqp1.rules import rules_of_fields, rules_of_maps
from ..python_text import join_words
from ..target import PlannedFile, template_variables
from .archetypes import ArchetypeAlias, ArchetypeConstant, archetype_aliases, archetype_constants
from .client_code import client_context, client_files, is_typed, keeps_flow_state
from .column_code import COMMON_MODULES, PERFORMATIVE, RUNTIME_MODULES, Column, Row, Rows, message_columns
from .pack_code import descriptor_prefix, has_symbol_keys
from .primitives import TYPE_EXPORTS, hex_literal, type_rows
from .python_types import (
    KEY_TYPES,
    PYTHON_TYPES,
    is_described,
    key_types,
    part_module,
    restricted_types,
    type_module,
)

_RUNTIME_TEMPLATES = (
    "__init__.py",
    "_array_writer.py",
    "_basics.py",
    "_codec.py",
    "_containers.py",
    "_decimals.py",
    "_encode_checker.py",
    "_field_reader.py",
    "_field_writer.py",
    "_layout.py",
    "_limits.py",
    "_lossless.py",
    "_native.py",
    "_scalar_reader.py",
    "_scalar_writer.py",
    "_type_walker.py",
    "_value_reader.py",
    "_value_writer.py",
    "_values.py",
    "_walker.py",
    "archetypes.py",
    "constants.py",
    "described.py",
    "errors.py",
    "types.py",
    "validation.py",
    "py.typed",
)
# Runs of integers that the package reads and writes at once.
_UNPACKED = ["H", "I", "Q", "h", "i", "q", "II", "QQ", "IBBH"]
_PACKED = ["BB", "BH", "BI", "BQ", "Bb", "Bh", "Bi", "Bq", "BBB", "BII", "IBBH"]

# The sections of a message, in order.
_SECTION_NAMES = (
    "header",
    "delivery-annotations",
    "message-annotations",
    "properties",
    "application-properties",
    "data",
    "amqp-sequence",
    "amqp-value",
    "footer",
)


def amqp1_files(spec: Spec, package: str, wire: Wire, has_client: bool) -> list[PlannedFile]:
    """Return every file of the package of a 1.0 specification, whose top names what clients need or does not."""
    context = amqp1_context(spec, package, wire, has_client)
    files = [PlannedFile(f"{package}/{name}", f"amqp1/{name}.jinja", context) for name in _RUNTIME_TEMPLATES]
    if context["performatives"]:
        for name in ("_frame_bodies.py", "frames.py", "protocol_header.py"):
            files.append(PlannedFile(f"{package}/{name}", f"amqp1/{name}.jinja", context))
    if context["has_transfers"]:
        files.append(PlannedFile(f"{package}/transfers.py", "amqp1/transfers.py.jinja", context))
    if context["has_messages"]:
        for name in ("_message_errors.py", "message.py"):
            files.append(PlannedFile(f"{package}/{name}", f"amqp1/{name}.jinja", context))
    return files + _type_files(package, context)


def amqp1_client_files(spec: Spec, package: str, wire: Wire) -> list[PlannedFile]:
    """Return the files of what clients need, a folder in the package."""
    context = amqp1_context(spec, package, wire)
    return [
        PlannedFile(f"{package}/client/{name}", template, context)
        for name, template in client_files(context["client_modules"])
    ]


def amqp1_column_files(spec: Spec, package: str, wire: Wire) -> list[PlannedFile]:
    """Return the files for rows and VARIANT, a folder in the package; without rows if the specification has no frames."""
    context = amqp1_context(spec, package, wire)
    folder = f"{package}/columns"
    files = [
        PlannedFile(f"{folder}/{name}.py", f"amqp1/columns/{name}.py.jinja", context)
        for name in ("__init__", *RUNTIME_MODULES)
    ]
    files += [
        PlannedFile(f"{folder}/{name}.py", f"common/columns/{name}.py.jinja", context)
        for name in COMMON_MODULES
    ]
    if not context["performatives"]:
        return files
    for row in [*context["performative_rows"], *context["section_rows"].values()]:
        path = f"{folder}/{row.module}.py"
        files.append(PlannedFile(path, "amqp1/columns/row.py.jinja", {**context, "row": row}))
    return files


def _type_files(package: str, context: Mapping[str, Any]) -> list[PlannedFile]:
    """Return a module for each part, which exports those of its types.

    Types of different parts hold each other. They are in one folder, so that the import of one does not need all of a part.
    """
    files = [
        PlannedFile(f"{package}/{part_module(part)}.py", "amqp1/part.py.jinja", {**context, "part": part})
        for part in context["parts"]
    ]
    folder, templates = f"{package}/_types", "amqp1/_types"
    files.append(PlannedFile(f"{folder}/__init__.py", f"{templates}/__init__.py.jinja", context))
    if restricted_types(context["parts"]):
        files.append(PlannedFile(f"{folder}/_restricted.py", f"{templates}/_restricted.py.jinja", context))
    for own_type in (own_type for part in context["parts"] for own_type in part.types):
        if is_described(own_type):
            template = "composite" if isinstance(own_type, Composite) else "described"
            path = f"{folder}/{type_module(own_type)}.py"
            files.append(PlannedFile(path, f"{templates}/{template}.py.jinja", {**context, "type": own_type}))
    return files


@dataclass(frozen=True, slots=True)
class _Context:
    """The variables of the templates of a package, its parts and its columns.

    Attributes:
        parts: Those that define more than primitive types.
        code: The format codes as source, by the identifiers of encodings; ``code_number`` has the numbers.
        has_client: True if the top of the package names what is in ``client``.
        layout_names: The constants of ``_layout.py``; ``value_names`` are its type variables.
        primitives: What depends on a primitive type, by its name; ``timestamp`` is one of them.
        section_rows: The rows of composite sections, by section.
        symbol_keyed: The map types whose keys may be symbols.
        transfer_type: The composite transfer, if it is that of the standard; ``transfer_module`` has it.
        sections: The codes of the descriptors of sections, by section; ``prefixes`` are what each begins with.
    """

    spec: Spec
    package: str
    has_client: bool
    source_names: str
    wire: Wire
    parts: Sequence[Part]
    code: Mapping[str, str]
    code_number: Mapping[str, int]
    element_codes: Sequence[tuple[str, Sequence[str]]]
    empty_codes: Sequence[str]
    unpack_runs: Sequence[str]
    pack_runs: Sequence[str]
    archetype_constants: Sequence[ArchetypeConstant]
    archetype_aliases: Sequence[ArchetypeAlias]
    layout_names: Sequence[str]
    value_names: Sequence[str]
    performatives: Sequence[Composite]
    sasl_frames: Sequence[Composite]
    performative_rows: Sequence[Row]
    performative_schema: Sequence[Column]
    section_rows: Mapping[str, Row]
    message_columns: Sequence[Column]
    primitives: Mapping[str, PrimitiveFacts]
    timestamp: PrimitiveFacts
    symbol_keyed: Sequence[str]
    min_frame_size: bool
    has_transfers: bool
    has_flow_state: bool
    transfer_type: Composite | None
    transfer_module: str
    has_messages: bool
    sections: Mapping[str, str]
    prefixes: Mapping[str, str]
    headers: Sequence[tuple[str, bytes]]
    constant_names: Sequence[str]
    map_rules: Mapping[str, Sequence[WireMapRule]]
    field_rules: Mapping[str, Sequence[WireFieldRule]]
    section_keys: Mapping[str, Sequence[str]]
    key_types: Mapping[str, Sequence[str]]
    type_rows: Sequence[str]
    type_exports: Sequence[str]
    scalar_types: Sequence[str]


def amqp1_context(spec: Spec, package: str, wire: Wire, has_client: bool = True) -> Mapping[str, Any]:
    """Return the variables of every template of the family."""
    context = _context(spec, package, wire, has_client)
    return template_variables(context, client_context(spec.parts, context.has_flow_state))


def _context(spec: Spec, package: str, wire: Wire, has_client: bool) -> _Context:
    parts = [
        part for part in spec.parts if any(not isinstance(own_type, Primitive) for own_type in part.types)
    ]
    performatives = [composite for composite in spec.composites if composite.is_performative]
    sasl_frames = [composite for composite in spec.composites if composite.is_sasl_frame]
    transfer = next(
        (
            performative
            for performative in performatives
            if performative.name == "transfer" and is_typed(performative)
        ),
        None,
    )
    sections = message_sections(spec)
    has_flow_state = keeps_flow_state(transfer, parts)
    headers = protocol_headers(spec, wire)
    codes = {encoding.identifier: hex_literal(encoding.code) for encoding in spec.encodings}
    rows = Rows([*performatives, *sasl_frames], spec)
    section_rows = {
        name: Rows([section], spec).rows[0]
        for name, section in sections.items()
        if isinstance(section, Composite)
    }
    map_rules = rules_of_maps(spec, wire.map_rules)
    constants_of_archetypes = archetype_constants(spec)
    keys = {name: key_types(name, spec) for name in KEY_TYPES}
    numbers = {encoding.identifier: encoding.code for encoding in spec.encodings}
    return _Context(
        spec=spec,
        package=package,
        has_client=has_client,
        source_names=join_words([source.name for source in spec.sources]),
        wire=wire,
        parts=parts,
        code=codes,
        code_number=numbers,
        element_codes=element_codes(spec),
        empty_codes=[hex_literal(encoding.code) for encoding in spec.encodings if _is_empty(encoding)],
        unpack_runs=_UNPACKED,
        pack_runs=_PACKED,
        archetype_constants=constants_of_archetypes,
        archetype_aliases=archetype_aliases(spec),
        layout_names=[constant.name for constant in constants_of_archetypes],
        value_names=[name for names in keys.values() for name in names],
        performatives=performatives,
        sasl_frames=sasl_frames,
        performative_rows=rows.rows,
        performative_schema=rows.schema([PERFORMATIVE]),
        section_rows=section_rows,
        message_columns=message_columns(section_rows) if section_rows else [],
        primitives=PRIMITIVE_TYPES,
        timestamp=PRIMITIVE_TYPES["timestamp"],
        symbol_keyed=[
            own_type.name for own_type in spec.restricted_types if has_symbol_keys(own_type.name, spec)
        ],
        min_frame_size=spec.definition("MIN-MAX-FRAME-SIZE") is not None,
        has_transfers=transfer is not None,
        has_flow_state=has_flow_state,
        transfer_type=transfer,
        transfer_module=next((part_module(part) for part in parts if transfer in part.types), ""),
        has_messages=bool(sections),
        sections={name: hex_literal(section.descriptors[0].code or 0) for name, section in sections.items()},
        prefixes={
            name: descriptor_prefix(section.descriptors[0], numbers) for name, section in sections.items()
        },
        headers=headers,
        constant_names=[
            *("ENCODINGS", "SPEC", "EncodingLayout", "Spec"),
            *(("Layer", "PROTOCOL_HEADERS", "recognise_header") if headers else ()),
            *((f"FRAME_{name.upper()}" for name in wire.frames) if performatives else ()),
            *(definition.identifier for definition in spec.definitions),
        ],
        map_rules=map_rules,
        field_rules=rules_of_fields(spec, wire.field_rules),
        section_keys={
            name: next((rule.keys for rule in map_rules.get(name, ()) if rule.keys), ()) for name in sections
        },
        key_types=keys,
        type_rows=type_rows(),
        type_exports=TYPE_EXPORTS,
        scalar_types=[name for name in PYTHON_TYPES if name not in ("list", "map", "array")],
    )


def _is_empty(encoding: Encoding) -> bool:
    return encoding.category == "fixed" and not encoding.width


def message_sections(spec: Spec) -> dict[str, Composite | Restricted]:
    """Return the sections of a message; empty unless all are defined, with descriptors that rise in that order."""
    sections: dict[str, Composite | Restricted] = {}
    last = 0
    for name in _SECTION_NAMES:
        section = spec.type(name)
        if not isinstance(section, (Composite, Restricted)) or section.descriptor is None:
            return {}
        code = section.descriptor.code
        if code is None or not last < code <= 255:
            return {}
        sections[name] = section
        last = code
    return sections


def element_codes(spec: Spec) -> list[tuple[str, list[str]]]:
    """Return the format codes for elements of an array, by type, the narrowest first.

    Encodings without data are used for null only, which has no other: some peers refuse such arrays.
    """
    codes = []
    for primitive in spec.primitives:
        with_data = [
            encoding for encoding in primitive.encodings if encoding.category != "fixed" or encoding.width
        ]
        ordered = sorted(with_data or primitive.encodings, key=lambda encoding: encoding.width)
        codes.append((primitive.name, [hex_literal(encoding.code) for encoding in ordered]))
    return codes


def protocol_headers(spec: Spec, wire: Wire) -> list[tuple[str, bytes]]:
    """Return the protocol header of each layer whose version the specification defines."""
    headers = []
    for name, header in wire.headers.items():
        numbers = [
            definition.value if (definition := spec.definition(number)) else None for number in header.version
        ]
        if all(isinstance(number, int) and 0 <= number <= 255 for number in numbers):
            headers.append((name, b"AMQP" + bytes((header.id, *(int(str(number)) for number in numbers)))))
    return headers
