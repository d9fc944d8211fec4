"""A server that speaks TLS, as a broker does at port 5671; it sends back what it gets."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from tests.patience import PATIENCE

from .other_stories import TLS_NAME


def certificate(folder: Path) -> Path:
    """A file with a new certificate and its key; the test is skipped where openssl is not installed."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs openssl")
    file = folder / "server.pem"
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-subj", f"/CN={TLS_NAME}", "-addext", f"subjectAltName=DNS:{TLS_NAME}", "-days", "2"]
    subprocess.run(
        [*command, "-keyout", str(file), "-out", f"{file}.crt"],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    file.write_bytes(file.read_bytes() + Path(f"{file}.crt").read_bytes())
    return file


def tls_echo(port: int, folder: Path) -> None:
    """A client sends an AMQP header through TLS to that port, and gets it back."""
    file = certificate(folder)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    client = ssl.create_default_context(cafile=f"{file}.crt")

    def serve(listener: socket.socket) -> None:
        plain, _ = listener.accept()
        with server.wrap_socket(plain, server_side=True) as connection:
            connection.sendall(connection.recv(100))
            connection.recv(1)

    with socket.create_server(("127.0.0.1", port)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        with (
            socket.create_connection(("127.0.0.1", port), PATIENCE) as plain,
            client.wrap_socket(plain, server_hostname=TLS_NAME) as connection,
        ):
            connection.sendall(b"AMQP\x00\x00\x09\x01")
            assert connection.recv(100) == b"AMQP\x00\x00\x09\x01"
        thread.join(PATIENCE)
