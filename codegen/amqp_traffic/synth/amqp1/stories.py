"""Stories in a session of AMQP 1.0: links are attached, messages are delivered and settled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from amqp_codegen.support.resources import load_package

from ...capture.stream_data import Direction
from ...schemas import PACKAGE1
from ..setting import ConversationSetting
from ..utterance import CLIENT, SERVER, Mark, MarkKind, Said, together

HEARTBEAT = "heartbeat"  # an empty frame


class Vocabulary:
    """The frames of AMQP 1.0.

    Attributes:
        amqp: The generated package.
    """

    def __init__(self) -> None:
        self.amqp = load_package(PACKAGE1)

    def say(self, direction: Direction, channel: int, performative: Any) -> Said:
        """Return a frame; an empty one if there is no performative."""
        octets: bytes = self.amqp.encode_frame(channel, performative)
        name = HEARTBEAT if performative is None else performative.NAME
        return Said(direction, octets, (_mark(octets, channel, name),))

    def transfer(
        self, direction: Direction, channel: int, transfer: Any, message: bytes, frame_max: int
    ) -> Said:
        """Return the frames of a delivery."""
        frames: list[bytes] = list(
            self.amqp.split_transfer(transfer, message, max_frame_size=frame_max, channel=channel)
        )
        return Said(direction, b"".join(frames), tuple(_mark(frame, channel, "transfer") for frame in frames))


def _mark(frame: bytes, channel: int, name: str) -> Mark:
    return Mark(MarkKind.FRAME, len(frame), frame[5], channel, name)


_WINDOW = 2048
_CREDIT = 1000
_OUT, _IN = 0, 1  # handles, the same at both ends


class SessionStories:
    """The stories of a session with one link in each direction.

    Args:
        channel: The channel of both ends.
        vocabulary: Makes the frames.
        frame_max: The negotiated max-frame-size, in octets.
        setting: The client, random choices, bodies and budget.
    """

    def __init__(
        self, channel: int, vocabulary: Vocabulary, frame_max: int, setting: ConversationSetting
    ) -> None:
        self._channel = channel
        self._vocabulary = vocabulary
        self._frame_max = frame_max
        self._chance = setting.chance
        self._bodies = setting.bodies
        self._budget = setting.budget
        # For client and broker as senders: delivery-ids of the session, delivery-counts of the link, frames sent.
        self._numbers = [0, 0]
        self._counts = [0, 0]
        self._transfers = [0, 0]
        self._performatives = vocabulary.amqp.performatives
        self._messaging = vocabulary.amqp.messaging

    def work(self) -> Iterator[Said]:
        """Begin the session and repeat stories until the budget is spent."""
        begin = {"next_outgoing_id": 0, "incoming_window": _WINDOW, "outgoing_window": _WINDOW}
        yield self._client(self._performatives.Begin(**begin))
        yield self._server(self._performatives.Begin(remote_channel=self._channel, **begin))
        yield from self._attach()
        while not self._budget.is_spent:
            way = self._chance.below(16)
            if way < 7:
                yield from self._deliver(CLIENT)
            elif way < 14:
                yield from self._deliver(SERVER)
            elif way == 14:
                yield from self._drain()
            else:
                yield from self._reattach()

    def end(self) -> Iterator[Said]:
        """Detach the links and end the session, from the client."""
        for handle in (_OUT, _IN):
            for say in (self._client, self._server):
                yield say(self._performatives.Detach(handle, closed=True))
        for say in (self._client, self._server):
            yield say(self._performatives.End())

    def _attach(self) -> Iterator[Said]:
        amqp = self._performatives
        address = f"/queue/synthetic-{self._channel}"
        for handle in (_OUT, _IN):
            out = handle == _OUT
            common = {
                "name": f"link-{self._channel}-{handle}",
                "handle": handle,
                "source": self._messaging.Source(address="client" if out else address),
                "target": self._messaging.Target(address=address if out else "client"),
            }
            ends = (amqp.Role.SENDER, amqp.Role.RECEIVER)
            mine, other = ends if out else reversed(ends)
            count = {amqp.Role.SENDER: 0, amqp.Role.RECEIVER: None}
            yield self._client(amqp.Attach(role=mine, initial_delivery_count=count[mine], **common))
            yield self._server(amqp.Attach(role=other, initial_delivery_count=count[other], **common))
            yield self._flow(SERVER if out else CLIENT, handle)

    def _flow(self, direction: Any, handle: int, drain: bool = False) -> Said:
        """Return a flow: credit from the receiver of a link, or the delivery-count from its sender."""
        sender = CLIENT if handle == _OUT else SERVER
        flow = self._performatives.Flow(
            next_incoming_id=self._transfers[1 - direction],
            incoming_window=_WINDOW,
            next_outgoing_id=self._transfers[direction],
            outgoing_window=_WINDOW,
            handle=handle,
            delivery_count=self._counts[sender],
            link_credit=0 if direction == sender else _CREDIT,
            drain=drain,
        )
        return self._vocabulary.say(direction, self._channel, flow)

    def _deliver(self, direction: Any) -> Iterator[Said]:
        """Yield some deliveries and their settlement by the other end."""
        chance = self._chance
        first, count = self._numbers[direction], chance.between(1, 8)
        settled = chance.once_in(4)
        yield together(self._delivery(direction, first + index, settled) for index in range(count))
        self._numbers[direction] += count
        self._counts[direction] += count
        answer = CLIENT if direction == SERVER else SERVER
        if not settled:
            yield from self._settle(answer, first, first + count - 1)
        if chance.once_in(8):
            yield self._flow(answer, _OUT if direction == CLIENT else _IN)

    def _settle(self, direction: Any, first: int, last: int) -> Iterator[Said]:
        """Yield one disposition for all deliveries, or one for each."""
        disposition, role = self._performatives.Disposition, self._performatives.Role.RECEIVER
        if self._chance.once_in(2):
            state = self._messaging.Accepted()
            said = disposition(role, first, last if last > first else None, settled=True, state=state)
            yield self._vocabulary.say(direction, self._channel, said)
            return
        yield together(
            self._vocabulary.say(
                direction, self._channel, disposition(role, number, settled=True, state=self._outcome())
            )
            for number in range(first, last + 1)
        )

    def _outcome(self) -> Any:
        messaging = self._messaging
        way = self._chance.below(16)
        if way == 0:
            error = self._performatives.Error("amqp:precondition-failed", "too late")
            return messaging.Rejected(error=error)
        if way == 1:
            return messaging.Released()
        if way == 2:
            return messaging.Modified(delivery_failed=True)
        return messaging.Accepted()

    def _delivery(self, direction: Any, number: int, settled: bool) -> Said:
        transfer = self._performatives.Transfer(
            _OUT if direction == CLIENT else _IN, number, b"%d" % number, 0, settled=settled
        )
        said = self._vocabulary.transfer(direction, self._channel, transfer, self._message(), self._frame_max)
        self._transfers[direction] += len(said.marks)
        return said

    def _message(self) -> bytes:
        messaging, message = self._messaging, self._vocabulary.amqp.Message
        number, body = self._chance.below(1_000_000), self._bodies.any()
        kind = self._chance.below(4)
        octets: bytes
        if kind == 0:
            octets = message(body=messaging.Data(body)).encode()
        elif kind == 1:
            octets = message(
                header=messaging.Header(durable=True, priority=number % 10),
                properties=messaging.Properties(message_id=number, content_type="application/json"),
                application_properties={"attempt": number % 5, "trace": f"{number:08x}"},
                body=messaging.Data(body),
            ).encode()
        elif kind == 2:
            value = {"id": number, "kind": "order", "note": body.hex()[: len(body)]}
            octets = message(
                properties=messaging.Properties(message_id=f"message-{number}"),
                body=messaging.AmqpValue(value),
            ).encode()
        else:
            octets = message(body=messaging.AmqpValue(body)).encode()
        return octets

    def _drain(self) -> Iterator[Said]:
        """Yield a drain: the broker uses up the credit, and the client gives new credit."""
        yield self._flow(CLIENT, _IN, drain=True)
        self._counts[SERVER] += _CREDIT
        yield self._flow(SERVER, _IN, drain=True)
        yield self._flow(CLIENT, _IN)

    def _reattach(self) -> Iterator[Said]:
        """Yield a detach with an error by the broker, then attach both links again."""
        amqp = self._performatives
        error = amqp.Error("amqp:resource-deleted", "the queue is gone")
        yield self._server(amqp.Detach(_IN, closed=True, error=error))
        yield self._client(amqp.Detach(_IN, closed=True))
        for say in (self._client, self._server):
            yield say(amqp.Detach(_OUT, closed=True))
        self._counts = [0, 0]
        yield from self._attach()

    def _client(self, performative: Any) -> Said:
        return self._vocabulary.say(CLIENT, self._channel, performative)

    def _server(self, performative: Any) -> Said:
        return self._vocabulary.say(SERVER, self._channel, performative)
