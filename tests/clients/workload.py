"""One workload in clients of several languages, which are not ours, on RabbitMQ.

Each program declares an exchange and a dead-letter exchange, publishes 50 messages and two of 300,000 octets with confirms, and
three that are mandatory to nowhere. It consumes them five at a time: three are requeued, seven rejected, the others acknowledged.
It gets what is in the dead-letter queue, makes nine calls with direct reply-to to a queue that is exclusive to another connection,
commits four messages and rolls back three, and closes with a channel open. That of 1.0 sends 40 messages, and releases one of them
again and again. Each prints how often it did what, as JSON.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands import run_command
from tests.npm import installed

HERE = Path(__file__).parent
_JARS = [Path("/usr/share/java") / name for name in ("amqp-client.jar", "slf4j-api.jar", "slf4j-nop.jar")]
_GO_SOURCES = Path("/usr/share/gocode")


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A program that runs the workload.

    Attributes:
        name: The name of the client library.
        needs: The commands that it needs.
        files: The files of the library; Debian's packages have them.
        make: Returns the command, given a folder for what it compiles. The broker and a name follow it.
        by_url: Whether it takes the broker as a URL; else as host and port.
    """

    name: str
    needs: Sequence[str]
    files: Sequence[Path]
    make: Callable[[Path], list[str]]
    by_url: bool = False

    def run(self, host: str, port: int, name: str, folder: Path) -> dict[str, int]:
        """Run the workload with queues of this name, and return what the client has counted. Skips if it is not here."""
        missing = [*filter(lambda need: shutil.which(need) is None, self.needs)]
        missing += [str(file) for file in self.files if not file.exists()]
        if missing:
            pytest.skip(f"needs the client {self.name}: {', '.join(missing)}")
        command = self.make(folder)
        broker = [f"amqp://guest:guest@{host}:{port}"] if self.by_url else [host, str(port)]
        done = run_command([*command, *broker, name], env={**os.environ, **_environment(self)})
        assert done.returncode == 0, done.stderr
        counts: dict[str, int] = json.loads(done.stdout)
        return counts


def _environment(program: ClientProgram) -> dict[str, str]:
    if "node" in program.needs:
        return {"NODE_PATH": str(installed(HERE / "node" / "package.json"))}
    return {}


def _compiled(command: Sequence[str], result: Path, env: dict[str, str] | None = None) -> list[str]:
    done = run_command(command, env={**os.environ, **(env or {})})
    assert done.returncode == 0, done.stderr
    return [str(result)]


def _go(folder: Path) -> list[str]:
    result = folder / "workload-go"
    env = {"GO111MODULE": "off", "GOPATH": str(_GO_SOURCES), "GOCACHE": str(folder / "go")}
    return _compiled(["go", "build", "-o", str(result), str(HERE / "go" / "workload.go")], result, env)


def _c(folder: Path) -> list[str]:
    result = folder / "workload-c"
    source = str(HERE / "c" / "workload.c")
    return _compiled(["cc", "-Wall", "-Werror", "-o", str(result), source, "-lrabbitmq"], result)


def _script(*command: str) -> Callable[[Path], list[str]]:
    return lambda folder: [*command[:-1], str(HERE / command[-1])]


PROGRAMS = {
    program.name: program
    for program in (
        ClientProgram("amqplib", ["node", "npm"], [], _script("node", "node/workload.js"), by_url=True),
        ClientProgram("rhea", ["node", "npm"], [], _script("node", "node/workload1.js")),
        ClientProgram(
            "php-amqplib",
            ["php"],
            [Path("/usr/share/php/PhpAmqpLib/autoload.php")],
            _script("php", "php/workload.php"),
        ),
        ClientProgram(
            "bunny",
            ["ruby"],
            [Path("/usr/share/doc/ruby-bunny")],
            _script("ruby", "ruby/workload.rb"),
            by_url=True,
        ),
        ClientProgram(
            "java-client",
            ["java"],
            _JARS,
            _script("java", "-cp", ":".join(map(str, _JARS)), "java/Workload.java"),
            by_url=True,
        ),
        ClientProgram(
            "streadway-amqp", ["go"], [_GO_SOURCES / "src/github.com/streadway/amqp"], _go, by_url=True
        ),
        ClientProgram(
            "anyevent-rabbitmq",
            ["perl"],
            [Path("/usr/share/perl5/AnyEvent/RabbitMQ.pm")],
            _script("perl", "perl/workload.pl"),
        ),
        ClientProgram("librabbitmq", ["cc"], [Path("/usr/include/amqp.h")], _c),
    )
}
