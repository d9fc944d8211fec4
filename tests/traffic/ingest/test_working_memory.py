"""Memory while captures are read: Arrow's pool is another one for a while, and what was read of a file can be read again."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from amqp_traffic.capture.files import open_capture
from amqp_traffic.ingest.memory import bulk_memory


def test_the_pool_is_put_back() -> None:
    before = pa.default_memory_pool().backend_name
    with pytest.raises(RuntimeError), bulk_memory():
        assert pa.default_memory_pool().backend_name == "system"
        raise RuntimeError
    assert pa.default_memory_pool().backend_name == before


def test_what_is_forgotten_can_be_read_again(tmp_path: Path) -> None:
    octets = bytes(range(256)) * 400
    path = tmp_path / "octets"
    path.write_bytes(octets)
    with open_capture(path) as file:
        for start, end in ((0, 0), (5, 5), (7, 9000), (50_000, len(octets)), (0, len(octets))):
            assert file.buffer[:] == octets
            file.forget(start, end)
        assert file.buffer[:] == octets


def test_nothing_need_not_be_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"")
    with open_capture(path) as file:
        file.forget(0, 0)
        assert file.buffer == b""
