"""A plugin for pytest that lends the drivers of the live runner to generated suites.

    pytest -p amqp_conformance.pytest_plugin --broker amqp://localhost/ conformance/amqp_0_9_1

A suite asks for the fixture ``amqp_live_rules`` and imports nothing of ours. The plugin is loaded only where somebody
asks for it: many have the generator installed as a build tool, and its options are no concern of their tests.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from amqp_codegen.model.problem import SpecError

from .engine.level import RuleLevel
from .engine.registry import SPECS

if TYPE_CHECKING:
    from .engine.plan import Trial
    from .engine.request import PreparedRun
    from .engine.run_result import Result, RunResult

_PENDING = "pending: "
_REMARKS = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of ``amqp-codegen conformance``, by their names but for one that pytest-timeout has."""
    group = parser.getgroup("amqp", "rules of AMQP on a live broker")
    group.addoption(
        "--broker",
        metavar="URL",
        help="amqp://user@host:port/virtual-host, amqps:// for TLS; AMQP_PASSWORD has the password",
    )
    for name, what in (("--ca", "authorities"), ("--cert", "our certificate"), ("--key", "its key")):
        group.addoption(name, type=Path, metavar="FILE", help=f"for amqps: {what}")
    group.addoption("--insecure", action="store_true", help="for amqps: take any certificate of the broker")
    group.addoption(
        "--expectations",
        type=Path,
        metavar="FILE",
        help="known deviations (default: ours for the broker that answers)",
    )
    group.addoption(
        "--restart-cmd",
        default="",
        metavar="COMMAND",
        help="a shell command that stops and starts the broker",
    )
    group.addoption(
        "--broker-timeout",
        type=float,
        metavar="SECONDS",
        help="how long to wait for one answer of the broker",
    )
    group.addoption(
        "--fail-on",
        choices=[level.word for level in RuleLevel],
        default=RuleLevel.MUST.word,
        help="the lowest level of rules that fail; below it they are expected to (default: must)",
    )
    group.addoption(
        "--amqp-spec",
        action="append",
        default=[],
        metavar="SPEC",
        help="the specification of a suite of your own: a file, or a built-in one with --amqp-overlay",
    )
    for name, metavar, what in (
        ("--amqp-overlay", "FILE", "a file that changes it"),
        ("--amqp-drivers", "FOLDER", "drivers of your own"),
    ):
        group.addoption(name, action="append", default=[], type=Path, metavar=metavar, help=what)
    group.addoption(
        "--second-virtual-host",
        default="",
        metavar="NAME",
        help="another virtual host, for a rule that needs two",
    )


@dataclass(frozen=True, slots=True)
class _Broker:
    """The rules of one specification on one broker; or why there is none."""

    run: PreparedRun | None
    trouble: str = ""


class LiveRules:
    """Tries rules one by one; a specification is prepared for a broker once.

    Attributes:
        remarks: What went wrong besides, such as entities that could not be removed.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.remarks: list[str] = []
        self._config = config
        self._brokers: dict[tuple[tuple[str, ...], str], _Broker] = {}

    def __call__(self, package: str, path: str, url: str) -> None:
        """Try a rule, and end the test with its verdict.

        Args:
            package: The usual name of the package of the specification, for example ``amqp_0_9_1``.
            path: The path of the rule.
            url: The URL of the broker.
        """
        specs = self._specs(package)
        if not specs:
            pytest.skip(
                f"{_PENDING}the live runner has no drivers for {package}; --amqp-spec names its files"
            )
        broker = self._brokers.get((specs, url)) or self._prepare(specs, url)
        if broker.run is None:
            pytest.fail(broker.trouble, pytrace=False)
        trial = next((trial for trial in broker.run.plan if trial.rule.path == path), None)
        if trial is None:
            pytest.skip(f"{_PENDING}the live runner does not know {path} of {broker.run.spec.name}")
        conclude(self._try(broker.run, trial))

    def _specs(self, package: str) -> tuple[str, ...]:
        """Return the specification of a package: a built-in one, or what the options name."""
        built_in = tuple(name for name in SPECS if package == package_of(name))
        return built_in or tuple(self._config.getoption("--amqp-spec"))

    def _prepare(self, specs: tuple[str, ...], url: str) -> _Broker:
        from .engine.broker_socket import read_target
        from .engine.password import PasswordSources
        from .engine.request import RunRequest, prepare
        from .engine.tls import TlsOptions

        option = self._config.getoption
        own = tuple(option("--amqp-spec"))
        is_own = specs == own
        tls = TlsOptions(option("--ca"), option("--cert"), option("--key"), option("--insecure"))
        try:
            request = RunRequest(
                read_target(url, PasswordSources(environment=os.environ), tls),
                specs,
                expectations=option("--expectations"),
                restart_command=option("--restart-cmd"),
                second_virtual_host=option("--second-virtual-host"),
                workers=1,
                timeout=option("--broker-timeout"),
                fail_on=RuleLevel[option("--fail-on").upper()],
                overlays=option("--amqp-overlay") if is_own else (),
                drivers=option("--amqp-drivers") if is_own or not own else (),
            )
            broker = _Broker(prepare(request))
        except SpecError as error:
            broker = _Broker(None, "\n".join(map(str, error.problems)))
        self._brokers[(specs, url)] = broker
        return broker

    def _try(self, run: PreparedRun, trial: Trial) -> RunResult:
        from .engine.request import carry_out

        result = carry_out(replace(run, plan=(trial,)))
        self.remarks += result.remarks
        if result.interruption:
            raise result.interruption
        return result


def package_of(spec: str) -> str:
    """Return the usual name of the package of a built-in specification."""
    return f"amqp_{spec.replace('-', '_').replace('.', '_')}"


def conclude(run: RunResult) -> None:
    """End a test with the outcome of pytest for the verdict on its rule."""
    from .engine.level import level_of
    from .engine.run_result import Verdict

    (result,) = run.results
    if result.verdict in (Verdict.NOT_TESTABLE, Verdict.INCONCLUSIVE):
        pytest.skip(f"{result.verdict.words}: {result.detail}")
    if result.verdict is Verdict.PENDING:
        pytest.skip(f"{_PENDING}{result.detail}")
    if run.fails(result):
        _fail(result)
    if result.surprise:
        pytest.xfail(f"a rule of level {level_of(result.rule).word}: {result.surprise}")
    if result.verdict is not Verdict.PASSED:
        pytest.xfail(result.detail)


def _fail(result: Result) -> NoReturn:
    """Fail with what was unexpected, what the driver does, and every frame."""
    lines = [result.surprise, *([f"driver: {result.procedure}"] if result.procedure else [])]
    lines += [
        f"  {exchange.seconds:7.3f} {exchange.direction:8} {exchange.name}: {exchange.text}"
        for exchange in result.evidence
    ]
    pytest.fail("\n".join(lines), pytrace=False)


@pytest.fixture(scope="session")
def amqp_live_rules(pytestconfig: pytest.Config) -> Callable[[str, str, str], None]:
    """Tries a rule by the live runner's driver: called with specification, path and URL of the broker."""
    rules = LiveRules(pytestconfig)
    pytestconfig.stash[_REMARKS] = rules.remarks
    return rules


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what went wrong besides."""
    remarks = config.stash.get(_REMARKS, [])
    if remarks:
        terminalreporter.section("AMQP rules")
        for remark in remarks:
            terminalreporter.line(remark)
