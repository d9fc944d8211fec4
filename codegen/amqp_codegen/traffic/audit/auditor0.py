"""Audits a connection of 0-x: frame by frame, in order."""

from __future__ import annotations

from functools import cache

from ...packages import load_package
from .arguments0 import Arguments0
from .channel0 import Channel0
from .content0 import Content0
from .continuity import Continuity
from .deprecated0 import check_deprecated
from .frames0 import Frames0
from .grammar0 import Grammar0
from .life0 import Life0
from .migration0 import check_to_1_0, check_to_rabbitmq
from .negotiation0 import Negotiation0
from .notes import Notes
from .properties0 import check_properties
from .rule import AMQP_1_0, RABBITMQ_4_3
from .setting0 import Setting0
from .trail import BODY, CLIENT, HEADER, METHOD, SERVER, TrailConnection, TrailFrame

_CONNECTION = 10  # class id
_CHANNEL_OPEN, _CHANNEL_OPEN_OK = 0x0014000A, 0x0014000B
_CHANNEL_CLOSE, _CHANNEL_CLOSE_OK = 0x00140028, 0x00140029
_PUBLISH = 0x003C0028
_SENDERS = ("client", "server")
_CLOSE_REPLIES = ("connection.close-ok", "channel.close-ok")
_CLOSES = ("connection.close", "channel.close")
# Categories of rules that go by what was before.
_OF_ORDER = ("grammar", "channels", "settlement", "content")
_ERRORS = 300  # reply codes from here on


@cache
def _methods_with_content(package: str) -> frozenset[int]:
    return frozenset(key for key, kind in load_package(package).METHODS.items() if kind.HAS_CONTENT)


def _may_interrupt(frame: TrailFrame) -> bool:
    """Whether a method may come in the middle of content: who closes because of an error need not go on."""
    if frame.name in _CLOSE_REPLIES:
        return True
    fields = frame.fields
    return frame.name in _CLOSES and (fields is None or (fields["reply_code"] or 0) >= _ERRORS)


class Auditor0:
    """The state of a connection. Its size is bounded by the number of channels, see the parts."""

    __slots__ = (
        "_arguments",
        "_channels",
        "_content",
        "_continuity",
        "_frames",
        "_grammar",
        "_is_blocked",
        "_latest",
        "_life",
        "_negotiation",
        "_opening",
        "_setting",
        "_target",
        "_with_content",
    )

    def __init__(self, connection: TrailConnection, notes: Notes, target: str | None = None) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
            notes: Takes what is found.
            target: What one wants to move to, of ``rule.TARGETS``.
        """
        setting = self._setting = Setting0(connection, notes)
        self._continuity = Continuity(connection)
        is_known = connection.is_from_start
        setting.lost = [not is_known or self._continuity.is_broken_at_start(side) for side in (0, 1)]
        self._target = target
        self._negotiation = Negotiation0(setting)
        self._life = Life0(setting, self._negotiation)
        self._frames = Frames0(setting)
        self._content = Content0(setting)
        self._channels: dict[int, Channel0] = {}  # of which all is known since they were opened
        self._is_blocked = False
        self._opening: set[int] = set()  # channels that a client opens after frames were lost
        self._latest: list[tuple[int, int] | None] = [None, None]  # packets of the last frames
        self._negotiation.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)
        if connection.package:
            self._grammar = Grammar0(setting)
            self._arguments = Arguments0(setting)
            self._with_content = _methods_with_content(connection.package)

    def feed(self, frame: TrailFrame) -> None:
        """Take the next frame."""
        continuity = self._continuity
        self._check_order(frame)
        if continuity.is_broken_by(frame):
            self._lose(frame.direction)
        self._take(frame)
        if continuity.is_broken_after(frame):
            self._lose(frame.direction)

    def _check_order(self, frame: TrailFrame) -> None:
        """Does the first frame of a side come late? Then what the other one sent was no answer to nothing.

        The octets of a side are held back for a while where its SYN was not captured.
        """
        latest, packet = self._latest, (frame.file_no or 0, frame.pkt_no or 0)
        other = latest[1 - frame.direction]
        if latest[frame.direction] is None and other is not None and packet < other:
            self._setting.notes.withdraw(_OF_ORDER)
            self._lose(CLIENT)
            self._lose(SERVER)
        latest[frame.direction] = packet

    def _take(self, frame: TrailFrame) -> None:
        if not self._setting.package or frame.type < 0:
            return
        self._frames.check(frame)
        self._life.listen(frame)
        kind = frame.type
        if kind == BODY:
            self._content.body(frame)
        elif kind == METHOD:
            self._method(frame)
        elif kind == HEADER:
            is_of_other_class = self._content.header(frame)
            if frame.err is not None and not is_of_other_class:
                self._arguments.undecodable(frame)

    def finish(self) -> None:
        """Nothing more comes."""
        self._life.finish()

    def _lose(self, direction: int) -> None:
        """Frames are missing before this one."""
        self._setting.lost[direction] = True
        self._content.lose(direction)
        self._channels.clear()
        self._opening.clear()
        self._life.lose()
        if self._setting.package:
            self._grammar.lose()

    def _method(self, frame: TrailFrame) -> None:
        setting, fields = self._setting, frame.fields
        key = (frame.class_id or 0) << 16 | (frame.method_id or 0)
        if frame.err is not None:
            self._arguments.undecodable(frame)
        self._content.method(frame, key in self._with_content, _may_interrupt(frame))
        if frame.class_id != _CONNECTION and frame.channel:
            self._check_connection(frame)
        if self._setting.lost[CLIENT] or self._setting.lost[SERVER]:
            self._find_beginning(frame, key)
        self._grammar.method(frame, key)
        if frame.class_id == _CONNECTION:
            self._connection_method(frame, key)
        else:
            self._channel_method(frame, key)
        if fields is None:
            return
        self._arguments.check(frame, key, fields)
        if frame.direction == CLIENT:
            notes, target = setting.notes, self._target
            check_deprecated(notes, frame, key, fields)
            if target == AMQP_1_0:
                check_to_1_0(notes, frame, key, fields)
            if key == _PUBLISH and frame.message is not None:
                check_properties(setting, frame, frame.message)
                if target == RABBITMQ_4_3:
                    check_to_rabbitmq(notes, frame, frame.message)

    def _find_beginning(self, frame: TrailFrame, key: int) -> None:
        """After a loss a channel is known again when it is opened: asked for and granted, and nothing between."""
        channel = frame.channel
        if key == _CHANNEL_OPEN and frame.direction == CLIENT and not self._life.is_closing:
            self._opening.add(channel)
        elif key == _CHANNEL_OPEN_OK and frame.direction == SERVER and channel in self._opening:
            self._opening.remove(channel)
            self._grammar.opened(channel)
            self._channels[channel] = Channel0(self._setting)
        else:
            self._opening.discard(channel)

    def _check_connection(self, frame: TrailFrame) -> None:
        """Is the connection open for a method of a channel?"""
        setting, sender = self._setting, _SENDERS[frame.direction]
        if self._life.has_closed[frame.direction]:
            text = f"{frame.name} from the {sender} after its connection.close"
            setting.notes.add("after-close", frame, text, spec_ref="connection.close/stability")
        elif not (self._negotiation.asked_to_open or any(setting.lost)):
            setting.notes.add("not-open", frame, f"{frame.name} from the {sender} before connection.open")

    def _connection_method(self, frame: TrailFrame, key: int) -> None:
        fields = frame.fields
        if frame.name == "connection.close":
            self._channels.clear()
            if not _may_interrupt(frame):
                self._content.end(frame)
        elif frame.name == "connection.blocked":
            self._is_blocked = frame.direction == SERVER
        elif frame.name == "connection.unblocked":
            self._is_blocked = False
        if fields is not None and not frame.channel:
            self._negotiation.take(frame, key, fields)
        self._life.take(frame, key, fields, False)

    def _channel_method(self, frame: TrailFrame, key: int) -> None:
        number, fields = frame.channel, frame.fields
        if key == _CHANNEL_OPEN:
            if frame.direction == CLIENT and not self._life.is_closing:
                self._life.opens(frame)
                if not any(self._setting.lost):
                    self._channels[number] = Channel0(self._setting)
            return
        if key in (_CHANNEL_CLOSE, _CHANNEL_CLOSE_OK):
            closed = self._channels.pop(number, None)
            self._life.take(frame, key, fields, closed is not None and closed.has_asked_passively)
            return
        if key == _PUBLISH and self._is_blocked and frame.direction == CLIENT:
            self._setting.notes.add(
                "published-while-blocked", frame, "basic.publish while the server blocks", channel=number
            )
        channel = self._channels.get(number)
        if channel is not None and fields is not None:
            channel.take(frame, key, fields, self._others)

    def _others(self, tag: int) -> list[int]:
        """The channels on which a message with this delivery tag is to be settled."""
        return [number for number, each in self._channels.items() if tag in each.deliveries.outstanding]
