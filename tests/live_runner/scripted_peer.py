"""A peer on loopback that plays its part up to some point of a connection, and then does one thing, whatever comes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

# How many octets to take from the client, or how to find that out from the first ones; then what to answer.
Step = tuple[Callable[[socket.socket], None], bytes]
# How long nothing comes behind a probe; much longer than the drivers wait before they send it.
ANSWER_SECONDS = 0.4


def take(count: int) -> Callable[[socket.socket], None]:
    def read(stream: socket.socket) -> None:
        stream.recv(count, socket.MSG_WAITALL)

    return read


def take_frame(head: int, size_at: int, overhead: int) -> Callable[[socket.socket], None]:
    """Reads one whole frame: ``overhead`` is what its size does not count, its head of that many octets included."""

    def read(stream: socket.socket) -> None:
        octets = stream.recv(head, socket.MSG_WAITALL)
        size = int.from_bytes(octets[size_at : size_at + 4], "big")
        stream.recv(size + overhead - head, socket.MSG_WAITALL)

    return read


def keep_silent(stream: socket.socket) -> None:
    while stream.recv(1 << 16):
        pass


def hang_up(stream: socket.socket) -> None:
    stream.shutdown(socket.SHUT_RDWR)


def say(octets: bytes) -> Callable[[socket.socket], None]:
    """Says something at once, and then reads on."""

    def act(stream: socket.socket) -> None:
        stream.sendall(octets)
        keep_silent(stream)

    return act


def say_and_hang_up(octets: bytes) -> Callable[[socket.socket], None]:
    def act(stream: socket.socket) -> None:
        stream.sendall(octets)
        hang_up(stream)

    return act


def say_later(octets: bytes) -> Callable[[socket.socket], None]:
    """Says something as if it answered the probe: when nothing has come for a while."""

    def act(stream: socket.socket) -> None:
        stream.settimeout(ANSWER_SECONDS)
        with suppress(TimeoutError):
            keep_silent(stream)
        stream.settimeout(None)
        say(octets)(stream)

    return act


@contextmanager
def scripted_peer(
    steps: Sequence[Step], act: Callable[[socket.socket], None], *, waits: bool = True
) -> Iterator[str]:
    """The URL of a peer that takes each step, waits for more octets unless told otherwise, and acts."""

    def serve(stream: socket.socket) -> None:
        with stream, suppress(OSError):
            for read, answer in steps:
                read(stream)
                stream.sendall(answer)
            if not waits:
                time.sleep(ANSWER_SECONDS)
            if not waits or stream.recv(1):
                act(stream)

    def listen() -> None:
        with suppress(OSError):
            while True:
                stream, _ = server.accept()
                threading.Thread(target=serve, args=(stream,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=listen, daemon=True).start()
        yield f"amqp://guest:secret@127.0.0.1:{server.getsockname()[1]}/"
        server.shutdown(socket.SHUT_RDWR)
