"""The elements of a 0-x specification in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...emit.amqp0.docstrings import assert_text
from ...model.amqp0.class_grammar import OPPOSITE
from ...model.amqp0.spec import Assert, Class, Constant, Method, Spec
from ...support.wording import listing
from .anchors import Anchors

# ``C:DECLARE-OK`` in a class grammar.
_TOKEN = re.compile(r"\b([CS]):([A-Z][A-Z0-9-]*)", re.IGNORECASE)
# Demands that do not follow "Must be" well.
_DEMANDS = {"not ": "Must not be ", "matching ": "Must match ", "of the syntax ": "Must have the syntax "}
_ERRORS = {"soft": "channel", "hard": "connection"}


@dataclass(frozen=True, slots=True)
class GrammarPiece:
    """A piece of text, and the id of what it names; empty if it names nothing."""

    text: str
    anchor: str = ""


def direction(method: Method) -> str:
    """Return ``client to server``, or both ways: the sender, as ``chassis`` says."""
    ways = [f"{sender} to {OPPOSITE[sender]}" for sender in method.sent_by]
    return listing(ways) if ways else "nobody sends it"


def chassis(entry: Class | Method) -> str:
    """Return ``server MUST, client MAY``."""
    return ", ".join(f"{peer.actor} {peer.level}" for peer in entry.chassis)


def error_type(constant: Constant) -> str:
    """Return what an error closes: ``channel`` (soft) or ``connection`` (hard); empty if it is not an error."""
    return _ERRORS.get(constant.error, "")


def check_sentence(check: Assert) -> str:
    """Return the demand of an assert as a sentence; empty if it is unknown."""
    demand = assert_text(check)
    for beginning, instead in _DEMANDS.items():
        if demand.startswith(beginning):
            return f"{instead}{demand.removeprefix(beginning)}."
    return f"Must be {demand}." if demand else ""


def linked_grammar(grammar: str, class_: Class, anchors: Anchors) -> Iterator[GrammarPiece]:
    """Yield the text of a grammar in pieces; each method of the class that it names is a piece of its own."""
    methods = {method.name: method for method in class_.methods}
    position = 0
    for match in _TOKEN.finditer(grammar):
        method = methods.get(match[2].lower())
        if method is not None:
            yield GrammarPiece(grammar[position : match.start()])
            yield GrammarPiece(match[0], anchors[method])
            position = match.end()
    yield GrammarPiece(grammar[position:])


def requests(spec: Spec) -> dict[str, list[Method]]:
    """Return the class name of a reply to the methods that it answers."""
    found: dict[str, list[Method]] = {}
    for method in spec.methods:
        for name in method.responses:
            found.setdefault(name, []).append(method)
    return found


def key(method: Method) -> str:
    """Return the first four octets of a method payload, in hexadecimal."""
    return f"{method.class_index:04x} {method.index:04x}"
