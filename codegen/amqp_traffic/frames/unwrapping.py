"""The wrappers around the frames of a connection, one in another: the outermost first."""

from __future__ import annotations

from collections.abc import Iterator

from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..capture.stream_data import Direction, StreamPiece
from ..streams.proxy_protocol import ProxyWrapper, may_be_proxy_header, read_proxy_header
from ..streams.tls.hellos import TlsFacts
from ..streams.tls.key_log import KeyLog
from ..streams.tls.wrapper import TlsWrapper, is_known_tls, may_be_known_tls
from ..streams.websocket import WebSocketWrapper, is_websocket, may_be_websocket
from ..streams.wrappers import Place, Wrapper


class Unwrapping:
    """The wrappers of a connection.

    Attributes:
        wrappers: They, the outermost first.
    """

    def __init__(self, number: int, quarantine: Quarantine, key_log: KeyLog) -> None:
        """Take the number of the connection, what collects octets that cannot be read, and keys of TLS."""
        self.wrappers: list[Wrapper] = []
        self._key_log = key_log
        self._number = number
        self._quarantine = quarantine

    @property
    def client(self) -> tuple[str, int] | None:
        """Address and port of the client, where a proxy tells them."""
        told = [wrapper.client for wrapper in self.wrappers if isinstance(wrapper, ProxyWrapper)]
        return told[0] if told else None

    @property
    def transport(self) -> str:
        """What is between TCP and AMQP, from the outermost on, for example ``tls, websocket``; not a PROXY header."""
        return ", ".join(wrapper.name for wrapper in self.wrappers if not isinstance(wrapper, ProxyWrapper))

    @property
    def tls(self) -> TlsFacts | None:
        """What the hellos of the outermost TLS say; None if there is none."""
        told = [wrapper.facts for wrapper in self.wrappers if isinstance(wrapper, TlsWrapper)]
        return told[0] if told else None

    @property
    def hides_all(self) -> bool:
        """Whether nothing of the octets in TLS was read."""
        last = self.wrappers[-1] if self.wrappers else None
        return isinstance(last, TlsWrapper) and any(side.skipped and not side.length for side in last.inner)

    def may_be_wrapped(self, head: bytes) -> bool:
        """Return whether a stream begins with the beginning of a wrapper, so that more octets have to tell."""
        if not head:
            return False
        return may_be_proxy_header(head) or may_be_websocket(head) or may_be_known_tls(head, self._key_log)

    def add(self, direction: Direction, head: bytes) -> bool:
        """Add the wrapper that a stream begins with; return False if it begins with none."""
        wrapper = self._recognise(direction, head)
        if wrapper is None:
            return False
        self.wrappers.append(wrapper)
        return True

    def unwrap(
        self, depth: int, direction: Direction, piece: StreamPiece
    ) -> Iterator[tuple[int, Direction, StreamPiece]]:
        """Take a piece for the wrapper at a depth; return the depth of what is within, and its pieces."""
        for side, inner in self.wrappers[depth].unwrap(direction, piece):
            yield depth + 1, side, inner

    def finish(self) -> Iterator[tuple[int, Direction, StreamPiece]]:
        """End all; return the depth of the last pieces, and the pieces."""
        for depth, wrapper in enumerate(self.wrappers, 1):
            for side, inner in wrapper.finish():
                yield depth, side, inner

    def length(self, direction: Direction, outer: int) -> int:
        """Return the length of the innermost stream; ``outer`` is that of the outermost."""
        return self.wrappers[-1].inner[direction].length if self.wrappers else outer

    def complete(self, ledger: FramingLedger, direction: Direction, wire: int, place: Place | None) -> None:
        """Count what is around and what is unreadable in the ledger of the innermost stream.

        With a place, that of an error after which nothing was unwrapped, what is not accounted for is left out.

        Raises:
            LedgerError: The octets do not sum up to ``wire``: a fault of this program.
        """
        if place is not None and self.wrappers:
            outermost = self.wrappers[0].inner[direction]
            outermost.skip(wire - self._accounted(direction), Reason.DECODE_ERROR, place)
        ledger.wire = wire
        for wrapper in self.wrappers:
            ledger.wrapped += wrapper.inner[direction].wrapped
            ledger.skipped += wrapper.inner[direction].skipped
        ledger.check(f"connection {self._number}, {direction.name}")

    def _accounted(self, direction: Direction) -> int:
        around = sum(
            wrapper.inner[direction].wrapped + wrapper.inner[direction].skipped for wrapper in self.wrappers
        )
        return around + self.length(direction, 0)

    def _leave_out(
        self, direction: Direction, reason: Reason, offset: int, octets: int, place: Place, detail: str
    ) -> None:
        item = Quarantined(reason, octets, *place, self._number, direction, offset, detail)
        self._quarantine.add(item)

    def _recognise(self, direction: Direction, head: bytes) -> Wrapper | None:
        if is_websocket(head):
            return WebSocketWrapper(self._leave_out)
        if direction is Direction.client_to_server and is_known_tls(head, self._key_log):
            return TlsWrapper(head, self._key_log, self._leave_out)
        try:
            header = read_proxy_header(head)
        except ValueError:
            return None
        return None if header is None else ProxyWrapper(header, self._leave_out)
