"""Runs a plan: side by side what does not disturb others, alone what does, and on after a broker that died."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from threading import Event, Lock, Thread

from .attempt import attempt, without_driver
from .broker import Broker, MakeBroker, Setting
from .outcome import BrokerDied, Interrupted, OutOfTime, Violation
from .plan import Trial
from .registry import SECONDS
from .verdict import Result, Verdict

WORKERS = 8
_CHECKS, _SECONDS_BETWEEN_CHECKS = 3, 1.0
_NOT_RUN = "not run: the broker had died before"


class Runner:
    """One run over a plan.

    Attributes:
        leftovers: Names of what could not be removed from the broker.
    """

    def __init__(
        self,
        setting: Setting,
        make_broker: MakeBroker,
        workers: int = WORKERS,
        tell: Callable[[Result], None] = lambda result: None,
    ) -> None:
        """Takes what the trials share.

        Args:
            setting: Where the broker is, and so on.
            make_broker: Makes a driver's view of the broker.
            workers: How many trials to run at once.
            tell: Is told each result when it is there, in the caller's thread.
        """
        self.leftovers: list[str] = []
        self._setting = setting
        self._make_broker = make_broker
        self._workers = workers
        self._tell = tell
        self._results: dict[str, Result] = {}
        self._active: set[Broker] = set()
        self._lock = Lock()

    def run(self, plan: Sequence[Trial]) -> tuple[Result, ...]:
        """Tries every rule of the plan; returns the results in its order.

        Raises:
            KeyboardInterrupt: As it came; everything has been cleaned up.
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
                continue
            if not self._revive():
                self._give_up(died, [*untouched, *(trial for each in batches for trial in each)])
                break
            if len(batch) == 1:
                self._note(died[0][1])
            else:  # which of them was it? Each is tried again, alone.
                batches.extendleft(
                    reversed([[trial] for trial, _ in died] + ([untouched] if untouched else []))
                )
        self._remove([])
        return tuple(self._results[trial.rule.path] for trial in plan)

    # --- a batch ---

    def _run_batch(self, batch: Sequence[Trial]) -> tuple[list[tuple[Trial, Result]], list[Trial]]:
        """Tries rules side by side; returns those during which the broker died, and those never begun."""
        waiting, done = deque(batch), SimpleQueue[tuple[Trial, Result] | None]()
        died: list[tuple[Trial, Result]] = []
        is_dead = Event()
        threads = [
            Thread(target=self._work, args=(waiting, done, is_dead), daemon=True)
            for _ in range(min(self._workers, len(batch)))
        ]
        for thread in threads:
            thread.start()
        at_work = len(threads)
        try:
            while at_work:
                item = done.get()
                if item is None:
                    at_work -= 1
                elif item[1].verdict is Verdict.BROKER_DIED:
                    died.append(item)
                else:
                    self._note(item[1])
        except KeyboardInterrupt:
            self._break_off(threads)
            raise
        return died, list(waiting)

    def _work(
        self, waiting: deque[Trial], done: SimpleQueue[tuple[Trial, Result] | None], is_dead: Event
    ) -> None:
        """A worker's thread: takes trials until there are none, or the broker is dead."""
        with suppress(Interrupted):
            while not is_dead.is_set() and not self._setting.stop.is_set():
                try:
                    trial = waiting.popleft()
                except IndexError:
                    break
                result = self._try(trial)
                if result.verdict is Verdict.BROKER_DIED:
                    is_dead.set()
                done.put((trial, result))
        done.put(None)

    def _try(self, trial: Trial) -> Result:
        """Tries one rule and cleans up after it."""
        driver = trial.driver
        assert driver is not None, trial.rule.path
        broker = self._make_broker(self._setting, trial.rule, driver.seconds)
        with self._lock:
            self._active.add(broker)
        try:
            result = attempt(broker, trial, driver)
        finally:
            with self._lock:
                self._active.discard(broker)
                self.leftovers += broker.names if self._setting.stop.is_set() else []
        if result.verdict in (Verdict.FAILED, Verdict.BROKER_DIED) and not self._answers():
            said = f": {result.detail}" if result.verdict is Verdict.FAILED else ""
            result = replace(
                result,
                verdict=Verdict.BROKER_DIED,
                detail=f"the broker no longer answers{said}",
            )
            with self._lock:
                self.leftovers += broker.names
        elif result.verdict is Verdict.BROKER_DIED:
            result = replace(result, verdict=Verdict.FAILED, detail=f"{result.detail}, but now it answers")
            self._remove(broker.names)
        else:
            self._remove(broker.names)
        return result

    # --- the broker's life ---

    def _answers(self) -> bool:
        """Whether the broker still lets us in; asked more than once, for it may be very busy."""
        for number in range(_CHECKS):
            if number:
                time.sleep(_SECONDS_BETWEEN_CHECKS)
            broker = self._own_broker()
            try:
                broker.identify()
                return True
            except (BrokerDied, Violation, OutOfTime):
                continue
            finally:
                broker.close_links()
        return False

    def _revive(self) -> bool:
        """Restarts a dead broker, if the run has a command for that; tells whether it answers."""
        if self._setting.restart is None:
            return False
        try:
            self._setting.restart()
        except Exception as error:  # whatever is wrong with the command, the broker stays dead
            self._trouble = str(error)
            return False
        return True

    def _give_up(self, died: Sequence[tuple[Trial, Result]], untouched: Sequence[Trial]) -> None:
        names = ", ".join(trial.rule.path for trial, _ in died)
        for _, result in died:
            others = f" (while these were tried: {names})" if len(died) > 1 else ""
            self._note(replace(result, detail=result.detail + others))
        for trial in untouched:
            self._note(
                Result(
                    trial.rule, Verdict.BROKER_DIED, _NOT_RUN, trial.driver.procedure if trial.driver else ""
                )
            )

    # --- cleaning up ---

    def _remove(self, names: Sequence[str]) -> None:
        """Removes what trials have created, and what could not be removed earlier."""
        with self._lock:
            wanted, self.leftovers = [*self.leftovers, *names], []
        if not wanted:
            return
        broker = self._own_broker()
        try:
            left = broker.remove(wanted)
        finally:
            broker.close_links()
        with self._lock:
            self.leftovers += left

    def _break_off(self, threads: Sequence[Thread]) -> None:
        """Ends all trials at once and cleans up."""
        self._setting.stop.set()
        with self._lock:
            active = list(self._active)
        for broker in active:
            broker.interrupt()
        for thread in threads:
            thread.join()
        self._remove([])

    def _own_broker(self) -> Broker:
        """The broker as seen by the runner itself, which goes on when the run is broken off."""
        return self._make_broker(replace(self._setting, stop=Event()), None, SECONDS)

    def _note(self, result: Result) -> None:
        self._results[result.rule.path] = result
        self._tell(result)


def _batches(plan: Sequence[Trial]) -> Iterator[list[Trial]]:
    """What runs side by side, slow ones first; then one by one what must be alone, restarts last."""
    trials = [trial for trial in plan if trial.driver and not trial.why_not]
    shared: list[Trial] = []
    alone: list[Trial] = []
    restarting: list[Trial] = []
    for trial in trials:
        assert trial.driver is not None
        group = restarting if trial.driver.restarts else alone if trial.driver.exclusive else shared
        group.append(trial)
    if shared:
        yield sorted(shared, key=lambda trial: not (trial.driver and trial.driver.slow))
    yield from ([trial] for trial in alone + restarting)
