"""Conversations of AMQP 1.0 that a test makes, as the trail that an audit reads, and what it finds."""

from __future__ import annotations

from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.columns import PerformativeColumns
from amqp_1_0.performatives import Attach, Begin, Close, Disposition, Flow, Open
from amqp_traffic.audit.auditor import audit_connection
from amqp_traffic.audit.connection_frames import AuditConnection, AuditFrame
from amqp_traffic.audit.finding import AuditFinding

from ..messages.performative_script import CLIENT, RECEIVER, SENDER, SERVER, Result, Talk

MESSAGE = amqp.Message(body=amqp.messaging.Data(b"x")).encode()
_COLUMNS = {
    name: [column for column, _ in gathered.kind.columns]
    for name, gathered in PerformativeColumns().gathered.items()
}
_WINDOWS: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}


class Spoken(Talk):
    """A conversation, and how it looks in a capture.

    Attributes:
        facts: Columns of the connection.
        quarantined: Rows of the quarantine.
        now: When the next frame is captured, in nanoseconds.
        offsets: Where the next frames begin; a test loses octets by adding to it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.facts: dict[str, Any] = {
            "package": "amqp_1_0",
            "protocol": "1.0",
            "start_mode": "syn",
            "end_mode": "fin",
            "client_ip": "127.0.0.1",
            "server_port": 5672,
        }
        self.quarantined: list[dict[str, Any]] = []
        self.now = 0
        self.offsets = [0, 0]
        self._heard: list[AuditFrame] = []
        self._handle = 0

    def _add(self, direction: int, channel: int, found: Any, payload: bytes, size: int) -> None:
        super()._add(direction, channel, found, payload, size)
        name, row = (None, None) if found is None else found[:2]
        fields = None if row is None else dict(zip(_COLUMNS[name], row, strict=True))
        if fields is not None:
            fields["payload_size"] = len(payload)
        self._hear(
            direction, channel, int((name or "").startswith("sasl")), name, fields, size + len(payload)
        )

    def _hear(
        self, direction: int, channel: int, kind: int, name: str | None, fields: Any, size: int, err: str = ""
    ) -> None:
        number, offset = len(self._heard), self.offsets[direction]
        self._heard.append(
            AuditFrame(
                number,
                direction,
                offset,
                1,
                number + 1,
                None,
                self.now,
                kind,
                channel,
                size,
                name=name,
                err=err or (None if name else "decode-error"),
                fields=fields,
            )
        )
        self.offsets[direction] += size
        self.now += 1000

    # --- What is said

    def say_octets(self, payload: bytes, name: str, err: str = "decode-error") -> None:
        """The client says something that cannot be decoded."""
        row = {"dir": CLIENT, "stage": "decode", "stream_off": self.offsets[CLIENT], "sample": payload}
        self.quarantined.append(row)
        super()._add(CLIENT, 0, None, payload, 8)
        self._hear(CLIENT, 0, 0, name, None, 8 + len(payload), err)

    def empty(self, direction: int, after_ms: int) -> None:
        """An empty frame, some milliseconds later."""
        self.now += 1_000_000 * after_ms
        super()._add(direction, 0, None, b"", 8)
        self._hear(direction, 0, 0, "empty", None, 8)

    def opened(self, **fields: Any) -> Spoken:
        """Both sides send open; the fields are those of the client."""
        self.say(CLIENT, Open(**{"container_id": "client"} | fields))
        self.say(SERVER, Open("server", channel_max=9, max_frame_size=4096))
        return self

    def started(self, **fields: Any) -> Spoken:
        """Both sides send open and begin; the fields are those of the server's begin."""
        self.opened().say(CLIENT, Begin(**_WINDOWS))
        self.say(SERVER, Begin(**{"remote_channel": 0} | _WINDOWS | fields))
        return self

    def linked(self, role: Any = SENDER, credit: int = 10, window: int = 100, **fields: Any) -> Spoken:
        """Both sides attach a link, on which the client has the role; who receives gives credit and a window.

        The other fields are those of the sender's attach, but for ``max_message_size``.
        """
        is_sender, other = role == SENDER, RECEIVER if role == SENDER else SENDER
        ends = ((CLIENT, role), (SERVER, other))
        largest = fields.pop("max_message_size", None)
        for direction, mine in ends:
            if mine == SENDER:
                attach = Attach("link", self._handle, mine, initial_delivery_count=0, **fields)
            else:
                attach = Attach("link", self._handle, mine, max_message_size=largest)
            self.say(direction, attach)
        receiver = SERVER if is_sender else CLIENT
        self.flow(receiver, handle=self._handle, delivery_count=0, link_credit=credit, incoming_window=window)
        self._handle += 1
        return self

    def flow(self, direction: int = CLIENT, **fields: Any) -> None:
        """A flow."""
        self.say(direction, Flow(**{"next_incoming_id": 0} | _WINDOWS | fields))

    def send(self, number: int | None = 0, payload: bytes = MESSAGE, **fields: Any) -> Spoken:
        """A transfer of the client, which is settled."""
        self.transfer(number, payload, **{"settled": True} | fields)
        return self

    def deliver(self, *numbers: int) -> Spoken:
        """Transfers of the server, which are to be settled."""
        for number in numbers:
            self.transfer(number, MESSAGE, direction=SERVER)
        return self

    def deliver_on(self, handle: int, number: int) -> Spoken:
        """A transfer of the server on a link."""
        self.transfer(number, MESSAGE, direction=SERVER, handle=handle)
        return self

    def settled(self, first: int, last: int | None = None, role: Any = RECEIVER) -> Spoken:
        """The client settles deliveries."""
        self.say(CLIENT, Disposition(role, first, last, settled=True))
        return self

    def closed(self) -> Spoken:
        """Both sides send close."""
        self.say(CLIENT, Close())
        self.say(SERVER, Close())
        return self

    # --- What is not captured

    def lose(self, direction: int, place: int) -> bool:
        """A frame of a direction was not captured. Returns whether there is one with that number."""
        frames = [frame for frame in self._heard if frame.direction == direction]
        if place >= len(frames):
            return False
        lost = frames[place]
        self._heard = [
            frame._replace(frame_no=frame.frame_no - (frame.frame_no > lost.frame_no))
            for frame in self._heard
            if frame is not lost
        ]
        self.facts[("client", "server")[direction] + "_bytes_gap"] = lost.size
        self.quarantined.append(
            {
                "dir": direction,
                "stage": "stream",
                "reason": "seq-gap",
                "stream_off": lost.offset,
                "length": lost.size,
            }
        )
        return True

    def begin_at(self, place: int) -> None:
        """The capture begins with a frame."""
        self.facts["start_mode"] = "mid-stream"
        self._heard = self._heard[place:]
        starts = [
            next((frame.offset for frame in self._heard if frame.direction == side), 0)
            for side in (CLIENT, SERVER)
        ]
        self._heard = [
            frame._replace(frame_no=number, offset=frame.offset - starts[frame.direction])
            for number, frame in enumerate(self._heard)
        ]

    # --- What is found

    def findings(self) -> list[AuditFinding]:
        """What the audit finds."""
        messages = {row["frame_no"]: row for row in Result(self).messages}
        frames = [frame._replace(message=messages.get((frame.pkt_no or 0) - 1)) for frame in self._heard]
        connection = AuditConnection("capture", "0123456789abcdef", self.facts, tuple(self.quarantined))
        return audit_connection(connection, frames)

    def rules(self) -> set[str]:
        """The rules of that."""
        return {finding.rule_id for finding in self.findings()}
