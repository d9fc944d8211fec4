"""What all tests share: where a broker would be, and that its tests are skipped where none is."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from amqp_codegen.support.cache import CACHE_VARIABLE

from tests.sampling import load_profile
from tests.shared_folders import shared
from tests.skip_counts import pytest_terminal_summary

__all__ = ["pytest_terminal_summary", "shared"]  # a hook, a fixture

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


# The file and the markers of everything that was collected, before any of it was deselected.
COLLECTED = pytest.StashKey[set[tuple[Path, frozenset[str]]]]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Each run has temporary folders of its own, which go with it unless a test fails.

    pytest would number them in a folder that all runs of a user share, where each cleans up behind the others.
    """
    if config.option.basetemp is None:
        folder = tempfile.mkdtemp(prefix="tests-")
        config.option.basetemp = folder
        # What a pytest makes that a test starts goes with them.
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    if os.environ.get("PYTEST_DEBUG_TEMPROOT") == config.option.basetemp and not config.stash.get(
        FAILED, False
    ):
        shutil.rmtree(config.option.basetemp, ignore_errors=True)


FAILED = pytest.StashKey[bool]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.stash[FAILED] = bool(session.testsfailed)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is for `make test-all` alone, and the broker tests if nothing listens.

    `make broker-test` asks for the latter, then they must not be skipped.
    """
    config.stash[COLLECTED] = {
        (item.path, frozenset(mark.name for mark in item.iter_markers())) for item in items
    }
    if not os.environ.get("TEST_ALL"):
        for item in items:
            if item.get_closest_marker("full"):
                item.add_marker(pytest.mark.skip(reason="for make test-all"))
    wanted = [item for item in items if item.get_closest_marker("broker")]
    if not wanted or config.option.markexpr == "broker" or _something_listens():
        return
    for item in wanted:
        item.add_marker(pytest.mark.skip(reason=f"needs RabbitMQ: nothing listens at {AMQP_URL}"))


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
