"""The frames of a session of ours with a peer: its channel, transfer-ids and windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amqp_1_0.performatives import Begin, Disposition, End, Flow, Role, Transfer

from ..engine.run_result import NotTestable
from .connection import LiveConnection, check_error
from .frames import Frame

WINDOW = 2048


class SessionFrames:
    """One of our sessions.

    Attributes:
        channel: The channel on which we send.
        remote_channel: The channel on which the peer sends; None until its begin is received.
        remote: The peer's begin; None until it is received.
        next_outgoing_id: The number of our next transfer.
        next_incoming_id: The number of the peer's next transfer.
        next_delivery_id: The number of our next delivery.
        incoming_window: How many transfers we say we take.
        links: The links that observe flows, by the peer's handle.
        flows: All flows received on it, in order.
        dispositions: All dispositions received on it, in order.
    """

    def __init__(self, connection: LiveConnection, channel: int = 0, next_outgoing_id: int = 0) -> None:
        self.connection = connection
        self.broker = connection.broker
        self.channel = channel
        self.remote_channel: int | None = None
        self.remote: Begin | None = None
        self.next_outgoing_id = next_outgoing_id
        self.next_incoming_id = 0
        self.next_delivery_id = 0
        self.incoming_window = WINDOW
        self.links: dict[int, Callable[[Flow], None]] = {}
        self.flows: list[Flow] = []
        self.dispositions: list[Disposition] = []
        self._seen: dict[tuple[Role, int], int] = {}

    # --- begin and end ---

    def make_begin(self, **fields: Any) -> Begin:
        """Return our begin."""
        known = {
            "next_outgoing_id": self.next_outgoing_id,
            "incoming_window": self.incoming_window,
            "outgoing_window": WINDOW,
        }
        return Begin(**known | fields)

    def begin(self, **fields: Any) -> Begin:
        """Begin the session.

        Raises:
            NotTestable: The peer does not take the channel.
        """
        highest = self.connection.highest_channel
        if self.connection.remote and self.channel > highest:
            raise NotTestable(f"needs channel {self.channel}, and the peer takes none above {highest}")
        self.connection.send(self.make_begin(**fields), self.channel)
        return self.expect_begin()

    def expect_begin(self) -> Begin:
        """Expect the peer's begin, after ours."""

        def answers(frame: Frame) -> bool:
            return isinstance(frame.performative, Begin) and frame.performative.remote_channel == self.channel

        frame = self.connection.wait(answers, f"begin for our channel {self.channel}")
        remote: Begin = frame.performative
        self.remote = remote
        self.remote_channel = frame.channel
        self.next_incoming_id = remote.next_outgoing_id
        self.connection.observers[frame.channel] = self.observe
        return remote

    def end(self, **fields: Any) -> End:
        """End the session."""
        self.send(End(**fields))
        return self.expect_end()

    def expect_end(self, *conditions: str) -> End:
        """Expect the peer's end, with an error of one of these conditions if any are given."""
        end: End = self.expect(End)
        check_error(end.error, "end", conditions)
        if self.remote_channel is not None:
            self.connection.observers.pop(self.remote_channel, None)
        return end

    def expect_alive(self) -> None:
        """Begin another session: silence proves nothing, perhaps the peer is about to close.

        Raises:
            Violation: The peer does not answer.
        """
        channel = self.connection.next_spare_channel()
        if channel is not None:
            SessionFrames(self.connection, channel).begin()

    # --- frames ---

    def send(self, performative: Any, payload: bytes = b"") -> None:
        """Send a frame on the session's channel; a transfer is counted."""
        if isinstance(performative, Transfer):
            self.next_outgoing_id = (self.next_outgoing_id + 1) & 0xFFFFFFFF
        self.connection.send(performative, self.channel, payload)

    def expect(
        self, kind: type[Any], what: str = "", where: Callable[[Any], bool] = lambda performative: True
    ) -> Any:
        """Return the next performative of that type that the peer sends on this session.

        ``what`` names what is expected, for messages; ``where`` is a further condition.

        Raises:
            Violation: The peer ends the session or closes the connection.
        """
        return self.wait(kind, what, where).performative

    def wait(
        self, kind: type[Any], what: str = "", where: Callable[[Any], bool] = lambda performative: True
    ) -> Frame:
        """Do the same; return the frame."""

        def wanted(frame: Frame) -> bool:
            return (
                frame.channel == self.remote_channel
                and isinstance(frame.performative, kind)
                and where(frame.performative)
            )

        return self.connection.wait(wanted, what or kind.NAME, self.is_end)

    def is_end(self, frame: Frame) -> bool:
        """Return whether the peer ends the session with this frame."""
        return frame.channel == self.remote_channel and isinstance(frame.performative, End)

    def observe(self, frame: Frame) -> None:
        """Update the state from a frame of this session; the connection calls it."""
        performative = frame.performative
        if isinstance(performative, Flow):
            self.flows.append(performative)
            if performative.handle in self.links:
                self.links[performative.handle](performative)
        elif isinstance(performative, Transfer):
            self.next_incoming_id = (self.next_incoming_id + 1) & 0xFFFFFFFF
        elif isinstance(performative, Disposition):
            self.dispositions.append(performative)

    # --- flow and outcomes ---

    def flow(self, **fields: Any) -> None:
        """Send a flow with the state of the session; ``fields`` are added."""
        known = {
            "next_incoming_id": self.next_incoming_id,
            "incoming_window": self.incoming_window,
            "next_outgoing_id": self.next_outgoing_id,
            "outgoing_window": WINDOW,
        }
        self.send(Flow(**known | fields))

    def ask_for_flow(self, **fields: Any) -> Flow:
        """Ask for the flow state of the session, or of a link if its handle is given.

        Raises:
            NoAnswer: The peer does not answer.
        """
        seen = len(self.flows)
        self.flow(echo=True, **fields)
        self.connection.pump(lambda: len(self.flows) > seen, "a flow as echo", self.is_end)
        return self.flows[-1]

    def expect_disposition(
        self,
        delivery_id: int,
        role: Role = Role.RECEIVER,
        given_up: Callable[[Frame], bool] | None = None,
    ) -> Disposition:
        """Return the next disposition that covers this delivery; one for several deliveries is found for each of them.

        ``role`` is the end of the link that sends it, ``given_up`` as in ``LiveConnection.wait``: the end of the session
        by default.
        """
        seen = self._seen.get((role, delivery_id), 0)

        def following() -> list[Disposition]:
            return [
                disposition for disposition in self.dispositions if covers(disposition, delivery_id, role)
            ][seen:]

        self.connection.pump(
            lambda: bool(following()), f"disposition of the delivery {delivery_id}", given_up or self.is_end
        )
        self._seen[(role, delivery_id)] = seen + 1
        return following()[0]


def covers(disposition: Disposition, delivery_id: int, role: Role) -> bool:
    """Return whether a disposition from that end of the link covers this delivery; ids wrap at 2**32."""
    last = disposition.first if disposition.last is None else disposition.last
    offset = (delivery_id - disposition.first) & 0xFFFFFFFF
    return disposition.role is role and offset <= (last - disposition.first) & 0xFFFFFFFF
