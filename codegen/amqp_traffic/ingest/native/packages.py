"""What C is told about rows: their recipes, the layouts of generated packages, and how methods are paired with others.

A description is what ``fill_package`` in ``native/ingest/packages.c`` takes, a recipe what ``read_recipe`` in
``native/ingest/columns.h`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_module, load_package

from ...capture.faults import FATAL
from ...decode.amqp0.decoder import CONTENT_HEADER
from ...dialogue.amqp0.methods import methods_of
from ...messages.amqp0.assembly import FACTS as FACTS0
from ...messages.amqp0.message import METHODS, content_places, message_recipe
from ...messages.amqp1.assembly import FACTS as FACTS1
from ...messages.amqp1.message import SECTION_PLACES, TRANSFER
from ...recipes import EXCHANGES, MESSAGES1, NOTHING, ColumnSource, Recipe
from ...schemas import PACKAGES1, Columns, frame_recipe
from ...variant_redaction import redacting
from ..tables.numbering import MOMENTS
from ..tables.staging import CONNECTION

# (family, rows, headers, letters and limits of field tables, sections of messages)
Description: TypeAlias = "tuple[int, list[tuple[Any, ...]], list[tuple[Any, ...]], Any, Any]"

# (column, origin, name of the value, its place in the origin, if that is told by places)
NativeRecipe: TypeAlias = "tuple[tuple[str, str, str, int], ...]"

NumberOf: TypeAlias = Callable[[str], int]

# A list of five fields (1.0, part 1, section 1.6), the last of which is the state: role, first, last, settled.
_LIST8, _STATE_FIELDS, _BEFORE_STATE = 0xC0, 5, b"\x41\x43\x40\x40"
_NO_TABLES: tuple[dict[str, str], int, int] = ({}, 0, 0)


@cache
def native_recipes() -> dict[str, NativeRecipe]:
    """Return the recipes of all rows that C makes, by table, of messages by kind."""
    frames = {table: _native(frame_recipe(table), {}) for table in ("frames", "methods", "performatives")}
    messages = {kind: _native(message_recipe(kind), content_places(kind)) for kind in METHODS}
    return {
        **frames,
        **messages,
        TRANSFER: _native(MESSAGES1, SECTION_PLACES),
        "exchanges": _native(EXCHANGES, {}),
    }


def _native(recipe: Recipe, places: Mapping[ColumnSource, int]) -> NativeRecipe:
    """Return a recipe without columns that are computed later. Arguments without a place are those of layouts."""
    return tuple(
        (CONNECTION if name == "conn_id" else name, source.origin, source.name, places.get(source, 0))
        for name, _, source in recipe
        if source != NOTHING and name not in MOMENTS and (source.origin == "own" or source in places)
    )


def describe_package(package: str, dialect: str, number_of: NumberOf) -> Description:
    """Describe a package of either family; its name is empty where nothing can be decoded.

    Args:
        package: The generated package.
        dialect: The dialect of field tables; empty for its own.
        number_of: Returns the number of a name.
    """
    if not package:
        return 0, [], [], _NO_TABLES, None
    if package in PACKAGES1:
        return _describe_performatives(package, number_of)
    return _describe_methods(package, dialect, number_of)


def _describe_methods(package: str, dialect: str, number_of: NumberOf) -> Description:
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
                *(
                    key,
                    number_of(traits.name),
                    traits.name,
                    _reader(gathered, 4, tables, partial(methods.read_refused, key)),
                ),
                *(gathered.kind.columns, classes[key].FIELDS, tuple(traits.replies), traits.is_reply),
                *(-1 if traits.no_wait is None else traits.no_wait, traits.name in FACTS0),
            )
        )
    properties = load_package(package).content.PROPERTIES
    contents = [
        (
            *(
                class_id,
                number_of(CONTENT_HEADER),
                CONTENT_HEADER,
                _reader(gathered, 0, tables, headers.read_refused),
            ),
            *(gathered.kind.columns, properties[class_id].FIELDS, (), False, -1, False),
        )
        for class_id, gathered in headers.gathered.items()
    ]
    limits = tables.tables
    return 0, rows, contents, (dict(limits.kinds), limits.max_depth, limits.max_elements), None


def _reader(
    gathered: Any, position: int, tables: Any, read_refused: Callable[[bytes, Exception], Any]
) -> Callable[[bytes], Any]:
    """Return a function that reads the row of a payload, without secrets; ``read_refused`` reads what is refused."""

    def read(payload: bytes) -> Any:
        try:
            return gathered.read(payload, position, len(payload), tables)
        except FATAL:
            raise
        except Exception as fault:
            return read_refused(payload, fault)

    return redacting(read, gathered.kind.columns)


def _describe_performatives(package: str, number_of: NumberOf) -> Description:
    columns = load_module(package, "columns")
    performatives = columns.PerformativeColumns()
    rows = [
        (
            *(frame_type << 8 | performative.CODE, number_of(performative.NAME), performative.NAME, None),
            *(performatives.gathered[performative.NAME].kind.columns, performative.FIELDS, (), False, -1),
            performative.NAME in FACTS1,
        )
        for performative, frame_type in load_module(package, "frames").FRAME_TYPES.items()
    ]
    messaging = load_package(package).messaging
    header, properties = (
        (section.FIELDS, _columns_of(section.FIELDS, columns.MESSAGE_SCHEMA, more))
        for section, more in ((messaging.Header, ()), (messaging.Properties, ("misfits",)))
    )
    return 1, rows, [], None, (header, properties, _state_reader(package, performatives))


def _columns_of(fields: Iterable[Any], schema: Columns, more: Iterable[str]) -> Columns:
    """Return the columns of the fields of a section, and others, of a schema."""
    names = {*(field.name.replace("-", "_") for field in fields), *more}
    return tuple((name, kind) for name, kind in schema if name in names)


def _state_reader(package: str, performatives: Any) -> Callable[[bytes, Any], tuple[Any, int]]:
    """Return a function that reads a small delivery state as a VARIANT: that of a disposition around it."""
    disposition = performatives.gathered["disposition"]
    column = [name for name, _ in disposition.kind.columns].index("state")
    expected = load_module(package, "archetypes").DELIVERY_STATE
    limits, variants = performatives.limits.deeper, performatives.variants

    def read(octets: bytes, archetype: Any) -> tuple[Any, int]:
        """Return the VARIANT, and the number of octets. Raises any exception if it is none."""
        if archetype is not expected:
            raise ValueError("a value of another archetype")
        fields = _BEFORE_STATE + octets
        row, _ = disposition.read(
            bytes((_LIST8, len(fields) + 1, _STATE_FIELDS)) + fields, 0, limits, variants
        )
        return row[column], len(octets)

    return read
