"""What all tests of traffic share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

import pytest

# pyarrow tries to import it at each call with a Python value: to look for it in vain takes ten times as long as the call.
if find_spec("dateutil") is None:
    sys.modules["dateutil"] = None  # type: ignore[assignment]


@pytest.fixture(scope="session", autouse=True)
def _specifications_are_read_once() -> Iterator[None]:
    """Each new lake gets the tables of all specifications; to read these takes longer than to ingest a small capture."""
    if find_spec("pyarrow") is None:
        yield
        return
    from amqp_traffic.lake.specification import built_in

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(built_in, "built_in_rows", cache(built_in.built_in_rows))
        yield
