"""Whatever is decoded is the same when it is read out of Parquet."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.decode.decoded import Decoded
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.frames.formats import PROTOCOL_HEADER
from amqp_traffic.ingest.tables.staging import stage
from amqp_traffic.lake.arrow_types import arrow_type, make_array, null_array
from amqp_traffic.schemas import PACKAGES0, table_columns

from tests.generated.amqp0.packages import PACKAGES
from tests.generated.amqp0.values import greatest_values, least_values, typical_values
from tests.generated.amqp1.fields import filled, least
from tests.generated.amqp1.test_columns import PERFORMATIVES, is_sasl
from tests.traffic.decode.decoded_frames import BODY, CLIENT, HEADER, METHOD, SERVER, Talk, spans

from .parquet_values import DAY, final, plain_rows, read, there, write

PACKAGE1 = "amqp_1_0"


def _every_frame0(package: str) -> list[tuple[int, bytes]]:
    """All methods of a package with small, usual and large values, damaged ones, and what else there is."""
    amqp = PACKAGES[package]
    methods = [
        cls(**values(amqp, cls)).encode()
        for values in (least_values, typical_values, greatest_values)
        for cls in amqp.METHODS.values()
    ]
    others = [(PROTOCOL_HEADER, b"AMQP\0\0\x09\x01"), (HEADER, b"\0\x3c"), (BODY, b"body"), (8, b"")]
    damaged = [(METHOD, methods[20] + b"!"), (METHOD, b"\0\x3c\x77\x77"), (METHOD, b"")]
    return [*others, *((METHOD, payload) for payload in methods), *damaged]


def _every_frame1() -> list[tuple[int, bytes]]:
    bodies = [(int(is_sasl(cls)), make(cls).encode()) for make in (least, filled) for cls in PERFORMATIVES]
    others = [(PROTOCOL_HEADER, b"AMQP\0\1\0\0"), (0, b""), (0, b"\0\x53\x14"), (0, b"\0\x53\x77")]
    return [*others, *bodies]


def every_frame() -> dict[int, tuple[str, Any]]:
    """The package and the frames of each connection, by number: connection 5 is that of 1.0."""
    packages = [*PACKAGES0[:4], PACKAGE1, *PACKAGES0[4:]]
    return {
        number: (package, spans(_every_frame1() if package == PACKAGE1 else _every_frame0(package)))
        for number, package in enumerate(packages, 1)
    }


def decode_everything(steps: int = 10_000) -> Decoded:
    """All methods and performatives: connection 5 for 1.0, the others for the packages of 0-x."""
    decoding = Decoding(Quarantine())
    frames = every_frame()
    for start in range(0, max(len(found) for _, found in frames.values()), steps):
        for number, (package, found) in frames.items():
            direction = (CLIENT, SERVER)[(number - 1) % 2]
            if found[start : start + steps]:
                decoding.on_frames(Talk(package, number), direction, found[start : start + steps])
    return decoding.take()


def expected_rows(decoded: Decoded, conn_ids: dict[int, str]) -> dict[str, list[dict[str, Any]]]:
    """The rows of the tables, without what is null, from plain values."""
    frames = decoded.frames
    found: dict[str, list[dict[str, Any]]] = {"frames": [], "methods": [], "performatives": []}
    keys = []
    for connection, direction, frame_no, offset, pkt, pkt_off, ns, kind, channel, size, key, *rest in frames:
        name, status, err = rest
        where = {
            "conn_id": conn_ids.get(connection),
            "dir": direction,
            "frame_no": frame_no,
            "stream_off": offset,
        }
        keys.append({**where, "ns": ns, "channel": channel})
        ids = {} if key is None else {"class_id": key >> 16, "method_id": key & 0xFFFF}
        if kind == HEADER and connection != 5:
            ids.pop("method_id", None)
        moment = {"ns": ns, "ts": ns // 1000}
        of_packet = {"file_no": 0, "pkt_no": pkt, "pkt_off": pkt_off}
        of_frame = {
            "type": kind,
            "channel": channel,
            "size": size,
            "name": name,
            "status": status,
            "err": err,
        }
        found["frames"].append(there(where | moment | of_packet | of_frame | ids))
    for table, column, kinds, undecoded in (
        ("methods", "method", decoded.methods, decoded.undecoded_methods),
        ("performatives", "performative", decoded.performatives, decoded.undecoded_performatives),
    ):
        for item in kinds:
            names = [name for name, _ in item.columns]
            sizes: list[Any] = item.payload_sizes or [None] * len(item.rows)
            for place, row, left in zip(item.frames, item.rows, sizes, strict=True):
                values = {column: item.kind.name, **dict(zip(names, row, strict=True)), "payload_size": left}
                found[table].append(there(keys[place] | values))
        found[table] += [there(keys[place] | {column: name, "raw": raw}) for place, name, raw in undecoded]
    for rows in found.values():
        rows[:] = sorted(
            (row for row in rows if "conn_id" in row), key=lambda row: (row["conn_id"], row["frame_no"])
        )
    return found


@pytest.fixture(scope="module")
def everything() -> Decoded:
    return decode_everything()


@pytest.mark.parametrize("steps", [10_000, 1, 7])
def test_all_methods_and_performatives_through_parquet(steps: int, tmp_path: Path) -> None:
    decoded = decode_everything(steps)
    tables = final(decoded)
    files = write(
        tmp_path, [(name, date, rows) for name, dated in tables.items() for date, rows in dated.items()]
    )
    expected = expected_rows(decoded, {1: "c1", 2: "b2", 3: "a3", 5: "d5"})
    for table, paths in files.items():
        found = [there(row) for path in paths for row in read(table, path)]
        # What SQL has no other type for, Parquet may give as a list.
        assert found == expected[table]
    assert set(files) == {"frames", "methods", "performatives"}


def test_every_kind_of_method_is_there(everything: Decoded) -> None:
    names = {kind.kind.name for kind in everything.methods}
    assert names == {cls.NAME for amqp in PACKAGES.values() for cls in amqp.METHODS.values()}


def test_what_is_staged_has_numbers_of_connections(everything: Decoded) -> None:
    staged = stage(everything)
    assert set(staged["frames"].column("connection").to_pylist()) == {1, 2, 3, 4, 5, 6}
    assert staged["frames"].num_rows == len(everything.spans)
    rows = sum(len(kind.rows) for kind in everything.methods) + len(everything.undecoded_methods)
    assert staged["methods"].num_rows == rows
    assert "conn_id" not in staged["methods"].schema.names


def test_nothing_is_staged_of_nothing() -> None:
    assert stage(Decoded()) == {}


def test_frames_without_methods() -> None:
    decoding = Decoding(Quarantine())
    decoding.on_frames(Talk(), CLIENT, spans([(8, b""), (8, b"")]))
    tables = final(decoding.take())
    assert set(tables) == {"frames"}
    assert [row["name"] for row in plain_rows(tables["frames"][DAY])] == ["heartbeat"] * 2


def test_unknown_moments_are_null() -> None:
    """Packets of some blocks of pcapng have none; 0 stands for that."""
    decoding = Decoding(Quarantine())
    heartbeat = spans([(8, b"")])[0]
    decoding.on_frames(Talk(), CLIENT, [heartbeat._replace(ns=0), heartbeat._replace(ns=1_999)])
    rows = plain_rows(final(decoding.take())["frames"][DAY])
    assert [(row["ns"], row["ts"]) for row in rows] == [(0, None), (1_999, 1)]


VALUES: dict[str, list[Any]] = {
    "bool": [True, False],
    "int8": [-128, 127],
    "int16": [-(2**15), 2**15 - 1],
    "int32": [-(2**31), 2**31 - 1],
    "int64": [-(2**63), 2**63 - 1],
    "float": [0.5, -1.0],
    "double": [1e300, 0.1],
    "string": ["", "\u00e9\U0001f407"],
    "binary": [b"", b"\0\xff"],
    "timestamp[us]": [0, 1_700_000_000_000_001, -1],
    "variant": [(b"\x0c\x01", b"\x01\0\0"), (b"", b"")],
    "list<string>": [[], ["a", None]],
    "list<int32>": [[1, 2]],
    "list<binary>": [[b"a"]],
    "map<string,int64>": [[("a", 1)], []],
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("nulls", [0, 1, 2])
def test_every_type(kind: str, nulls: int) -> None:
    values = VALUES[kind] + [None] * nulls
    array = make_array(values, kind)
    assert array.type == arrow_type(kind) and array.null_count == nulls
    assert array.null_count == sum(value is None for value in array.to_pylist())
    nothing = null_array(3, kind)
    assert nothing.type == arrow_type(kind) and nothing.to_pylist() == [None] * 3


def test_there_are_values_of_every_type() -> None:
    tables = (
        "captures",
        "connections",
        "frames",
        "methods",
        "performatives",
        "messages",
        "quarantine",
    )
    assert {kind for table in tables for _, kind in table_columns(table)} <= VALUES.keys()


@pytest.mark.parametrize("seed", range(5))
def test_when_it_is_taken_makes_no_difference(seed: int) -> None:
    """Rows of several batches are those of one, but for their order."""
    chance, decoding, parts = Random(seed), Decoding(Quarantine()), []
    talks = [(Talk(package, number), found) for number, (package, found) in every_frame().items()]
    position = 0
    while any(frames[position:] for _, frames in talks):
        count = chance.randrange(1, 60)
        for talk, frames in talks:
            if frames[position : position + count]:
                direction = (CLIENT, SERVER)[(talk.number - 1) % 2]
                decoding.on_frames(talk, direction, frames[position : position + count])
            if chance.random() < 0.3:
                parts.append(decoding.take())
        position += count
    parts.append(decoding.take())
    rows: dict[str, list[dict[str, Any]]] = {"frames": [], "methods": [], "performatives": []}
    for part in parts:
        for table, by_date in final(part).items():
            rows[table] += [there(row) for found in by_date.values() for row in plain_rows(found)]
    conn_ids = {1: "c1", 2: "b2", 3: "a3", 5: "d5"}
    expected = expected_rows(decode_everything(), conn_ids)
    for table, found in rows.items():
        assert sorted(found, key=lambda row: (row["conn_id"], row["frame_no"])) == expected[table]
