"""TLS as the wrapping of a capture: client and server are Python's ``ssl``, in memory, with a key log."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amqp_traffic.capture.stream_data import Direction

from tests.patience import PATIENCE

from .wrapped_captures import Wrap

CLIENT, SERVER = Direction
NAME = "broker.example"
_KEYS = {
    "ec": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
    "rsa": ("-newkey", "rsa:2048"),
}


@cache
def certificate(kind: str) -> str:
    """Certificate and key of a server, as PEM; the test is skipped where openssl is not installed."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl")
    with TemporaryDirectory() as folder:
        command = [program, "req", "-x509", *_KEYS[kind], "-nodes", "-subj", f"/CN={NAME}", "-days", "2"]
        command += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", "key.pem", "-out", "certificate.pem"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE)
        return "".join(Path(folder, name).read_text() for name in ("key.pem", "certificate.pem"))


def make_context(protocol: int, version: str, ciphers: str) -> ssl.SSLContext:
    """What one side uses: one version, and some ciphers of 1.2."""
    context = ssl.SSLContext(protocol)
    context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
    if ciphers:
        context.set_ciphers(ciphers)
    return context


def server_context(version: str, ciphers: str, key: str = "ec") -> ssl.SSLContext:
    """What the server uses."""
    context = make_context(ssl.PROTOCOL_TLS_SERVER, version, ciphers)
    with TemporaryDirectory() as folder:
        file = Path(folder, "server.pem")
        file.write_text(certificate(key))
        context.load_cert_chain(file)
    return context


@dataclass
class TlsSessions:
    """Connections with TLS, all of one kind.

    Attributes:
        key_log: The file to which the clients write their secrets.
        version: The version, for example ``TLSv1_2``.
        ciphers: As OpenSSL names them, for TLS 1.2.
        key: The kind of the key of the server.
        resumes: Whether sessions are resumed after the first.
        most: The most octets that are written at once.
    """

    key_log: Path
    version: str = "TLSv1_3"
    ciphers: str = ""
    key: str = "ec"
    resumes: bool = False
    most: int = 1 << 20
    resumed: int = 0
    _contexts: list[ssl.SSLContext] = field(default_factory=list)
    _session: ssl.SSLSession | None = None

    def __post_init__(self) -> None:
        client = make_context(ssl.PROTOCOL_TLS_CLIENT, self.version, self.ciphers)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        client.keylog_filename = str(self.key_log)
        self._contexts = [client, server_context(self.version, self.ciphers, self.key)]

    def wrap(self) -> Wrap:
        """Return the wrapping of a new connection."""
        client, server = self._contexts
        given, written = [[ssl.MemoryBIO(), ssl.MemoryBIO()] for _ in range(2)]  # by direction of the side
        ends = (
            client.wrap_bio(given[CLIENT], written[CLIENT], server_hostname=NAME, session=self._session),
            server.wrap_bio(given[SERVER], written[SERVER], server_side=True),
        )
        is_open = False

        def shake_hands() -> list[tuple[Direction, bytes]]:
            sent: list[tuple[Direction, bytes]] = []
            done = [False, False]
            while not all(done):
                for direction in Direction:
                    try:
                        ends[direction].do_handshake()
                        done[direction] = True
                    except ssl.SSLWantReadError:
                        pass
                    sent += taken(direction)
            with suppress(ssl.SSLWantReadError):
                ends[CLIENT].read(1)  # tickets
            self._session = ends[CLIENT].session if self.resumes else None
            self.resumed += bool(ends[CLIENT].session_reused)
            return sent

        def taken(direction: Direction) -> list[tuple[Direction, bytes]]:
            """What a side has written: the other side gets it, too."""
            octets = written[direction].read()
            given[1 - direction].write(octets)
            return [(direction, octets)] if octets else []

        def wrap(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
            nonlocal is_open
            sent = [] if is_open else shake_hands()
            is_open = True
            for at in range(0, len(data), self.most):
                part = data[at : at + self.most]
                ends[direction].write(part)
                sent += taken(direction)
                got = b""
                while len(got) < len(part):
                    got += ends[1 - direction].read(len(part))
                assert got == part
            return sent

        return wrap
