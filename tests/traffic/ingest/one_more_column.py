"""Ingests a capture with columns of messages that the program does not have: each is a line in ``amqp_traffic.recipes``.

It prints, by name of a column and kind of message: how many messages have a value, and how many there are.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

LINES = {
    "ticket": 'MessageColumn("ticket", "int32", argument("ticket")),',
    "life": 'MessageColumn("life", "string", header("expiration")),',
    "id_value": 'MessageColumn("id_value", "variant", NOTHING, section("message_id")),',
    "media": 'MessageColumn("media", "string", NOTHING, section("content_type")),',
    "message_id_text": 'MessageColumn("message_id_text", "string", header("message_id"), text("message_id")),',
}
_BEFORE = '    MessageColumn("body_kind"'


def add_lines() -> None:
    """Put the module with the lines into the place of ours, before anybody imports it."""
    found = importlib.util.find_spec("amqp_traffic.recipes")
    assert found is not None and found.origin is not None
    begin, _, end = Path(found.origin).read_text(encoding="utf-8").partition(_BEFORE)
    module = ModuleType("amqp_traffic.recipes")
    sys.modules[module.__name__] = module
    exec(compile("".join((begin, *LINES.values(), _BEFORE.strip(), end)), found.origin, "exec"), vars(module))


def main() -> None:
    """Ingest, and print."""
    add_lines()
    from amqp_traffic.capture.native_module import native_module

    from tests.traffic.ingest.lake_tables import ingested
    from tests.traffic.synth.made_captures import make

    order: dict[str, Any] = {"mix": {"0-8": 1, "0-9-1": 1, "1.0": 1}, "connections": 9, "size": 200_000}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.pcap")
        path.write_bytes(make(seed=31, **order).capture)
        tables = ingested([path], Path(folder, "lake"))
    packages = {row["conn_id"]: row["package"] for row in tables["connections"]}
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("", *LINES)}
    copies = {"life": "expiration", "id_value": "message_id_value", "message_id_text": "message_id"}
    for row in tables["messages"]:
        kind = f"{row['kind']} of {packages[row['conn_id']]}"
        for name in LINES:
            assert name not in copies or row[name] == row[copies[name]], row
            counts[name][kind] += row[name] is not None
        counts[""][kind] += 1
    print(json.dumps([native_module() is not None, counts]))


if __name__ == "__main__":
    main()
