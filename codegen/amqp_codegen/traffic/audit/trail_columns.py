"""Which columns of which tables a trail has. Each table is a structure beside the others, null in the rows of those."""

from __future__ import annotations

from functools import cache

from ...packages import load_module
from ..tables.schemas import PACKAGES0, Columns, table_columns

# The tables, in the order in which their rows about one frame come.
SOURCES = ("connections", "quarantine", "frames", "methods", "performatives", "messages")
CONNECTIONS, QUARANTINE, FRAMES, METHODS, PERFORMATIVES, MESSAGES = range(len(SOURCES))
# What stands as the number of a frame where there is none, so that these rows come first.
BEFORE_FRAMES = {"connections": -2, "quarantine": -1}
# By these rows are sorted; ``source`` is the number of the table.
KEY: Columns = (
    ("capture_id", "string"),
    ("conn_id", "string"),
    ("frame_no", "int64"),
    ("source", "int8"),
)

_KEYS = frozenset(("conn_id", "dir", "frame_no", "stream_off", "ns", "channel"))
_FRAME = (
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
    "name",
    "err",
)
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
    "body_size",
    "body_seen",
    "body_frames",
    "complete",
)
# What no rule is about, or nobody may see.
_NOT_CONNECTION = ("conn_id", "start_ts", "client_properties", "server_properties")
_NOT_METHOD = ("response", "challenge", "new_secret")
_NOT_PERFORMATIVE = ("initial_response", "response", "challenge", "additional_data", "raw", "violations")
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
    elif source == "methods":
        names = ("method", *_argument_names())
    elif source == "performatives":
        names = tuple(name for name in columns if name not in _KEYS and name not in _NOT_PERFORMATIVE)
    else:
        names = tuple(name for name in columns if name != "conn_id")
    return tuple((name, columns[name]) for name in names)


@cache
def method_fields() -> dict[str, tuple[str, ...]]:
    """By the name of a method, the columns that it has in any version of 0-x."""
    found: dict[str, dict[str, None]] = {}
    for package in PACKAGES0:
        for gathered in load_module(package, "columns").MethodColumns().gathered.values():
            kind = gathered.kind
            if kind.name.partition(".")[0] in _CLASSES:
                names = (name for name, _ in kind.columns if name not in _NOT_METHOD)
                found.setdefault(kind.name, {}).update(dict.fromkeys(names))
    return {name: tuple(columns) for name, columns in found.items()}


def _argument_names() -> tuple[str, ...]:
    used = {name for names in method_fields().values() for name in names}
    return tuple(name for name, _ in table_columns("methods") if name in used)
