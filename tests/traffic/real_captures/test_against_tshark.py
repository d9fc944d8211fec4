"""The frames of every story are those that tshark finds.

tshark is told to put packets in order, and which port of proton is AMQP. What speaks no AMQP is left out: tshark takes
it for frames.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from ..tshark import needs_tshark, run
from .conftest import Captured
from .lake_rows import Tables, ends

pytestmark = needs_tshark

Counts = Counter[tuple[str, int]]
Counted = dict[tuple[int, int], Counts]  # by the ports of client and server

_NO_AMQP = {"http", "of_0_10", "silent", "tls", "tls_echo"}
_METHOD, _PERFORMATIVE, _SASL = "amqp.type 1: class and method", "amqp.performative", "amqp.sasl.method"


@pytest.fixture(scope="module")
def theirs(captured: Captured) -> Counted:
    """What tshark counts of each connection: pairs of a field and its value."""
    names = ("amqp.type", "amqp.method.class", "amqp.method.method", _PERFORMATIVE, _SASL)
    arguments = [it for name in ("tcp.srcport", "tcp.dstport", *names) for it in ("-e", name)]
    port = captured.ports["proton_with_proton"]
    order = ("-o", "tcp.reassemble_out_of_order:TRUE", "-d", f"tcp.port=={port},amqp")
    found: Counted = defaultdict(Counter)
    lines = run(captured.files["dumpcap"], *order, "-Y", "amqp", "-T", "fields", *arguments).splitlines()
    for line in lines:
        source, target, *fields = line.split("\t")
        pairs = list(_pairs(dict(zip(names, fields, strict=True))))
        for both in ((int(source), int(target)), (int(target), int(source))):
            found[both].update(pairs)
    return found


def _pairs(fields: dict[str, str]) -> Iterator[tuple[str, int]]:
    values = {name: [int(it, 0) for it in text.split(",") if it] for name, text in fields.items()}
    for name in ("amqp.type", _PERFORMATIVE, _SASL):
        yield from ((name, value) for value in values[name])
    methods = zip(values["amqp.method.class"], values["amqp.method.method"], strict=True)
    yield from ((_METHOD, class_id << 16 | method_id) for class_id, method_id in methods)


def test_frames(tables: Tables, theirs: Counted) -> None:
    for story in tables.stories:
        if story not in _NO_AMQP:
            row = tables.connection(story)
            counted = _count1(tables, story) if row["protocol"] == "1.0" else _count0(tables, story)
            assert counted == theirs[ends(row)], story
            assert counted.total() > 3


def _count0(tables: Tables, story: str) -> Counts:
    counts: Counts = Counter()
    for row in tables.rows("frames", story):
        if row["name"] == "protocol-header":
            continue
        counts["amqp.type", row["type"]] += 1
        if row["type"] == 1:
            counts[_METHOD, row["class_id"] << 16 | row["method_id"]] += 1
    return counts


def _count1(tables: Tables, story: str) -> Counts:
    counts: Counts = Counter()
    codes = {"open": 0x10, "begin": 0x11, "attach": 0x12, "flow": 0x13, "transfer": 0x14}
    codes |= {"disposition": 0x15, "detach": 0x16, "end": 0x17, "close": 0x18}
    sasl = {"sasl-mechanisms": 0x40, "sasl-init": 0x41, "sasl-outcome": 0x44}
    for row in tables.rows("frames", story):
        if row["name"] == "protocol-header":
            continue
        counts["amqp.type", row["type"]] += 1
        if row["name"] in codes:
            counts[_PERFORMATIVE, codes[row["name"]]] += 1
        elif row["name"] in sasl:
            counts[_SASL, sasl[row["name"]]] += 1
    return counts


def test_connections_and_packets(captured: Captured, tables: Tables) -> None:
    """As many octets in each direction as tshark has in its packets; what was sent twice counts twice."""
    file = captured.files["dumpcap"]
    arguments = (
        "-Y",
        "tcp.len > 0",
        "-T",
        "fields",
        "-e",
        "tcp.srcport",
        "-e",
        "tcp.dstport",
        "-e",
        "tcp.len",
    )
    octets: Counter[tuple[str, str]] = Counter()
    for line in run(file, *arguments).splitlines():
        source, target, length = line.split("\t")
        octets[source, target] += int(length)
    for story, row in zip(tables.stories, tables.connections, strict=True):
        client, server = str(row["client_port"]), str(row["server_port"])
        wire = [row[f"{side}_bytes_wire"] + row[f"{side}_bytes_dup"] for side in ("client", "server")]
        assert wire == [octets[client, server], octets[server, client]], story
