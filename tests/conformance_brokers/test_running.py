"""A broker of `make brokers` is started, restarted on request and always stopped; here it is a small program."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tools.conformance_brokers import __main__ as tool
from tools.conformance_brokers.brokers import BROKERS, Broker, Start, ends_with_us, free_port
from tools.conformance_brokers.running import RunningBroker, name_of
from tools.debian_folder import NotHere

# Writes its process id, starts a child, listens and answers each connection with the same id.
LISTENS = """
import os, signal, socket, subprocess, sys
port, folder, deaf = int(sys.argv[1]), sys.argv[2], sys.argv[3]
if deaf:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(folder + "/pids", "a") as file:
    file.write(f"{os.getpid()} {child.pid}\\n")
server = socket.create_server(("127.0.0.1", port))
while True:
    connection, _ = server.accept()
    connection.sendall(str(os.getpid()).encode())
    connection.close()
"""


def start_of(folder: Path, deaf: str = "") -> Start:
    port = free_port()
    command = ends_with_us([sys.executable, "-c", LISTENS, str(port), str(folder), deaf])
    return Start(command, port, stop_seconds=0.5 if deaf else PATIENCE)


def answer(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        return int(connection.recv(100))


def processes(folder: Path) -> list[int]:
    return [int(number) for number in (folder / "pids").read_text(encoding="ascii").split()]


def are_gone(numbers: list[int]) -> bool:
    """Wait until none of these processes lives; one that is dead and waits for its parent counts as gone."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        states = [Path(f"/proc/{number}/stat") for number in numbers]
        if all(not state.exists() or ") Z " in state.read_text(encoding="ascii") for state in states):
            return True
        time.sleep(0.05)
    return False


def test_all_its_processes_end(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    with pytest.raises(KeyboardInterrupt), RunningBroker(start, tmp_path / "run"):
        assert answer(start.port) == processes(tmp_path)[0]
        raise KeyboardInterrupt
    assert are_gone(processes(tmp_path))
    with pytest.raises(OSError):
        answer(start.port)


def test_one_that_does_not_want_to_end(tmp_path: Path) -> None:
    start = start_of(tmp_path, "deaf")
    with RunningBroker(start, tmp_path / "run"):
        answer(start.port)
    assert are_gone(processes(tmp_path)[:1])


def test_a_restart(tmp_path: Path) -> None:
    """The command returns when another process listens at the same port; so does that which kills."""
    start = start_of(tmp_path)
    with RunningBroker(start, tmp_path / "run") as running:
        assert running.restart_command != running.kill_command
        for command in (running.restart_command, running.kill_command):
            before = answer(start.port)
            assert subprocess.run(command, shell=True, timeout=PATIENCE, check=False).returncode == 0
            assert answer(start.port) != before
    assert len(processes(tmp_path)) == 6
    assert are_gone(processes(tmp_path))


def test_one_that_does_not_start(tmp_path: Path) -> None:
    start = Start([sys.executable, "-c", "print('no disk')"], free_port())
    with pytest.raises(NotHere, match=r"it does not start, see .*log"), RunningBroker(start, tmp_path):
        raise AssertionError
    assert (tmp_path / "log").read_text(encoding="ascii") == "no disk\n"


# Its first thread ends, and another one goes on.
HEADLESS = """
import ctypes, sys, threading, time
threading.Thread(target=time.sleep, args=(600,)).start()
ctypes.CDLL(None).syscall(int(sys.argv[1]), 0)
"""
# The number of the system call exit.
EXIT = {"x86_64": 60, "aarch64": 93}


@pytest.mark.skipif(os.uname().machine not in EXIT, reason="the number of the system call is not known")
def test_a_process_is_there_as_long_as_one_of_its_threads() -> None:
    """That may still hold the lock of a database, without which the broker does not start again."""
    with subprocess.Popen([sys.executable, "-c", HEADLESS, str(EXIT[os.uname().machine])]) as process:
        assert are_gone([process.pid]), "the first thread is dead"
        assert name_of(process.pid).startswith("python")
        process.kill()
        assert process.wait(PATIENCE) == -signal.SIGKILL
        assert name_of(process.pid) == ""


def end_by(number: signal.Signals, code: str, said: bytes) -> int:
    """Run a program that imports this module, and end it when it has said that it runs; return its exit code."""
    root = Path(tool.__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (root, *sys.path)))}
    code = f"from tests.conformance_brokers.test_running import *\n{code}"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline().startswith(said)
        process.send_signal(number)
        return process.wait(PATIENCE)


def test_it_ends_with_the_tool(tmp_path: Path) -> None:
    """Also when nobody can clean up: the tool is killed."""
    start = start_of(tmp_path)
    code = f"""
with RunningBroker(Start({start.command!r}, {start.port}), Path({str(tmp_path)!r})):
    print("runs", flush=True)
    time.sleep(600)
"""
    assert end_by(signal.SIGKILL, code, b"runs") == -signal.SIGKILL
    assert are_gone(processes(tmp_path)[:1])
    os.kill(processes(tmp_path)[1], signal.SIGKILL)  # the child of the program is not in a namespace here


def test_the_tool_is_told_to_end(tmp_path: Path) -> None:
    start = start_of(tmp_path)
    code = f"""
tool.FOLDER = Path({str(tmp_path)!r})
tool.BROKERS = (Broker("thing", ("1.0",), lambda folder: Start({start.command!r}, {start.port})),)
sys.argv = ["conformance_brokers", "--serve", "thing"]
sys.exit(tool.main())
"""
    assert end_by(signal.SIGTERM, code, b"thing: ") == 128 + signal.SIGTERM
    assert are_gone(processes(tmp_path))


# --- the tool ---


def test_a_broker_that_cannot_be_had(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prepare(folder: Path) -> Start:
        raise NotHere("no such thing")

    monkeypatch.setattr(tool, "BROKERS", (Broker("thing", ("1.0",), prepare),))
    monkeypatch.setattr("sys.argv", ["conformance_brokers"])
    assert tool.main() == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "thing: not here: no such thing\n",
        "error: no broker can be brought up here\n",
    )


def test_names_of_brokers() -> None:
    names = [broker.name for broker in BROKERS]
    assert len(set(names)) == len(names) >= 4
    assert all(broker.specs for broker in BROKERS)
