"""Text that is not UTF-8, wherever a capture can have it: the capture is ingested, and its tables can be read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import amqp_1_0
import pytest
from amqp_traffic.lake.arrow_types import make_array

from .lake_tables import Ingested, ingested

methods = amqp.methods


def _ingest(folder: Path, client: bytes, server: bytes, name: str = "a") -> Ingested:
    """The tables of a connection, as raw streams."""
    (folder / f"{name}.client.raw").write_bytes(client)
    (folder / f"{name}.server.raw").write_bytes(server)
    return ingested(sorted(folder.glob("*.raw")), folder / "lake")


def _login(mechanism: str = "PX", response: bytes = b"r", locale: str = "en_US", vhost: str = "/") -> bytes:
    """What a client sends, with ``X`` instead of octets that are not UTF-8."""
    start_ok = methods.ConnectionStartOk({"product": "PX"}, mechanism, response, locale)
    sent = amqp.encode_frame(0, start_ok) + amqp.encode_frame(0, methods.ConnectionOpen(vhost))
    return amqp.PROTOCOL_HEADER + sent


def _start(product: str = "p") -> bytes:
    return amqp.encode_frame(0, methods.ConnectionStart(0, 9, {"product": product}, b"PLAIN", b"en_US"))


@pytest.mark.parametrize(
    ("client", "found"),
    [
        (_login("MX").replace(b"\2MX", b"\2M\xc3"), {"mechanism": "M\\xc3", "user": None}),
        (_login("PLAIN", b"\0uX\0p").replace(b"uX", b"u\xc3"), {"mechanism": "PLAIN", "user": "u\\xc3"}),
        (_login(locale="eX").replace(b"\2eX", b"\2e\xc3"), {"mechanism": "PX", "vhost": "/"}),
        (_login(vhost="vX").replace(b"\2vX", b"\2v\xc3"), {"mechanism": "PX", "vhost": "v\\xc3"}),
        (_login().replace(b"\7product", b"\7pr\xc3duct"), {"mechanism": "PX", "product": None}),
    ],
    ids=["mechanism", "user", "locale", "virtual-host", "property"],
)
def test_client_of_0_9_1(client: bytes, found: dict[str, Any], tmp_path: Path) -> None:
    (row,) = _ingest(tmp_path, client, _start())["connections"]
    assert {name: row[name] for name in found} == found


def test_server_of_0_9_1(tmp_path: Path) -> None:
    (row,) = _ingest(tmp_path, _login(), _start("pX").replace(b"pX", b"p\xc3"))["connections"]
    assert row["mechanism"] == "PX"


@pytest.mark.parametrize("field", ["mechanism", "hostname", "response"])
def test_sasl_of_1_0(field: str, tmp_path: Path) -> None:
    header = amqp_1_0.PROTOCOL_HEADERS["sasl"]
    init = amqp_1_0.sasl.SaslInit(mechanism="PLAIN", initial_response=b"\0us\0er", hostname="host")
    octets = amqp_1_0.encode_frame(0, init, sasl=True)
    damaged = {
        "mechanism": (b"PLAIN", b"P\xc3AIN"),
        "hostname": (b"host", b"h\xc3st"),
        "response": (b"us", b"u\xc3"),
    }
    (row,) = _ingest(tmp_path, header + octets.replace(*damaged[field]), header)["connections"]
    assert (row["mechanism"], row["user"]) == (("PLAIN", "u\\xc3") if field == "response" else (None, None))


def test_name_of_a_file(tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xc3")
    found = _ingest(tmp_path, _login(), _start(), name)
    assert {row["file"] for row in found["captures"]} == {"b\\xc3.client.raw", "b\\xc3.server.raw"}


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        ("string", "a\udcc3", "a\\xc3"),
        ("string", "a\ud800", "a\\ud800"),
        ("list<string>", ["b", "\udcff"], ["b", "\\xff"]),
        ("map<string,int64>", [("\udcff", 1)], [("\\xff", 1)]),
    ],
)
def test_no_column_has_surrogates(kind: str, value: Any, stored: Any) -> None:
    assert make_array([None, value], kind).to_pylist() == [None, stored]
