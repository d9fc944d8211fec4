"""Runs a plan: most trials side by side, disturbing ones alone, and goes on after a broker that died."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, Lock, Thread

from .broker_view import BrokerView, MakeBroker, TrialSetting
from .plan import Trial
from .registry import SECONDS, Driver
from .run_result import BrokerDied, Interrupted, NotTestable, OutOfTime, Result, Verdict, Violation


def attempt(broker: BrokerView, trial: Trial, driver: Driver) -> tuple[Result, bool]:
    """Run the driver and close its connections; the caller removes the names.

    Returns:
        The result, and whether the broker seems well, as far as that is known without asking it.

    Raises:
        Interrupted: The user interrupted the run.
    """
    try:
        verdict, detail = _drive(broker, driver)
        seconds, evidence = broker.transcript.elapsed, broker.transcript.evidence()
        is_well = broker.say_goodbye() and verdict not in (Verdict.FAILED, Verdict.BROKER_DIED)
    finally:
        broker.close_sockets()
    return Result(trial.rule, verdict, detail, driver.procedure, seconds, evidence), is_well


def _drive(broker: BrokerView, driver: Driver) -> tuple[Verdict, str]:
    """Return the verdict and the reason."""
    try:
        driver.function(broker)
    except NotTestable as error:
        return Verdict.NOT_TESTABLE, str(error)
    except OutOfTime:
        return Verdict.FAILED, f"not finished after {driver.seconds:g} s"
    except BrokerDied as error:
        return Verdict.BROKER_DIED, str(error)
    except Interrupted:
        raise
    except Violation as error:
        if broker.is_interrupted:  # the driver waited on a socket that was closed meanwhile
            raise Interrupted from None
        return Verdict.FAILED, str(error)
    except Exception as error:  # a faulty driver must not end the run
        return Verdict.FAILED, f"the driver itself failed: {type(error).__name__}: {error}"
    return Verdict.PASSED, ""


def without_driver(trial: Trial) -> Result | None:
    """Return the result of a rule without a driver: not testable, or pending; None if there is a driver."""
    if trial.why_not:
        return Result(trial.rule, Verdict.NOT_TESTABLE, trial.why_not)
    if trial.driver is None:
        return Result(trial.rule, Verdict.PENDING, "no driver has been written for this rule")
    return None


WORKERS = 8
_CHECKS, _SECONDS_BETWEEN_CHECKS = 3, 1.0
_BREAK_OFF_SECONDS = 20.0


class RunInterrupted(KeyboardInterrupt):
    """The user interrupted the run from the keyboard; its trials have ended and are cleaned up.

    Attributes:
        leftovers: Names of entities that could not be removed from the broker.
    """

    def __init__(self, leftovers: Sequence[str]) -> None:
        super().__init__()
        self.leftovers = tuple(leftovers)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Trials that run side by side.

    Attributes:
        waiting: Those that no worker has taken yet.
        done: What the workers report: a trial with its result, an exception of ours, or None at their end.
        is_dead: Set when the broker no longer answers.
    """

    waiting: deque[Trial]
    done: SimpleQueue[tuple[Trial, Result] | BaseException | None] = field(default_factory=SimpleQueue)
    is_dead: Event = field(default_factory=Event)


class TrialRunner:
    """One run over a plan.

    ``tell`` is called with each result as soon as it is known, in the caller's thread.

    Attributes:
        leftovers: Names of entities that could not be removed from the broker.
    """

    def __init__(
        self,
        setting: TrialSetting,
        make_broker: MakeBroker,
        workers: int = WORKERS,
        tell: Callable[[Result], None] = lambda result: None,
    ) -> None:
        self.leftovers: list[str] = []
        self._setting = setting
        self._make_broker = make_broker
        self._workers = workers
        self._tell = tell
        self._results: dict[str, Result] = {}
        self._active: set[BrokerView] = set()
        self._deaths: list[tuple[str, ...]] = []
        self._tried_again: set[str] = set()
        self._died_unseen = False
        self._lock = Lock()

    def run(self, plan: Sequence[Trial]) -> tuple[Result, ...]:
        """Try every rule of the plan; return the results in its order.

        Raises:
            RunInterrupted: From the keyboard.
        """
        for trial in plan:
            result = without_driver(trial)
            if result:
                self._note(result)
        batches = deque(_batches(plan))
        while batches:
            batch = batches.popleft()
            died, untouched = self._run_batch(batch)
            if not died:
                self._died_unseen = not batches and not self._answers()
                continue
            trouble = self._revive()
            if trouble:
                self._give_up(died, [*untouched, *(trial for each in batches for trial in each)], trouble)
                break
            again = self._again(died, was_alone=len(batch) == 1)
            batches.extendleft(reversed([*again, untouched] if untouched else again))
        self._remove_leftovers()
        return tuple(self._results[trial.rule.path] for trial in plan)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else there is to say, besides the results."""
        kept = [f"could not be removed from the broker: {name}" for name in self.leftovers]
        for paths in self._deaths:
            verdicts = {self._results[path].verdict for path in paths}
            if Verdict.BROKER_DIED not in verdicts:
                kept.append(f"the broker died of none of these alone, but while they ran: {', '.join(paths)}")
        if self._died_unseen:
            kept.append("the broker no longer answers at the end of the run")
        return tuple(kept)

    def _again(self, died: Sequence[tuple[Trial, Result]], was_alone: bool) -> list[list[Trial]]:
        """Return what to try again, each alone, to find out which rule killed the broker.

        The rule is found if it was alone with a living broker, which answered it before it died.
        """
        self._deaths.append(tuple(trial.rule.path for trial, _ in died))
        trial, result = died[0]
        was_alive = any(exchange.direction == "received" for exchange in result.evidence)
        if was_alone and (was_alive or trial.rule.path in self._tried_again):
            self._note(result)
            return []
        self._tried_again.update(trial.rule.path for trial, _ in died)
        return [[trial] for trial, _ in died]

    # --- a batch ---

    def _run_batch(self, trials: Sequence[Trial]) -> tuple[list[tuple[Trial, Result]], list[Trial]]:
        """Try rules side by side; return those during which the broker died, and those never begun."""
        batch = _Batch(deque(trials))
        threads = [
            Thread(target=self._work, args=(batch,), daemon=True)
            for _ in range(min(self._workers, len(trials)))
        ]
        died: list[tuple[Trial, Result]] = []
        try:
            for thread in threads:
                thread.start()
            at_work = len(threads)
            while at_work:
                item = batch.done.get()
                if item is None:
                    at_work -= 1
                elif isinstance(item, BaseException):
                    raise item
                elif item[1].verdict is Verdict.BROKER_DIED:
                    died.append(item)
                else:
                    self._note(item[1])
        except KeyboardInterrupt:
            self._break_off(threads)
            raise RunInterrupted(self.leftovers) from None
        return died, list(batch.waiting)

    def _work(self, batch: _Batch) -> None:
        """Take trials until none are left, or the broker is dead; runs in the thread of a worker."""
        try:
            while not batch.is_dead.is_set():
                trial = batch.waiting.popleft()
                result = self._try(trial)
                if result.verdict is Verdict.BROKER_DIED:
                    batch.is_dead.set()
                batch.done.put((trial, result))
        except (IndexError, Interrupted):  # nothing is waiting, or the run is interrupted
            pass
        except BaseException as error:  # raised again in the user's thread
            batch.done.put(error)
        finally:
            batch.done.put(None)

    def _try(self, trial: Trial) -> Result:
        """Try one rule and clean up after it.

        Raises:
            Interrupted: The user interrupted the run.
        """
        driver = _driver(trial)
        broker = self._make_broker(self._setting, trial.rule, driver.seconds)
        with self._lock:
            self._active.add(broker)
        try:
            result, is_well = attempt(broker, trial, driver)
            if not is_well:
                result = self._told_from_death(result)
            if result.verdict is not Verdict.BROKER_DIED:
                broker.names[:] = self._remove(broker.names)
        finally:  # the rest is tried once more at the end of the run
            with self._lock:
                self._active.discard(broker)
                self.leftovers += broker.names
        return result

    # --- the broker's life ---

    def _told_from_death(self, result: Result) -> Result:
        """Return the result if the broker still lives; else the verdict that the broker died."""
        if not self._answers():
            detail = f"the broker no longer answers: {result.detail}".removesuffix(": ")
            return replace(result, verdict=Verdict.BROKER_DIED, detail=detail)
        if result.verdict is Verdict.BROKER_DIED:
            return replace(result, verdict=Verdict.FAILED, detail=f"{result.detail}; it answers again")
        return result

    def _answers(self) -> bool:
        """Return whether the broker still accepts a login; asked more than once, for it may be very busy."""
        for number in range(_CHECKS):
            if self._setting.stop.wait(_SECONDS_BETWEEN_CHECKS if number else 0):
                raise Interrupted
            broker = self._own_broker()
            try:
                broker.identify()
                return True
            except (BrokerDied, Violation, OutOfTime):
                continue
            finally:
                broker.close_sockets()
        return False

    def _revive(self) -> str:
        """Restart a dead broker, if the run has a command for that; return why it is still dead, or nothing."""
        if self._setting.restart is None:
            return "no --restart-cmd to go on with"
        try:
            self._setting.restart()
        except (BrokerDied, NotTestable) as error:
            return str(error)
        return ""

    def _give_up(
        self, died: Sequence[tuple[Trial, Result]], untouched: Sequence[Trial], trouble: str
    ) -> None:
        """End the run: any trial under way may have killed the broker."""
        names = ", ".join(trial.rule.path for trial, _ in died)
        for _, result in died:
            others = f"; under way were {names}" if len(died) > 1 else ""
            self._note(replace(result, detail=result.detail + others))
        why = f"not run: the broker had died ({trouble})"
        for trial in untouched:
            self._note(Result(trial.rule, Verdict.BROKER_DIED, why, _driver(trial).procedure))

    # --- cleaning up ---

    def _remove(self, names: Sequence[str]) -> list[str]:
        """Remove what a trial has created; return the names that still exist."""
        if not names:
            return []
        broker = self._own_broker()
        try:
            return broker.remove(list(names))
        finally:
            broker.close_sockets()

    def _remove_leftovers(self) -> None:
        """Try once more to remove what could not be removed before."""
        with self._lock:
            self.leftovers = self._remove(self.leftovers)

    def _break_off(self, threads: Sequence[Thread]) -> None:
        """End all trials at once and clean up."""
        self._setting.stop.set()
        with self._lock:
            active = list(self._active)
        for broker in active:
            broker.interrupt()
        end = time.monotonic() + _BREAK_OFF_SECONDS
        for thread in threads:
            thread.join(max(end - time.monotonic(), 0))
        self._remove_leftovers()

    def _own_broker(self) -> BrokerView:
        """Return the runner's own view of the broker, which still works after an interruption."""
        return self._make_broker(replace(self._setting, stop=Event()), None, SECONDS)

    def _note(self, result: Result) -> None:
        self._results[result.rule.path] = result
        self._tell(result)


def _driver(trial: Trial) -> Driver:
    """Return the driver of a trial that has one; other trials are never run."""
    assert trial.driver is not None, trial.rule.path
    return trial.driver


def _batches(plan: Sequence[Trial]) -> Iterator[list[Trial]]:
    """Yield batches to run side by side, slow ones first; then exclusive trials one by one, restarts last."""
    trials = [trial for trial in plan if without_driver(trial) is None]
    restarting = [trial for trial in trials if _driver(trial).restarts]
    alone = [trial for trial in trials if _driver(trial).exclusive and trial not in restarting]
    shared = [trial for trial in trials if trial not in alone and trial not in restarting]
    if shared:
        yield sorted(shared, key=lambda trial: not _driver(trial).slow)
    yield from ([trial] for trial in alone + restarting)
