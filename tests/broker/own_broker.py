"""A RabbitMQ of the test's own, that may be restarted: all its files are in one folder, its ports are free ones."""

from __future__ import annotations

import glob
import os
import shlex
import shutil
import signal
import socket
import time
from pathlib import Path

from tests.commands import run_command
from tests.patience import PATIENCE

# The scripts themselves: what is on PATH may insist on the system's user and folders.
SCRIPTS = "/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin"


def find_scripts() -> Path | None:
    """The folder of rabbitmq-server and rabbitmqctl; None where RabbitMQ is not installed."""
    folders = sorted(glob.glob(SCRIPTS))
    if folders:
        return Path(folders[-1])
    server = shutil.which("rabbitmq-server")
    return Path(server).parent if server else None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class OwnBroker:
    """A node of its own.

    Attributes:
        url: Where it listens.
        restart_command: What stops it and starts it again.
    """

    def __init__(self, scripts: Path, folder: Path, configuration: str = "") -> None:
        self._scripts = scripts
        self._port = free_port()
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}/"
        self._settings = {
            "HOME": str(folder),  # its Erlang cookie
            "RABBITMQ_NODENAME": f"amqp-codegen-{self._port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "none.env"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        }
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in self._settings.items())
        control, server = (shlex.quote(str(scripts / name)) for name in ("rabbitmqctl", "rabbitmq-server"))
        # It may be dead already; then only the second command has something to do.
        self.restart_command = f"export {settings}; {control} shutdown; {server} -detached"
        (folder / "rabbitmq.conf").write_text(configuration, encoding="ascii")
        (folder / "plugins").write_text("[rabbitmq_amqp1_0].\n", encoding="ascii")

    def start(self) -> None:
        self._run("rabbitmq-server", "-detached")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self._port), PATIENCE).close()
                return
            except OSError:
                time.sleep(0.5)
        raise TimeoutError(f"no RabbitMQ at {self.url} after {PATIENCE} s")

    def stop(self) -> None:
        self._run("rabbitmqctl", "shutdown")

    def kill(self) -> None:
        """Ends it without giving it a chance to say or to save anything."""
        os.kill(int(self._run("rabbitmqctl", "--quiet", "eval", "os:getpid().").strip('"\n')), signal.SIGKILL)

    def add_virtual_host(self, name: str) -> None:
        self._run("rabbitmqctl", "add_vhost", name)
        self._run("rabbitmqctl", "set_permissions", "-p", name, "guest", ".*", ".*", ".*")

    def names(self, kind: str) -> set[str]:
        """The names of all ``queues`` or ``exchanges`` in the virtual host ``/``."""
        listing = self._run("rabbitmqctl", "--quiet", f"list_{kind}", "name", "--no-table-headers")
        return set(listing.splitlines())

    def _run(self, script: str, *arguments: str) -> str:
        done = run_command([str(self._scripts / script), *arguments], env={**os.environ, **self._settings})
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
