"""Class grammars: the expressions of a ``<doc type="grammar">``, and the automaton built from them.

An expression is a tree whose leaves have positions. Method names are normalised (``declare-ok``);
senders are ``client`` and ``server``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..problem import Position

CLIENT = "client"
SERVER = "server"
SENDERS = (CLIENT, SERVER)
# The letter of a sender in a grammar, and the peer at the other end.
LETTERS: Mapping[str, str] = {CLIENT: "C", SERVER: "S"}
OPPOSITE: Mapping[str, str] = {CLIENT: SERVER, SERVER: CLIENT}
# The octets before the first frame, which a grammar writes like a method.
PROTOCOL_HEADER = "protocol-header"
# The name by which the grammar of class channel refers to all other classes on a channel.
FUNCTIONAL_CLASS = "functional-class"


@dataclass(frozen=True, slots=True)
class Token:
    """A method from one side: ``C:PUBLISH content``.

    Attributes:
        sender: ``client`` or ``server``.
        name: The name of the method, or ``protocol-header``.
        content: True when the word ``content`` follows.
    """

    sender: str
    name: str
    content: bool
    position: Position


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference by name: another production, another class, or ``functional-class``."""

    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class Sequence:
    """One item after the other."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several.

    Attributes:
        items: The alternatives, in order.
        bar: True when ``|`` separates them, which binds closer than a sequence; ``/`` binds less.
    """

    items: tuple[Expression, ...]
    bar: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """``*item``: zero or more times."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Optional:
    """``[item]``: zero or one time. ABNF has it, no published file uses it."""

    item: Expression


Expression: TypeAlias = Token | Reference | Sequence | Choice | Repeat | Optional


@dataclass(frozen=True, slots=True)
class Production:
    """``name = expression``."""

    name: str
    expression: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Transition:
    """A method allowed in a state, and the state that follows.

    Attributes:
        sender: ``client`` or ``server``.
        method: The name of the method.
        content: True when a content header and body come with it.
        target: The number of the state.
    """

    sender: str
    method: str
    content: bool
    target: int

    def __str__(self) -> str:
        return f"{LETTERS[self.sender]}:{self.method.upper()}{' content' if self.content else ''}"


@dataclass(frozen=True, slots=True)
class State:
    """A state of an automaton.

    Attributes:
        transitions: The methods allowed here, in file order.
        accepting: True if the exchange may end in this state.
        others: References to other classes that may be used here: ``functional-class`` on an open
            channel, ``channel`` on an open connection.
    """

    transitions: tuple[Transition, ...]
    accepting: bool
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """The methods that may come next in a class: deterministic, minimal, starting in state 0.

    Classes used on channels repeat forever, as the grammar of class channel demands, so their
    automaton returns to state 0 after each exchange. The protocol header is not a frame, so it has
    no transition.

    Attributes:
        states: By number.
        begins_with_header: True when the grammar requires the protocol header first.
        derived: The exchanges missing from the grammar, derived from ``chassis`` and ``response`` and
            written as in a grammar.
    """

    states: tuple[State, ...]
    begins_with_header: bool = False
    derived: tuple[str, ...] = ()


# The automaton of a class before it is built: no method is allowed.
EMPTY = Automaton(())
