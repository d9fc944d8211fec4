"""Checks the order of methods on a channel, by the class grammars of the specification.

A ``Conversation`` observes both sides of one channel. It reports what was out of place and what would
have been legal. After a finding it goes on as if the frame had been legal where possible, so that one mistake
gives one finding.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from ._method import MethodBase, Side
from ._states import BEGINNINGS, CHANNEL, CLOSES, CONNECTION, SYMBOLS, GrammarState, Symbol
from ._values import Octets
from .content import ContentBody, ContentHeader
from .frames import Heartbeat, OtherFrame, UnreadableMethod
from .methods import METHODS

__all__ = ["ON_CHANNEL_ZERO", "SYMBOLS", "Conversation", "Finding", "FindingKind"]

# The most legal methods that the text of a finding names.
_SHOWN: Final = 8


class FindingKind(Enum):
    """The kinds of findings; the values are for people."""

    UNKNOWN_FRAME = "frame that this version does not have"
    UNKNOWN_SENDER = "sender that is neither client nor server"
    WRONG_CHANNEL = "frame on the wrong channel"
    WRONG_DIRECTION = "method from the wrong side"
    NOT_OPEN = "method before the channel or connection is open"
    AFTER_CLOSE = "frame from a side that has closed the channel or connection"
    REPLY_WITHOUT_REQUEST = "reply without a request"
    REQUEST_OUTSTANDING = "request while an earlier one has no reply"
    OUT_OF_ORDER = "method out of order"
    CONTENT_MISSING = "method before the content of the last one is complete"
    CONTENT_UNEXPECTED = "content that no method announces"
    CONTENT_OF_OTHER_CLASS = "content of another class than its method"
    CONTENT_TOO_LONG = "content longer than its header states"


@dataclass(frozen=True)
class Finding:
    """A frame that was out of place.

    Attributes:
        kind: What is wrong with it.
        channel: The number of the channel.
        sender: "client" or "server".
        seen: The name of the method; of other frames the name of the class.
        expected: The methods that the sender could have sent instead, by index.
    """

    kind: FindingKind
    channel: int
    sender: Side
    seen: str
    expected: tuple[type[MethodBase], ...]

    def __str__(self) -> str:
        names = [method.NAME for method in self.expected[:_SHOWN]]
        if len(self.expected) > _SHOWN:
            names.append(f"{len(self.expected) - _SHOWN} more")
        legal = ", ".join(names) or "nothing"
        return f"channel {self.channel}, {self.sender}: {self.seen}: {self.kind.value} (legal: {legal})"


_CLIENT: Final = "client"
_SERVER: Final = "server"
_OTHER_SIDE: Final[dict[Side, Side]] = {_CLIENT: _SERVER, _SERVER: _CLIENT}
_KNOWN: Final = frozenset(METHODS.values())
ON_CHANNEL_ZERO: Final = frozenset(symbol[1] for state in CONNECTION for symbol in state.moves)
_CLOSE_REPLIES: Final = frozenset(CLOSES.values())


class _Content:
    """Unfinished content: its method, and the number of octets to come, -1 before the content header."""

    __slots__ = ("left", "method")

    def __init__(self, method: type[MethodBase]) -> None:
        self.method = method
        self.left = -1


class Conversation:
    """One channel, from the first method on.

    Exchanges of several classes may run in parallel: the client publishes and acknowledges, and the
    server delivers, while a request waits for its reply. When one side has closed, methods of the other side
    before its Close-Ok are ignored, as the specification demands; a channel may then be opened again.
    The memory used is bounded, however long the conversation.
    """

    __slots__ = (
        "_begun",
        "_channel",
        "_closed",
        "_closing",
        "_content",
        "_exchanges",
        "_expects_content",
        "_heard",
        "_state",
        "_unseen",
    )

    def __init__(self, channel: int, *, expects_content: bool = True, joined: bool = False) -> None:
        """Start a conversation before its first method.

        Args:
            channel: The number of the channel; 0 is the connection itself.
            expects_content: False if content headers and bodies are never observed, only methods.
            joined: True if the beginning may have been missed: unless the first method is one that
                opens the channel, it counts as open, and the first reply and the first content of each side
                may belong to a method that was not observed.
        """
        self._channel = channel
        self._expects_content = expects_content
        self._heard = not joined
        self._begun = CONNECTION if channel == 0 else CHANNEL
        self._state = self._begun[0]
        self._closing: set[Side] = set()  # the sides that sent a Close and have no Close-Ok yet
        self._closed = False
        self._content: dict[Side, _Content] = {}
        # The number of unfinished exchanges, by their state and by the sender and method that began them.
        self._exchanges: dict[tuple[GrammarState, type[MethodBase], Side], int] = {}
        self._unseen: set[tuple[Side, str]] = set()
        if joined:
            self._state = next((state for state in self._begun if state.is_open), self._state)
            self._unseen = {(side, what) for side in _OTHER_SIDE for what in ("reply", "content")}

    def observe(self, sender: Side, frame: object) -> tuple[Finding, ...]:
        """Take in the next frame of the channel, whoever sent it.

        Args:
            sender: "client" or "server".
            frame: A method, content header, content body or heartbeat of this package. Anything else is a
                finding, never an exception.

        Returns:
            What is wrong with it; empty when nothing is.
        """
        kind: Any = type(frame)
        if sender not in (_CLIENT, _SERVER):
            return (self._finding(FindingKind.UNKNOWN_SENDER, sender, kind.__name__),)
        if kind in _KNOWN:
            return self._observe_method((sender, kind), frame)
        if isinstance(frame, MethodBase):
            base = next((base for base in kind.__mro__ if base in _KNOWN), None)
            if base is not None:  # a class of the user's, derived from a method
                return self._observe_method((sender, base), frame)
        if isinstance(frame, UnreadableMethod) and frame.method is not None:
            return self._observe_method((sender, frame.method), frame)
        found: FindingKind | None = None
        if isinstance(frame, ContentHeader):
            found = self._header(sender, frame)
        elif isinstance(frame, ContentBody):
            found = self._body(sender, frame)
        elif isinstance(frame, Heartbeat):
            found = FindingKind.WRONG_CHANNEL if self._channel else None
        elif not isinstance(frame, OtherFrame):
            found = FindingKind.UNKNOWN_FRAME
        return () if found is None else (self._finding(found, sender, kind.__name__),)

    def expected(self, sender: Side) -> tuple[type[MethodBase], ...]:
        """Return the methods that may come from a side now, by index; after its content, if that is under way."""
        if sender not in (_CLIENT, _SERVER) or self._is_over():
            return ()
        closes = [close for close in CLOSES if self._belongs(close)]
        if self._closing:
            replies = [CLOSES[close] for close in closes] if _OTHER_SIDE[sender] in self._closing else []
            return tuple(replies if sender in self._closing else closes + replies)
        symbols = {symbol for state, _, _ in self._exchanges for symbol in state.moves}
        if self._state.is_open:
            busy = self._waits(sender)
            symbols |= {
                symbol
                for symbol, target in self._beginnings().items()
                if not (busy and symbol[1].SYNCHRONOUS and target.waits_for(_OTHER_SIDE[sender]))
            }
        else:
            symbols |= self._state.moves.keys()
        found = {method for side, method in symbols if side == sender}
        if self._state.is_open or self._state is not self._begun[0]:
            found.update(closes)
        return tuple(sorted(found, key=lambda method: method.KEY))

    def _finding(self, kind: FindingKind, sender: Side, seen: str) -> Finding:
        return Finding(kind, self._channel, sender, seen, self.expected(sender))

    def _belongs(self, method: type[MethodBase]) -> bool:
        """Return whether a method may be sent on this channel: class connection only on channel 0, others only elsewhere."""
        return (method in ON_CHANNEL_ZERO) == (self._channel == 0)

    def _is_over(self) -> bool:
        """Return whether this is a closed connection; a channel can be opened again."""
        return self._closed and self._channel == 0

    def _beginnings(self) -> dict[Symbol, GrammarState]:
        """Return what may begin while the connection or channel is open."""
        return self._state.moves if self._channel == 0 else {**BEGINNINGS, **self._state.moves}

    # --- Methods ---

    def _observe_method(self, symbol: Symbol, method: object) -> tuple[Finding, ...]:
        sender, kind = symbol
        if not self._belongs(kind):
            return (self._finding(FindingKind.WRONG_CHANNEL, sender, kind.NAME),)
        if not self._heard:
            self._heard = True
            if symbol in self._begun[0].moves:
                self._state = self._begun[0]
                self._unseen.clear()
        findings: tuple[Finding, ...] = ()
        if sender in self._content and kind not in CLOSES and kind not in _CLOSE_REPLIES:
            findings = (self._finding(FindingKind.CONTENT_MISSING, sender, kind.NAME),)
        self._content.pop(sender, None)
        if not self._advance(symbol, method):
            findings += (self._finding(self._what_is_wrong(symbol), sender, kind.NAME),)
            self._accept_anyway(symbol, method)
        self._unseen.discard((sender, "content"))
        if kind.HAS_CONTENT and self._expects_content:
            self._content[sender] = _Content(kind)
        return findings

    def _advance(self, symbol: Symbol, method: Any) -> bool:
        """Take a legal method; if it is not legal, change nothing and return False."""
        sender, kind = symbol
        if self._closing or kind in CLOSES or kind in _CLOSE_REPLIES:
            return self._advance_closing(sender, kind)
        if self._is_over():
            return False
        if self._exchanges and self._continue(symbol):
            return True
        target = self._state.moves.get(symbol)
        if not self._state.is_open:
            if target is not None:
                self._state = target
            return target is not None
        if target is None and self._channel:
            target = BEGINNINGS.get(symbol)
        if target is None:
            return self._answers_what_was_missed(sender)
        if target.is_open:
            return True
        if kind.SYNCHRONOUS and target.waits_for(_OTHER_SIDE[sender]) and self._waits(sender):
            return bool(kind.RESPONSES) and not method.expects_reply
        self._begin(target, symbol, method)
        return True

    def _advance_closing(self, sender: Side, kind: type[MethodBase]) -> bool:
        """Take a Close, a Close-Ok, or a method after a Close; return False if it is not legal."""
        other = _OTHER_SIDE[sender]
        if kind in _CLOSE_REPLIES and other in self._closing:
            self._closing.remove(other)
            if not self._closing:
                self._end()
            return True
        if sender in self._closing or self._is_over():
            return False
        if kind in CLOSES:
            if self._is_new():
                return False
            self._closing.add(sender)
            self._exchanges.clear()
            return True
        if not self._closing:  # it is a Close-Ok
            answers = self._answers_what_was_missed(sender)
            if answers:
                self._end()
            return answers
        return True  # the other side has closed and ignores it

    def _end(self) -> None:
        """Return to the state before the opening, after the last Close-Ok."""
        self._closed = True
        self._state = self._begun[0]
        self._exchanges.clear()
        self._content.clear()

    def _is_new(self) -> bool:
        """Return whether the channel or connection has not begun to open, or to open again."""
        return self._state is self._begun[0] and not self._state.is_open

    def _begin(self, target: GrammarState, symbol: Symbol, method: Any) -> None:
        """Record an exchange that its first method does not end."""
        sender, kind = symbol
        if not target.is_open and (method.expects_reply or not kind.RESPONSES):
            key = (target, kind, sender)
            self._exchanges[key] = self._exchanges.get(key, 0) + 1

    def _continue(self, symbol: Symbol) -> bool:
        """Continue an exchange; if the method fits several, the one with the fewest possible next methods."""
        fitting = [key for key in self._exchanges if symbol in key[0].moves]
        if not fitting:
            return False
        found = min(fitting, key=lambda key: len(key[0].moves))
        state, kind, sender = found
        if self._exchanges[found] == 1:
            del self._exchanges[found]
        else:
            self._exchanges[found] -= 1
        following = state.moves[symbol]
        if not following.is_open:
            key = (following, kind, sender)
            self._exchanges[key] = self._exchanges.get(key, 0) + 1
        return True

    def _waits(self, sender: Side) -> bool:
        """Return whether a side has sent a synchronous request that has no reply yet."""
        return any(
            side == sender and kind.SYNCHRONOUS and state.waits_for(_OTHER_SIDE[sender])
            for state, kind, side in self._exchanges
        )

    def _answers_what_was_missed(self, sender: Side) -> bool:
        """Return whether a reply may belong to a request from before the conversation was joined."""
        may = (sender, "reply") in self._unseen
        self._unseen.discard((sender, "reply"))
        return may

    # --- Methods out of place ---

    def _what_is_wrong(self, symbol: Symbol) -> FindingKind:
        sender, kind = symbol
        if sender in self._closing or self._is_over():
            return FindingKind.AFTER_CLOSE
        if symbol not in SYMBOLS and (_OTHER_SIDE[sender], kind) in SYMBOLS:
            return FindingKind.WRONG_DIRECTION
        if self._is_new():
            return FindingKind.AFTER_CLOSE if self._closed else FindingKind.NOT_OPEN
        if not self._state.is_open:
            opening = any(symbol in state.moves for state in self._begun if not state.is_open)
            return FindingKind.OUT_OF_ORDER if opening else FindingKind.NOT_OPEN
        if symbol in self._beginnings():
            return FindingKind.REQUEST_OUTSTANDING
        if kind in _CLOSE_REPLIES or not any(symbol in state.moves for state in self._begun):
            return FindingKind.REPLY_WITHOUT_REQUEST
        return FindingKind.OUT_OF_ORDER

    def _accept_anyway(self, symbol: Symbol, method: object) -> None:
        """Take an illegal method, so that its consequences are not findings, too."""
        sender, kind = symbol
        if sender in self._closing or self._is_over() or kind in CLOSES or kind in _CLOSE_REPLIES:
            return
        target = self._beginnings().get(symbol) if self._state.is_open else BEGINNINGS.get(symbol)
        if target is not None:
            self._begin(target, symbol, method)
        elif not self._state.is_open:
            self._state = next(
                (state.moves[symbol] for state in self._begun if symbol in state.moves and not state.is_open),
                self._state,
            )

    # --- Content ---

    def _header(self, sender: Side, header: ContentHeader) -> FindingKind | None:
        content = self._content.get(sender)
        if content is None or content.left >= 0:
            return self._stray_content(sender)
        content.left = header.body_size
        if not content.left:
            del self._content[sender]
        if header.class_id != content.method.CLASS_ID:
            return FindingKind.CONTENT_OF_OTHER_CLASS
        return None

    def _body(self, sender: Side, body: ContentBody) -> FindingKind | None:
        content = self._content.get(sender)
        if content is None or content.left < 0:
            return self._stray_content(sender)
        content.left -= _octet_count(body.payload)
        if content.left <= 0:
            del self._content[sender]
        return FindingKind.CONTENT_TOO_LONG if content.left < 0 else None

    def _stray_content(self, sender: Side) -> FindingKind | None:
        if not self._expects_content or (sender, "content") in self._unseen:
            return None
        return FindingKind.AFTER_CLOSE if sender in self._closing else FindingKind.CONTENT_UNEXPECTED


def _octet_count(payload: Octets) -> int:
    return payload.nbytes if isinstance(payload, memoryview) else len(payload)
