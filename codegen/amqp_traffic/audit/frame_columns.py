"""Which columns of which tables a trail has."""

from __future__ import annotations

from functools import cache

from amqp_codegen.support.packages import load_module

from ..schemas import PACKAGE1, PACKAGES0, Columns, table_columns

# The tables, in the order in which their rows about one frame come.
SOURCES = ("connections", "quarantine", "frames", "methods", "performatives", "messages")
CONNECTIONS, QUARANTINE, FRAMES, METHODS, PERFORMATIVES, MESSAGES = range(len(SOURCES))
# The column that says what a row is, of tables in which that decides which of the others have values.
NAME_COLUMNS = {"methods": "method", "performatives": "performative"}
# What stands as the number of a frame where there is none, so that these rows come first.
BEFORE_FRAMES = {"connections": -2, "quarantine": -1}
# Where a frame is, and what it is by its numbers; called as in ``TrailFrame``.
FRAME_COLUMNS = (
    "dir",
    "stream_off",
    "file_no",
    "pkt_no",
    "pkt_off",
    "ns",
    "type",
    "channel",
    "size",
    "class_id",
    "method_id",
)
_FRAME = (*FRAME_COLUMNS, "name", "err")
_MESSAGE = (
    "kind",
    "exchange",
    "routing_key",
    "headers",
    "delivery_mode",
    "priority",
    "expiration",
    "timestamp",
    "type",
    "user_id",
    "app_id",
    "cluster_id",
    "misfits",
    "durable",
    "ttl",
    "body_kind",
    "body_size",
    "body_seen",
    "body_frames",
    "complete",
)
# What no rule is about, or nobody may see.
_NOT_CONNECTION = ("conn_id", "start_ts", "client_properties", "server_properties")
_SECRETS = ("response", "challenge", "new_secret", "initial_response", "additional_data")
_PACKAGES = {
    "methods": tuple((package, "MethodColumns") for package in PACKAGES0),
    "performatives": ((PACKAGE1, "PerformativeColumns"),),
}
# The classes of 0-x whose methods are looked at.
_CLASSES = ("access", "basic", "channel", "confirm", "connection", "exchange", "queue", "tx")


@cache
def source_columns(source: str) -> Columns:
    """The columns that a trail has of a table, without the key of the frame."""
    columns = dict(table_columns(source))
    if source == "connections":
        names: tuple[str, ...] = tuple(name for name in columns if name not in _NOT_CONNECTION)
    elif source == "frames":
        names = _FRAME
    elif source == "messages":
        names = _MESSAGE
    elif source in NAME_COLUMNS:
        names = _field_names(source)
    else:
        names = tuple(name for name in columns if name != "conn_id")
    return tuple((name, columns[name]) for name in names)


@cache
def fields_by_name(source: str) -> dict[str, tuple[str, ...]]:
    """By the name of a method or performative, the columns that it has in any version.

    Args:
        source: ``methods`` or ``performatives``.
    """
    found: dict[str, dict[str, None]] = {}
    for package, rows in _PACKAGES[source]:
        for gathered in getattr(load_module(package, "columns"), rows)().gathered.values():
            kind = gathered.kind
            if source == "performatives" or kind.name.partition(".")[0] in _CLASSES:
                names = (name for name, _ in kind.columns if name not in _SECRETS)
                found.setdefault(kind.name, {}).update(dict.fromkeys(names))
    if source == "performatives":
        for names_of_one in found.values():
            names_of_one["payload_size"] = None
    return {name: tuple(columns) for name, columns in found.items()}


def _field_names(source: str) -> tuple[str, ...]:
    used = {name for names in fields_by_name(source).values() for name in names}
    return (NAME_COLUMNS[source], *(name for name, _ in table_columns(source) if name in used))
