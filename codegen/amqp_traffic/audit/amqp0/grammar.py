"""Rules about which method may come next, by the class grammars of the generated packages.

The ``Conversation`` of a package follows each channel. Where frames are missing, or the beginning was not captured, only
methods that are wrong in any state are noted, until the channel is opened again.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from amqp_codegen.support.resources import load_module, load_package

from ...capture.stream_data import SIDES
from ..connection_frames import AuditFrame
from ..rule import ERROR, INFO, AuditRule
from .setting import AuditSetting

_CHANNEL_OPEN = "channel.open"
_PUBLISH = "basic.publish"
_GUESSED = ("port", "lower-port")  # how the roles were found where they are not certain
# Violations that depend on what the other side sent before.
_OF_ORDER = frozenset(("NOT_OPEN", "AFTER_CLOSE", "REPLY_WITHOUT_REQUEST", "OUT_OF_ORDER"))
# The most frequent methods, which do not change what may come next.
_BY_THEMSELVES = frozenset(
    ("basic.publish", "basic.return", "basic.deliver", "basic.ack", "basic.reject", "basic.nack")
)

# The grammar of the generated package does the checks. These rules name its violations.
_grammar = partial(AuditRule, module=__name__, category="grammar", by_order=True)

wrong_channel = _grammar(
    "wrong-channel",
    ERROR,
    "A method of class connection on a channel other than 0, or any other method on channel 0",
    source="0-9-1 2.2.4",
    example="basic.publish on channel 0",
)
wrong_direction = _grammar(
    "wrong-direction",
    ERROR,
    "A method that only the other side may send",
    source="chassis of the method",
    example="basic.deliver from a client",
)
not_open = _grammar(
    "not-open",
    ERROR,
    "A method before the channel or the connection is open",
    source="channel.open/state, 0-9-1 2.2.4",
    example="basic.publish on a channel that is not open",
)
after_close = _grammar(
    "after-close",
    ERROR,
    "A frame from a side that has closed the channel or the connection",
    source="connection.close/stability, channel.close/stability",
    example="channel.close, queue.declare",
)
publish_after_close = _grammar(
    "publish-after-close",
    ERROR,
    "Messages published on a closed channel: they are lost",
    source="channel.close/stability",
    example="channel.close, channel.close-ok, basic.publish",
)
reply_without_request = _grammar(
    "reply-without-request",
    ERROR,
    "A reply without a request, or a second reply to the same request",
    source="0-9-1 class grammar",
    example="queue.declare-ok twice after one queue.declare",
)
out_of_order = _grammar(
    "out-of-order",
    ERROR,
    "A method that may not come next",
    source="0-9-1 class grammar",
    example="connection.open before tune-ok",
)
channel_opened_twice = _grammar(
    "channel-opened-twice",
    ERROR,
    "A channel.open on a channel that is open",
    source="channel.open/state",
    example="channel.open, channel.open",
)
requests_pipelined = _grammar(
    "requests-pipelined",
    INFO,
    "A synchronous request before the previous one is answered, which not every broker accepts",
    source="0-9-1 2.1.2, synchronous methods",
    example="queue.declare, queue.bind, queue.declare-ok",
)


# By the name that the generated grammar gives to a violation.
_RULES = {
    "WRONG_CHANNEL": wrong_channel,
    "WRONG_DIRECTION": wrong_direction,
    "NOT_OPEN": not_open,
    "AFTER_CLOSE": after_close,
    "REPLY_WITHOUT_REQUEST": reply_without_request,
    "REQUEST_OUTSTANDING": requests_pipelined,
    "OUT_OF_ORDER": out_of_order,
}


def _copy(talk: Any) -> Any:
    """Return a copy of a conversation, on which a method can be tried."""
    kind: Any = type(talk)
    copied: Any = object.__new__(kind)
    for name in kind.__slots__:
        value = getattr(talk, name)
        setattr(copied, name, value.copy() if isinstance(value, (dict, set)) else value)
    return copied


class _Vocabulary:
    """The methods of a package in the form that its grammar takes.

    Attributes:
        grammar: The module ``grammar``.
        methods: By name: an object of the method that expects a reply, one that does not, and the name of the field that
            tells them apart, if there is one.
        symbols: All pairs of a sender and a method that may occur.
        on_channel_zero: The methods that belong on channel 0.
    """

    def __init__(self, package: str) -> None:
        self.grammar: Any = load_module(package, "grammar")
        self.symbols: frozenset[tuple[str, Any]] = self.grammar.SYMBOLS
        self.on_channel_zero: frozenset[Any] = self.grammar.ON_CHANNEL_ZERO
        self.methods: dict[str | None, tuple[Any, Any, str | None]] = {}
        for kind in load_package(package).METHODS.values():
            pair = [kind.__new__(kind), kind.__new__(kind)]
            if kind.NO_WAIT:
                for method, value in zip(pair, (False, True), strict=True):
                    setattr(method, kind.NO_WAIT, value)
            self.methods[kind.NAME] = pair[0], pair[1], kind.NO_WAIT or None


@cache
def _vocabulary(package: str) -> _Vocabulary:
    return _Vocabulary(package)


class GrammarAudit:
    """Follows all channels of a connection."""

    def __init__(self, setting: AuditSetting) -> None:
        self._setting = setting
        self._vocabulary = _vocabulary(setting.package)
        self._talks: dict[int, Any] = {}  # None where earlier methods are unknown

    def method(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a method; ignore one that the version does not define.

        With ``has_to`` it must be taken now, and its violations are noted.

        Returns:
            False if it is not its turn yet; nothing has changed then.
        """
        known = self._vocabulary.methods.get(frame.name)
        if known is None:
            return True
        wants, wants_none, no_wait = known
        fields, channel = frame.fields, frame.channel
        method = wants_none if no_wait and fields is not None and fields.get(no_wait) else wants
        talks = self._talks
        if channel not in talks:
            talks[channel] = None if any(self._setting.lost) else self._begin(channel)
        talk = talks[channel]
        if talk is None:
            self._check_anywhere(frame, type(method))
            return True
        if not has_to and frame.name not in _BY_THEMSELVES:
            talk = _copy(talk)
        violations = talk.observe(SIDES[frame.direction], method)
        if violations and not has_to and any(violation.kind.name in _OF_ORDER for violation in violations):
            return False
        talks[channel] = talk
        for violation in violations:
            self._note(frame, violation)
        return True

    def _begin(self, channel: int) -> Any:
        """Return a conversation for a channel from its beginning."""
        return self._vocabulary.grammar.Conversation(channel, expects_content=False)

    def opened(self, channel: int) -> None:
        """Restart a channel after its channel.open, before channel.open-ok; earlier methods no longer matter."""
        talk = self._talks[channel] = self._begin(channel)
        talk.observe("client", self._vocabulary.methods[_CHANNEL_OPEN][0])

    def _check_anywhere(self, frame: AuditFrame, kind: Any) -> None:
        """Note what is wrong in any state, if the version and the method are certain."""
        setting = self._setting
        if frame.err is not None or not setting.is_version_certain:
            return
        vocabulary = self._vocabulary
        sender, other = SIDES[frame.direction], SIDES[1 - frame.direction]
        if (kind in vocabulary.on_channel_zero) != (frame.channel == 0):
            setting.notes.judge(wrong_channel, frame, f"{kind.NAME} on channel {frame.channel}")
        elif (sender, kind) not in vocabulary.symbols and (other, kind) in vocabulary.symbols:
            self._note_direction(frame, f"{kind.NAME} from the {sender}")

    def _note(self, frame: AuditFrame, violation: Any) -> None:
        broken = _RULES[violation.kind.name]
        if broken is after_close and violation.seen == _PUBLISH:
            broken = publish_after_close
        elif broken is out_of_order and violation.seen == _CHANNEL_OPEN:
            broken = channel_opened_twice
        elif broken is out_of_order and frame.channel and violation.seen.endswith("-ok"):
            broken = reply_without_request
        if broken is wrong_direction:
            self._note_direction(frame, str(violation))
            return
        spec_ref = f"{violation.seen}; 0-9-1 class grammar"
        self._setting.notes.judge(broken, frame, str(violation), spec_ref=spec_ref)

    def _note_direction(self, frame: AuditFrame, evidence: str) -> None:
        if self._setting.connection.facts.get("role_by") not in _GUESSED:
            self._setting.notes.judge(wrong_direction, frame, evidence)

    def forget(self, channel: int) -> None:
        """Forget the state of a channel: it is not certain."""
        self._talks[channel] = None

    def knows_all_but(self, channel: int) -> bool:
        """Return whether it is known what was sent on all other channels."""
        return all(talk is not None for number, talk in self._talks.items() if number not in (0, channel))

    def lose(self) -> None:
        """Forget the state of all channels: frames are missing."""
        for channel in self._talks:
            self._talks[channel] = None
