"""Memory while captures are read: Arrow's pool is another one for a while."""

from __future__ import annotations

import pyarrow as pa
import pytest
from amqp_traffic.ingest.memory import bulk_memory


def test_the_pool_is_put_back() -> None:
    before = pa.default_memory_pool().backend_name
    with pytest.raises(RuntimeError), bulk_memory():
        assert pa.default_memory_pool().backend_name == "system"
        raise RuntimeError
    assert pa.default_memory_pool().backend_name == before
