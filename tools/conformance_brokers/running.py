"""A broker that runs: it is started, restarted on request, and always stopped."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from ..debian_folder import NotHere
from .brokers import ROOT, Start

_START_SECONDS = 120.0
# Killed processes end, on a busy machine some time later.
_GONE_SECONDS = 120.0


class RunningBroker:
    """The processes of a broker, for a ``with`` statement; what it prints is in ``log``.

    Attributes:
        restart_command: A shell command that restarts it and waits until it listens again.
        kill_command: The same without giving it a chance to say or to save anything.
    """

    def __init__(self, start: Start, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "log"
        self._start = start
        self._process: subprocess.Popen[bytes] | None = None
        self._request, self._answer = folder / "restart", folder / "restarted"
        for pipe in (self._request, self._answer):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe)
        request, answer = (shlex.quote(str(pipe)) for pipe in (self._request, self._answer))
        self.restart_command, self.kill_command = (
            f'echo {number.name} >{request} && test "$(cat {answer})" = listens'
            for number in (signal.SIGTERM, signal.SIGKILL)
        )

    def __enter__(self) -> RunningBroker:
        if self._start.data:
            shutil.rmtree(self._start.data, ignore_errors=True)
            self._start.data.mkdir(parents=True)
        self.log.unlink(missing_ok=True)
        try:
            self._begin()
        except NotHere:
            self._end()
            raise
        threading.Thread(target=self._serve_restarts, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _begin(self) -> None:
        """Start it, and wait until it listens."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._start.command,
                cwd=ROOT,
                env={**os.environ, **self._start.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        end = time.monotonic() + _START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self._start.port), 1).close()
                return
            except OSError:
                time.sleep(0.2)
        raise NotHere(f"it does not start, see {self.log}")

    def _end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Stop all its processes: by a signal, and those that are left by SIGKILL."""
        if self._process is None:
            return
        processes = _with_descendants(self._process.pid)
        for process in processes:
            # At its end the kernel kills the others, which would not end by themselves.
            if name_of(process) != "unshare":
                _signal(process, number)
        try:
            self._process.wait(self._start.stop_seconds)
        except subprocess.TimeoutExpired:
            for process in processes:
                _signal(process, signal.SIGKILL)
            self._process.wait()
        end = time.monotonic() + _GONE_SECONDS
        while any(map(name_of, processes)) and time.monotonic() < end:  # then their files and ports are free
            time.sleep(0.05)

    def _serve_restarts(self) -> None:
        while True:
            name = self._request.read_text(encoding="ascii").strip()  # waits
            self._end(signal.Signals[name])
            try:
                self._begin()
                answer = "listens"
            except NotHere:
                answer = "does not listen"
            self._answer.write_text(answer, encoding="ascii")


def _with_descendants(process: int) -> list[int]:
    """Return a process and those below it, the lowest first."""
    children: list[int] = []
    with suppress(OSError):  # it ends meanwhile
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            children += map(int, task.read_text(encoding="ascii").split())
    return [*(below for child in children for below in _with_descendants(child)), process]


def name_of(process: int) -> str:
    """Return the name of the program of a process; empty if it has ended.

    It has ended when all its threads have: the first one may be dead while others still hold the files.
    """
    tasks: list[Path] = []
    with suppress(OSError):
        tasks += Path(f"/proc/{process}/task").glob("*/stat")
    for task in tasks:
        try:
            status = task.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it ends meanwhile
            continue
        name, _, state = status.partition("(")[2].rpartition(")")
        if state.split()[0] != "Z":
            return name
    return ""


def _signal(process: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, number)
