"""How far the stages of Spark are, in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from .session import is_connect

_EVERY = 0.1  # seconds


@contextmanager
def stage_progress(session: Any, show: Callable[[str], None]) -> Iterator[None]:
    """Shows how far the stages at work are, as long as the block takes; in classic and in Connect sessions.

    Args:
        session: The session.
        show: Is given a line; called by another thread.
    """
    if is_connect(session):
        # Called with what the version of Spark has to say: more arguments are to be expected.
        def handler(stages: Iterable[Any], *others: Any, **more: Any) -> None:
            _show(show, [(each.stage_id, each.num_completed_tasks, each.num_tasks) for each in stages])

        session.registerProgressHandler(handler)
        try:
            yield
        finally:
            session.removeProgressHandler(handler)
        return
    over = Event()
    watcher = Thread(target=_watch, args=(session.sparkContext.statusTracker(), show, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(tracker: Any, show: Callable[[str], None], over: Event) -> None:
    while not over.wait(_EVERY):
        infos = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        _show(
            show,
            [(info.stageId, info.numCompletedTasks, info.numTasks) for info in infos if info is not None],
        )


def _show(show: Callable[[str], None], stages: Iterable[tuple[int, int, int]]) -> None:
    """The stages that are not done."""
    text = ", ".join(
        f"stage {stage}: {done} of {tasks}" for stage, done, tasks in sorted(stages) if done < tasks
    )
    if text:
        show(text)
