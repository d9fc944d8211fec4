"""The conversations of TLS clients of several makers are read as in plain, and as tshark reads them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")
pytest.importorskip("cryptography", reason="needs cryptography: the extra tls")

from ..synth.made_captures import make
from ..tls_clients import CLIENTS, front
from ..tshark import TSHARK
from ..wrapped_captures import plain, wrapped
from .test_tls_connections import read, same_as_tshark, same_rows

ORDER: dict[str, Any] = {"size": 60_000, "mix": {"0-9-1-rabbitmq": 1}, "connections": 4}
OF_1_2 = {
    "AES-GCM": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ChaCha20": "ECDHE-ECDSA-CHACHA20-POLY1305",
    "CBC": "ECDHE-ECDSA-AES128-SHA",
}
KINDS = [("1.3", "AES-GCM"), *product(["1.2"], OF_1_2)]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs that are built."""
    return tmp_path_factory.mktemp("clients")


@pytest.mark.parametrize(("version", "cipher"), KINDS)
@pytest.mark.parametrize("client", CLIENTS)
def test_rows_are_those_in_plain(
    client: str, version: str, cipher: str, tmp_path: Path, programs: Path
) -> None:
    keys, capture = tmp_path / "keys", make(seed=35, **ORDER).capture
    with front(client, programs, keys, version, OF_1_2[cipher] if version == "1.2" else "") as opened:
        octets = wrapped(capture, opened.wrap)
    expected = read(wrapped(capture, lambda: plain), tmp_path)
    found = read(octets, tmp_path, keys)
    same_rows(found, expected)
    assert {row["tls_version"] for row in found["connections"]} == {version}
    if TSHARK is not None:
        same_as_tshark(found, tmp_path / "a.pcap", keys)
