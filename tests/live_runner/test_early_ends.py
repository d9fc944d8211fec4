"""A run that ends early ends well: its report is there first, and says why."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.engine.run_result import Result, RunResult, Verdict
from amqp_conformance.engine.runner import TrialRunner
from amqp_conformance.reports.forms import REPORTS

from tests.cli.command_calls import call
from tests.patience import PATIENCE

from .fake_broker import Answer, Conversation, FakeBroker, fake_broker, keep_silent, say
from .made_trials import declare, make_setting, make_trial
from .patience import patiently
from .test_command import ENVIRONMENT, command

methods = amqp.methods


def start_run(fake: FakeBroker, report: Path, *options: str) -> subprocess.Popen[str]:
    rules = ("--rules", "queue.[dp]*/[mp]*", "--workers", "1", "--format", "json", "-o", str(report))
    return subprocess.Popen(
        command(fake.url, *rules, *options),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Gate:
    """An answer that says that it was asked, and waits before it answers."""

    def __init__(self, answer: Answer) -> None:
        self.asked = threading.Event()
        self.open = threading.Event()
        self._answer = answer

    def __call__(self, conversation: Conversation, channel: int, method: Any) -> None:
        self.asked.set()
        assert self.open.wait(PATIENCE)
        self._answer(conversation, channel, method)


def wait_for(file: Path, process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return the report as soon as it is there, while the process goes on."""
    while True:
        assert process.poll() is None
        try:
            document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            time.sleep(0.01)
            continue
        return document


@pytest.mark.parametrize(
    ("signals", "codes"),
    [
        ([signal.SIGTERM] * 5, {143}),
        ([signal.SIGINT] * 3, {130}),
        ([signal.SIGHUP, signal.SIGTERM, signal.SIGINT], {130, 143}),  # they come in any order
    ],
)
def test_a_second_signal_loses_no_report(
    signals: list[signal.Signals], codes: set[int], tmp_path: Path
) -> None:
    """A trial waits when they come, and the broker does not answer what removes its queue until the report is there."""
    asked, gate = threading.Event(), Gate(say(methods.QueueDeleteOk()))
    report = tmp_path / "report.json"

    def wait(conversation: Conversation, channel: int, method: Any) -> None:
        conversation.broker.answers["queue.delete"] = gate
        asked.set()

    with fake_broker({"queue.purge": wait}) as fake:
        process = start_run(fake, report)
        assert asked.wait(PATIENCE)
        for number in signals:
            process.send_signal(number)
        written = wait_for(report, process)
        process.send_signal(signal.SIGTERM)
        gate.open.set()
        process.communicate(timeout=PATIENCE)
    assert process.returncode in codes
    rules = {rule["path"]: rule for rule in written["rules"]}
    assert rules["queue.purge.queue/must-exist"]["detail"] == "not run: interrupted"
    declared = {frame.queue for frame in fake.came if isinstance(frame, methods.QueueDeclare)}
    deleted = {frame.queue for frame in fake.came if isinstance(frame, methods.QueueDelete)}
    assert declared <= deleted


def test_what_cannot_be_removed_is_added_to_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    answers = {"exchange.delete": keep_silent}
    with fake_broker(answers) as fake:
        options = ("--rules", "channel.open/state", "--format", "json", "-o", report, "--timeout", "0.5")
        fake.answers["channel.open"] = keep_silent
        assert call("conformance", fake.url, *options).code == 1
    assert json.loads(report.read_text(encoding="utf-8"))["rules"]


def test_the_report_is_there_before_the_cleaning() -> None:
    published: list[tuple[Result, ...]] = []
    left: list[set[str]] = []

    def delete(conversation: Conversation, channel: int, method: Any) -> None:
        if published:
            conversation.broker.queues.discard(method.queue)
            conversation.say(channel, methods.QueueDeleteOk())

    def publish(results: tuple[Result, ...]) -> None:
        published.append(results)
        left.append(set(fake.queues))

    with fake_broker({"queue.delete": delete}) as fake:
        runner = TrialRunner(make_setting(fake, patience=1.0), Broker)
        results = runner.run([make_trial(declare)], publish)
        assert fake.queues == set()
    assert published == [results]
    assert len(left[0]) == 1
    assert runner.remarks == ()


def test_cleaning_comes_also_if_the_report_cannot_be_written() -> None:
    def publish(results: tuple[Result, ...]) -> None:
        fake.answers["exchange.delete"] = say(methods.ExchangeDeleteOk())
        raise BrokenPipeError

    with fake_broker({"exchange.delete": keep_silent}) as fake:
        runner = TrialRunner(make_setting(fake, patience=1.0), Broker)
        with pytest.raises(BrokenPipeError):
            runner.run([make_trial(declare)], publish)
        assert fake.queues == set()


def test_an_interrupt_waits_for_nobody_before_the_report() -> None:
    """One trial does not look at the broker, and one has its queue removed: the report does not wait for them."""
    busy, deleting, published = (threading.Event() for _ in range(3))

    def stay(broker: Broker) -> None:
        busy.set()
        assert published.wait(PATIENCE)

    def delete(conversation: Conversation, channel: int, method: Any) -> None:
        if "queue." in method.queue:
            deleting.set()
            assert published.wait(PATIENCE)
        conversation.broker.queues.discard(method.queue)
        conversation.say(channel, methods.QueueDeleteOk())

    def interrupt(result: Result) -> None:
        if result.verdict is Verdict.PASSED:
            assert busy.wait(PATIENCE)
            assert deleting.wait(PATIENCE)
            raise KeyboardInterrupt

    def nothing(broker: Broker) -> None:
        return

    def publish(results: tuple[Result, ...]) -> None:
        published.set()

    def own_declare(broker: Broker) -> None:
        broker.open_channel().declare_queue(broker.name("queue"), exclusive=False)

    with fake_broker({"queue.delete": delete}) as fake:
        runner = TrialRunner(make_setting(fake), Broker, 3, interrupt)
        runner.run([make_trial(stay), make_trial(own_declare), make_trial(nothing)], publish)
        assert fake.queues == set()
    assert published.is_set()
    assert runner.remarks == ()


def test_an_interrupt_that_comes_late_costs_no_result() -> None:
    """They come whenever a result counts, of rules without a driver, too, and while the results are published."""

    def interrupt(result: Result) -> None:
        raise KeyboardInterrupt

    def publish(results: tuple[Result, ...]) -> None:
        published.append(results)
        if len(published) == 1:
            raise KeyboardInterrupt

    published: list[tuple[Result, ...]] = []
    pending = [replace(make_trial(declare, f"queue/p{number}"), driver=None) for number in range(3)]
    plan = [*pending, *(make_trial(declare, f"queue/{number}") for number in range(5))]
    with fake_broker() as fake:
        runner = TrialRunner(make_setting(fake), Broker, 1, interrupt)
        runner.run(plan, publish)
    assert len(published) == 2
    for results in published:
        assert [result.rule.path for result in results] == [trial.rule.path for trial in plan]
    assert [result.verdict for result in published[1][:3]] == [Verdict.PENDING] * 3


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_while_the_report_is_made(
    number: signal.Signals, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not come between, and still ends the command."""
    usual = REPORTS["json"]

    def report(run: RunResult, evidence: bool) -> str:
        os.kill(os.getpid(), number)
        return usual(run, evidence)

    monkeypatch.setattr("amqp_conformance.reports.forms.REPORTS", {**REPORTS, "json": report})
    file = tmp_path / "report.json"
    with fake_broker() as fake:
        result = call(
            "conformance", fake.url, "--rules", "channel.open/state", "--format", "json", "-o", file
        )
    assert result.code == code
    assert json.loads(file.read_text(encoding="utf-8"))["counts"]["passed"] == 1


# --- a limit for the whole run ---


def test_the_limit_holds_for_the_login_too() -> None:
    """The broker never answers, and each wait would be long."""
    with fake_broker({"protocol header": keep_silent}) as fake:
        result = call("conformance", fake.url, "--max-seconds", "1", "--timeout", str(PATIENCE))
    assert result.code == 2
    assert result.err[0].endswith("does not let us in: not within 1 s [no-broker]")


@patiently
def test_a_run_that_is_over_its_time_reports_what_is_known(tmp_path: Path, timeout: float) -> None:
    most = str(round(10 * timeout))
    report = tmp_path / "report.json"
    with fake_broker({"queue.purge": keep_silent}) as fake:
        result = call(
            "conformance", fake.url, "--rules", "queue.[dp]*/[mp]*", "--workers", "1", "--max-seconds", most,
            "--timeout", str(PATIENCE), "--format", "json", "-o", report,
        )  # fmt: skip
        assert fake.queues == set()
    assert result.code == 1
    document = json.loads(report.read_text(encoding="utf-8"))
    rules = {rule["path"]: rule for rule in document["rules"]}
    assert (
        rules["queue.purge.queue/must-exist"]["detail"]
        == f"not run: the run was over its {most} s (--max-seconds)"
    )
    assert document["remarks"] == [f"ended early: the run was over its {most} s (--max-seconds)"]


@pytest.mark.parametrize("where", ["probe", "restart"])
def test_the_limit_holds_wherever_a_run_waits(where: str) -> None:
    """In the first probe of the broker, and in the command that restarts it."""
    answers: dict[str, Answer] = {"channel.open": keep_silent} if where == "probe" else {}
    with fake_broker(answers) as fake:

        def restart() -> None:
            setting.stop.wait(PATIENCE)

        def die(broker: Broker) -> None:
            fake.stop()

        setting = make_setting(fake, restart=restart)
        runner = TrialRunner(setting, Broker, max_seconds=1.0)
        results = runner.run([make_trial(die)])
    assert [result.verdict for result in results] == [Verdict.INCONCLUSIVE]
    assert "the run was over its 1 s (--max-seconds)" in results[0].detail


def test_a_run_within_its_time_is_as_without() -> None:
    with fake_broker() as fake:
        result = call(
            "conformance", fake.url, "--rules", "channel.open/state", "--max-seconds", str(PATIENCE)
        )
    assert result.code == 0


# --- the same failure again and again ---


def fail_alike(number: int) -> Callable[[Broker], None]:
    def trial(broker: Broker) -> None:
        broker.open_channel().get(f"queue-{number}")

    return trial


def test_a_run_ends_after_many_equal_failures_of_set_up() -> None:
    plan = [make_trial(fail_alike(number), f"queue/{number}") for number in range(40)]
    with fake_broker({"basic.get": say(methods.ChannelClose(540, "no"))}) as fake:
        runner = TrialRunner(make_setting(fake), Broker, 1, equal_failures=20)
        results = runner.run(plan)
    asked = sum(isinstance(frame, methods.BasicGet) for frame in fake.came)
    assert asked == 20
    why = "20 rules failed alike in their set-up (set-up: expected basic.get-ok or basic.get-empty, got channel.close 540 (no))"
    assert results[-1].detail == f"not run: {why}"
    assert runner.remarks == (f"ended early: {why}",)


def test_failures_that_differ_or_are_known_or_few_do_not_end_it() -> None:
    plan = [make_trial(fail_alike(number), f"queue/{number}") for number in range(40)]
    codes = iter(range(500, 600))

    def refuse(conversation: Conversation, channel: int, method: Any) -> None:
        conversation.say(channel, methods.ChannelClose(next(codes), "no"))

    alike = say(methods.ChannelClose(540))
    for answer, is_known, limit in ((refuse, False, 20), (alike, True, 20), (alike, False, 0)):
        with fake_broker({"basic.get": answer}) as fake:
            runner = TrialRunner(
                make_setting(fake),
                Broker,
                1,
                is_expected=lambda _, known=is_known: known,
                equal_failures=limit,
            )
            runner.run(plan)
        assert runner.remarks == ()


@patiently
def test_the_number_of_equal_failures_is_an_option(timeout: float) -> None:
    with fake_broker({"channel.open": keep_silent}) as fake:
        result = call(
            "conformance",
            fake.url,
            "--spec",
            "0-9-1",
            "--rules",
            "queue.*",
            "--timeout",
            str(timeout),
            "--stop-after",
            "3",
        )
    assert result.code == 1
    assert result.out[-1] == (
        "ended early: 3 rules failed alike in their set-up (set-up: expected channel.open-ok, got no answer)"
    )
