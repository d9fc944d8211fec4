"""Captures from the loopback interface while something happens there."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import pytest

URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
PORT = urlsplit(URL).port or 5672
TIMEOUT = 10.0
# Both write each packet at once; buffers of 64 MiB, as a busy machine may let them wait.
CAPTURERS = {
    "tcpdump": ["-i", "lo", "-B", "65536", "-U", "--immediate-mode", "-w"],
    "dumpcap": ["-i", "lo", "-B", "64", "-q", "-w"],
}
_DROPPED = re.compile(r"(\d+) packets? dropped by|dropped on interface [^:]*: \d+/(\d+)")

Result = TypeVar("Result")


class TooSlow(pytest.skip.Exception):  # type: ignore[name-defined,misc]
    """Packets were dropped, maybe of others; the test is skipped."""


def patiently(capture: Callable[[], Result], times: int = 3) -> Result:
    """Capture once more where packets were dropped: on a busy machine that happens."""
    for _ in range(times - 1):
        with contextlib.suppress(TooSlow):
            return capture()
    return capture()


@contextlib.contextmanager
def capturing(
    tool: str, file: Path, ports: Sequence[int] = (PORT,), options: Sequence[str] = ()
) -> Iterator[None]:
    """Capture what comes from these ports, or goes to them, while the body runs.

    Options are those of the tool. The test is skipped where this tool cannot capture, or is too slow.
    """
    program = shutil.which(tool)
    if program is None or urlsplit(URL).hostname not in ("localhost", "127.0.0.1", "::1"):
        pytest.skip(f"{tool} is not installed, or the broker is elsewhere")
    wanted = " or ".join(f"tcp port {port}" for port in ports)
    command = [program, *options, *CAPTURERS[tool], str(file)]
    command += [wanted] if tool == "tcpdump" else ["-f", wanted]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = ""
            for line in process.stderr:
                said += line
                if "listening on" in line or "File:" in line:
                    break
            else:
                pytest.skip(f"{tool} cannot capture here: {said.strip()}")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=TIMEOUT)[1]
    if any(int(number) for found in _DROPPED.findall(said) for number in found if number):
        raise TooSlow(f"{tool} was too slow for this machine: {' '.join(said.split())}")


def catch_up(files: Sequence[Path], address: tuple[str, int] = ("localhost", PORT)) -> None:
    """Wait until all that was said so far is in these files, by saying something and waiting for that."""
    marker = uuid.uuid4().hex.encode()
    with socket.create_connection(address) as connection:
        connection.sendall(marker)
        for file in files:
            until_captured(marker, [file].copy)


def until_captured(marker: bytes, files: Callable[[], Sequence[Path]]) -> None:
    """Wait until one of the files, which may become more, holds what was said."""
    deadline = time.monotonic() + TIMEOUT
    while not any(file.exists() and marker in file.read_bytes() for file in files()):
        assert time.monotonic() < deadline, "what was said last was not captured"
        time.sleep(0.1)
