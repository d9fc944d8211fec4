"""Programs of ``examples/``, run as a user would, against peers that listen here."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.commands import run_command
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
# For the brokers' answer to a login, and to a virtual host that is not there.
STRANGER = urlsplit(URL)._replace(netloc=f"nobody:wrong@{urlsplit(URL).netloc.rpartition('@')[2]}").geturl()
NOWHERE = urlsplit(URL)._replace(path="/no%20such").geturl()


def run_program(
    program: Path, *arguments: str, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", *options, str(program), *arguments]
    path = os.pathsep.join((str(ROOT / "generated"), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return run_command(command, env=environment)


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of an error."""
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@contextmanager
def peer(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """The URL of a peer that serves one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            connection, _ = listener.accept()
            with connection:
                serve(connection)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"amqp://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(PATIENCE)


def answering(octets: bytes) -> Callable[[socket.socket], None]:
    """Answers the first octets, then hangs up."""

    def serve(connection: socket.socket) -> None:
        connection.recv(8)
        connection.sendall(octets)

    return serve
