"""Tasks whose processes are killed at a step."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import Any

from amqp_traffic.tasks.runner import Task


@dataclass(frozen=True)
class KilledTask:
    """A task whose process is killed by SIGKILL after the first call of a function, or after the last of the task.

    Attributes:
        task: The task.
        owner: The module or class that has the function; None if the process is killed when the task is done.
        name: The name of the function.
    """

    task: Task
    owner: Any
    name: str

    def __call__(self) -> Any:
        """Run the task; the process does not survive it."""
        if self.owner is not None:
            original = getattr(self.owner, self.name)

            def call_and_kill(*arguments: Any) -> None:
                original(*arguments)
                os.kill(os.getpid(), signal.SIGKILL)

            setattr(self.owner, self.name, call_and_kill)
        self.task()
        os.kill(os.getpid(), signal.SIGKILL)
