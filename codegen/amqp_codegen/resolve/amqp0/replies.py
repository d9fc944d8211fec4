"""Which methods may answer a method: by the file, or by the grammar of its class where the file is silent."""

from __future__ import annotations

from ...model.amqp0.class_grammar import OPPOSITE
from ...model.amqp0.spec import Class, Method, Spec
from .class_grammars import CHANNEL, CONNECTION


def replies_of(spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return the class names of the methods that may answer, by the class name of the method.

    No file names a ``<response>`` of connection.start-ok and secure-ok, though the grammar of the class lets only
    the server go on after them, with secure or tune. For such methods the grammar decides; elsewhere the file does,
    also where its grammar says something else (lint reports that as ``grammar-reply``).
    """
    return {
        method.class_name: method.responses or _replies_by_grammar(entry, method)
        for entry in spec.classes
        for method in entry.methods
    }


def _replies_by_grammar(entry: Class, method: Method) -> tuple[str, ...]:
    """Return what only the other side may send next, in file order.

    Nothing answers a method after which the exchange may be over, or other classes may be used. Replies themselves
    are answered only while a connection or channel opens, where each method waits for the next; in other classes a
    reply ends its exchange, and what the grammar has after it is a new request (dtx.start after select-ok).
    """
    is_reply = any(method.class_name in other.responses for other in entry.methods)
    if is_reply and entry.name not in (CONNECTION, CHANNEL):
        return ()
    states = entry.automaton.states
    found = set()
    for transition in (move for state in states for move in state.transitions if move.method == method.name):
        target = states[transition.target]
        following = {transition.sender for transition in target.transitions}
        if not target.accepting and not target.others and following == {OPPOSITE[transition.sender]}:
            found |= {transition.method for transition in target.transitions}
    return tuple(method.class_name for method in entry.methods if method.name in found)
