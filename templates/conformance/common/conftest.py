"""What is under test, and the report of rules that nobody has implemented yet."""

from pathlib import Path
from typing import Any, Final, cast

import pytest

from .package_peer import PackagePeer
from .peer import Peer
from .rule_fixtures import PENDING, PLUGIN, broker, check_rule

__all__ = ["broker", "check_rule"]  # fixtures

_FOLDER: Final = Path(__file__).parent


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


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says how many rules of this suite are pending, and who has drivers."""
    paths = [
        config.rootpath / each.nodeid.partition("::")[0] for each in terminalreporter.stats.get("pending", [])
    ]
    count = sum(path.parent == _FOLDER for path in paths)
    if count:
        hint = (
            ""
            if config.pluginmanager.has_plugin(PLUGIN)
            else f"; the live runner lends its drivers by -p {PLUGIN} --broker URL"
        )
        terminalreporter.write_line(f"{_FOLDER.name}: {count} rules are pending{hint}")
