"""Takes fields of ``level`` and ``timestamp`` every way; ``test_new_field_type`` runs it where the table has such a type."""

from __future__ import annotations

import importlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from amqp_codegen.decode.amqp0.frames import FrameStreamReader
from amqp_codegen.decode.protocol_headers import ProtocolHeaders
from amqp_codegen.encode.amqp0.frames import FRAMES, FrameEncoder
from amqp_codegen.encode.statement import Argument
from amqp_codegen.resolve.specification import read_specification

from .made_suites import count_passed, imported_suite
from .small_specifications import element, fields, unformatted, written

_METHOD = element(
    "method",
    element("chassis", name="server", implement="MUST")
    + fields(height="level", depth="-level", done="bit", since="timestamp"),
    name="set",
    index=10,
    content=1,
)
_CLASS = element("class", fields(gain="level") + _METHOD, name="tank", handler="channel", index=60)
_NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
_CHANNEL = element("class", "", name="channel", handler="channel", index=20)


def probe(folder: Path) -> dict[str, Any]:
    """Return what each way makes of the type."""
    file = written(folder, _CHANNEL + _CLASS)
    made = unformatted(file, "made", emit=("codecs", "columns", "conformance"))
    with imported_suite(made, folder) as suite:
        amqp = importlib.import_module("made")
        columns = importlib.import_module("made.columns")
        payload = amqp.methods.TankSet(height=-2, done=True, since=_NEW_YEAR).encode()
        methods = columns.MethodColumns()
        methods.append(60 << 16 | 10, payload)
        arguments = [
            Argument("tank.set height=-300 done since=2024-01-01T00:00:00Z", 0),
            Argument("header gain=-7", 1),
        ]
        octets = b"".join(FrameEncoder("made", 1).encode(arguments, FRAMES))
        spec: Any = read_specification([file]).spec
        view = list(FrameStreamReader(octets, spec, ProtocolHeaders({})).stream())
        leaves = {leaf.name: leaf for frame in view for leaf in frame.leaves}
        rows = {name: list(values) for name, values in methods.take().items()}
        table = amqp.encode_table({"t": _NEW_YEAR})
        moment = amqp.decode_table(table)[0]["t"]
        return {
            "passed": count_passed(suite),
            "payload": payload.hex(),
            "decoded": amqp.decode_method(payload).height,
            "lossless": amqp.decode_method(payload, lossless=True).height,
            "refused": _refusal(amqp),
            "schema": dict(columns.METHOD_SCHEMA)["height"],
            "headers": dict(columns.HEADER_SCHEMA)["gain"],
            "row": [rows["height"], rows["since"]],
            "view": [leaves[name].value for name in ("height", "depth", "gain")],
            "since": [amqp.decode_method(payload).since, leaves["since"].value, leaves["since"].meaning],
            "in table": [int(moment), moment.datetime.isoformat()],
        }


def _refusal(amqp: Any) -> str:
    try:
        amqp.methods.TankSet(height=1 << 15).encode()
    except amqp.EncodeError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    print(json.dumps(probe(Path(sys.argv[1]))))
