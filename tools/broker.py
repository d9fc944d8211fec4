"""Makes sure that a RabbitMQ answers for the tests: the one that runs, else one that is installed and started here.

    python tools/broker.py

The broker is looked for where AMQP_URL says, by default amqp://guest:guest@localhost:5672/. If nothing listens
at the default place, the rabbitmq-server of this system is started, as root or with ``sudo -n``; it goes on running. One
that is missing is installed if INSTALL_PACKAGES is set (tools/apt-install.sh). Its plugin for AMQP 1.0 is enabled if it is
not and the RabbitMQ is on this machine, again as root or with ``sudo -n``. Exit code 0: a broker answers, in 0-9-1 and in
1.0. 2: none, and the message says what to do.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "generated"))

import amqp_0_9_1_rabbitmq as amqp  # noqa: E402 (its folder is put on the path above)

DEFAULT_URL = "amqp://guest:guest@localhost:5672/"
DEFAULT_PORT = 5672
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
ANSWER_SECONDS = 10.0
AFTER_INSTALL_SECONDS = 15.0
START_SECONDS = 90.0
PLUGIN = "rabbitmq_amqp1_0"
HEADER_1_0 = b"AMQP\x03\x01\x00\x00"  # asks for SASL, then AMQP 1.0


class Address(NamedTuple):
    """Where a broker is, and who we are there."""

    host: str
    port: int
    user: str
    password: str

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Silent(Exception):
    """Nothing answers at the address."""


class Unfit(Exception):
    """Something answers there, but not as a broker that lets us in."""


def main() -> None:
    """Finds a broker or makes one."""
    address = read_address(os.environ.get("AMQP_URL", DEFAULT_URL))
    try:
        print(f"{log_in(address)} answers at {address}")
        enable_plugin(address)
        return
    except Unfit as error:
        stop(f"{address}: {error}", "set AMQP_URL=amqp://user:password@host:port/ to a RabbitMQ")
    except Silent as error:
        print(f"no broker at {address}: {error}")
    if address.host not in LOCAL_HOSTS or address.port != DEFAULT_PORT:
        stop("only a broker at the default place is started", "start it, or unset AMQP_URL")
    name = wait(address, AFTER_INSTALL_SECONDS) if install() else None
    if name is None:
        start()
        name = wait(address, START_SECONDS)
    if name is None:
        stop(f"RabbitMQ does not answer at {address} after {START_SECONDS:.0f} s", "see /var/log/rabbitmq")
    print(f"{name} answers at {address}; it goes on running")
    enable_plugin(address)


def read_address(url: str) -> Address:
    """The parts of an ``amqp://`` URL; what is not given is as RabbitMQ is set up by default."""
    parts = urlsplit(url)
    if parts.scheme != "amqp" or not parts.hostname:
        stop(f"AMQP_URL={url} is no URL of a broker", f"it looks like {DEFAULT_URL}")
    user, password = unquote(parts.username or "guest"), unquote(parts.password or "guest")
    return Address(parts.hostname, parts.port or DEFAULT_PORT, user, password)


def log_in(address: Address) -> str:
    """Opens a connection as far as the broker's consent to user and password.

    Returns:
        What the broker calls itself.

    Raises:
        Silent: Nothing listens there.
        Unfit: What listens is no AMQP 0-9-1 broker, or it does not let the user in.
    """
    try:
        connection = socket.create_connection((address.host, address.port), ANSWER_SECONDS)
    except OSError as error:
        raise Silent(error.strerror or str(error)) from None
    decoder = amqp.FrameDecoder()
    with connection:
        try:
            connection.sendall(amqp.PROTOCOL_HEADER)
            begin = next_method(connection, decoder, "the AMQP protocol header")
            if not isinstance(begin, amqp.methods.ConnectionStart):
                raise Unfit(f"not an AMQP broker: it begins with {begin.NAME}")
            response = f"\0{address.user}\0{address.password}".encode()
            answer = amqp.methods.ConnectionStartOk({}, "PLAIN", response, "en_US")
            connection.sendall(amqp.encode_frame(0, answer))
            tune = next_method(connection, decoder, f"user {address.user!r} and the password")
            if not isinstance(tune, amqp.methods.ConnectionTune):
                raise Unfit(f"it refuses user {address.user!r}: {tune}")
        except (OSError, amqp.CodecError) as error:
            raise Unfit(f"not an AMQP broker: {error}") from None
    told = begin.server_properties
    return f"{told.get('product', 'a broker')} {told.get('version', '')}".strip()


def next_method(connection: socket.socket, decoder: Any, question: str) -> Any:
    """The next method on a connection; Unfit if it closes instead."""
    while True:
        try:
            data = connection.recv(65536)
        except TimeoutError:
            raise Unfit(f"it says nothing for {ANSWER_SECONDS:.0f} s after {question}") from None
        except ConnectionError:
            data = b""
        if not data:
            raise Unfit(f"it closes the connection after {question}")
        for _, frame in decoder.feed(data):
            return frame


def wait(address: Address, seconds: float) -> str | None:
    """Asks again and again until a broker answers; returns what it calls itself, None after that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            return log_in(address)
        except (Silent, Unfit):  # a broker that starts may drop connections at first
            time.sleep(0.5)
    return None


def enable_plugin(address: Address) -> None:
    """Makes sure that the broker speaks AMQP 1.0 as well."""
    if speaks_1_0(address):
        return
    manual = f"rabbitmq-plugins enable {PLUGIN}"
    advice = f"where it runs, as root: {manual}"
    command = find_command("rabbitmq-plugins")
    if address.host not in LOCAL_HOSTS or command is None:
        stop(f"the broker at {address} does not speak AMQP 1.0", advice)
    as_root = root_command([command, "enable", PLUGIN])
    if as_root is None:
        stop("the broker does not speak AMQP 1.0, and only root may enable the plugin", advice)
    print(f"enabling AMQP 1.0: {manual}", flush=True)
    done = run(as_root)
    if done.returncode or not speaks_1_0(address):
        stop(f"{manual} failed: {(done.stderr or done.stdout).strip()}", advice)


def speaks_1_0(address: Address) -> bool:
    """Whether the broker answers the header of AMQP 1.0 with the same."""
    try:
        with socket.create_connection((address.host, address.port), ANSWER_SECONDS) as connection:
            connection.sendall(HEADER_1_0)
            answer = connection.recv(len(HEADER_1_0), socket.MSG_WAITALL)
    except OSError:
        return False
    return answer == HEADER_1_0


def install() -> bool:
    """Installs RabbitMQ from the system's packages if it is not there and may be; tells whether it did."""
    if find_command("rabbitmq-server"):
        return False
    if subprocess.run([ROOT / "tools" / "apt-install.sh", "rabbitmq-server"], check=False).returncode:
        stop(
            "these tests need a RabbitMQ, and none can be installed",
            "or set AMQP_URL to one that runs elsewhere",
        )
    return True


def find_command(name: str) -> str | None:
    """The path of a command; users other than root often lack /usr/sbin on their PATH."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin")))


def start() -> None:
    """Starts the system's RabbitMQ in the background."""
    command = [find_command("rabbitmq-server") or "rabbitmq-server", "-detached"]
    if Path("/run/systemd/system").is_dir():
        command = ["systemctl", "start", "rabbitmq-server"]
    as_root = root_command(command)
    if as_root is None:
        stop("RabbitMQ is not running, and only root may start it", f"as root: {' '.join(command)}")
    print(f"starting it: {' '.join(as_root)}", flush=True)
    done = run(as_root)
    if done.returncode:
        stop(f"{' '.join(as_root)} failed: {(done.stderr or done.stdout).strip()}", "see /var/log/rabbitmq")


def root_command(command: list[str]) -> list[str] | None:
    """The command for root, by ``sudo`` if we are somebody else; None if it asks for a password or is not there."""
    if not os.geteuid():
        return command
    is_there = shutil.which("sudo") is not None
    return ["sudo", "-n", *command] if is_there and not run(["sudo", "-n", "true"]).returncode else None


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def stop(message: str, hint: str) -> NoReturn:
    """Ends with an error and what to do about it."""
    sys.stdout.flush()
    print(f"error: {message}\nhint: {hint}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
