"""A socket to the broker on which every wait has an end."""

from __future__ import annotations

import socket
import time

_PIECE = 1 << 16


class Link:
    """Sends and receives octets; that the broker closed the socket is found out by reading, never by sending.

    So what the broker said before it closed the socket is not missed by somebody who was just about to send.
    """

    def __init__(self, host: str, port: int, seconds: float) -> None:
        self._socket = socket.create_connection((host, port), seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, octets: bytes, until: float) -> None:
        """Sends octets, unless the broker has closed the socket.

        Args:
            octets: What to send.
            until: When to give up, on the monotonic clock.

        Raises:
            TimeoutError: The broker does not take them.
        """
        try:
            self._socket.settimeout(_left(until))
            self._socket.sendall(octets)
        except TimeoutError:
            raise
        except OSError:  # reset, broken pipe or closed by us: reading will tell
            return

    def receive(self, until: float) -> bytes:
        """What the broker sent, at least one octet; nothing when it has closed or reset the socket.

        Args:
            until: When to give up, on the monotonic clock.

        Raises:
            TimeoutError: Nothing came.
        """
        try:
            self._socket.settimeout(_left(until))
            return self._socket.recv(_PIECE)
        except TimeoutError:
            raise
        except OSError:
            return b""

    def shut(self) -> None:
        """Wakes up a thread that waits here; it finds the socket closed."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()


def _left(until: float) -> float:
    """The seconds until then; TimeoutError when there are none, so that a broker that never stops is cut short."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds
