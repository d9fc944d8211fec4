"""Restarts a broker by a command of the user, and waits until it accepts a login again."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from tempfile import TemporaryFile

from .run_result import BrokerDied, Identity, NotTestable, Violation

_COMMAND_SECONDS = 180.0
_BACK_SECONDS = 120.0
_PAUSE_SECONDS = 0.5


def restart(command: str, identify: Callable[[], Identity]) -> None:
    """Run the command in a shell and wait until the broker answers.

    Args:
        command: A shell command line; it must return once the broker was stopped and started.
        identify: Logs in; raises BrokerDied or Violation as long as that does not work.

    Raises:
        NotTestable: The command fails.
        BrokerDied: The broker does not answer within two minutes.
    """
    # A file and not a pipe: a broker that is started in the background keeps it open.
    with TemporaryFile() as output:
        try:
            done = subprocess.run(
                command,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=_COMMAND_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotTestable(f"--restart-cmd: not finished after {_COMMAND_SECONDS:.0f} s") from None
        output.seek(0)
        said = output.read().decode(errors="replace").strip().splitlines()
    if done.returncode:
        last = said[-1] if said else "it says nothing"
        raise NotTestable(f"--restart-cmd: exit code {done.returncode}: {last}")
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
