"""Restarts a broker by a command of the user, and waits until it accepts a login again."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import Event, Thread

from .run_result import BrokerDied, Identity, Interrupted, NotTestable, Violation

_COMMAND_SECONDS = 180.0
_BACK_SECONDS = 120.0
_PAUSE_SECONDS = 0.5
# How often to look whether the command has ended, or the run is to end.
_LOOK_SECONDS = 0.1


def restart(command: str, identify: Callable[[], Identity], stop: Event) -> None:
    """Run the command in a shell and wait until the broker answers.

    A run that ends meanwhile does not wait for the command, and leaves it to do its work: the broker is to come back.

    Args:
        command: A shell command line; it must return once the broker was stopped and started.
        identify: Logs in; raises BrokerDied or Violation as long as that does not work.
        stop: Set when the run is to end.

    Raises:
        NotTestable: The command fails.
        BrokerDied: The broker does not answer within two minutes.
        Interrupted: The run is to end.
    """
    # A file and not a pipe: a broker that is started in the background keeps it open.
    with TemporaryFile() as output:
        process = subprocess.Popen(
            command, shell=True, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        code = _wait_for(process, stop)
        output.seek(0)
        said = output.read().decode(errors="replace").strip().splitlines()
    if code:
        last = said[-1] if said else "it says nothing"
        raise NotTestable(f"--restart-cmd: exit code {code}: {last}")
    _wait_until_back(identify, stop)


def _wait_for(process: subprocess.Popen[bytes], stop: Event) -> int:
    """Return the exit code of the command."""
    end = time.monotonic() + _COMMAND_SECONDS
    while (code := process.poll()) is None:
        if stop.wait(_LOOK_SECONDS):
            Thread(target=process.wait, daemon=True).start()
            raise Interrupted
        if time.monotonic() >= end:
            process.kill()
            process.wait()
            raise NotTestable(f"--restart-cmd: not finished after {_COMMAND_SECONDS:.0f} s")
    return code


def _wait_until_back(identify: Callable[[], Identity], stop: Event) -> None:
    end = time.monotonic() + _BACK_SECONDS
    while time.monotonic() < end:
        try:
            identify()
            return
        except (BrokerDied, Violation):
            if stop.wait(_PAUSE_SECONDS):
                raise Interrupted from None
    raise BrokerDied(f"the broker does not answer {_BACK_SECONDS:.0f} s after its restart")
