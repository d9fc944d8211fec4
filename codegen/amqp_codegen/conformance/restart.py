"""Restarts a broker by a command of the user's, and waits until it lets us in again."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from .outcome import BrokerDied, NotTestable, Violation
from .verdict import Identity

_COMMAND_SECONDS = 180.0
_BACK_SECONDS = 120.0
_PAUSE_SECONDS = 0.5


def restart(command: str, identify: Callable[[], Identity]) -> None:
    """Runs the command in a shell and waits until the broker answers.

    Args:
        command: A line for the shell; it must return once the broker was stopped and started.
        identify: Logs in; raises BrokerDied or Violation as long as that does not work.

    Raises:
        NotTestable: The command fails.
        BrokerDied: The broker does not answer within two minutes.
    """
    try:
        done = subprocess.run(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_COMMAND_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NotTestable(f"--restart-cmd: not finished after {_COMMAND_SECONDS:.0f} s") from None
    if done.returncode:
        said = done.stdout.strip().splitlines()[-1:] or ["it says nothing"]
        raise NotTestable(f"--restart-cmd: exit code {done.returncode}: {said[0]}")
    _wait(identify)


def _wait(identify: Callable[[], Identity]) -> None:
    end = time.monotonic() + _BACK_SECONDS
    while time.monotonic() < end:
        try:
            identify()
            return
        except (BrokerDied, Violation):
            time.sleep(_PAUSE_SECONDS)
    raise BrokerDied(f"the broker does not answer {_BACK_SECONDS:.0f} s after its restart")
