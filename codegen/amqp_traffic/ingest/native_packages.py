"""What C is told about generated packages: the layouts of rows, and how each method is paired with others.

A description is what ``make_package`` in ``native/ingest/packages.c`` takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_module, load_package

from ..decode.amqp0.decoder import CONTENT_HEADER
from ..dialogue.amqp0.methods import methods_of
from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from ..messages.amqp0.assembly import FACTS as FACTS0
from ..messages.amqp1.assembly import FACTS as FACTS1

# (family, rows, headers, letters and limits of field tables, sections of messages)
Description: TypeAlias = "tuple[int, list[tuple[Any, ...]], list[tuple[Any, ...]], Any, Any]"

NumberOf: TypeAlias = Callable[[str], int]

_NO_TABLES: tuple[dict[str, str], int, int] = ({}, 0, 0)


def describe_package(package: str, dialect: str, number_of: NumberOf) -> Description:
    """Describe a package of either family; its name is empty where nothing can be decoded.

    Args:
        package: The generated package.
        dialect: The dialect of field tables; empty for its own.
        number_of: Returns the number of a name.
    """
    if not package:
        return 0, [], [], _NO_TABLES, None
    if package == PACKAGE1:
        return _describe1(number_of)
    return _describe0(package, dialect, number_of)


def _describe0(package: str, dialect: str, number_of: NumberOf) -> Description:
    options: dict[str, Any] = {"lenient": True, **({"dialect": dialect} if dialect else {})}
    columns = load_module(package, "columns")
    methods, headers = columns.MethodColumns(**options), columns.HeaderColumns(**options)
    tables = methods.tables
    classes = load_package(package).METHODS
    rows = []
    for key, traits in methods_of(package).items():
        gathered = methods.gathered[key]
        rows.append(
            (
                *(key, number_of(traits.name), traits.name, _reader(gathered.read, 4, tables)),
                *(gathered.kind.columns, classes[key].FIELDS, tuple(traits.replies), traits.is_reply),
                *(-1 if traits.no_wait is None else traits.no_wait, traits.name in FACTS0),
            )
        )
    properties = load_package(package).content.PROPERTIES
    contents = [
        (
            *(class_id, number_of(CONTENT_HEADER), CONTENT_HEADER, _reader(gathered.read, 0, tables)),
            *(gathered.kind.columns, properties[class_id].FIELDS, (), False, -1, False),
        )
        for class_id, gathered in headers.gathered.items()
    ]
    limits = tables.tables
    return 0, rows, contents, (dict(limits.kinds), limits.max_depth, limits.max_elements), None


def _reader(read: Callable[..., Any], position: int, tables: Any) -> Callable[[bytes], Any]:
    """Return a function that reads the row of a payload."""
    return lambda payload: read(payload, position, len(payload), tables)


def _describe1(number_of: NumberOf) -> Description:
    gathered = load_module(PACKAGE1, "columns").PerformativeColumns().gathered
    rows = [
        (
            *(frame_type << 8 | performative.CODE, number_of(performative.NAME), performative.NAME, None),
            *(gathered[performative.NAME].kind.columns, performative.FIELDS, (), False, -1),
            performative.NAME in FACTS1,
        )
        for performative, frame_type in load_module(PACKAGE1, "frames").FRAME_TYPES.items()
    ]
    messaging, sections = load_package(PACKAGE1).messaging, ("header", "properties")
    columns = {name: getattr(load_module(PACKAGE1, f"columns._{name}"), name.upper()) for name in sections}
    read_required: Any = load_module(PACKAGE1, "columns._variant_fields").read_required_variant
    reader = load_module(PACKAGE1, "columns").PerformativeColumns()
    limits, variants = reader.limits.deeper, reader.variants
    return (
        *(1, rows, [], None),
        (
            (messaging.Header.FIELDS, columns["header"]),
            (messaging.Properties.FIELDS, columns["properties"]),
            lambda octets, archetype: read_required(octets, 0, limits, archetype, variants),
        ),
    )
