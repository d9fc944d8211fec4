"""Audits a connection of 0-x: frame by frame, in order."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from amqp_codegen.support.packages import load_package

from ..connection_frames import BODY, CLIENT, HEADER, METHOD, SERVER, AuditConnection, AuditFrame
from ..continuity import FrameContinuity
from ..finding_log import FindingLog
from ..packet_order import PacketOrder, place_of_packet
from ..rules.rule import AMQP_1_0, RABBITMQ_4_3, AuditRule
from ..turns import Turns
from .arguments import ArgumentAudit
from .channel import ChannelAudit
from .content import ContentAudit
from .deprecated import check_deprecated
from .frames import FrameAudit
from .grammar import GrammarAudit
from .life import LifeAudit
from .migration import check_to_1_0, check_to_rabbitmq
from .negotiation import NegotiationAudit
from .properties import check_properties
from .setting import AuditSetting

_CONNECTION = 10  # class id
_CHANNEL_OPEN, _CHANNEL_OPEN_OK = 0x0014000A, 0x0014000B
_CHANNEL_CLOSE, _CHANNEL_CLOSE_OK = 0x00140028, 0x00140029
_PUBLISH = 0x003C0028
_SENDERS = ("client", "server")
_CLOSE_REPLIES = ("connection.close-ok", "channel.close-ok")
_CLOSES = ("connection.close", "channel.close")
# Categories of rules that go by what was before.
_OF_ORDER = frozenset(("grammar", "channels", "settlement", "content"))
_ERRORS = 300  # reply codes from here on


@cache
def _methods_with_content(package: str) -> frozenset[int]:
    return frozenset(key for key, kind in load_package(package).METHODS.items() if kind.HAS_CONTENT)


def _may_interrupt(frame: AuditFrame) -> bool:
    """Whether a method may come in the middle of content: who closes because of an error need not go on."""
    if frame.name in _CLOSE_REPLIES:
        return True
    fields = frame.fields
    return frame.name in _CLOSES and (fields is None or (fields["reply_code"] or 0) >= _ERRORS)


def _is_reaction(wrong: AuditFrame, frame: AuditFrame) -> bool:
    """Whether a frame closes something: that explains nothing of what the other side did, but for the reply to it."""
    if frame.name not in _CLOSES or frame.fields is None:
        return False
    is_its_reply = wrong.name == f"{frame.name}-ok" and wrong.channel == frame.channel
    about = frame.fields["class_id"], frame.fields["method_id"]
    return not is_its_reply or about == (wrong.class_id, wrong.method_id)


def _goes_by_order(rule: AuditRule) -> bool:
    return rule.by_order or rule.category in _OF_ORDER


class Auditor:
    """The state of a connection. Its size is bounded by the number of channels, see the parts."""

    __slots__ = (
        "_arguments",
        "_channels",
        "_content",
        "_continuity",
        "_frames",
        "_grammar",
        "_is_blocked",
        "_life",
        "_negotiation",
        "_opening",
        "_order",
        "_setting",
        "_targets",
        "_turns",
        "_with_content",
    )

    def __init__(self, connection: AuditConnection, notes: FindingLog, targets: Collection[str] = ()) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
            notes: Takes what is found.
            targets: What one wants to move to, of ``rule.TARGETS``.
        """
        setting = self._setting = AuditSetting(connection, notes)
        self._continuity = FrameContinuity(connection)
        # Where the version is a guess, so is what every octet means.
        is_known = connection.is_from_start and setting.is_version_certain
        setting.lost = [not is_known or self._continuity.is_broken_at_start(side) for side in (0, 1)]
        self._targets = targets
        self._negotiation = NegotiationAudit(setting)
        self._life = LifeAudit(setting, self._negotiation)
        self._frames = FrameAudit(setting)
        self._content = ContentAudit(setting)
        self._channels: dict[int, ChannelAudit] = {}  # of which all is known since they were opened
        self._is_blocked = False
        self._opening: set[int] = set()  # channels that a client opens after frames were lost
        self._order = PacketOrder()
        self._turns = Turns(self._take, _is_reaction)
        self._negotiation.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)
        if connection.package:
            self._grammar = GrammarAudit(setting)
            self._arguments = ArgumentAudit(setting)
            self._with_content = _methods_with_content(connection.package)

    def feed(self, frame: AuditFrame) -> None:
        """Take the next frame."""
        continuity, direction = self._continuity, frame.direction
        if self._order.is_late(frame) and (self._order.is_first or frame.type == METHOD):
            self._come_late(frame, self._order.is_first)
        if continuity.is_broken_by(frame):
            self._lose(direction)
        if self._turns.held:
            self._turns.feed(frame)
        elif not self._take(frame, False):
            self._turns.hold(frame)
        if continuity.is_broken_after(frame):
            self._lose(direction)

    def _come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """The other side sent its last frame after this one: perhaps that was no answer to nothing."""
        if self._setting.notes.withdraw(_goes_by_order, place_of_packet(frame)) or is_first:
            self._lose(CLIENT)
            self._lose(SERVER)

    def _take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame, or return False if it is not its turn."""
        if not self._setting.package or frame.type < 0:
            return True
        kind = frame.type
        if kind == METHOD and not self._is_due(frame, has_to):
            return False
        self._frames.check(frame)
        self._life.listen(frame)
        if kind == BODY:
            self._content.body(frame)
        elif kind == METHOD:
            self._method(frame)
        elif kind == HEADER:
            is_of_other_class = self._content.header(frame)
            if frame.err is not None and not is_of_other_class:
                self._arguments.undecodable(frame)
        return True

    def _is_due(self, frame: AuditFrame, has_to: bool) -> bool:
        """Whether it is the turn of a method; if it has to be, what is wrong with it is noted."""
        key, fields = (frame.class_id or 0) << 16 | (frame.method_id or 0), frame.fields
        if not has_to and fields is not None:
            channel = self._channels.get(frame.channel)
            if channel is not None and not channel.is_due(frame, fields):
                return False
        if self._setting.lost[CLIENT] or self._setting.lost[SERVER]:
            self._find_beginning(frame, key)
        return self._grammar.method(frame, key, has_to)

    def finish(self) -> None:
        """Nothing more comes."""
        self._turns.release_all()
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
        self._turns.release_all()

    def _method(self, frame: AuditFrame) -> None:
        setting, fields = self._setting, frame.fields
        key = (frame.class_id or 0) << 16 | (frame.method_id or 0)
        if frame.err is not None:
            self._arguments.undecodable(frame)
        self._content.method(frame, key in self._with_content, _may_interrupt(frame))
        if frame.class_id != _CONNECTION and frame.channel:
            self._check_connection(frame)
        if frame.class_id == _CONNECTION:
            self._connection_method(frame, key)
        else:
            self._channel_method(frame, key)
        if fields is None:
            return
        self._arguments.check(frame, fields)
        if frame.direction == CLIENT:
            notes, targets = setting.notes, self._targets
            check_deprecated(notes, frame, key, fields)
            if AMQP_1_0 in targets:
                check_to_1_0(notes, frame, key, fields)
            if key == _PUBLISH and frame.message is not None:
                check_properties(setting, frame, frame.message)
                if RABBITMQ_4_3 in targets:
                    check_to_rabbitmq(notes, frame, frame.message)

    def _find_beginning(self, frame: AuditFrame, key: int) -> None:
        """After a loss a channel is known again when it is opened: asked for and granted, and nothing between."""
        channel = frame.channel
        if key == _CHANNEL_OPEN and frame.direction == CLIENT and not self._life.is_closing:
            self._opening.add(channel)
        elif key == _CHANNEL_OPEN_OK and frame.direction == SERVER and channel in self._opening:
            self._opening.remove(channel)
            self._grammar.opened(channel)
            self._channels[channel] = ChannelAudit(self._setting)
        else:
            self._opening.discard(channel)

    def _check_connection(self, frame: AuditFrame) -> None:
        """Is the connection open for a method of a channel?"""
        setting, sender = self._setting, _SENDERS[frame.direction]
        if self._life.has_closed[frame.direction]:
            text = f"{frame.name} from the {sender} after its connection.close"
            setting.notes.add("after-close", frame, text, spec_ref="connection.close/stability")
        elif not (self._negotiation.asked_to_open or any(setting.lost)):
            setting.notes.add("not-open", frame, f"{frame.name} from the {sender} before connection.open")

    def _connection_method(self, frame: AuditFrame, key: int) -> None:
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

    def _channel_method(self, frame: AuditFrame, key: int) -> None:
        number, fields = frame.channel, frame.fields
        if key == _CHANNEL_OPEN:
            if frame.direction == CLIENT and not self._life.is_closing:
                self._life.opens(frame)
                if not any(self._setting.lost):
                    self._channels[number] = ChannelAudit(self._setting)
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
            channel.take(frame, fields, self._others)

    def _others(self, tag: int) -> list[int]:
        """The channels on which a message with this delivery tag is to be settled."""
        return [number for number, each in self._channels.items() if each.has_to_settle(tag)]
