"""What type checkers know of the engine: a ``match`` over events is exhaustive, and a request knows its reply."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_folders import Shared
from tests.type_checks import run_basedpyright, run_mypy

GENERATED = Path(__file__).parents[4] / "generated"
PACKAGE = "amqp_0_9_1_rabbitmq"
EVENTS = [
    "Opened",
    "VersionRefused",
    "Challenged",
    "LoginRequested",
    "OpenRequested",
    "ChannelOpened",
    "Reply",
    "Requested",
    "Received",
    "Delivered",
    "Published",
    "Returned",
    "Confirmed",
    "Settled",
    "ConsumerCancelled",
    "FlowChanged",
    "Blocked",
    "Unblocked",
    "ChannelClosed",
    "Closed",
]
PROGRAM = f"""\
from typing import assert_never

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.methods import BasicGet, BasicGetEmpty, BasicGetOk, QueueDeclare


def declare(connection: amqp.Connection, reply: engine.Reply) -> int:
    return connection.request(1, QueueDeclare("q")).answer(reply).message_count


def get(connection: amqp.Connection, reply: engine.Reply) -> BasicGetOk | BasicGetEmpty:
    return connection.request(1, BasicGet("q")).answer(reply)


def seen(event: engine.Event) -> None:
    match event:
        case {" | ".join(f"engine.{name}()" for name in EVENTS)}:
            pass
        case _:
            assert_never(event)
"""
# The last event is left out, and a reply is taken for another.
WRONG = PROGRAM.replace(" | engine.Closed()", "").replace("-> int:", "-> str:")
LINES = [
    number
    for number, line in enumerate(WRONG.splitlines(), 1)
    if "message_count" in line or "assert_never(event)" in line
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / PACKAGE).symlink_to(GENERATED / PACKAGE)  # packages are found beside the module
    return tmp_path


@pytest.mark.parametrize(("program", "lines"), [(PROGRAM, []), (WRONG, LINES)], ids=["right", "wrong"])
def test_mypy(shared: Shared, folder: Path, program: str, lines: list[int]) -> None:
    (folder / "program.py").write_text(program)
    done = run_mypy(shared, "--no-error-summary", "program.py", cwd=folder)
    assert [int(line.split(":")[1]) for line in done.stdout.splitlines()] == lines, done.stdout


@pytest.mark.parametrize(("program", "lines"), [(PROGRAM, []), (WRONG, LINES)], ids=["right", "wrong"])
def test_pyright(folder: Path, program: str, lines: list[int]) -> None:
    (folder / "program.py").write_text(program)
    found = run_basedpyright(folder / "program.py", cwd=folder)
    assert [int(line.split(":")[1]) for line in found] == lines, found
