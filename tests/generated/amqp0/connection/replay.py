"""Plays one side of a recorded conversation by an engine: it receives the octets of the peer, its own ones become commands.

A frame of the peer is received where it was recorded, but for one that the engine answers by itself, such as channel.close:
that waits until the answer is what our side says next on its channel, as it may have said more before it read it. For a
command that is not allowed yet, what was held back is received.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

from .ends import events
from .recordings import SIDES, Item, Reader, Side, Turn, frames_of

# What an engine sends by itself; what it answers at once, whatever our side had still to say.
ANSWERS = {
    "channel.close": "channel.close-ok",
    "connection.close": "connection.close-ok",
    "channel.flow": "channel.flow-ok",
}
BY_ITSELF: dict[Side, tuple[str, ...]] = {
    "client": ("header", "connection.start-ok", "connection.tune-ok", "connection.open", *ANSWERS.values()),
    "server": ("connection.start", "channel.open-ok", *ANSWERS.values()),
}


class Pending(NamedTuple):
    """A frame of the peer that the engine has not received; ``answer`` is what it sends at once, empty for nothing."""

    octets: bytes
    channel: int
    answer: str


class Player:
    """An engine in the place of one side.

    Attributes:
        items: What was said.
        own: What of it this side has said.
        told: The events of the engine, each with its channel in the record.
        sent: What the engine has said.
    """

    def __init__(self, amqp: Any, side: Side, turns: Iterable[Turn], piece: int = 1 << 16) -> None:
        self.told: list[tuple[int, Any]] = []
        self.sent: list[Item] = []
        self._amqp = amqp
        self._engine: Any = import_module(f"{amqp.__name__}.client.connection")
        self._side: Side = side
        self._piece = piece
        self._pending: deque[Pending] = deque()
        self._reader = Reader(amqp, side)
        self._due: Counter[tuple[str, int]] = Counter()
        readers = {name: Reader(amqp, name) for name in SIDES}
        self._steps = [(turn, readers[turn.side].read(turn.octets)) for turn in frames_of(turns)]
        self.items = [item for _, item in self._steps if item is not None]
        self.own = [item for item in self.items if item.side == side]
        self._todo = deque(self.own)
        # Clients choose numbers of channels as they like, the engine the lowest that is free.
        self._numbers = {0: 0}
        self._connection = self._engine.Connection(self._settings())

    @property
    def frame_max(self) -> int:
        """The largest frame that both sides have agreed on."""
        return self._connection.limits.frame_max if self._connection.limits else 0

    def _settings(self) -> Any:
        said = {item.name: item.method for item in reversed(self.own) if not item.channel}
        tune = said.get("connection.tune-ok" if self._side == "client" else "connection.tune")
        limits = (
            {}
            if tune is None
            else {
                "channel_max": tune.channel_max,
                "max_frame_size": tune.frame_max,
                "heartbeat": tune.heartbeat,
            }
        )
        if self._side == "client":
            begin = said["connection.start-ok"]
            host = said["connection.open"].virtual_host if "connection.open" in said else "/"
            login = self._engine.OtherLogin(begin.mechanism, begin.response)
            return self._engine.ClientSettings(
                login=login,
                virtual_host=host,
                locale=begin.locale,
                capabilities=(),
                properties=begin.client_properties,
                **limits,
            )
        begin = said["connection.start"]
        return self._engine.ServerSettings(
            properties=begin.server_properties,
            mechanisms=begin.mechanisms.decode().split(),
            locales=begin.locales.decode().split(),
            **limits,
        )

    def play(self) -> None:
        """Play it all, to the end of the streams."""
        self._connection.start(0.0)
        self._pull()
        for turn, item in self._steps:
            if turn.side != self._side:
                name, channel = ("", 0) if item is None else (item.name, item.channel)
                self._pending.append(Pending(turn.octets, channel, ANSWERS.get(name, "")))
            elif item is not None:
                self._say(self._todo.popleft())
            while self._pending and self._has_read(self._pending[0]):
                self._receive()
        while self._pending:
            self._receive()
        self._connection.receive_eof(0.0)
        self._pull()

    def _has_read(self, frame: Pending) -> bool:
        """Whether our side had read a frame when it said what it says next."""
        following = next((item.name for item in self._todo if item.channel == frame.channel), "")
        return not frame.answer or following in ("", frame.answer)

    def _receive(self) -> None:
        octets = self._pending.popleft().octets
        if self._side == "client":
            octets = _on_channel(octets, self._numbers)
        for start in range(0, len(octets), self._piece):
            self._connection.receive_data(octets[start : start + self._piece], 0.0)
            self._pull()

    def _pull(self) -> None:
        back = {ours: recorded for recorded, ours in self._numbers.items()}
        for event in events(self._connection):
            channel = getattr(event, "channel", 0)
            self.told.append((back.get(channel, channel), event))
        for turn in frames_of([Turn(self._side, self._connection.data_to_send())]):
            item = self._reader.read(
                _on_channel(turn.octets, back) if self._side == "client" else turn.octets
            )
            self.sent += [] if item is None else [item]

    def _say(self, item: Item) -> None:
        """Make the engine say what our side has said, as soon as it may."""
        if item.name in BY_ITSELF[self._side] or (item.name == "basic.cancel-ok" and self._side == "client"):
            self._due[item.name, item.channel] += 1
            while self._due[item.name, item.channel] > sum(
                (sent.name, sent.channel) == (item.name, item.channel) for sent in self.sent
            ):
                assert self._pending, f"the engine has not sent {item}"
                self._receive()
            return
        while True:
            try:
                self._command(item)
                break
            except self._engine.LocalError:
                if not self._pending:
                    raise
                self._receive()
        self._pull()

    def _command(self, item: Item) -> None:
        connection, method = self._connection, item.method
        channel = self._numbers.get(item.channel, item.channel)
        match item.name:
            case "connection.tune":
                connection.accept_login()
            case "connection.open-ok":
                connection.accept_open()
            case "connection.secure":
                connection.challenge(method.challenge)
            case "connection.secure-ok":
                connection.answer_challenge(method.response)
            case "connection.update-secret":
                connection.update_secret(method.new_secret, method.reason)
            case "connection.close":
                connection.close(method.reply_code, method.reply_text)
            case "channel.open":
                self._numbers[item.channel] = connection.open_channel()
            case "channel.close":
                connection.close_channel(channel, method.reply_code, method.reply_text)
            case "basic.ack":
                connection.ack(channel, method.delivery_tag, multiple=method.multiple)
            case "basic.nack":
                flags = {} if self._side == "server" else {"requeue": method.requeue}
                connection.nack(channel, method.delivery_tag, multiple=method.multiple, **flags)
            case "basic.reject":
                connection.reject(channel, method.delivery_tag, requeue=method.requeue)
            case name if name.endswith(("-ok", "-empty")):
                connection.reply(channel, method, item.properties, item.body)
            case _ if method.HAS_CONTENT:
                connection.publish(channel, method, item.properties, item.body)
            case _ if method.expects_reply:
                connection.request(channel, method)
            case _:
                connection.send(channel, method)


def _on_channel(frame: bytes, numbers: dict[int, int]) -> bytes:
    """Return a frame with another number for its channel."""
    if frame.startswith(b"AMQP"):
        return frame
    number = int.from_bytes(frame[1:3], "big")
    return frame[:1] + numbers.get(number, number).to_bytes(2, "big") + frame[3:]
