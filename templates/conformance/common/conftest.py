"""The implementation under test, and the report of rules that nobody has implemented yet."""

from collections.abc import Callable
from typing import Any, Final, cast

import pytest

from .package_peer import PackagePeer
from .peer import Peer
from .rules import DRIVERS

_PENDING: Final = "pending: "


@pytest.fixture(scope="session")
def peer(request: pytest.FixtureRequest) -> Peer:
    """The fixture ``peer`` of a ``conftest.py`` further up; where there is none, the generated package."""
    try:
        above = cast("Peer | None", request.getfixturevalue("peer"))
    except pytest.FixtureLookupError:
        above = None
    return PackagePeer() if above is None else above


@pytest.fixture(scope="session")
def check_rule(peer: Peer) -> Callable[[str], None]:
    """Runs the driver of a rule; without one the test is pending."""

    def check(path: str) -> None:
        driver = DRIVERS.get(path)
        if driver is None:
            pytest.skip(f"{_PENDING}no driver implements {path}")
        driver(peer)

    return check


def pytest_report_teststatus(report: Any) -> "tuple[str, str, str] | None":
    """Reports what is pending as such, apart from what is skipped."""
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    reason = str(cast("tuple[object, ...]", report.longrepr)[-1])
    return ("pending", "p", "PENDING") if reason.startswith(f"Skipped: {_PENDING}") else None
