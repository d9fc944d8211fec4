"""A small AMQP 1.0 peer for tests: ``amqp_1_0``, a socket, and the wish to see every frame.

``Peer`` plays either role: it opens connections, sessions and links, or answers those of the other side. Nothing
runs in the background; whoever waits for something reads.
"""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import amqp_1_0 as amqp
from amqp_1_0.messaging import Source, Target
from amqp_1_0.performatives import (
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Error,
    Flow,
    Open,
    Role,
    SenderSettleMode,
    Transfer,
)
from amqp_1_0.sasl import SaslCode, SaslInit, SaslMechanisms, SaslOutcome

from tests.patience import PATIENCE

from .link import Link

URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
WINDOW = 100_000

Kind = TypeVar("Kind")


class Address(NamedTuple):
    """Where the peer is and who we are there."""

    host: str
    port: int
    user: str
    password: str


def address(url: str = URL) -> Address:
    parts = urlsplit(url)
    return Address(
        parts.hostname or "localhost",
        parts.port or amqp.constants.PORT,
        unquote(parts.username or "guest"),
        unquote(parts.password or "guest"),
    )


class Disconnected(Exception):
    """The other side closed the socket."""


class Ended(Exception):
    """The other side ended the connection, the session or the link when something else was due.

    Attributes:
        performative: With which it did.
        error: Its reason, None when it gave none.
    """

    def __init__(self, performative: Close | End | Detach) -> None:
        super().__init__(performative)
        self.performative = performative
        self.error = performative.error


class Refused(Exception):
    """The login failed; the argument is the outcome."""


class Peer:
    """One end of a connection, driven step by step.

    Attributes:
        inbox: Channel and performative of what came in and nobody took yet; flows, transfers and dispositions
            go to their sessions and links at once.
        empty_frames: How many of them came.
        frame_size: The largest frame the other side accepts.
        remote: The other side's open.
        sessions: By the channel on which the other side sends.
    """

    def __init__(self, stream: socket.socket, timeout: float = PATIENCE) -> None:
        self.stream = stream
        self.timeout = timeout
        self.stream.settimeout(timeout)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.decoder = amqp.FrameDecoder()
        self.assembler = amqp.TransferAssembler()
        self.inbox: deque[tuple[int, Any]] = deque()
        self.empty_frames = 0
        self.frame_size = amqp.constants.MIN_MAX_FRAME_SIZE
        self.remote: Open | None = None
        self.sessions: dict[int, Session] = {}
        self.early_flows: list[tuple[int, Flow]] = []

    @classmethod
    def dial(cls, host: str, port: int) -> Peer:
        return cls(socket.create_connection((host, port), PATIENCE))

    # --- octets ---

    def send_octets(self, data: bytes) -> None:
        try:
            self.stream.sendall(data)
        except ConnectionError as error:
            raise Disconnected(str(error)) from None

    def receive_octets(self, most: int = 1 << 18) -> bytes:
        try:
            data = self.stream.recv(most)
        except ConnectionError as error:
            raise Disconnected(str(error)) from None
        if not data:
            raise Disconnected("end of stream")
        return data

    def receive_exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += self.receive_octets(count - len(data))
        return data

    # --- frames ---

    def send(self, performative: Any, channel: int = 0) -> None:
        self.send_octets(amqp.encode_frame(channel, performative, max_frame_size=self.frame_size))

    def pump(self, seconds: float) -> None:
        """Takes in what comes during that time; TimeoutError is not raised."""
        deadline = time.monotonic() + seconds
        try:
            while (left := deadline - time.monotonic()) > 0:
                self.stream.settimeout(left)
                self._feed(self.receive_octets())
        except TimeoutError:
            pass
        finally:
            self.stream.settimeout(self.timeout)

    def wait(self, condition: Callable[[], Any], what: str) -> Any:
        """Reads until the condition gives something true, which is returned."""
        deadline = time.monotonic() + self.timeout
        while not (result := condition()):
            for _, item in self.inbox:
                if isinstance(item, (Close, End, Detach)):
                    raise Ended(item)
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"{what} was due; waiting: {list(self.inbox)}")
            self.stream.settimeout(left)
            try:
                self._feed(self.receive_octets())
            except TimeoutError:
                raise TimeoutError(f"{what} was due; waiting: {list(self.inbox)}") from None
            finally:
                self.stream.settimeout(self.timeout)
        return result

    def expect(self, kind: type[Kind]) -> Kind:
        """The next performative of that kind; Ended if it cannot come any more."""
        return self.expect_on(kind)[1]

    def expect_on(self, kind: type[Kind]) -> tuple[int, Kind]:
        """The next performative of that kind and its channel."""

        def first() -> Any:
            return next((pair for pair in self.inbox if isinstance(pair[1], kind)), None)

        pair = self.wait(first, kind.__name__)
        self.inbox.remove(pair)
        return pair

    def _feed(self, data: bytes) -> None:
        for channel, performative, payload in self.decoder.feed(data):
            assert payload == b"" or isinstance(performative, Transfer), performative
            session = self.sessions.get(channel)
            if performative is None:
                self.empty_frames += 1
            elif isinstance(performative, Flow):
                if session:
                    session.on_flow(performative)
                else:
                    self.early_flows.append((channel, performative))
            elif isinstance(performative, Transfer):
                assert session, "a transfer outside of any session"
                session.next_incoming_id += 1
                session.links[performative.handle].transfers.append((performative, payload))
                delivery = self.assembler.add(performative, payload, channel)
                if delivery:
                    session.links[performative.handle].deliveries.append(delivery)
            elif isinstance(performative, Disposition):
                assert session, "a disposition outside of any session"
                last = performative.first if performative.last is None else performative.last
                for number in range(performative.first, last + 1):
                    session.dispositions.setdefault((bool(performative.role), number), deque()).append(
                        performative
                    )
            else:
                self.inbox.append((channel, performative))

    # --- headers and SASL ---

    def exchange_headers(self, layer: str) -> None:
        self.send_octets(amqp.PROTOCOL_HEADERS[layer])
        assert amqp.constants.recognise_header(self.receive_exactly(8)) == layer

    def sasl_frame(self, kind: type[Kind]) -> Kind:
        """Reads one frame and nothing that is behind it, which may be a protocol header."""
        size = self.receive_exactly(4)
        octets = size + self.receive_exactly(int.from_bytes(size, "big") - 4)
        ((_, performative, _),) = amqp.FrameDecoder().feed(octets)
        assert isinstance(performative, kind), performative
        return performative

    def log_in(
        self, user: str = "guest", password: str = "guest", mechanism: str = "PLAIN"
    ) -> SaslMechanisms:
        """The client's part of a login; Refused if it fails. Returns what the server offered."""
        self.exchange_headers("sasl")
        offer = self.sasl_frame(SaslMechanisms)
        response = f"\0{user}\0{password}".encode() if mechanism == "PLAIN" else None
        self.send(SaslInit(mechanism, response, hostname="localhost"))
        outcome = self.sasl_frame(SaslOutcome)
        if outcome.code is not SaslCode.OK:
            raise Refused(outcome)
        return offer

    def let_in(self, mechanisms: Iterable[str] = ("ANONYMOUS",), code: SaslCode = SaslCode.OK) -> SaslInit:
        """The server's part of a login."""
        self.exchange_headers("sasl")
        self.send(SaslMechanisms(mechanisms))
        init = self.sasl_frame(SaslInit)
        self.send(SaslOutcome(code))
        return init

    # --- connection ---

    def open(self, frame_size: int = 4096, **fields: Any) -> Open:
        """Headers and open; it makes no difference who of the two began."""
        self.exchange_headers("amqp")
        fields = {"container_id": "amqp-codegen tests", "hostname": "localhost"} | fields
        self.send(Open(max_frame_size=frame_size, **fields))
        self.decoder.max_frame_size = frame_size
        self.remote = self.expect(Open)
        self.frame_size = self.remote.max_frame_size
        return self.remote

    def close(self, error: Error | None = None) -> Close:
        """Closes the connection; what comes in before the answer is dropped."""
        self.send(Close(error))
        while True:
            self.inbox.clear()
            self._feed(self.receive_octets())
            for _, item in self.inbox:
                if isinstance(item, Close):
                    self.stream.close()
                    return item

    # --- sessions ---

    def begin(self, channel: int = 0, **fields: Any) -> Session:
        session = Session(self, channel)
        self.send(session.make_begin(**fields), channel)
        session.on_begin(*self.expect_on(Begin))
        return session

    def accept_session(self, channel: int = 0) -> Session:
        remote_channel, begin = self.expect_on(Begin)
        session = Session(self, channel)
        self.send(session.make_begin(remote_channel=remote_channel), channel)
        session.on_begin(remote_channel, begin)
        return session


class Session:
    """A session of a peer.

    Attributes:
        channel: The channel on which we send.
        window: How many transfers the other side takes before we have to wait for a flow.
        links: By the handle of the other side.
        dispositions: By the role of who sent them, and delivery-id.
    """

    def __init__(self, peer: Peer, channel: int) -> None:
        self.peer = peer
        self.channel = channel
        self.next_outgoing_id = 0
        self.next_incoming_id = 0
        self.next_delivery_id = 0
        self.next_handle = 0
        self.window = 0
        self.remote: Begin | None = None
        self.links: dict[int, Link] = {}
        self.dispositions: dict[tuple[bool, int], deque[Disposition]] = {}
        self.early_flows: list[Flow] = []

    def make_begin(self, **fields: Any) -> Begin:
        return Begin(
            next_outgoing_id=self.next_outgoing_id, incoming_window=WINDOW, outgoing_window=WINDOW, **fields
        )

    def on_begin(self, remote_channel: int, begin: Begin) -> None:
        self.remote = begin
        self.peer.sessions[remote_channel] = self
        self.next_incoming_id = begin.next_outgoing_id
        self.window = begin.incoming_window
        for channel, flow in self.peer.early_flows:
            if channel == remote_channel:
                self.on_flow(flow)

    def on_flow(self, flow: Flow) -> None:
        seen = self.next_outgoing_id if flow.next_incoming_id is None else flow.next_incoming_id
        self.window = seen + flow.incoming_window - self.next_outgoing_id
        if flow.handle in self.links:
            self.links[flow.handle].on_flow(flow)
        elif flow.handle is not None:
            self.early_flows.append(flow)

    def flow(self, **fields: Any) -> None:
        self.peer.send(
            Flow(
                next_incoming_id=self.next_incoming_id,
                incoming_window=WINDOW,
                next_outgoing_id=self.next_outgoing_id,
                outgoing_window=WINDOW,
                **fields,
            ),
            self.channel,
        )

    def attach(self, role: Role, source: Any, target: Any, **fields: Any) -> Link:
        link = Link(self, role)
        count = 0 if role is Role.SENDER else None
        fields = {"name": f"link-{link.handle}", "initial_delivery_count": count} | fields
        self.peer.send(
            Attach(handle=link.handle, role=role, source=source, target=target, **fields), self.channel
        )
        link.on_attach(self.peer.expect(Attach))
        return link

    def sender(self, address: str | None, **fields: Any) -> Link:
        fields = {"source": Source(), "target": Target(address)} | fields
        return self.attach(Role.SENDER, **fields)

    def receiver(self, address: str | None, **fields: Any) -> Link:
        fields = {"source": Source(address), "target": Target()} | fields
        return self.attach(Role.RECEIVER, **fields)

    def accept_link(self, **fields: Any) -> Link:
        """Answers the other side's attach with what mirrors it."""
        attach = self.peer.expect(Attach)
        link = Link(self, Role.RECEIVER if attach.role is Role.SENDER else Role.SENDER)
        count = 0 if link.role is Role.SENDER else None
        fields = {
            "snd_settle_mode": attach.snd_settle_mode,
            "rcv_settle_mode": attach.rcv_settle_mode,
            "source": attach.source,
            "target": attach.target,
            "initial_delivery_count": count,
        } | fields
        self.peer.send(Attach(attach.name, link.handle, link.role, **fields), self.channel)
        link.on_attach(attach)
        return link

    def end(self, error: Error | None = None) -> End:
        self.peer.send(End(error), self.channel)
        return self.peer.expect(End)


SETTLED = SenderSettleMode.SETTLED
UNSETTLED = SenderSettleMode.UNSETTLED
