"""What is under test, and the report of rules that nobody has implemented yet."""

from typing import Any, cast

import pytest

from .package_peer import PackagePeer
from .peer import Peer
from .rule_fixtures import PENDING, broker, check_rule

__all__ = ["broker", "check_rule"]  # fixtures


@pytest.fixture(scope="session")
def peer(request: pytest.FixtureRequest) -> Peer:
    """The fixture ``peer`` of a ``conftest.py`` further up; where there is none, the generated package."""
    try:
        above = cast("Peer | None", request.getfixturevalue("peer"))
    except pytest.FixtureLookupError:
        above = None
    return PackagePeer() if above is None else above


def pytest_report_teststatus(report: Any) -> "tuple[str, str, str] | None":
    """Reports what is pending as such, apart from what is skipped."""
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    reason = str(cast("tuple[object, ...]", report.longrepr)[-1])
    return ("pending", "p", "PENDING") if reason.startswith(f"Skipped: {PENDING}") else None
