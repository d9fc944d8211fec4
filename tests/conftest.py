"""What all tests share: where a broker would be, and that its tests are skipped where none is."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from amqp_codegen.support.cache import CACHE_VARIABLE

from tests.sampling import load_profile
from tests.shared_folders import shared

__all__ = ["shared"]  # a fixture

load_profile()

# Of a command in its background a shell ignores Ctrl-C, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

AMQP_URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor write the cache of the user who runs them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is for `make test-all` alone, and the broker tests if nothing listens.

    `make broker-test` asks for the latter, then they must not be skipped.
    """
    if not os.environ.get("TEST_ALL"):
        for item in items:
            if item.get_closest_marker("full"):
                item.add_marker(pytest.mark.skip(reason="for make test-all"))
    wanted = [item for item in items if item.get_closest_marker("broker")]
    if not wanted or config.option.markexpr == "broker" or _something_listens():
        return
    for item in wanted:
        item.add_marker(pytest.mark.skip(reason=f"nothing listens at {AMQP_URL}"))


def _something_listens() -> bool:
    parts = urlsplit(AMQP_URL)
    try:
        socket.create_connection((parts.hostname or "localhost", parts.port or 5672), timeout=2).close()
    except OSError:
        return False
    return True


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name a failure as it happens, not only at the end. Workers of xdist have no terminal of their own."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid} ({report.when})", file=sys.__stderr__, flush=True)
