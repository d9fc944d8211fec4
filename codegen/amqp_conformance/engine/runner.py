"""Runs a plan: most trials side by side, disturbing ones alone, and goes on after a broker that died."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from threading import Event, Lock, Thread, Timer

from .attempt import attempt, driver_of, without_try
from .broker_view import BrokerView, MakeBroker, TrialSetting
from .early_end import EQUAL_FAILURES, EndedEarly, SetUpFailures, over_time
from .health import BrokerHealth
from .plan import Trial
from .run_result import Interrupted, Result, Verdict
from .second_tries import SecondTries

# Most trials wait for the broker most of the time.
WORKERS = 12
# How long the cleaning waits for trials that do not end at once.
_BREAK_OFF_SECONDS = 20.0
# How many names of what is left behind are told one by one.
_NAMES_SHOWN = 10
# How many rules before a death may have caused it, too, besides those under way.
_SUSPECTS_BEFORE = 3


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

    ``tell`` is called with each result as soon as it counts, in the caller's thread. ``is_expected`` tells of a result
    whether it is what is known of the broker; others are tried again, alone.

    Args:
        max_seconds: The run ends after so many seconds; None for as long as it takes.
        equal_failures: The run ends after so many rules that fail alike in their set-up; 0 for any number.

    Attributes:
        interruption: How the user ended the run early; None if it ran to its end.
    """

    def __init__(
        self,
        setting: TrialSetting,
        make_broker: MakeBroker,
        workers: int = WORKERS,
        tell: Callable[[Result], None] = lambda result: None,
        is_expected: Callable[[Result], bool] = lambda result: result.verdict is Verdict.PASSED,
        max_seconds: float | None = None,
        equal_failures: int = EQUAL_FAILURES,
    ) -> None:
        self.interruption: KeyboardInterrupt | None = None
        self._setting = setting
        self._make_broker = make_broker
        self._workers = workers
        self._tell = tell
        self._health = BrokerHealth(setting, make_broker)
        self._second_tries = SecondTries(is_expected)
        self._set_up_failures = SetUpFailures(equal_failures, is_expected)
        self._max_seconds = max_seconds
        self._early_end = ""
        self._is_clean = False
        self._batch = _Batch(deque())
        self._results: dict[str, Result] = {}
        self._last: deque[tuple[Trial, Result]] = deque(maxlen=_SUSPECTS_BEFORE)
        self._active: set[BrokerView] = set()
        self._threads: list[Thread] = []
        self._deaths: list[tuple[str, ...]] = []
        self._tried_again: set[str] = set()
        self._lock = Lock()

    def run(
        self, plan: Sequence[Trial], publish: Callable[[tuple[Result, ...]], None] = lambda results: None
    ) -> tuple[Result, ...]:
        """Try every rule of the plan; return the results in its order, also if the run ends early.

        ``publish`` is called with the results as soon as they are there, once more if an interrupt breaks it off. Only
        then comes what may take long on a slow broker: removing what is left on it.
        """
        trouble = self._try_all(plan)
        try:
            results = self._conclude(plan, trouble)
            try:
                publish(results)
            except KeyboardInterrupt as interruption:
                self.interruption = self.interruption or interruption
                publish(results)
        finally:
            self._clean_up()
        return results

    def _try_all(self, plan: Sequence[Trial]) -> str:
        """Try every rule of the plan; return why that ends early, or nothing."""
        timer = Timer(self._max_seconds, self._end_in_time) if self._max_seconds is not None else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            tried = [trial for trial in plan if not self._counts_untried(trial)]
            batches = deque(_batches(tried))
            if batches:
                self._health.learn()
            return self._run_batches(batches)
        except KeyboardInterrupt as interruption:
            self.interruption = interruption
            self._break_off()
            return "interrupted"
        except (EndedEarly, Interrupted) as end:  # in the main thread, only the timer interrupts
            self._early_end = self._early_end or str(end)
            self._break_off()
            return self._early_end
        finally:
            if timer:
                timer.cancel()

    def _conclude(self, plan: Sequence[Trial], trouble: str) -> tuple[Result, ...]:
        """Return the results of all rules, of those not tried with the reason; an interrupt comes too late for this."""
        while True:
            try:
                self._count_rest(plan, trouble)
                return tuple(self._results[trial.rule.path] for trial in plan)
            except KeyboardInterrupt as interruption:
                self.interruption = self.interruption or interruption

    def _count_rest(self, plan: Sequence[Trial], trouble: str) -> None:
        for result in self._second_tries.rest():
            is_open = trouble and result.verdict is Verdict.FAILED
            self._count(
                replace(result, detail=f"{result.detail}; not tried again: {trouble}") if is_open else result
            )
        for trial in plan:
            if trial.rule.path not in self._results and not self._counts_untried(trial):
                why = f"not run: {trouble}"
                self._count(Result(trial.rule, Verdict.INCONCLUSIVE, why, driver_of(trial).procedure))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What else there is to say, besides the results; of what is left on the broker, after the cleaning."""
        left = self._health.leftovers if self._is_clean else []
        kept = [f"could not be removed from the broker: {name}" for name in left[:_NAMES_SHOWN]]
        if len(left) > _NAMES_SHOWN:
            kept.append(f"could not be removed from the broker: {len(left) - _NAMES_SHOWN} more")
        for paths in self._deaths:
            verdicts = {self._results[path].verdict for path in paths}
            if Verdict.BROKER_DIED not in verdicts:
                kept.append(f"the broker died of none of these alone, but while they ran: {', '.join(paths)}")
        if self._early_end:
            kept.append(f"ended early: {self._early_end}")
        return tuple(kept)

    def _counts_untried(self, trial: Trial) -> bool:
        """Count the result of a rule if it is known without a try."""
        result = without_try(trial, can_restart=self._setting.restart is not None)
        if result:
            self._count(result)
        return result is not None

    def _run_batches(self, batches: deque[list[Trial]]) -> str:
        """Run batch after batch, then what is to be tried again; return why it ends early, or nothing."""
        while batches or (again := self._second_tries.next_round()):
            if not batches:
                batches.extend([trial] for trial in again)
            batch = batches.popleft()
            died, untouched = self._run_batch(batch)
            if self._setting.stop.is_set():
                raise Interrupted
            if not died:
                continue
            trouble = self._health.revive()
            if trouble:
                self._blame(died)
                return f"the broker no longer answered ({trouble})"
            suspects = self._suspects(died, was_alone=len(batch) == 1)
            batches.extendleft(reversed([*suspects, untouched] if untouched else suspects))
        return ""

    # --- suspects ---

    def _suspects(self, died: Sequence[tuple[Trial, Result]], was_alone: bool) -> list[list[Trial]]:
        """Return what to try again, each alone, to find out which rule killed the broker.

        Those are what ran when it was found dead, and the last ones before that. The rule is found if it was under
        suspicion already, and the broker has died of it alone.
        """
        trial, result = died[0]
        if was_alone and trial.rule.path in self._tried_again:
            self._count(result)
            return []
        suspects = [*died, *self._last]
        self._deaths.append(tuple(trial.rule.path for trial, _ in died))
        self._tried_again.update(trial.rule.path for trial, _ in suspects)
        self._last.clear()
        return [[trial] for trial, _ in suspects]

    def _blame(self, died: Sequence[tuple[Trial, Result]]) -> None:
        """End the run: any trial under way may have killed the broker."""
        names = ", ".join(trial.rule.path for trial, _ in died)
        for _, result in died:
            others = f"; under way were {names}" if len(died) > 1 else ""
            self._count(replace(result, detail=result.detail + others))

    # --- a batch ---

    def _run_batch(self, trials: Sequence[Trial]) -> tuple[list[tuple[Trial, Result]], list[Trial]]:
        """Try rules side by side; return those during which the broker died, and those never begun."""
        batch = self._batch = _Batch(deque(trials))
        self._threads = [
            Thread(target=self._work, args=(batch,), daemon=True)
            for _ in range(min(self._workers, len(trials)))
        ]
        died: list[tuple[Trial, Result]] = []
        for thread in self._threads:
            thread.start()
        at_work = len(self._threads)
        while at_work:
            item = batch.done.get()
            if item is None:
                at_work -= 1
            elif isinstance(item, BaseException):
                raise item
            elif item[1].verdict is Verdict.BROKER_DIED:
                died.append(item)
            else:
                self._last.append(item)
                self._set_up_failures.count(item[1])
                if counted := self._second_tries.take(*item):
                    self._count(counted)
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
        """Try one rule, clean up after it and see whether the broker is still well.

        Raises:
            Interrupted: The user interrupted the run.
        """
        driver = driver_of(trial)
        is_second = self._second_tries.is_under_way(trial.rule.path)
        setting = self._setting.with_more_patience if is_second else self._setting
        broker = self._make_broker(setting, trial.rule, driver.seconds)
        with self._lock:
            self._active.add(broker)
        try:
            result = attempt(broker, trial, driver)
        except Interrupted:
            self._health.leftovers += broker.names
            raise
        finally:
            with self._lock:
                self._active.discard(broker)
        if trouble := self._health.check(broker.names):
            detail = f"the broker no longer answers ({trouble}): {result.detail}".removesuffix(": ")
            return replace(result, verdict=Verdict.BROKER_DIED, detail=detail)
        if result.verdict is Verdict.BROKER_DIED:
            return replace(result, verdict=Verdict.INCONCLUSIVE, detail=f"{result.detail}; it answers again")
        return result

    # --- ends ---

    def _break_off(self) -> None:
        """Tell all trials to end at once; the cleaning waits for them and removes what they have created."""
        self._setting.stop.set()
        with self._lock:
            active = list(self._active)
        for broker in active:
            broker.interrupt()
        self._health.interrupt()

    def _end_in_time(self) -> None:
        """End the run because its time is over; runs in the thread of the timer."""
        assert self._max_seconds is not None
        self._early_end = over_time(self._max_seconds)
        self._break_off()
        # The caller's thread may wait for a driver that does not look at the broker.
        self._batch.done.put(EndedEarly(self._early_end))

    def _clean_up(self) -> None:
        """Remove what is still on the broker; an interrupt breaks that off."""
        try:
            end = time.monotonic() + _BREAK_OFF_SECONDS
            for thread in self._threads:
                thread.join(max(end - time.monotonic(), 0))
            self._health.remove_leftovers()
        except KeyboardInterrupt as interruption:
            self.interruption = self.interruption or interruption
        self._is_clean = True

    def _count(self, result: Result) -> None:
        is_new = result.rule.path not in self._results
        self._results[result.rule.path] = result
        if is_new:
            self._tell(result)


def _batches(trials: Sequence[Trial]) -> Iterator[list[Trial]]:
    """Yield batches to run side by side, slow ones first; then exclusive trials one by one, restarts last."""
    restarting = [trial for trial in trials if driver_of(trial).restarts]
    alone = [trial for trial in trials if driver_of(trial).exclusive and trial not in restarting]
    shared = [trial for trial in trials if trial not in alone and trial not in restarting]
    if shared:
        yield sorted(shared, key=lambda trial: not driver_of(trial).slow)
    yield from ([trial] for trial in alone + restarting)
