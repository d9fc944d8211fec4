"""Cases of framing: octets, right or wrong, at some point of a connection, and what the broker does about them.

A broker that does nothing about the octets of a case for a moment is sent something harmless. The answer to that tells
that it has accepted them; so only a broker that falls silent takes time.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..engine.framing import NORMAL, FramingRule, pieces_of, read_framing_rules
from ..engine.registry import Driver, rule
from ..engine.run_result import Disconnected, NoAnswer, Violation
from .broker import Broker
from .connection import LiveConnection
from .frames import HeaderAnswer, ReceivedMessage, frame_name

END = "end of the socket"
SILENCE = "silence"
BODY = b"0123456789"
# Seconds for a broker to do something about octets that are wrong, before anything else is sent.
QUIET = 0.3
# Heartbeat intervals to wait for a broker that is to notice our silence: two pass before it may, and it need not look all the time.
SILENT_INTERVALS = 4

# The same in all versions.
METHOD, HEADER, CONTENT, HEARTBEAT = 1, 2, 3, 8
BASIC, CONNECTION = 60, 10
_FRAME_END = 0xCE
VERSIONS = ("0-8", "0-9", "0-9-1")


class Stage(Enum):
    """How far a connection has come when the octets of a case are sent; the value is for the report."""

    SOCKET = "On a new socket"
    START = "Where connection.start-ok is due"
    TUNE = "Where connection.tune-ok is due"
    OPEN = "Where connection.open is due"
    CONNECTION = "On an open connection without channels"
    CHANNEL = "On channel 1"
    QUEUE = "On channel 1, with a queue"
    CLOSED = "After channel 1 was opened and closed"


class FrameFactory:
    """The octets of the version under test, right or wrong.

    Attributes:
        queue: The name of the trial's queue; empty if it has none.
        frame_max: The agreed size of frames.
    """

    def __init__(self, amqp: Any) -> None:
        self.amqp = amqp
        self.methods: Any = amqp.methods
        self.queue = ""
        self.frame_max = 0

    def frame(
        self, kind: int, payload: bytes, channel: int = 1, *, size: int | None = None, end: int = _FRAME_END
    ) -> bytes:
        """Return a frame of any type, channel, size and end."""
        return (
            struct.pack(">BHI", kind, channel, len(payload) if size is None else size)
            + payload
            + bytes((end,))
        )

    def arguments(self, method: Any, cut: int = 0, more: bytes = b"", channel: int = 1) -> bytes:
        """Return the frame of a method without the last ``cut`` octets of its payload, and with ``more`` behind it."""
        payload: bytes = method.encode()
        return self.frame(METHOD, payload[: len(payload) - cut] + more, channel)

    def raw_method(self, class_id: int, method_id: int, arguments: bytes = b"", channel: int = 1) -> bytes:
        """Return the frame of a method given by its numbers and the octets of its arguments."""
        return self.frame(METHOD, struct.pack(">HH", class_id, method_id) + arguments, channel)

    def with_arguments(self, kind: Any, arguments: bytes = b"") -> bytes:
        """Return the frame of a method of a class with any octets as its arguments."""
        return self.raw_method(kind.CLASS_ID, kind.METHOD_ID, arguments)

    def method(self, method: Any, channel: int = 1) -> bytes:
        """Return the frame of a method as it should be."""
        octets: bytes = self.amqp.encode_frame(channel, method)
        return octets

    def harmless(self, channel: int = 1) -> bytes:
        """Return the frame of a method that changes nothing."""
        return self.method(self.methods.BasicQos(), channel)

    def declare(self, table: bytes) -> bytes:
        """Return a queue.declare, passive, whose arguments are these octets without their length."""
        payload: bytes = self.methods.QueueDeclare(queue="amqp-codegen.none", passive=True).encode()
        return self.frame(METHOD, payload[:-4] + struct.pack(">I", len(table)) + table)

    def publish(self, channel: int = 1) -> bytes:
        """Return a basic.publish to the queue of the trial; without one, the message is dropped."""
        return self.method(self.methods.BasicPublish(routing_key=self.queue or "amqp-codegen.none"), channel)

    def header(
        self,
        size: int = len(BODY),
        channel: int = 1,
        *,
        class_id: int = BASIC,
        weight: int = 0,
        flags: int = 0,
        properties: bytes = b"",
        cut: int = 0,
    ) -> bytes:
        """Return a content header; ``cut`` octets are missing at its end."""
        payload = struct.pack(">HHQH", class_id, weight, size, flags) + properties
        return self.frame(HEADER, payload[: len(payload) - cut], channel)

    def body(self, octets: bytes = BODY, channel: int = 1) -> bytes:
        """Return a content body."""
        return self.frame(CONTENT, octets, channel)

    def heartbeat(self, channel: int = 0, payload: bytes = b"", end: int = _FRAME_END) -> bytes:
        """Return a heartbeat."""
        return self.frame(HEARTBEAT, payload, channel, end=end)


@dataclass(frozen=True, slots=True)
class FramingCase:
    """A rule of the catalogue and the octets that try it.

    Attributes:
        path: That of the rule without ``framing.``.
        stage: Where the octets are sent.
        sends: What they are, in words, for the report.
        octets: Makes them.
        tuning: What connection.tune-ok asks for, as in ``Broker.connect``.
        in_pieces: Each octet is sent on its own.
        answer: The method that answers the octets themselves, if they deserve an answer.
        body: What basic.get has to bring.
        quiet: Nothing is sent behind the octets: the broker has to act by itself.
        slow: Some brokers take seconds.
    """

    path: str
    stage: Stage
    sends: str
    octets: Callable[[FrameFactory], bytes]
    tuning: Mapping[str, int] = field(default_factory=dict)
    in_pieces: bool = False
    answer: str = ""
    body: bytes = BODY
    quiet: bool = False
    slow: bool = False


# Of the cases of one stage: path of the rule to the words for the report, and what makes the octets.
CaseTable = Mapping[str, tuple[str, Callable[[FrameFactory], bytes]]]


def cases(stage: Stage, table: CaseTable) -> tuple[FramingCase, ...]:
    """Return the cases of a table, all at the same stage."""
    return tuple(FramingCase(path, stage, sends, octets) for path, (sends, octets) in table.items())


def drivers_of(cases: Sequence[FramingCase]) -> tuple[Driver, ...]:
    """Return a driver for each case and version that has its rule."""
    catalogues = {version: read_framing_rules(version) for version in VERSIONS}
    return tuple(
        _driver(case, version, catalogue[f"framing.{case.path}"])
        for case in cases
        for version, catalogue in catalogues.items()
        if f"framing.{case.path}" in catalogue
    )


def _driver(case: FramingCase, version: str, framing_rule: FramingRule) -> Driver:
    def drive(broker: Broker) -> None:
        framing_rule.judge(react(broker, case, framing_rule.is_legal))

    drive.__doc__ = f"{case.stage.value}: send {case.sends}. Allowed: {framing_rule.expected}."
    drive.__qualname__ = f"{case.path} of {version}"
    slow = case.slow or case.stage in (Stage.START, Stage.TUNE, Stage.OPEN)
    return rule({version: framing_rule.rule.path}, slow=slow)(drive)


def react(broker: Broker, case: FramingCase, is_legal: bool) -> str:
    """Do what a case says; return the broker's reaction. Nothing but an answer can come to octets that are legal."""
    make = FrameFactory(broker.amqp)
    with broker.set_up():
        connection = _connect(broker, case, make)
    octets = case.octets(make)
    for piece in pieces_of(octets, case.in_pieces):
        connection.send_octets(octets[piece], case.sends, channel=None)
    if case.quiet:
        wait = broker.patience + SILENT_INTERVALS * case.tuning.get("heartbeat", 0)
        return _observe(connection, case, seconds=wait)
    # Octets with an answer of their own are not overtaken by a probe on channel 0: channels need not keep an order.
    reaction = SILENCE if is_legal and not case.answer else _observe(connection, case, seconds=QUIET)
    if reaction != SILENCE:
        return reaction
    return _observe(connection, case, _send_probe(broker, connection, case.stage, make))


def _connect(broker: Broker, case: FramingCase, make: FrameFactory) -> LiveConnection:
    """Return a connection at the stage of a case."""
    connection = broker.dial()
    if case.stage is Stage.SOCKET:
        return connection
    connection.begin()
    if case.stage is Stage.START:
        return connection
    connection.log_in()
    if case.stage is Stage.TUNE:
        return connection
    connection.tune_ok(**case.tuning)
    make.frame_max = connection.frame_max
    if case.stage is Stage.OPEN:
        return connection
    connection.open()
    if case.stage is not Stage.CONNECTION:
        channel = connection.open_channel()
        if case.stage is Stage.QUEUE:
            make.queue = channel.declare_queue(broker.name("queue"))
        if case.stage is Stage.CLOSED:
            channel.close()
    return connection


def _send_probe(broker: Broker, connection: LiveConnection, stage: Stage, make: FrameFactory) -> str:
    """Go on as if nothing had happened; return the name of the method that answers."""
    methods, control = broker.amqp.methods, connection.control
    if stage is Stage.START:
        control.send(connection.start_ok())
        return "connection.tune"
    if stage is Stage.TUNE:
        connection.tune_ok()
    if stage in (Stage.TUNE, Stage.OPEN):
        control.send(methods.ConnectionOpen(virtual_host=broker.target.virtual_host))
        return "connection.open-ok"
    if stage in (Stage.CONNECTION, Stage.CLOSED):
        control.send(methods.ConnectionClose(reply_code=200, reply_text="done"))
        connection.is_open = False
        return "connection.close-ok"
    if stage is Stage.CHANNEL:
        connection.send(methods.ChannelClose(reply_code=200, reply_text="done"), channel=1)
        return "channel.close-ok"
    if stage is Stage.QUEUE:
        connection.send(methods.BasicGet(queue=make.queue, no_ack=True), channel=1)
        return "basic.get-ok"
    return "connection.start"


def _observe(
    connection: LiveConnection, case: FramingCase, answer: str = "", seconds: float | None = None
) -> str:
    """Return the broker's reaction to the octets of a case, or to what was sent behind them."""
    return first_reaction(connection, (0, 1, 2), case.answer or answer, seconds, case.body)


def first_reaction(
    connection: LiveConnection,
    channels: tuple[int, ...],
    answer: str = "",
    seconds: float | None = None,
    body: bytes = BODY,
) -> str:
    """Return the first thing that the broker does and that is a reaction; other answers are passed over.

    Args:
        connection: Where to listen.
        channels: On which channels.
        answer: The method that answers what was sent last.
        seconds: How long to wait, by default the patience of the trial.
        body: What the answer has to bring, if it brings a message.
    """
    has_header = False
    while True:
        try:
            _, item = connection.take_any(*channels, seconds=seconds)
        except Disconnected:
            return "protocol header" if has_header else END
        except NoAnswer:
            return "protocol header on a socket that stays open" if has_header else SILENCE
        except Violation as error:
            return error.got
        name = frame_name(getattr(item, "method", item))
        if isinstance(item, HeaderAnswer):
            has_header, seconds = True, None
        elif name in ("connection.close", "channel.close"):
            return f"{name} {item.reply_code}"
        elif name == "basic.get-empty":
            return name
        elif name == answer:
            if isinstance(item, ReceivedMessage) and item.body != body:
                return f"a body of {len(item.body)} octets that are not those sent"
            return f"{NORMAL}{name}"
