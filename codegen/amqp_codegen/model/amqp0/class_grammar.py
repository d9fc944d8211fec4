"""Class grammars: what a ``<doc type="grammar">`` says, and the automaton that follows from it.

An expression is a tree; every leaf knows where it stands. Methods have their comparable names
(``declare-ok``), senders are ``client`` and ``server``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ..problem import Position

CLIENT = "client"
SERVER = "server"
SENDERS = (CLIENT, SERVER)
# How a grammar writes a sender, and who is at the other end.
LETTERS: Mapping[str, str] = {CLIENT: "C", SERVER: "S"}
OPPOSITE: Mapping[str, str] = {CLIENT: SERVER, SERVER: CLIENT}
# The octets before the first frame, which a grammar writes like a method.
PROTOCOL_HEADER = "protocol-header"
# How the class channel refers to whatever other classes are used on a channel.
FUNCTIONAL_CLASS = "functional-class"


@dataclass(frozen=True, slots=True)
class Token:
    """A method from one side: ``C:PUBLISH content``.

    Attributes:
        sender: ``client`` or ``server``.
        name: The name of the method, or ``protocol-header``.
        content: True when the word ``content`` follows.
        position: Where it stands.
    """

    sender: str
    name: str
    content: bool
    position: Position


@dataclass(frozen=True, slots=True)
class Reference:
    """A name: another production, another class, or ``functional-class``."""

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
        bar: True when ``|`` stands between them, which binds closer than a sequence; ``/`` binds less.
    """

    items: tuple[Expression, ...]
    bar: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """``*item``: any number of times, also never."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Optional:
    """``[item]``: once or not at all. No published file has it, ABNF does."""

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
    """A method that may come in a state, and the state that follows.

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
        transitions: What may come, in the order of the methods in the file.
        accepting: True where the grammar is satisfied if nothing more comes.
        others: What else may happen here that is not of this class: ``functional-class`` on an open
            channel, ``channel`` on an open connection.
    """

    transitions: tuple[Transition, ...]
    accepting: bool
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """What may come next in a class; deterministic and minimal. State 0 is where it begins.

    A class that is used on channels is repeated without end, as the grammar of class channel demands;
    so its automaton is back in state 0 after each exchange. The protocol header is no frame, and
    therefore no transition.

    Attributes:
        states: By number.
        begins_with_header: True when the grammar wants the protocol header before everything else.
        derived: The exchanges that the grammar lacks and that follow from ``chassis`` and ``response``,
            as a grammar would write them.
    """

    states: tuple[State, ...]
    begins_with_header: bool = False
    derived: tuple[str, ...] = ()


# What a class has before its automaton is built: nothing may come.
EMPTY = Automaton(())
