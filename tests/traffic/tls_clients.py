"""Clients with TLS of other makers, each of which sends what comes on its standard input; the server is Python's ``ssl``.

The server reads and writes the octets of the socket itself, so there are the packets in their order, without a capture.
"""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from amqp_traffic.capture.stream_data import Direction

from tests.patience import PATIENCE

from .tls_sessions import NAME, server_context
from .wrapped_captures import Wrap

CLIENT, SERVER = Direction

_PYTHON = """
import socket, ssl, sys, threading
port, keys, version = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.minimum_version = context.maximum_version = ssl.TLSVersion["TLSv1_" + version[2:]]
context.set_ciphers("DEFAULT")
context.keylog_filename = keys
with context.wrap_socket(socket.create_connection(("127.0.0.1", int(port))), server_hostname="broker.example") as peer:
    while data := sys.stdin.buffer.read1(65536):
        peer.sendall(data)
"""
_NODE = """
const [port, version] = process.argv.slice(1);
const peer = require("tls").connect({port: +port, host: "127.0.0.1", servername: "broker.example", rejectUnauthorized: false,
  minVersion: "TLSv" + version, maxVersion: "TLSv" + version}, () => process.stdin.pipe(peer));
peer.on("error", () => process.exit(1));
peer.resume();
"""
_GO = """
package main

import (
	"crypto/tls"
	"io"
	"os"
)

func main() {
	keys, err := os.OpenFile(os.Args[2], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0600)
	if err != nil {
		panic(err)
	}
	version := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}[os.Args[3]]
	peer, err := tls.Dial("tcp", "127.0.0.1:"+os.Args[1], &tls.Config{ServerName: "broker.example",
		InsecureSkipVerify: true, KeyLogWriter: keys, MinVersion: version, MaxVersion: version})
	if err != nil {
		panic(err)
	}
	go io.Copy(io.Discard, peer)
	io.Copy(peer, os.Stdin)
}
"""


def needed(name: str) -> str:
    """The path of a program; the test is skipped where it is not installed."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"needs {name}")
    return program


def python_client(folder: Path, port: int, keys: Path, version: str) -> list[str]:
    return [sys.executable, "-c", _PYTHON, str(port), str(keys), version]


def node_client(folder: Path, port: int, keys: Path, version: str) -> list[str]:
    return [needed("node"), f"--tls-keylog={keys}", "-e", _NODE, str(port), version]


def go_client(folder: Path, port: int, keys: Path, version: str) -> list[str]:
    program = folder / "client"
    if not program.exists():
        source = folder / "client.go"
        source.write_text(_GO)
        here = {name: str(folder / name) for name in ("GOCACHE", "GOPATH")}
        command = [needed("go"), "build", "-o", str(program), str(source)]
        subprocess.run(command, check=True, env={**os.environ, **here}, timeout=PATIENCE)
    return [str(program), str(port), str(keys), version]


def gnutls_client(folder: Path, port: int, keys: Path, version: str) -> list[str]:
    priority = f"NORMAL:-VERS-ALL:+VERS-TLS{version}"
    command = [needed("gnutls-cli"), "--no-ca-verification", "--sni-hostname", NAME, "--priority", priority]
    return ["env", f"SSLKEYLOGFILE={keys}", *command, "--port", str(port), "127.0.0.1"]


def openssl_client(folder: Path, port: int, keys: Path, version: str) -> list[str]:
    command = [needed("openssl"), "s_client", "-quiet", "-keylogfile", str(keys), "-servername", NAME]
    return [*command, f"-tls{version.replace('.', '_')}", "-connect", f"127.0.0.1:{port}"]


CLIENTS: dict[str, Callable[[Path, int, Path, str], list[str]]] = {
    "Python": python_client,
    "node": node_client,
    "Go": go_client,
    "GnuTLS": gnutls_client,
    "OpenSSL": openssl_client,
}


class TlsFront:
    """A server with TLS, and one client program for each connection."""

    def __init__(self, context: ssl.SSLContext, command: Callable[[int], list[str]]) -> None:
        """Take what the server uses, and what starts a client."""
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self._command = command
        self._programs: list[subprocess.Popen[bytes]] = []
        self._sockets: list[socket.socket] = []

    def close(self) -> None:
        """End the clients."""
        for peer in (*self._sockets, self._listener):
            peer.close()
        for program in self._programs:
            program.kill()
            program.communicate()

    def wrap(self) -> Wrap:
        """Return the wrapping of a new connection."""
        command = self._command(self._listener.getsockname()[1])
        program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._programs.append(program)
        peer, _ = self._listener.accept()
        peer.settimeout(PATIENCE)
        self._sockets.append(peer)
        given, written = ssl.MemoryBIO(), ssl.MemoryBIO()
        server = self._context.wrap_bio(given, written, server_side=True)
        sent: list[tuple[Direction, bytes]] = []
        is_open = False

        def flush() -> None:
            if octets := written.read():
                sent.append((SERVER, octets))
                peer.sendall(octets)

        def patiently(act: Callable[[], bytes | None]) -> bytes | None:
            while True:
                try:
                    done = act()
                except ssl.SSLWantReadError:
                    flush()
                    octets = peer.recv(1 << 16)
                    assert octets, "the client has closed the connection"
                    sent.append((CLIENT, octets))
                    given.write(octets)
                else:
                    flush()
                    return done

        def wrap(direction: Direction, data: bytes) -> list[tuple[Direction, bytes]]:
            nonlocal is_open
            if not is_open:
                patiently(server.do_handshake)
            is_open = True
            if direction is SERVER:
                server.write(data)
                flush()
            else:
                assert program.stdin is not None
                program.stdin.write(data)
                program.stdin.flush()
                got = b""
                while len(got) < len(data):
                    got += patiently(lambda: server.read(1 << 16)) or b""
                assert got == data
            taken = sent[:]
            sent.clear()
            return taken

        return wrap


@contextmanager
def front(client: str, folder: Path, keys: Path, version: str, ciphers: str = "") -> Iterator[TlsFront]:
    """A front for connections of these clients, which write a key log."""
    context = server_context(f"TLSv{version.replace('.', '_')}", ciphers)
    opened = TlsFront(context, lambda port: CLIENTS[client](folder, port, keys, version))
    try:
        yield opened
    finally:
        opened.close()
