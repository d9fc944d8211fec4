"""A relay between clients and the broker that records their connections as a capture, for which nobody needs privileges."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

from amqp_traffic.synth.capture_writer import ethernet

from tests.broker.client import Address
from tests.traffic.capture_builder import ACK, FIN, Captured, Conversation, pcap

# The link type of a capture, and the port of the broker in it.
_LINK = ethernet()(4, "<")
_SERVER = ("10.0.0.2", 5672)
_CLIENT = "10.0.0.1"
FIRST_PORT = 40_000  # of the first connection in the capture; each has the next one
_SEGMENT = 1400


class _RecordedConnection:
    """A connection of a client, and the one to the broker that belongs to it; each side is read by a thread."""

    def __init__(
        self, port: int, client: socket.socket, broker: socket.socket, packets: list[Captured]
    ) -> None:
        self._sockets = (client, broker)
        self._packets = packets
        self._talk = Conversation((_CLIENT, port), _SERVER)
        self._lock = threading.Lock()
        self._talk.open()
        self._record()
        self._threads = [threading.Thread(target=self._pass_on, args=(side,), daemon=True) for side in (0, 1)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def _record(self) -> None:
        """Take what was said last into the capture."""
        now = time.time_ns()
        self._packets += [Captured(_LINK + packet.octets(), now) for packet in self._talk.packets]
        self._talk.packets.clear()

    def _pass_on(self, side: int) -> None:
        """Record what a side says before the other side gets it, so that no answer comes before its request."""
        source, target = self._sockets[side], self._sockets[1 - side]
        with suppress(OSError):  # one of the sides has gone
            while octets := source.recv(1 << 16):
                with self._lock:
                    self._talk.send(side, octets, _SEGMENT, ack=False)
                    self._record()
                target.sendall(octets)
        with self._lock:
            self._talk.packet(side, flags=FIN | ACK)
            self._record()
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in self._sockets:
            end.close()


class Recorder:
    """Listens on a port of its own, for one client after the other.

    Attributes:
        address: The address that takes the place of the broker's.
        count: How many connections there were so far.
    """

    def __init__(self, broker: Address) -> None:
        self._broker = broker
        self._packets: list[Captured] = []
        self._connections: list[_RecordedConnection] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        host, port = self._listener.getsockname()
        self.address = broker._replace(host=host, port=port)
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    @property
    def count(self) -> int:
        return len(self._connections)

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                client, _ = self._listener.accept()
                broker = socket.create_connection(self._broker[:2])
                for end in (client, broker):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                port = FIRST_PORT + self.count
                self._connections.append(_RecordedConnection(port, client, broker, self._packets))
                self._connections[-1].start()  # it counts before its client can have an answer

    def stop(self) -> bytes:
        """Stop listening, and return the capture."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes up accept
        self._listener.close()
        self._acceptor.join()
        for connection in self._connections:
            connection.close()
        return pcap(self._packets)
