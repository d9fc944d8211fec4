"""TLS in front of a broker that speaks none, with certificates made for the test."""

from __future__ import annotations

import select
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.patience import PATIENCE

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


@dataclass(frozen=True)
class Certificates:
    """PEM files: an authority, and what it signed.

    Attributes:
        server: For localhost and 127.0.0.1, with its key.
        stranger: For another name, with its key.
        client: For our user, without its key.
    """

    authority: Path
    server: Path
    stranger: Path
    client: Path
    client_key: Path


def make_certificates(folder: Path) -> Certificates:
    """Make them with openssl; the test is skipped where it is not installed."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl")

    def run(*arguments: str) -> None:
        subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True, timeout=PATIENCE)

    def sign(name: str, *extensions: str) -> Path:
        run("req", *_KEY, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (folder / f"{name}.ext").write_text("".join(f"{line}\n" for line in extensions), encoding="ascii")
        signer = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2"]
        run("x509", "-req", "-in", f"{name}.csr", *signer, "-extfile", f"{name}.ext", "-out", f"{name}.crt")
        both = folder / f"{name}.pem"
        both.write_bytes((folder / f"{name}.crt").read_bytes() + (folder / f"{name}.key").read_bytes())
        return both

    run("req", "-x509", *_KEY, "-subj", "/CN=An authority", "-keyout", "ca.key", "-out", "ca.crt")
    server = sign("server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    stranger = sign("stranger", "subjectAltName=DNS:elsewhere.example")
    sign("client", "extendedKeyUsage=clientAuth")
    return Certificates(folder / "ca.crt", server, stranger, folder / "client.crt", folder / "client.key")


def server_context(file: Path, clients: Path | None = None) -> ssl.SSLContext:
    """Return what a server uses that has this certificate; with ``clients`` it asks for one that this signed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    if clients:
        context.load_verify_locations(clients)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


@contextmanager
def tls_front(context: ssl.SSLContext, behind: int) -> Iterator[int]:
    """Listen with TLS, and pass on what comes to another port of the loopback.

    Yields:
        The port where it listens.
    """
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listener.accept()
                threading.Thread(target=serve, args=(plain,), daemon=True).start()

    def serve(plain: socket.socket) -> None:
        with suppress(OSError):
            plain.settimeout(PATIENCE)
            with (
                context.wrap_socket(plain, server_side=True) as outside,
                socket.create_connection(("127.0.0.1", behind), PATIENCE) as inside,
            ):
                pass_on(outside, inside)

    def pass_on(outside: ssl.SSLSocket, inside: socket.socket) -> None:
        """Copy both ways until one side ends. OpenSSL does not let two threads use one connection."""
        targets: dict[socket.socket, socket.socket] = {outside: inside, inside: outside}
        while ready := [outside] if outside.pending() else select.select([*targets], [], [], PATIENCE)[0]:
            for source in ready:
                data = source.recv(1 << 16)
                if not data:
                    outside.shutdown(socket.SHUT_WR)
                    while outside.recv(
                        1 << 16
                    ):  # closed with octets unread, it would lose those on their way
                        pass
                    return
                targets[source].sendall(data)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)  # wakes up accept
        listener.close()
