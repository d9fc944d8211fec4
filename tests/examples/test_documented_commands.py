"""The commands with a broker in README.md and examples/README.md run as they are written, on whatever RabbitMQ is tested."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pika
import pytest

from tests.commands import run_command

from .programs import ROOT, URL

# The broker of the documents.
DOCUMENTED = "amqp://guest:guest@localhost:5672/"
_BLOCK = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from broker to broker, and from run to run; RabbitMQ 3 declares no queue for a client of 1.0.
_VARIES = re.compile(
    r"\d+\.\d+\.\d+|amq\.gen-\S+|rabbit@\w+|conformance@\w+|of up to \d+ octets|\d+ heartbeats"
    r"|^declared the classic queue .*\n",
    re.MULTILINE,
)
_QUEUES = ("orders", "amqp-codegen.example")


def documented(document: str) -> list[tuple[str, str]]:
    """The commands of a document that name a broker, each with the output that is shown."""
    text = (ROOT / document).read_text(encoding="utf-8")
    commands = []
    for block in _BLOCK.findall(text):
        for command in re.split(r"^\$ ", block, flags=re.MULTILINE):
            line, _, output = command.partition("\n")
            if DOCUMENTED in line:
                commands.append((line, output))
    return commands


def test_every_program_that_talks_to_a_broker_is_shown() -> None:
    shown = " ".join(command for command, _ in documented("examples/README.md"))
    programs = [
        path.name
        for path in (ROOT / "examples").glob("*.py")
        if DOCUMENTED in path.read_text(encoding="utf-8")
    ]
    assert programs
    assert [name for name in programs if name not in shown] == []
    assert documented("README.md")


def run(command: str) -> str:
    """The output of a command, which must succeed and say nothing to standard error."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = run_command(["bash", "-c", command.replace(DOCUMENTED, URL)], cwd=ROOT, env=environment)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


@contextmanager
def queues() -> Iterator[bool]:
    """The queues that the commands name are there, empty, and gone after; whether links name them by version 2."""
    parameters = pika.URLParameters(URL if URL.rpartition("/")[2] else f"{URL}%2F")
    with pika.BlockingConnection(parameters) as connection:
        channel = connection.channel()
        for queue in _QUEUES:
            channel.queue_delete(queue)
        channel.queue_declare("orders")
        try:
            yield not connection._impl.server_properties["version"].startswith("3")
        finally:
            for queue in _QUEUES:
                channel.queue_delete(queue)


@pytest.mark.broker
@pytest.mark.parametrize(("command", "output"), documented("examples/README.md"))
def test_an_example_prints_what_is_shown(command: str, output: str) -> None:
    with queues() as is_version_2:
        printed = run(command if is_version_2 else command.replace("/queues/", "/amq/queue/"))
    assert _VARIES.sub("", printed) == _VARIES.sub("", output)


@pytest.mark.broker
@pytest.mark.parametrize(("command", "output"), documented("README.md"))
def test_a_command_of_the_readme_succeeds(command: str, output: str) -> None:
    assert run(command)
