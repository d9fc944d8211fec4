"""What may come next, by the class grammars of the generated packages.

``Conversation`` of a package listens to each channel. Where frames are missing, or the beginning was not captured, only
what is wrong anywhere is told, until the channel is opened again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from amqp_codegen.support.packages import load_module, load_package

from ..connection_frames import AuditFrame
from .setting import AuditSetting

_SENDERS = ("client", "server")
_CHANNEL_OPEN = 0x0014000A
_PUBLISH = "basic.publish"
_GUESSED = ("port", "lower-port")  # it is not certain who is who
# By what the generated grammar calls it.
_RULES = {
    "WRONG_CHANNEL": "wrong-channel",
    "WRONG_DIRECTION": "wrong-direction",
    "NOT_OPEN": "not-open",
    "AFTER_CLOSE": "after-close",
    "REPLY_WITHOUT_REQUEST": "reply-without-request",
    "REQUEST_OUTSTANDING": "requests-pipelined",
    "OUT_OF_ORDER": "out-of-order",
}
# Those that go by what the other side said before.
_OF_ORDER = frozenset(("NOT_OPEN", "AFTER_CLOSE", "REPLY_WITHOUT_REQUEST", "OUT_OF_ORDER"))
# Methods that change nothing of what may come next, the most frequent ones: publish, return, deliver, ack, reject, nack.
_BY_THEMSELVES = frozenset((0x003C0028, 0x003C0032, 0x003C003C, 0x003C0050, 0x003C005A, 0x003C0078))


def _copy(talk: Any) -> Any:
    """A copy of what listens to a channel: it can be thrown away again."""
    kind: Any = type(talk)
    copied: Any = object.__new__(kind)
    for name in kind.__slots__:
        value = getattr(talk, name)
        setattr(copied, name, value.copy() if isinstance(value, (dict, set)) else value)
    return copied


class _Vocabulary:
    """The methods of a package as its grammar takes them.

    Attributes:
        grammar: The module.
        methods: By class id << 16 | method id, objects of a method, that wants a reply and that wants none, and where it
            says so.
        symbols: Everything that may come at all.
        on_channel_zero: The methods for channel 0.
    """

    def __init__(self, package: str) -> None:
        self.grammar: Any = load_module(package, "grammar")
        states: Any = load_module(package, "states")
        self.symbols: frozenset[tuple[str, Any]] = states.SYMBOLS
        self.on_channel_zero = {method for state in states.CONNECTION for _, method in state.moves}
        self.methods: dict[int, tuple[Any, Any, str | None]] = {}
        for key, kind in load_package(package).METHODS.items():
            no_wait = states.NO_WAIT.get(kind)
            pair = [kind.__new__(kind), kind.__new__(kind)]
            if no_wait is not None:
                for method, value in zip(pair, (False, True), strict=True):
                    setattr(method, no_wait, value)
            self.methods[key] = pair[0], pair[1], no_wait


@cache
def _vocabulary(package: str) -> _Vocabulary:
    return _Vocabulary(package)


class GrammarAudit:
    """All channels of a connection."""

    __slots__ = ("_setting", "_talks", "_vocabulary")

    def __init__(self, setting: AuditSetting) -> None:
        """Begin.

        Args:
            setting: That of the connection.
        """
        self._setting = setting
        self._vocabulary = _vocabulary(setting.package)
        self._talks: dict[int, Any] = {}  # None: what was said before is not known

    def method(self, frame: AuditFrame, key: int, has_to: bool) -> bool:
        """A method came; nothing happens if the version does not have it.

        Args:
            frame: The frame.
            key: Class id << 16 | method id.
            has_to: Whether it has to be taken, and what is wrong with it noted.

        Returns:
            False, and nothing has happened, if it is not what comes next.
        """
        known = self._vocabulary.methods.get(key)
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
        if not has_to and key not in _BY_THEMSELVES:
            talk = _copy(talk)
        found = talk.observe(_SENDERS[frame.direction], method)
        if found and not has_to and any(each.kind.name in _OF_ORDER for each in found):
            return False
        talks[channel] = talk
        for each in found:
            self._note(frame, each)
        return True

    def _begin(self, channel: int) -> Any:
        """What listens to a channel from its beginning."""
        return self._vocabulary.grammar.Conversation(channel, expects_content=False)

    def opened(self, channel: int) -> None:
        """A channel was asked for, and the reply to that comes next: what was before is of no interest any more."""
        talk = self._talks[channel] = self._begin(channel)
        talk.observe("client", self._vocabulary.methods[_CHANNEL_OPEN][0])

    def _check_anywhere(self, frame: AuditFrame, kind: Any) -> None:
        """What is wrong whatever was said before, if it is certain what was said."""
        setting = self._setting
        if frame.err is not None or not setting.is_version_certain:
            return
        note, vocabulary = self._setting.notes.add, self._vocabulary
        sender, other = _SENDERS[frame.direction], _SENDERS[1 - frame.direction]
        if (kind in vocabulary.on_channel_zero) != (frame.channel == 0):
            note("wrong-channel", frame, f"{kind.NAME} on channel {frame.channel}")
        elif (sender, kind) not in vocabulary.symbols and (other, kind) in vocabulary.symbols:
            self._note_direction(frame, f"{kind.NAME} from the {sender}")

    def _note(self, frame: AuditFrame, found: Any) -> None:
        rule = _RULES[found.kind.name]
        if rule == "after-close" and found.seen == _PUBLISH:
            rule = "publish-after-close"
        elif rule == "out-of-order" and found.seen == "channel.open":
            rule = "channel-opened-twice"
        elif rule == "out-of-order" and frame.channel and found.seen.endswith("-ok"):
            rule = "reply-without-request"
        if rule == "wrong-direction":
            self._note_direction(frame, str(found))
            return
        self._setting.notes.add(rule, frame, str(found), spec_ref=f"{found.seen}; 0-9-1 class grammar")

    def _note_direction(self, frame: AuditFrame, evidence: str) -> None:
        if self._setting.connection.facts.get("role_by") not in _GUESSED:
            self._setting.notes.add("wrong-direction", frame, evidence)

    def lose(self) -> None:
        """Frames are missing."""
        for channel in self._talks:
            self._talks[channel] = None
