"""The audit of a 0-x connection, frame by frame: passes each frame to the modules that hold the rules."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from amqp_codegen.support.resources import load_package

from ...capture.stream_data import SIDES
from ..connection_frames import BODY, CLIENT, HEADER, METHOD, SERVER, AuditConnection, AuditFrame
from ..finding_log import FindingLog
from ..frame_order import FrameOrder, place_of_packet
from ..rule import AMQP_1_0, INFO, RABBITMQ_4_3, AuditRule, Evidence, Told
from .arguments import ArgumentAudit
from .broker_arguments import BrokerArgumentAudit
from .channel import ChannelAudit
from .content import ContentAudit
from .deprecated import check_deprecated
from .frames import FrameAudit
from .grammar import GrammarAudit, after_close, not_open
from .life import LifeAudit
from .migration import check_to_1_0, check_to_rabbitmq
from .negotiation import NegotiationAudit
from .properties import check_properties
from .setting import AuditSetting

_CONNECTION = 10  # class id
_PUBLISH = "basic.publish"
_CLOSE_REPLIES = ("connection.close-ok", "channel.close-ok")
_OPENS = ("channel.open", "channel.open-ok")
_CLOSES = ("connection.close", "channel.close")
_LEAST_ERROR_CODE = 300  # reply codes from here on mean errors


@cache
def _methods_with_content(package: str) -> frozenset[str]:
    return frozenset(kind.NAME for kind in load_package(package).METHODS.values() if kind.HAS_CONTENT)


def _may_interrupt(frame: AuditFrame) -> bool:
    """Return whether a method may interrupt content: a side that closes because of an error need not finish it."""
    if frame.name in _CLOSE_REPLIES:
        return True
    fields = frame.fields
    return frame.name in _CLOSES and (fields is None or (fields["reply_code"] or 0) >= _LEAST_ERROR_CODE)


@AuditRule(
    "published-while-blocked",
    INFO,
    category="life",
    source="connection.blocked",
    example="connection.blocked, basic.publish",
)
def published_while_blocked(frame: AuditFrame) -> Told:
    """Messages published while the server had blocked the connection: they wait in the network."""
    return Evidence("basic.publish while the server blocks", channel=frame.channel)


class Auditor:
    """The state of a connection. Its size is bounded by the number of channels."""

    def __init__(self, connection: AuditConnection, notes: FindingLog, targets: Collection[str] = ()) -> None:
        setting = self._setting = AuditSetting(connection, notes)
        self._order = FrameOrder(connection, self)
        # If the version is a guess, so is the meaning of every octet.
        is_known = connection.is_from_start and setting.is_version_certain
        setting.lost = [not is_known or self._order.is_blind[side] for side in (0, 1)]
        self._targets = targets
        self._negotiation = NegotiationAudit(setting)
        self._life = LifeAudit(setting, self._negotiation)
        self._frames = FrameAudit(setting)
        self._content = ContentAudit(setting)
        self._channels: dict[int, ChannelAudit] = {}  # complete since channel.open
        self._is_blocked = False
        self._is_doubted = False  # whether the order of some frames is not known
        self._opening: set[int] = set()  # channels that a client opens after frames were lost
        self._negotiation.begin()
        for row in connection.quarantined:
            self._frames.quarantined(row)
        if connection.package:
            self._grammar = GrammarAudit(setting)
            self._arguments = ArgumentAudit(setting)
            self._broker_arguments = BrokerArgumentAudit(setting)
            self._with_content = _methods_with_content(connection.package)

    def feed(self, frame: AuditFrame) -> None:
        """Take the next frame."""
        self._order.feed(frame)

    def come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """Withdraw findings that a late frame may explain: the other side may have answered it."""
        if not is_first and frame.type != METHOD:
            return
        self._setting.notes.doubtful.add(frame.frame_no)
        if self._setting.notes.withdraw(lambda rule: rule.by_order, place_of_packet(frame)) or is_first:
            self.lose(CLIENT)
            self.lose(SERVER)

    def is_reaction(self, wrong: AuditFrame, frame: AuditFrame) -> bool:
        """Return whether a frame is a close: it explains no earlier frame of the other side but the reply to it."""
        if frame.name not in _CLOSES or frame.fields is None:
            return False
        is_its_reply = wrong.name == f"{frame.name}-ok" and wrong.channel == frame.channel
        about = frame.fields["class_id"], frame.fields["method_id"]
        return not is_its_reply or about == (wrong.class_id, wrong.method_id)

    def take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame, or return False if it is not its turn."""
        is_taken = self._take(frame, has_to)
        notes = self._setting.notes
        if notes.doubted is not None:
            self._forget(notes.doubted)
            notes.doubted = None
        return is_taken

    def _forget(self, channel: int) -> None:
        """Forget what depends on the order of frames on a channel, until it is opened again."""
        self._is_doubted = True
        self._channels.pop(channel, None)
        self._grammar.forget(channel)

    def _take(self, frame: AuditFrame, has_to: bool) -> bool:
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
            misfits = self._content.misfits_of(frame)
            is_of_other_class = self._content.header(frame)
            if frame.err is not None and not is_of_other_class:
                self._arguments.undecodable(frame)
            elif misfits is not None:
                self._arguments.header(frame, misfits)
        return True

    def _is_due(self, frame: AuditFrame, has_to: bool) -> bool:
        """Return whether it is the turn of a method. If it must be taken now, note what is wrong with it."""
        fields = frame.fields
        if not has_to and fields is not None:
            channel = self._channels.get(frame.channel)
            if channel is not None and not channel.is_due(frame, fields):
                return False
        if frame.name in _OPENS and self._setting.notes.is_doubtful(frame):
            self._forget(frame.channel)  # what was sent after it may have come already
        if self._is_doubted or self._setting.lost[CLIENT] or self._setting.lost[SERVER]:
            self._find_beginning(frame)
        return self._grammar.method(frame, has_to)

    def finish(self) -> None:
        """Judge the end of the connection."""
        self._order.release_all()
        self._life.finish()

    def lose(self, direction: int) -> None:
        """Forget what depends on frames of a direction that are missing."""
        self._setting.lost[direction] = True
        self._content.lose(direction)
        self._channels.clear()
        self._opening.clear()
        self._life.lose()
        if self._setting.package:
            self._grammar.lose()
        self._order.release_all()

    def _method(self, frame: AuditFrame) -> None:
        setting, fields = self._setting, frame.fields
        if frame.err is not None:
            self._arguments.undecodable(frame)
        self._content.method(frame, frame.name in self._with_content, _may_interrupt(frame))
        if frame.class_id != _CONNECTION and frame.channel:
            self._check_connection(frame)
        if frame.class_id == _CONNECTION:
            self._connection_method(frame)
        else:
            self._channel_method(frame)
        if fields is None:
            return
        self._arguments.check(frame, fields)
        self._broker_arguments.check(frame, fields)
        if frame.direction == CLIENT:
            notes, targets = setting.notes, self._targets
            check_deprecated(notes, frame, fields)
            if AMQP_1_0 in targets:
                check_to_1_0(notes, frame, fields)
            if frame.name == _PUBLISH and frame.message is not None:
                check_properties(setting, frame, frame.message)
                if RABBITMQ_4_3 in targets:
                    check_to_rabbitmq(notes, frame, frame.message)

    def _find_beginning(self, frame: AuditFrame) -> None:
        """Follow a channel again after a loss, from channel.open and channel.open-ok with nothing in between."""
        channel, name = frame.channel, frame.name
        if self._setting.notes.is_doubtful(frame):
            self._opening.discard(channel)
        elif name == "channel.open" and frame.direction == CLIENT and not self._life.is_closing:
            self._opening.add(channel)
        elif name == "channel.open-ok" and frame.direction == SERVER and channel in self._opening:
            self._opening.remove(channel)
            self._grammar.opened(channel)
            self._channels[channel] = ChannelAudit(self._setting)
        else:
            self._opening.discard(channel)

    def _check_connection(self, frame: AuditFrame) -> None:
        """Note a method of a channel on a connection that is not open."""
        setting, sender = self._setting, SIDES[frame.direction]
        if self._life.has_closed[frame.direction]:
            if frame.name == "channel.close-ok":
                return  # the other side had closed the channel before it received connection.close
            text = f"{frame.name} from the {sender} after its connection.close"
            setting.notes.judge(after_close, frame, text, spec_ref="connection.close/stability")
        elif not (self._negotiation.asked_to_open or any(setting.lost)):
            setting.notes.judge(not_open, frame, f"{frame.name} from the {sender} before connection.open")

    def _connection_method(self, frame: AuditFrame) -> None:
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
            self._negotiation.take(frame, fields)
        self._life.take(frame, False)

    def _channel_method(self, frame: AuditFrame) -> None:
        number, name, fields = frame.channel, frame.name, frame.fields
        if name == "channel.open":
            if frame.direction == CLIENT and not self._life.is_closing:
                self._life.opens(frame)
                if not any(self._setting.lost) and not self._setting.notes.is_doubtful(frame):
                    self._channels[number] = ChannelAudit(self._setting)
            return
        if name in ("channel.close", "channel.close-ok"):
            closed = self._channels.pop(number, None)
            is_uncertain = self._setting.notes.is_doubtful(frame)
            self._life.take(frame, closed is None or is_uncertain or closed.has_asked_passively)
            return
        if name == _PUBLISH and frame.direction == CLIENT:
            if self._is_blocked:
                self._setting.notes.judge(published_while_blocked, frame)
            self._life.published(frame)
        channel = self._channels.get(number)
        if channel is not None and fields is not None:
            channel.take(frame, fields, self._others)

    def _others(self, channel: int, tag: int) -> list[int] | None:
        """Return the other channels on which a message with this tag is still to be settled; None if that is unknown."""
        if not self._grammar.knows_all_but(channel):
            return None
        return [number for number, audit in self._channels.items() if audit.has_to_settle(tag)]
