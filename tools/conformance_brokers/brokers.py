"""The brokers that can be brought up here, each with files, ports and a password of its own, on the loopback."""

from __future__ import annotations

import hashlib
import secrets
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ..debian_folder import NotHere, confined, ends_with_us, unpack
from .activemq import activemq_system, java_command

ROOT = Path(__file__).resolve().parents[2]
USER = "guest"
_NODE = "conformance@localhost"
# For each link of 1.0, RabbitMQ 3.10 opens a channel inside the broker and closes it at once. If another scheduler runs in
# between, it may take that for a failure and end the session with internal-error 541, noproc.
_ONE_SCHEDULER = "+S 1:1"


@dataclass(frozen=True)
class Start:
    """What starts a broker.

    Attributes:
        command: Is run with ``environment`` added, and ends when it gets SIGTERM.
        port: Where the broker will listen.
        password: Of our user there; empty if it asks for none.
        data: Is emptied before the first start; a restart finds it as it was.
        stop_seconds: How long it may take to end by itself.
    """

    command: Sequence[str]
    port: int
    password: str = ""
    data: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_seconds: float = 30.0


@dataclass(frozen=True)
class Broker:
    """A broker that we know how to get.

    Attributes:
        specs: Those that it claims to speak.
        prepare: Takes a folder and gets all that is needed into it.
        options: For the command that runs the conformance.
        tests: Folders and files of tests that run on it, too.
    """

    name: str
    specs: Sequence[str]
    prepare: Callable[[Path], Start]
    options: Sequence[str] = ()
    tests: Sequence[str] = ()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _prepare_rabbitmq(release: str, folder: Path) -> Start:
    system = unpack(release, ["rabbitmq-server"], folder)
    (server,) = system.glob("usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server")
    data, password, port = system / "data", secrets.token_urlsafe(12), free_port()
    (system / "etc/rabbitmq.conf").write_text(
        f"listeners.tcp.1 = 127.0.0.1:{port}\ndefault_user = {USER}\ndefault_pass = {password}\n",
        encoding="ascii",
    )
    (system / "etc/rabbitmq.plugins").write_text("[rabbitmq_amqp1_0].\n", encoding="ascii")
    environment = {
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(free_port()),
        "HOME": "/data",
        "LANG": "C.UTF-8",
        "RABBITMQ_CONFIG_FILE": "/etc/rabbitmq.conf",
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_ENABLED_PLUGINS_FILE": "/etc/rabbitmq.plugins",
        "RABBITMQ_LOG_BASE": "/data/log",
        "RABBITMQ_MNESIA_BASE": "/data/mnesia",
        "RABBITMQ_NODENAME": _NODE,
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": f"-kernel inet_dist_use_interface {{127,0,0,1}} {_ONE_SCHEDULER}",
    }
    program = [f"/{server.relative_to(system)}"]
    return Start(confined(system, program, environment), port, password, data)


def _prepare_garagemq(folder: Path) -> Start:
    system = unpack("bookworm", ["garagemq"], folder)
    data, password, port = system / "data", secrets.token_urlsafe(12), free_port()
    digest = hashlib.md5(password.encode()).hexdigest()  # the form in which it wants passwords
    (system / "etc/garagemq.yaml").write_text(
        f"""
proto: amqp-rabbit
users: [{{username: {USER}, password: {digest}}}]
tcp: {{ip: 127.0.0.1, port: {port}, nodelay: true, readBufSize: 196608, writeBufSize: 196608}}
admin: {{ip: 127.0.0.1, port: {free_port()}}}
queue: {{shardSize: 8192, maxMessagesInRam: 131072}}
db: {{defaultPath: /data/db, engine: badger}}
vhost: {{defaultPath: /}}
security: {{passwordCheck: md5}}
connection: {{channelsMax: 4096, frameMaxSize: 65536}}
""",
        encoding="ascii",
    )
    program = ["/usr/bin/garagemq", "--config", "/etc/garagemq.yaml"]
    return Start(confined(system, program, {"HOME": "/data"}), port, password, data, stop_seconds=3.0)


def _prepare_activemq(folder: Path) -> Start:
    system, port = activemq_system(folder), free_port()
    broker = f"broker:(amqp://127.0.0.1:{port})?useJmx=false&dataDirectory=/data"
    shell = "org.apache.activemq.console.command.ShellCommand"
    password = secrets.token_urlsafe(12)  # it takes any that is not empty
    return Start(java_command(system, "java", shell, "start", broker), port, password, system / "data")


def _prepare_proton(folder: Path) -> Start:
    try:
        import proton  # noqa: F401
    except ImportError:
        raise NotHere("python-qpid-proton is not installed: it needs a C compiler") from None
    port = free_port()
    program = [sys.executable, "-m", "tests.live_runner.amqp1.proton_broker", str(port)]
    return Start(ends_with_us(program), port)


_OF_RABBITMQ = ("0-9-1", "0-9-1-rabbitmq", "1.0")
# What a client needs of 4.x, the examples, and the connection engine.
_TESTS_OF_RABBITMQ = (
    *("tests/rabbitmq_4", "tests/examples"),
    *("tests/broker/test_connection.py", "tests/broker/test_connection_ends.py"),
)


def _rabbitmq(name: str, specs: Sequence[str], release: str) -> Broker:
    return Broker(name, specs, partial(_prepare_rabbitmq, release), tests=_TESTS_OF_RABBITMQ)


BROKERS = (
    _rabbitmq("rabbitmq-3", ("0-8", *_OF_RABBITMQ), "bookworm"),
    _rabbitmq("rabbitmq-4", _OF_RABBITMQ, "trixie"),
    _rabbitmq("rabbitmq-4.3", _OF_RABBITMQ, "sid"),
    # It answers at once or, after some rules, on no connection any more: one rule at a time shows which rules these are.
    Broker("garagemq", ("0-9-1",), _prepare_garagemq, ("--workers", "1", "--timeout", "1")),
    # It answers much with silence, which is waited for: many rules at once, and not for long.
    Broker("activemq", ("1.0",), _prepare_activemq, ("--workers", "32", "--timeout", "2")),
    Broker("qpid-proton", ("1.0",), _prepare_proton),
)
