"""The two ends of a link: senders and receivers, and the session that has them.

``session.sender`` and ``session.receiver`` are set-up, as are credit to send, ``send_accepted`` and ``detach``. In
``broker.trial()`` they count like any other step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import amqp_1_0 as amqp
from amqp_1_0.messaging import Accepted, Source, Target
from amqp_1_0.performatives import Attach, Close, Detach, Disposition, End, Flow, Role, Transfer

from ..engine.run_result import NotTestable, Violation
from .connection import LiveConnection, check_error
from .frames import Frame, ReceivedDelivery, text_of
from .session_frames import SessionFrames


class _Link:
    """What both ends have in common.

    Attributes:
        remote: The peer's attach; None until it is received.
        delivery_count: How many deliveries went over the link, from the sender's initial count.
        flows: The flows received for it, in order.
    """

    ROLE: ClassVar[Role]

    def __init__(self, session: LiveSession, handle: int) -> None:
        self.session = session
        self.handle = handle
        self.remote: Attach | None = None
        self.delivery_count = 0
        self.flows: list[Flow] = []
        self.name = f"link-{handle}"

    @property
    def terminus(self) -> Any:
        """The peer's end: its source if we receive, else its target.

        Raises:
            Violation: Its attach has none.
        """
        name = "target" if self.ROLE is Role.SENDER else "source"
        terminus = getattr(self.remote, name)
        if terminus is None:
            raise Violation(f"expected a {name}, got {text_of(self.remote)}")
        return terminus

    def make_attach(self, address: str | None, **fields: Any) -> Attach:
        """Return our attach; ``fields`` replace its usual values."""
        sends = self.ROLE is Role.SENDER
        known: dict[str, Any] = {
            "name": self.name,
            "handle": self.handle,
            "role": self.ROLE,
            "source": Source() if sends else Source(address),
            "target": Target(address) if sends else Target(),
            "initial_delivery_count": 0 if sends else None,
        }
        return Attach(**known | fields)

    def attach(self, address: str | None, **fields: Any) -> Attach:
        """Attach the link."""
        attach = self.make_attach(address, **fields)
        self.session.send(attach)
        return self.expect_attach(attach)

    def expect_attach(self, attach: Attach) -> Attach:
        """Expect the peer's answer to our attach."""

        def answers(remote: Attach) -> bool:
            return remote.name == attach.name and remote.role is not self.ROLE

        remote: Attach = self.session.expect(Attach, f"attach for the link {attach.name}", answers)
        of_sender = attach if self.ROLE is Role.SENDER else remote
        self.delivery_count = of_sender.initial_delivery_count or 0
        self.take(remote)
        return remote

    def take(self, remote: Attach) -> None:
        """Take what the peer sent as its attach for this link."""
        self.name = remote.name
        self.remote = remote
        self.session.links[remote.handle] = self.observe_flow

    def observe_flow(self, flow: Flow) -> None:
        """Update the state from a flow for this link; the session calls it."""
        self.flows.append(flow)

    def expect(self, kind: type[Any], what: str = "") -> Any:
        """Return the next performative of that type that the peer sends for this link.

        Raises:
            Violation: The peer detaches the link, ends the session or closes the connection.
        """
        return self.wait(kind, what).performative

    def wait(self, kind: type[Any], what: str = "") -> Frame:
        """Do the same; return the frame."""

        def wanted(frame: Frame) -> bool:
            return isinstance(frame.performative, kind) and self._is_for_us(frame)

        return self.session.connection.wait(wanted, what or kind.NAME, self.is_end)

    def is_end(self, frame: Frame) -> bool:
        """Return whether the peer ends the link, or all links of its session, with this frame."""
        if self.session.is_end(frame):
            return True
        return isinstance(frame.performative, Detach) and self._is_for_us(frame)

    def _is_for_us(self, frame: Frame) -> bool:
        handle = getattr(frame.performative, "handle", None)
        return (
            frame.channel == self.session.remote_channel
            and self.remote is not None
            and handle == self.remote.handle
        )

    def detach(self, **fields: Any) -> Detach:
        """Detach, for good unless ``fields`` say otherwise."""
        self.session.send(Detach(**{"handle": self.handle, "closed": True} | fields))
        with self.session.broker.set_up():
            return self.expect_detach()

    def expect_detach(self, *conditions: str) -> Detach:
        """Expect the peer's detach, with an error of one of these conditions if any are given."""
        detach: Detach = self.expect(Detach)
        check_error(detach.error, "detach", conditions)
        self.session.links.pop(detach.handle, None)
        return detach


class Sender(_Link):
    """A link on which we send; ``credit`` is how many messages the peer will take."""

    ROLE = Role.SENDER

    def __init__(self, session: LiveSession, handle: int) -> None:
        super().__init__(session, handle)
        self.credit = 0

    def observe_flow(self, flow: Flow) -> None:
        """Update the credit."""
        super().observe_flow(flow)
        if flow.link_credit is not None:
            count = self.delivery_count if flow.delivery_count is None else flow.delivery_count
            self.credit = (count + flow.link_credit - self.delivery_count) & 0xFFFFFFFF

    def wait_for_credit(self) -> None:
        """Wait until the peer gives credit."""
        with self.session.broker.set_up():
            self.session.connection.pump(lambda: self.credit > 0, "a flow with credit", self.is_end)

    def send(self, message: amqp.Message | bytes, **fields: Any) -> int:
        """Send a message in as many transfers as it takes, once there is credit; return its delivery-id.

        ``fields`` replace those of the first transfer.
        """
        self.wait_for_credit()
        octets = message if isinstance(message, bytes) else message.encode()
        transfer = self.next_transfer(**fields)
        frame_size = self.session.connection.frame_size
        for piece in amqp.split_transfer(transfer, octets, max_frame_size=frame_size):
            ((_, part, payload),), _ = amqp.decode_frames(piece)
            self.session.send(part, payload)
        assert transfer.delivery_id is not None
        return transfer.delivery_id

    def send_parts(self, parts: Sequence[bytes], *changes: Mapping[str, Any]) -> int:
        """Send the octets of one message in several transfers, once there is credit; return its delivery-id.

        Args:
            parts: The payload of each transfer.
            changes: For each transfer, fields that replace the usual ones; may be fewer than the transfers.
        """
        self.wait_for_credit()
        first = self.next_transfer()
        for number, part in enumerate(parts):
            known: dict[str, Any] = {"handle": self.handle, "more": number < len(parts) - 1}
            if number == 0:
                known |= {
                    "delivery_id": first.delivery_id,
                    "delivery_tag": first.delivery_tag,
                    "message_format": first.message_format,
                }
            change = changes[number] if number < len(changes) else {}
            self.session.send(Transfer(**{**known, **change}), part)
        assert first.delivery_id is not None
        return first.delivery_id

    def next_transfer(self, **fields: Any) -> Transfer:
        """Return the first transfer of the next delivery; it counts as sent."""
        number = self.session.next_delivery_id
        self.session.next_delivery_id = (number + 1) & 0xFFFFFFFF
        self.delivery_count = (self.delivery_count + 1) & 0xFFFFFFFF
        self.credit -= 1
        known: dict[str, Any] = {
            "handle": self.handle,
            "delivery_id": number,
            "delivery_tag": b"%d" % number,
            "message_format": 0,
        }
        return Transfer(**known | fields)

    def outcome(self, delivery_id: int) -> Disposition:
        """Return the peer's next disposition for a delivery of ours.

        Raises:
            Violation: It detaches the link, or ends more than that.
        """
        return self.session.expect_disposition(delivery_id, Role.RECEIVER, self.is_end)

    def send_accepted(self, message: amqp.Message | bytes, **fields: Any) -> int:
        """Send a message that the peer must accept.

        Raises:
            Violation: It does not.
        """
        with self.session.broker.set_up():
            number = self.send(message, **fields)
            state = self.outcome(number).state
            if not isinstance(state, Accepted):
                got = self.session.connection.frames[-1]
                raise Violation(f"expected the message to be accepted, got {got}")
        return number


class Receiver(_Link):
    """A link on which we receive."""

    ROLE = Role.RECEIVER

    def give_credit(self, count: int, **fields: Any) -> None:
        """Ask for that many messages from now on."""
        known: dict[str, Any] = {
            "handle": self.handle,
            "delivery_count": self.delivery_count,
            "link_credit": count,
        }
        self.session.flow(**known | fields)

    def receive(self) -> ReceivedDelivery:
        """Return the next delivery that was asked for, with all its transfers."""
        frames = [self.wait(Transfer, "a transfer")]
        while frames[-1].performative.more and not frames[-1].performative.aborted:
            frames.append(self.wait(Transfer, "another transfer"))
        self.delivery_count = (self.delivery_count + 1) & 0xFFFFFFFF
        return ReceivedDelivery(frames)

    def fetch(self) -> ReceivedDelivery:
        """Ask for one message and receive it."""
        self.give_credit(1)
        return self.receive()

    def settle(self, delivery: ReceivedDelivery, state: Any = None, **fields: Any) -> None:
        """Report the state of a delivery: accepted and settled, by default."""
        known: dict[str, Any] = {
            "role": Role.RECEIVER,
            "first": delivery.number,
            "settled": True,
            "state": Accepted() if state is None else state,
        }
        self.session.send(Disposition(**known | fields))

    def expect_none(self) -> None:
        """Listen for a moment.

        Raises:
            Violation: A message comes, or the link, session or connection ends.
        """
        for frame in self.session.connection.listen():
            performative = frame.performative
            if isinstance(performative, Transfer) and self._is_for_us(frame):
                raise Violation(f"expected no message on the link {self.name}, got {frame}")
            if self.is_end(frame):
                raise Violation(f"expected no message and no end, got {frame}")
        self.session.expect_alive()

    def expect_empty(self) -> None:
        """Ask for one message; none must come, as in ``expect_none``."""
        self.give_credit(1)
        self.expect_none()


class LiveSession(SessionFrames):
    """A session of ours and its links."""

    def __init__(self, connection: LiveConnection, channel: int = 0, next_outgoing_id: int = 0) -> None:
        super().__init__(connection, channel, next_outgoing_id)
        self._handles = 0

    def next_handle(self) -> int:
        """Return a handle that was not used on this session yet."""
        self._handles += 1
        return self._handles - 1

    def make_sender(self, handle: int) -> Sender:
        """Return a sender with that handle of ours; nothing is sent yet.

        Raises:
            NotTestable: The peer does not take that handle.
        """
        self._check_handle(handle)
        return Sender(self, handle)

    def make_receiver(self, handle: int) -> Receiver:
        """Return a receiver with that handle of ours; nothing is sent yet.

        Raises:
            NotTestable: The peer does not take that handle.
        """
        self._check_handle(handle)
        return Receiver(self, handle)

    def _check_handle(self, handle: int) -> None:
        highest = self.remote.handle_max if self.remote else handle
        if handle > highest:
            raise NotTestable(f"needs the handle {handle}, and the peer takes none above {highest}")

    def sender(self, address: str | None, **fields: Any) -> Sender:
        """Attach a sender to an address."""
        link = self.make_sender(self.next_handle())
        with self.broker.set_up():
            link.attach(address, **fields)
        return link

    def receiver(self, address: str | None, **fields: Any) -> Receiver:
        """Attach a receiver from an address."""
        link = self.make_receiver(self.next_handle())
        with self.broker.set_up():
            link.attach(address, **fields)
        return link

    def answer_to_attach(self) -> Frame:
        """Return the next attach, detach, end or close."""
        kinds = (Attach, Detach, End, Close)
        return self.connection.wait(
            lambda frame: isinstance(frame.performative, kinds), "an answer to attach"
        )

    def learn_flow(self, address: str) -> Flow:
        """Return a current flow of the peer, by attaching a sender to an address.

        Not every peer answers an echo, but each must give credit on a new link before it gets messages.
        """
        seen = len(self.flows)
        self.sender(address).wait_for_credit()
        return self.flows[seen:][-1]
