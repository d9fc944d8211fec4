"""What is under test, its known deviations, and the report of rules that nobody has implemented yet."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import pytest

from .deviations import KnownDeviations, outcome_of, read_deviations
from .package_peer import PackagePeer
from .peer import Peer
from .rule_fixtures import PENDING, PLUGIN, broker, check_rule

__all__ = ["broker", "check_rule"]  # fixtures

_FOLDER: Final = Path(__file__).parent
# Of this suite: the hooks below see the items and the session of all suites of a run.
_KNOWN: Final = pytest.StashKey[KnownDeviations]()
_IS_PARTIAL: Final = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def deviations(request: pytest.FixtureRequest) -> "Path | None":
    """The fixture ``deviations`` of a ``conftest.py`` further up; where there is none, nothing is known."""
    try:
        return cast("Path | None", request.getfixturevalue("deviations"))
    except pytest.FixtureLookupError:
        return None


@pytest.fixture(scope="session")
def peer(request: pytest.FixtureRequest, deviations: "Path | None") -> Generator[Peer, None, None]:
    """The fixture ``peer`` of a ``conftest.py`` further up; where there is none, the generated package."""
    known = KnownDeviations([] if deviations is None else read_deviations(deviations))
    request.config.stash[_KNOWN] = known
    try:
        above = cast("Peer | None", request.getfixturevalue("peer"))
    except pytest.FixtureLookupError:
        above = None
    yield PackagePeer() if above is None else above
    stale = known.stale()
    if stale and _is_whole(request.session):
        pytest.fail("\n".join([f"{deviations}: these deviations occur no more:", *stale]), pytrace=False)


def _is_whole(session: pytest.Session) -> bool:
    """Whether this process has run every check, so that a deviation that did not occur is none any more."""
    files = {item.path.name for item in session.items if item.path.parent == _FOLDER}
    return not (
        session.shouldfail
        or session.shouldstop
        or session.config.stash.get(_IS_PARTIAL, False)
        or hasattr(session.config, "workerinput")
        or any("::" in argument for argument in session.config.args)
        or files != {path.name for path in _FOLDER.glob("test_*.py")}
    )


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        item.config.stash[_IS_PARTIAL] = True


def _check_name(item: pytest.Item) -> str:
    """The name of a check in a file of deviations: the test, a blank, and the id of the case."""
    test, _, case = item.name.partition("[")
    return f"{test} {case.removesuffix(']')}".rstrip()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    known = item.config.stash.get(_KNOWN, None)
    reason = known.reason_not_to_run(_check_name(item)) if known else ""
    if reason:
        pytest.xfail(reason)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    """Reports a known deviation as an expected failure."""
    outcome = yield
    report = outcome.get_result()
    known = item.config.stash.get(_KNOWN, None)
    if known and call.when == "call" and call.excinfo and report.failed:
        reason = known.reason(_check_name(item), outcome_of(call.excinfo.value))
        if reason:
            report.outcome = "skipped"
            report.wasxfail = reason


def pytest_report_teststatus(report: Any) -> "tuple[str, str, str] | None":
    """Reports what is pending as such, apart from what is skipped."""
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    reason = str(cast("tuple[object, ...]", report.longrepr)[-1])
    return ("pending", "p", "PENDING") if reason.startswith(f"Skipped: {PENDING}") else None


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says how many rules of this suite are pending, and who has drivers."""
    nodes = [report.nodeid.partition("::")[0] for report in terminalreporter.stats.get("pending", [])]
    count = sum((config.rootpath / node).parent == _FOLDER for node in nodes)
    if count:
        is_loaded = config.pluginmanager.has_plugin(PLUGIN)
        hint = "" if is_loaded else f"; the live runner lends its drivers by -p {PLUGIN} --broker URL"
        terminalreporter.write_line(f"{_FOLDER.name}: {count} rules are pending{hint}")
