"""Captures from the loopback interface while something happens there."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import pytest

from tests.patience import PATIENCE

from .waiting import wait_until

URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
PORT = urlsplit(URL).port or 5672
# Both write each packet at once; buffers of 64 MiB, as a busy machine may let them wait.
CAPTURERS = {
    "tcpdump": ["-i", "lo", "-B", "65536", "-U", "--immediate-mode", "-w"],
    "dumpcap": ["-i", "lo", "-B", "64", "-q", "-w"],
}
_DROPPED = re.compile(r"(\d+) packets? dropped by|dropped on interface [^:]*: \d+/(\d+)")

# What Linux knows of connections, and the states in which one side has closed: FIN-WAIT-1 and -2, LAST-ACK, CLOSING.
_CONNECTIONS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_CLOSING = {"04", "05", "09", "0B"}

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
    if program is None:
        pytest.skip(f"needs {tool}")
    if urlsplit(URL).hostname not in ("localhost", "127.0.0.1", "::1"):
        pytest.skip("needs a broker on this machine")
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
                pytest.skip(f"needs {tool}: it cannot capture here: {said.strip()}")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=PATIENCE)[1]
    if any(int(number) for found in _DROPPED.findall(said) for number in found if number):
        raise TooSlow(f"{tool} was too slow for this machine: {' '.join(said.split())}")


def catch_up(files: Sequence[Path], address: tuple[str, int] = ("localhost", PORT)) -> None:
    """Wait until all that was said so far is in these files: the ends of connections, then something that is said now."""
    wait_until(lambda: not _are_closing(address[1]), "the broker closes connections that were closed")
    marker = uuid.uuid4().hex.encode()
    with socket.create_connection(address) as connection:
        connection.sendall(marker)
        for file in files:
            until_captured(marker, [file].copy)


def until_captured(marker: bytes, files: Callable[[], Sequence[Path]]) -> None:
    """Wait until one of the files, which may become more, holds what was said."""
    wait_until(
        lambda: any(file.exists() and marker in file.read_bytes() for file in files()),
        "what was said last is captured",
    )


def _are_closing(port: int) -> bool:
    """Whether the server at this port still has to say goodbye to somebody who has closed the connection."""
    lines = [
        line.split()
        for table in _CONNECTIONS
        if table.exists()
        for line in table.read_text().splitlines()[1:]
    ]
    return any(
        int(remote.rpartition(":")[2], 16) == port and state in _CLOSING for _, _, remote, state, *_ in lines
    )


@contextlib.contextmanager
def reserved_port() -> Iterator[int]:
    """A port at which the test may listen with ``SO_REUSEADDR``, and that nobody else gets: it is bound."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])
