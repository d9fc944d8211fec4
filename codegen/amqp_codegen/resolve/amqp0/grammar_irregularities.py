"""The irregularities of a usable grammar: in itself, or in conflict with the methods.

The published files have nearly all of them and will not be corrected, so ``generate`` does not report them.
``amqp-codegen grammar`` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.class_grammar import (
    LETTERS,
    OPPOSITE,
    SENDERS,
    Choice,
    Expression,
    Production,
    Reference,
    Repeat,
    Token,
)
from ...model.amqp0.class_grammar import Sequence as GrammarSequence
from ...model.amqp0.spec import Class, Method
from ...model.problem import Position, Problem, Severity
from ...support.wording import listing, quote
from .class_grammars import CHANNEL, CONNECTION, leaves, mentioned, start_of


def grammar_irregularities(entry: Class) -> list[Problem]:
    """Return all irregularities in the grammar of a class, as warnings in file order."""
    if not entry.productions:
        if not entry.methods:
            return []
        message = f"class {entry.name!r} has no grammar; its methods are taken as exchanges of their own"
        return [_odd("grammar-none", message, entry.position)]
    found = [
        *_start(entry),
        *_unused(entry),
        *_signs(entry),
        *_tokens(entry),
        *_lacking(entry),
        *_replies(entry),
        *_handler(entry),
    ]
    return sorted(found, key=lambda problem: problem.position or entry.position)


def _start(entry: Class) -> Iterator[Problem]:
    start = start_of(entry.name, entry.productions)
    if start.name != entry.name:
        message = f"no production is named {entry.name!r} like its class; the first is taken"
        yield _odd("grammar-start", message, start.position)


def _unused(entry: Class) -> Iterator[Problem]:
    known = {production.name: production for production in entry.productions}
    start = start_of(entry.name, entry.productions)
    used = {start.name}
    todo = [start]
    while todo:
        for leaf in leaves(todo.pop().expression):
            if isinstance(leaf, Reference) and leaf.name in known and leaf.name not in used:
                used.add(leaf.name)
                todo.append(known[leaf.name])
    for production in entry.productions:
        if production.name not in used:
            message = f"nothing leads to production {quote(production.name)}"
            yield _odd("grammar-unused", message, production.position)


def _signs(entry: Class) -> Iterator[Problem]:
    """Report uses of ``|``, and repetitions of a repetition."""
    known = {production.name: production for production in entry.productions}
    for production in entry.productions:
        for part in _parts(production.expression):
            if isinstance(part, Choice) and part.bar:
                message = "'|' is taken to bind closer than a sequence, / does not"
                yield _odd("grammar-bar", message, _place(part.items[1], production))
            if isinstance(part, Repeat) and _repeats(part.item, known):
                message = "what is repeated here repeats itself already"
                yield _odd("grammar-repeat", message, _place(part.item, production), "one * will do")


def _repeats(expression: Expression, known: dict[str, Production]) -> bool:
    while isinstance(expression, Reference) and expression.name in known:
        expression = known[expression.name].expression
    return isinstance(expression, Repeat) or (
        isinstance(expression, Choice) and any(_repeats(item, known) for item in expression.items)
    )


def _tokens(entry: Class) -> Iterator[Problem]:
    """Report tokens whose method is sent by the other peer, or differs in having content."""
    methods = {method.name: method for method in entry.methods}
    for production in entry.productions:
        for leaf in leaves(production.expression):
            method = methods.get(leaf.name) if isinstance(leaf, Token) else None
            if method is None or not isinstance(leaf, Token):
                continue
            if method.sent_by and leaf.sender not in method.sent_by:
                message = f"by its chassis, {method.full_name} never comes from the {leaf.sender}"
                yield _odd("grammar-direction", message, leaf.position)
            if method.has_content and not leaf.content:
                message = f"{method.full_name} has content, of which nothing is said here"
                yield _odd("grammar-content", message, leaf.position, "the content is taken as given")
            if leaf.content and not method.has_content:
                message = f"{method.full_name} has no content"
                yield _odd("grammar-content", message, leaf.position, "the word is passed over")


def _lacking(entry: Class) -> Iterator[Problem]:
    """Report methods that a peer must accept by their chassis, but that no production mentions."""
    known = mentioned(entry.productions)
    for method in entry.methods:
        lacking = [
            sender for sender in SENDERS if sender in method.sent_by and (sender, method.name) not in known
        ]
        if lacking:
            names = listing(f"{LETTERS[sender]}:{method.name.upper()}" for sender in lacking)
            message = f"the grammar lacks {names}, which {method.full_name} allows by its chassis"
            yield _odd("grammar-lacks", message, method.position)


def _replies(entry: Class) -> Iterator[Problem]:
    """Report methods whose ``<response>`` differs from the answers in the grammar."""
    methods = {method.name: method for method in entry.methods}
    for number, state in enumerate(entry.automaton.states):
        for transition in state.transitions:
            method = methods[transition.method]
            if not method.responses or transition.target == number:
                continue
            answers = {
                methods[answer.method].class_name
                for answer in entry.automaton.states[transition.target].transitions
                if answer.sender == OPPOSITE[transition.sender]
            }
            if answers != set(method.responses):
                yield _odd("grammar-reply", _reply_message(entry, method, answers), method.position)


def _reply_message(entry: Class, method: Method, answers: set[str]) -> str:
    names = [method.name for method in entry.methods if method.class_name in answers]
    responses = [answer.name for answer in entry.methods if answer.class_name in method.responses]
    return (
        f"by its grammar {method.full_name} is answered by {listing(names) if names else 'nothing'}, "
        f"by its responses by {listing(responses)}"
    )


def _handler(entry: Class) -> Iterator[Problem]:
    if entry.name not in (CONNECTION, CHANNEL) and entry.handler not in ("", CHANNEL):
        message = (
            f"class {entry.name!r} has the handler {quote(entry.handler)}, whose grammar has no place for it"
        )
        yield _odd("grammar-handler", message, entry.position, "it is taken as a class of channels")


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    if isinstance(expression, (GrammarSequence, Choice)):
        for item in expression.items:
            yield from _parts(item)
    elif not isinstance(expression, (Token, Reference)):
        yield from _parts(expression.item)


def _place(expression: Expression, production: Production) -> Position:
    """Return the position of the first leaf of an expression."""
    return next((leaf.position for leaf in leaves(expression)), production.position)


def _odd(rule_id: str, message: str, position: Position, hint: str = "") -> Problem:
    return Problem(rule_id, message, position, hint, Severity.WARNING)
