"""The table connections: who talked to whom, in which version, and how it ended."""

from __future__ import annotations

import pika
import pytest

from . import other_stories
from .conftest import Captured
from .lake_rows import Row, Tables, ends, ingest, rows_of, value_of

_ALWAYS = {
    "role_by": "syn",
    "start_mode": "syn",
    "server_channel_max": 2047,
    "server_frame_max": 131_072,
    "server_heartbeat": 60,
    "client_channel_max": 2047,
    "server_product": "RabbitMQ",
    "vhost": "/",
    "user": "guest",
    "dialect_by": "header",
    # RabbitMQ answers a FIN with a RST, which is a clean end after close-ok.
    "end_mode": "fin",
}
_OF_PIKA = _ALWAYS | {
    "protocol": "0-9-1",
    "package": "amqp_0_9_1_rabbitmq",
    "product": "Pika Python Client Library",
    "version": pika.__version__,
    "mechanism": "PLAIN",
    "client_frame_max": 131_072,
    "client_heartbeat": 60,
    "close_code": 200,
    "close_text": "Normal shutdown",
    "close_by": "client",
}
_VANISHED = {
    "end_mode": "rst",
    "close_code": None,
    "close_by": None,
    "mechanism": "PLAIN",
    "client_heartbeat": 0,
}
_OF_1_0 = {
    "protocol": "1.0",
    "package": "amqp_1_0_rabbitmq",
    "header_bytes": b"AMQP\x03\x01\x00\x00",
    "close_code": None,
}
_NO_AMQP = {"package": None, "user": None, "product": None, "answer_bytes": b"AMQP\x00\x00\x09\x01"}
CONNECTIONS: dict[str, Row] = {
    "confirms": _OF_PIKA,
    "large": _OF_PIKA,
    "heartbeats": _OF_PIKA | {"client_heartbeat": 1},
    "refused": {
        "close_code": 403,
        "close_by": "server",
        "vhost": None,
        "server_frame_max": None,
        "user": "guest",
    },
    "no_such_host": {"close_code": 530, "close_by": "server", "client_frame_max": 131_072},
    "of_py_amqp": _ALWAYS
    | {"protocol": "0-9-1", "product": "py-amqp", "mechanism": "AMQPLAIN", "close_code": 0},
    "of_0_8": _ALWAYS
    | {
        "protocol": "0-8",
        "package": "amqp_0_8_rabbitmq",
        "header_bytes": b"AMQP\x01\x01\x08\x00",
        "client_frame_max": 4096,
    }
    | {"close_code": 200, "close_text": "bye", "close_by": "client", "client_heartbeat": 0},
    "closed_socket": _ALWAYS | _VANISHED,
    "reset": _ALWAYS | _VANISHED,
    "of_ours": _OF_1_0
    | {
        "user": "guest",
        "mechanism": "PLAIN",
        "server_product": "RabbitMQ",
        "close_by": "client",
        "vhost": "localhost",
    }
    | {"connection_name": "amqp-codegen tests", "client_frame_max": 4096, "end_mode": "fin"},
    "without_a_queue": _OF_1_0 | {"close_by": None},
    "without_sasl": _OF_1_0
    | {
        "header_bytes": b"AMQP\x00\x01\x00\x00",
        "user": None,
        "mechanism": None,
        "product": "bare",
        "version": "0.1",
    },
    "proton_with_rabbitmq": _OF_1_0 | {"user": "guest", "mechanism": "PLAIN", "server_product": "RabbitMQ"},
    "proton_with_proton": _OF_1_0
    | {"package": "amqp_1_0", "user": None, "mechanism": "ANONYMOUS", "end_mode": "fin"},
    "http": _NO_AMQP | {"protocol": "http", "dialect_by": "shape"},
    "of_0_10": _NO_AMQP | {"protocol": "0-10", "header_bytes": b"AMQP\x01\x01\x00\x0a"},
    "silent": {"protocol": None, "package": None, "role_by": "syn"},
    "tls": _NO_AMQP | {"protocol": "tls"},
    "tls_echo": {"protocol": "tls", "package": None, "user": None, "answer_bytes": None},
}


@pytest.mark.parametrize("story", CONNECTIONS)
def test_rows(tables: Tables, story: str) -> None:
    row = tables.connection(story)
    assert {name: row[name] for name in CONNECTIONS[story]} == CONNECTIONS[story]
    assert row["start_ns"] <= row["end_ns"]


def test_properties(tables: Tables) -> None:
    row = tables.connection("confirms")
    client, server = value_of(row["client_properties"]), value_of(row["server_properties"])
    assert client["connection_name"] == row["connection_name"]
    assert client["capabilities"]["basic.nack"] is server["capabilities"]["basic.nack"] is True
    assert server["version"] == row["server_version"]
    for story in ("tls", "tls_echo"):
        assert other_stories.TLS_NAME in tables.connection(story)["detail"]


def test_ledger(tables: Tables) -> None:
    """What was on the wire is in frames, missing, skipped, or at the end; on this machine nothing is missing."""
    for story, row in zip(tables.stories, tables.connections, strict=True):
        for direction, side in enumerate(("client", "server")):
            wire, framed, gap, skipped, tail = (
                row[f"{side}_bytes_{name}"] for name in ("wire", "framed", "gap", "skipped", "tail")
            )
            assert wire == framed + gap + skipped + tail, story
            assert gap == 0
            is_skipped = story == "tls_echo" or (story in ("http", "tls") and side == "client")
            assert (skipped > 0) == is_skipped
            assert (tail > 0) == (story in ("closed_socket", "reset") and side == "client")
            frames = tables.rows("frames", story, direction)
            assert row[f"{side}_frames"] == len(frames)
            assert row[f"{side}_bad_frames"] == 0
            assert [frame["status"] for frame in frames] == ["ok"] * len(frames)


def test_files(tables: Tables) -> None:
    for row in rows_of(tables.lake, "captures"):
        assert row["size"] == row["bytes_headers"] + row["bytes_records"] + row["bytes_skipped"]
        assert (row["bytes_skipped"], row["status"]) == (0, "complete")


def test_places_of_frames(captured: Captured, tables: Tables) -> None:
    """Each frame begins in the packet that its row names: that is, in a record of the file."""
    octets = captured.files["dumpcap"].read_bytes()
    for story in ("confirms", "of_ours"):
        for row in tables.rows("frames", story):
            kind = int.from_bytes(octets[row["pkt_off"] : row["pkt_off"] + 4], "little")
            assert kind == 6, "an enhanced packet block"
            assert row["pkt_no"] > 0


def test_both_tools(captured: Captured, tables: Tables, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tcpdump wrote at the same time, in the other format, has the same frames."""
    lake = tmp_path_factory.mktemp("tcpdump")
    done = ingest([captured.files["tcpdump"]], lake)
    assert done.code == 0, done.err
    both = {row["conn_id"]: ends(row) for row in rows_of(lake, "connections")}
    found = {_frame(both[row["conn_id"]], row) for row in rows_of(lake, "frames")}
    for story in tables.stories:
        ours = ends(tables.connection(story))
        expected = {_frame(ours, row) for row in tables.rows("frames", story)}
        assert expected == {frame for frame in found if frame[0] == ours}, story


def _frame(both: tuple[int, int], row: Row) -> tuple:
    return (both, *(row[name] for name in ("dir", "stream_off", "type", "channel", "size", "name", "status")))
