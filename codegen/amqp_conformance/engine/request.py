"""A whole run: a request to a ``RunResult``."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.resources import expectations_dir
from amqp_codegen.support.wording import did_you_mean
from amqp_codegen.support.wording import quote as quote_text

from .broker_socket import BrokerAddress
from .broker_view import NAME_PREFIX, BrokerView, MakeBroker, TrialSetting
from .early_end import EQUAL_FAILURES
from .expectation_writer import write_expectations
from .expectations import Expectations, find_expectations, is_expected, judge, read_expectations
from .guide_places import guide_places
from .level import RuleLevel, SpecRule
from .plan import Trial, make_plan, read_not_testable
from .registry import SECONDS, broker_class, driver_package, family_name, find_drivers
from .restart import restart
from .run_result import BrokerDied, Disconnected, Identity, OutOfTime, Result, RunResult, Violation
from .runner import WORKERS, TrialRunner
from .spec_under_test import SpecUnderTest, load_spec_under_test
from .tls import speaks_tls
from .user_drivers import find_user_drivers


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The request for a run.

    Attributes:
        spec: One of ``registry.SPECS``, or files; several for 1.0 only, as ``api.load`` takes them.
        overlays: Files that change the specification.
        drivers: Folders with a user's own drivers.
        expectations: A file of known deviations; None to look for the broker's own.
        restart_command: A shell command that restarts the broker; empty if there is none.
        second_virtual_host: Another virtual host where our user may work; empty if there is none.
        timeout: How long to wait for one answer, in seconds; None for the usual time of the family.
        fail_on: The lowest level of rules that make the run fail.
        guide: The address of the reference guide of the specification; empty if there is none.
        max_seconds: The run ends after so many seconds; None for as long as it takes.
        equal_failures: The run ends after so many rules that fail alike in their set-up; 0 for any number.
    """

    target: BrokerAddress
    spec: str | Sequence[str]
    glob: str = "*"
    expectations: Path | None = None
    restart_command: str = ""
    second_virtual_host: str = ""
    workers: int = WORKERS
    timeout: float | None = None
    fail_on: RuleLevel = RuleLevel.MUST
    guide: str = ""
    max_seconds: float | None = None
    equal_failures: int = EQUAL_FAILURES
    overlays: Sequence[Path] = ()
    drivers: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """What a run needs; until here the broker was only asked for its name.

    Attributes:
        guide_places: Where rules are in the reference guide, by path.
    """

    order: RunRequest
    spec: SpecUnderTest
    broker: Identity
    plan: tuple[Trial, ...]
    expectations: Expectations
    setting: TrialSetting
    make_broker: MakeBroker
    guide_places: Mapping[str, str]


def _rule_hint(glob: str, rules: Sequence[SpecRule]) -> str:
    """Return the class, part or method most like the first words of the pattern; else how a path looks."""
    words = glob.partition("*")[0].rstrip("./").split("/")[0].split(".")
    known = {".".join(re.split(r"[./]", rule.path)[: len(words)]) for rule in rules}
    return did_you_mean(".".join(words), known) or f"a path looks like {rules[0].path}"


def prepare(order: RunRequest) -> PreparedRun:
    """Load the specification, find the drivers, ask the broker who it is and find its known deviations.

    Raises:
        SpecError: No broker lets us in or lets us declare, the file of expectations is wrong, or no rule matches the
            pattern. Its messages do not show our password.
    """
    try:
        return _prepare(order)
    except SpecError as error:
        hide = order.target.redactor.text
        raise SpecError(
            [
                replace(problem, message=hide(problem.message), hint=hide(problem.hint))
                for problem in error.problems
            ]
        ) from None


def _prepare(order: RunRequest) -> PreparedRun:
    spec = load_spec_under_test(order.spec, order.overlays)
    model = spec.specification.spec
    drivers = find_drivers(spec.base, driver_package(model)) | find_user_drivers(order.drivers, spec)
    plan = make_plan(spec.rules, drivers, read_not_testable(spec.base), order.glob)
    if not plan:
        message = f"no rule of {spec.name} fits {quote_text(order.glob)}"
        raise SpecError([Problem("no-such-rule", message, None, _rule_hint(order.glob, spec.rules))])
    given = read_expectations(order.expectations, spec.base, spec.known_paths) if order.expectations else None
    make_broker: MakeBroker = broker_class(family_name(model))
    setting = TrialSetting(
        order.target,
        spec.load_package(),
        second_virtual_host=order.second_virtual_host,
        patience=order.timeout,
    )
    if order.restart_command:
        setting = _with_restart(setting, order.restart_command, make_broker)
    seconds = SECONDS if order.max_seconds is None else min(SECONDS, order.max_seconds)
    broker = _identify(make_broker, setting, seconds)
    expectations = given or _known_deviations(broker, spec)
    _require_permission(make_broker, setting, seconds)
    places = guide_places(spec.specification, spec.rules)
    return PreparedRun(order, spec, broker, plan, expectations, setting, make_broker, places)


def carry_out(
    check: PreparedRun,
    tell: Callable[[Result], None] = lambda result: None,
    publish: Callable[[RunResult], None] = lambda run: None,
) -> RunResult:
    """Try the rules, up to an interrupt or another early end.

    ``tell`` is called with each result as soon as it counts, and ``publish`` with the result of the run before what is
    left on the broker is removed. What is returned has the remarks on that, too. Nothing of it shows our password.
    """
    begin = time.monotonic()
    known = check.expectations.deviations
    runner = TrialRunner(
        check.setting,
        check.make_broker,
        check.order.workers,
        tell,
        lambda result: is_expected(result, known.get(result.rule.path)),
        check.order.max_seconds,
        check.order.equal_failures,
    )
    hide = check.order.target.redactor.text

    def summarize(results: Sequence[Result]) -> RunResult:
        return RunResult(
            target=str(check.order.target),
            spec=check.spec.name,
            broker=Identity(hide(check.broker.product), hide(check.broker.version)),
            expectations=check.expectations.name,
            results=tuple(
                replace(result, detail=hide(result.detail), surprise=hide(result.surprise))
                for result in judge(results, check.expectations)
            ),
            seconds=time.monotonic() - begin,
            remarks=tuple(map(hide, runner.remarks)),
            fail_on=check.order.fail_on,
            interruption=runner.interruption,
            guide=check.order.guide,
            guide_places=check.guide_places,
        )

    return summarize(runner.run(check.plan, lambda results: publish(summarize(results))))


def save_expectations(file: Path, check: PreparedRun, run: RunResult) -> str:
    """Write the deviations of a run to a file of expectations; return how many, in words.

    Raises:
        SpecError: The file cannot be written, or is there and is wrong.
    """
    try:
        spec = check.spec
        return write_expectations(file, run, check.expectations, spec.base, spec.known_paths)
    except OSError as error:
        raise SpecError([Problem("not-written", f"{file}: {error.strerror or error}")]) from None


def _identify(make_broker: MakeBroker, setting: TrialSetting, seconds: float) -> Identity:
    broker: BrokerView = make_broker(setting, None, seconds)
    try:
        return broker.identify()
    except BrokerDied as error:
        raise SpecError([Problem("no-broker", str(error))]) from None
    except (Violation, OutOfTime) as error:
        message = f"{setting.target} does not let us in: {str(error) or f'not within {seconds:g} s'}"
        raise SpecError([Problem("no-broker", message, None, _login_hint(broker, error))]) from None
    finally:
        broker.close_sockets()


def _require_permission(make_broker: MakeBroker, setting: TrialSetting, seconds: float) -> None:
    """Find out whether our user may declare at all: if not, nearly every rule would fail for that.

    Raises:
        SpecError: The broker says that our user may not.
    """
    broker = make_broker(setting, None, seconds)
    refusal = ""
    with suppress(Violation, BrokerDied, OutOfTime):  # the rules will tell
        refusal = broker.refused_declaration()
    broker.close_sockets()
    if refusal:
        hint = f"rules need a user who may configure, write and read what has a name that begins with {NAME_PREFIX}"
        message = f"{setting.target} does not let {setting.target.user} {refusal}"
        raise SpecError([Problem("no-permission", message, None, hint)])


def _login_hint(broker: BrokerView, error: Violation | OutOfTime) -> str:
    """Return what the user may have meant, if the broker lets nobody in."""
    target = broker.target
    step = f"{error.expected} {error.got}" if isinstance(error, Violation) else ""
    is_first_answer = "connection.start" in step or "protocol header" in step
    if target.tls is None and is_first_answer and speaks_tls(target.host, target.port, broker.patience):
        return f"this port speaks TLS: amqps://{target.host}:{target.port}/"
    if "protocol header" in step:
        return "it speaks another version: --spec says which one to try"
    if target.tls is not None and isinstance(error, Disconnected):
        return "if it asks clients for a certificate: --cert FILE"
    return ""


def _with_restart(setting: TrialSetting, command: str, make_broker: MakeBroker) -> TrialSetting:
    def identify() -> Identity:
        broker: BrokerView = make_broker(setting, None, SECONDS)
        try:
            return broker.identify()
        finally:
            broker.close_sockets()

    return replace(setting, restart=lambda: restart(command, identify, setting.stop))


def _known_deviations(broker: Identity, spec: SpecUnderTest) -> Expectations:
    """Return our own expectations of a broker, none if it is unknown."""
    file: Path | None = None
    with suppress(FileNotFoundError):
        file = find_expectations(expectations_dir(), broker)
    return read_expectations(file, spec.base, spec.known_paths) if file else Expectations("", {})
