"""The connection engine, either side: hostile octets of the peer in pieces, between them commands at random.

Whatever comes, only commands raise, and only LocalError or EncodeError; then nothing has changed. ``Closed`` is told at most
once, and nothing after it. What the engine holds is bounded by its settings.
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.fuzz.case import Options
from tests.fuzz.oracles import check_text, demand, pieces
from tests.generated.amqp0.connection.ends import Ends

from .engine_inputs import SIDES

LIMITS = {
    "max_body_size": 2_000,
    "max_unfinished": 3_000,
    "max_unanswered": 5,
    "max_consumers": 4,
    "max_unacknowledged": 6,
    "max_received": 1_000,
    "max_to_send": 5_000,
    "high_water": 1_000,
}
CHANNEL_MAX = 4
# What the answers to one piece may add: it has at most so many octets, and each of its frames one answer.
OVERDRAFT = 20_000


def check_engine(amqp: Any, octets: bytes, options: Options) -> bool:
    """True if one of the sides takes all of it and stays open."""
    sides = [Victim(amqp, side, options).suffer(octets) for side in SIDES]
    return any(sides)


class Victim:
    """One side of a connection, whose peer is replaced by octets when the stage is set."""

    def __init__(self, amqp: Any, side: str, options: Options) -> None:
        self._chance = Random(f"{side} {options['seed']}")
        self._ends = Ends(
            amqp.__name__,
            **LIMITS,
            **{f"server_{name}": value for name, value in LIMITS.items()},
            channel_max=CHANNEL_MAX,
            server_channel_max=CHANNEL_MAX,
        )
        self._amqp = amqp
        self._engine = self._ends.engine
        self._methods = self._ends.methods
        self._now = self._ends.now
        self._told: list[Any] = []
        self._got = 0  # requests of ours whose answers are deliveries
        if options["is_open"]:
            self._set_stage()
        else:
            self._ends.start()
        self._connection = self._ends.client if side == "client" else self._ends.server
        self._seed = options["seed"]
        self._commands = options["commands"]  # how often there is one before a piece

    def _set_stage(self) -> None:
        """Two channels: one with a consumer and deliveries, one with confirms, and requests on both."""
        ends, methods = self._ends, self._methods
        ends.open()
        one, two = ends.open_channel(), ends.open_channel()
        ends.consume(one)
        for tag in (1, 2, 3):
            ends.deliver(one, tag)
        if hasattr(methods, "ConfirmSelect"):
            ends.client.request(two, methods.ConfirmSelect())
            ends.exchange()
            ends.server.reply(two, methods.ConfirmSelectOk())
        for _ in range(3):
            ends.client.publish(two, methods.BasicPublish())
        ends.client.request(one, methods.QueuePurge(queue="q"))
        ends.exchange()

    def suffer(self, octets: bytes) -> bool:
        """Take the octets and the end of the stream."""
        for piece in filter(None, pieces(octets, self._seed)):  # none are the end
            if self._chance.random() < self._commands:
                self._command()
            self._receive(piece)
            while self._chance.random() < 0.8 and self._pull():
                pass
            self._check_bounds()
        while self._pull():
            pass
        was_open = not self._connection.is_closed
        self._connection.receive_eof(self._now)
        while self._pull():
            pass
        self._check_end()
        return was_open

    @property
    def error(self) -> Exception | None:
        """Why the connection is closed."""
        error: Exception | None = self._told[-1].error
        return error

    def _receive(self, piece: bytes) -> None:
        try:
            self._connection.receive_data(piece, self._now)
        except self._engine.LocalError:
            while self._pull():
                pass
            self._connection.receive_data(piece, self._now)

    def _pull(self) -> bool:
        event = self._connection.next_event()
        if event is None:
            return False
        self._told.append(event)
        names = [type(event).__name__ for event in self._told]
        demand("Closed" not in names[:-1], "something is told after the end", self._told[-2:])
        check_text(ascii(event))
        if names[-1] == "LoginRequested" and self._chance.random() < 0.8:
            self._connection.accept_login()
        elif names[-1] == "OpenRequested" and self._chance.random() < 0.8:
            self._connection.accept_open()
        return True

    def _command(self) -> None:
        """Do something that may be forbidden."""
        connection, chance, methods = self._connection, self._chance, self._methods
        channel, tag = chance.choice((1, 1, 2, 3, 0, 9)), chance.choice((0, 1, 2, 3, 4, 9))
        multiple = chance.random() < 0.3
        publish = chance.choice(
            (methods.BasicPublish(), methods.BasicDeliver(consumer_tag="c", delivery_tag=tag))
        )
        kinds = [kind for kind in self._amqp.METHODS.values() if "." in kind.NAME]
        method = None
        while method is None:
            kind = chance.choice(kinds)
            try:
                method = kind()
            except TypeError:
                continue
        body = bytes(chance.choice((0, 10, 900)))
        commands: list[tuple[Any, ...]] = [
            (connection.open_channel,),
            (connection.request, channel, method),
            (connection.send, channel, method),
            (connection.publish, channel, publish, None, body),
            (connection.publish, channel, publish, None, body),
            (connection.reply, channel, method, None, body),
            (connection.reply, channel, *self._due(channel)),
            (connection.ack, channel, tag, multiple),
            (connection.reject, channel, tag),
            (connection.accept_login,),
            (connection.accept_open,),
            (connection.challenge, b"?"),
            (connection.answer_challenge, b"!"),
            (connection.data_to_send, chance.choice((None, 10))),
            (connection.timer, self._now),
        ]
        if chance.random() < 0.02:
            commands = [(connection.close,), (connection.close_channel, channel)]
        command, *arguments = chance.choice(commands)
        options = {"multiple": arguments.pop()} if command == connection.ack else {}
        before = connection.buffered
        self._got += command == connection.request and method.NAME == "basic.get"
        try:
            command(*arguments, **options)
        except (self._engine.LocalError, self._amqp.EncodeError) as error:
            check_text(str(error))
            demand(connection.buffered == before, "a command failed and something is to be sent", command)
        if chance.random() < 0.1:
            self._now += chance.choice((0.1, 1.0, 20.0))
            connection.timer(self._now)

    def _due(self, channel: int) -> tuple[Any, ...]:
        """What a request on a channel waits for."""
        for event in self._told:
            if type(event).__name__ == "Requested" and event.channel == channel and event.method.RESPONSES:
                values = {"consumer_tag": "c"} if event.method.NAME == "basic.consume" else {}
                try:
                    return (event.method.RESPONSES[-1](**values),)
                except TypeError:
                    break
        return (self._methods.QueuePurgeOk(),)

    def _check_bounds(self) -> None:
        connection = self._connection
        channels = connection._channels.values()
        demand(
            connection.buffered <= LIMITS["max_to_send"] + LIMITS["high_water"] + OVERDRAFT, "octets to send"
        )
        demand(connection._inbox._size <= LIMITS["max_received"], "octets received")
        demand(connection._assembler._kept <= LIMITS["max_unfinished"], "unfinished bodies")
        demand(connection._assembler._kept >= 0, "octets of bodies that are not there")
        demand(len(channels) <= CHANNEL_MAX + 1, "channels")
        demand(len(connection._events) <= CHANNEL_MAX + 2, "events")
        for channel in channels:
            demand(len(channel._asked) <= LIMITS["max_unanswered"], "requests of the peer", channel._asked)
            demand(len(channel.unanswered) <= LIMITS["max_unanswered"] + 1, "requests", channel.unanswered)
            demand(len(channel.consumers) <= LIMITS["max_consumers"] + LIMITS["max_unanswered"], "consumers")

    def _check_end(self) -> None:
        connection = self._connection
        names = [type(event).__name__ for event in self._told]
        demand(names.count("Closed") == 1 and names[-1] == "Closed", "no end, or two", names)
        demand(connection.is_closed and connection.next_timer() is None, "it is closed and is not")
        connection.receive_data(b"x", self._now)
        demand(connection.next_event() is None, "something is told after the end")
        connection.data_to_send()
        for command in (
            connection.open_channel,
            lambda: connection.send(1, self._methods.QueuePurge(queue="q", no_wait=True)),
        ):
            try:
                command()
            except self._engine.LocalError:
                continue
            demand(False, "a command on a closed connection")
        demand(connection.buffered == 0, "something is to be sent after the end")
