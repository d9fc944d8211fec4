"""Class grammars: the checks of their references, and the automaton of each class.

Grammars are older than some methods: 0-9 has queue.unbind, but its grammar of class queue does not mention it.
If ``<chassis>`` lets a peer send a method that the grammar does not mention, it becomes an exchange of its own,
answered by the methods of ``<response>``. A class without a usable grammar consists of such exchanges only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ...model.amqp0.class_grammar import (
    EMPTY,
    FUNCTIONAL_CLASS,
    LETTERS,
    OPPOSITE,
    PROTOCOL_HEADER,
    SENDERS,
    Automaton,
    Choice,
    Expression,
    Production,
    Reference,
    Repeat,
    Token,
)
from ...model.amqp0.class_grammar import Sequence as GrammarSequence
from ...model.amqp0.spec import Class, Method
from ...model.problem import Problem, Problems, Severity
from ...support.wording import quote
from ..names import suggest
from .automaton import Symbol, build_automaton

# More than any protocol needs, and few enough to build the automaton quickly.
MAX_NODES = 20_000
MAX_NESTING = 200


def leaves(expression: Expression) -> Iterator[Token | Reference]:
    """Yield the tokens and references of an expression in order."""
    if isinstance(expression, (Token, Reference)):
        yield expression
    elif isinstance(expression, (GrammarSequence, Choice)):
        for item in expression.items:
            yield from leaves(item)
    else:
        yield from leaves(expression.item)


def mentioned(productions: Sequence[Production]) -> set[tuple[str, str]]:
    """Return the sender and name of each method in the productions."""
    return {
        (leaf.sender, leaf.name)
        for production in productions
        for leaf in leaves(production.expression)
        if isinstance(leaf, Token)
    }


def start_of(name: str, productions: Sequence[Production]) -> Production:
    """Return the start production of a class: the one with its name, else the first."""
    return next((production for production in productions if production.name == name), productions[0])


def check_references(
    name: str, productions: Sequence[Production], methods: Collection[str], classes: Collection[str]
) -> list[Problem]:
    """Check the productions of a class with these methods.

    Returns:
        The problems that make them unusable: unknown methods and names, cycles, excessive size.
    """
    problems = []
    names = {production.name for production in productions}
    for production in productions:
        for leaf in leaves(production.expression):
            if isinstance(leaf, Token):
                if leaf.name not in methods and leaf.name != PROTOCOL_HEADER:
                    message = f"class {quote(name)} has no method {quote(leaf.name)}"
                    problems.append(
                        _wrong("grammar-unknown-method", message, leaf, suggest(leaf.name, methods))
                    )
            elif leaf.name not in names and leaf.name not in classes and leaf.name != FUNCTIONAL_CLASS:
                message = f"{quote(leaf.name)} is neither a production nor a class"
                hint = suggest(leaf.name, {*names, FUNCTIONAL_CLASS})
                if leaf.name in methods:
                    hint = f"a method needs its sender: C:{leaf.name.upper()} or S:{leaf.name.upper()}"
                problems.append(_wrong("grammar-undefined", message, leaf, hint))
    return problems or _check_circles_and_size(start_of(name, productions), productions)


def _check_circles_and_size(start: Production, productions: Sequence[Production]) -> list[Problem]:
    """Check for cycles, then for the size of the start production with its references resolved."""
    known = {production.name: production for production in productions}
    sizes: dict[str, tuple[int, int]] = {}
    path: dict[str, Reference | Production] = {}
    todo: list[tuple[Production, Reference | Production, bool]] = [
        (production, production, False) for production in reversed(productions)
    ]
    while todo:
        production, place, entered = todo.pop()
        if entered:
            del path[production.name]
            sizes[production.name] = _size(production.expression, sizes)
        elif production.name in path:
            circle = [*path][[*path].index(production.name) :]
            message = f"the production {' -> '.join(map(quote, [*circle, production.name]))} needs itself"
            return [_wrong("grammar-cycle", message, place, "*name repeats")]
        elif production.name not in sizes:
            path[production.name] = place
            todo.append((production, place, True))
            todo += [
                (known[leaf.name], leaf, False)
                for leaf in leaves(production.expression)
                if isinstance(leaf, Reference) and leaf.name in known
            ]
    nodes, nesting = sizes[start.name]
    if nodes > MAX_NODES or nesting > MAX_NESTING:
        message = (
            f"production {quote(start.name)} has {nodes} parts, nested {nesting} deep, references resolved"
        )
        return [_wrong("grammar-too-large", message, start, f"at most {MAX_NODES} and {MAX_NESTING}")]
    return []


def _size(expression: Expression, sizes: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """Return the number of parts of an expression, and their nesting depth."""
    if isinstance(expression, Token):
        return 1, 1
    if isinstance(expression, Reference):
        nodes, nesting = sizes.get(expression.name, (1, 0))
        return nodes, nesting + 1
    items = expression.items if isinstance(expression, (GrammarSequence, Choice)) else (expression.item,)
    sizes_of_items = [_size(item, sizes) for item in items]
    return 1 + sum(nodes for nodes, _ in sizes_of_items), 1 + max(nesting for _, nesting in sizes_of_items)


def _wrong(rule_id: str, message: str, place: Token | Reference | Production, hint: str) -> Problem:
    return Problem(rule_id, message, place.position, hint, Severity.WARNING)


# The classes around all others: connection is used on channel 0 only, channel opens the other channels.
CONNECTION = "connection"
CHANNEL = "channel"
# Class to the reference in its grammar for all that happens while it is open.
_INNER_REFERENCES = {CONNECTION: CHANNEL, CHANNEL: FUNCTIONAL_CLASS}
MAX_STATES = 2_000


def resolve_grammars(classes: Sequence[Class], senders: Mapping[str, str], problems: Problems) -> list[Class]:
    """Build the automaton of each class.

    Args:
        classes: The classes.
        senders: Method to the peer that sends it, where its chassis names the wrong one.
        problems: Receives a warning for each grammar that cannot be used.
    """
    names = {entry.name for entry in classes}
    resolved = []
    for entry in classes:
        productions, found = entry.productions, _check(entry, names)
        problems.extend(found)
        automaton = None if found or not productions else _build(entry, productions, senders, MAX_STATES)
        if automaton is None:
            if productions and not found:
                problems.add(_too_large(entry))
            productions = ()
            # An exchange has at most two states; EMPTY never occurs.
            automaton = _build(entry, (), senders, 4 * len(entry.methods) + 4) or EMPTY
        resolved.append(replace(entry, productions=productions, automaton=automaton))
    return resolved


def _check(entry: Class, classes: set[str]) -> list[Problem]:
    if not entry.productions:
        return []
    methods = {method.name for method in entry.methods}
    problems = check_references(entry.name, entry.productions, methods, classes)
    inside = _INNER_REFERENCES.get(entry.name)
    outside = _references_out(entry.productions)
    if not problems and inside is not None and not outside:
        start = start_of(entry.name, entry.productions)
        message = f"the grammar of class {entry.name!r} leaves no place for other classes"
        problems.append(
            Problem("grammar-closed", message, start.position, f"refer to {inside}", Severity.WARNING)
        )
    return problems


def _references_out(productions: Sequence[Production]) -> set[str]:
    """Return the references that are not productions of the class."""
    known = {production.name for production in productions}
    return {
        leaf.name
        for production in productions
        for leaf in leaves(production.expression)
        if isinstance(leaf, Reference) and leaf.name not in known
    }


def _too_large(entry: Class) -> Problem:
    message = f"the grammar of class {entry.name!r} has more than {MAX_STATES} states"
    hint = "let alternatives differ in their first method"
    return Problem("grammar-too-large", message, entry.productions[0].position, hint, Severity.WARNING)


def _build(
    entry: Class, productions: Sequence[Production], senders: Mapping[str, str], max_states: int
) -> Automaton | None:
    """Build the automaton of productions and missing exchanges; None if it has too many states."""
    lacking = _lacking_exchanges(entry, productions, senders)
    inside = _INNER_REFERENCES.get(entry.name)
    whole: Expression
    known = {production.name: production for production in productions}
    if inside is None:
        start = (Reference(start_of(entry.name, productions).name, entry.position),) if productions else ()
        whole = Repeat(Choice((*start, *lacking)))
    elif productions:
        whole = Reference(start_of(entry.name, productions).name, entry.position)
        out = _references_out(productions)
        known = {
            name: replace(production, expression=_widened(production.expression, out, lacking))
            for name, production in known.items()
        }
    else:
        whole = Repeat(Choice((Reference(inside, entry.position), *lacking)))
    rank = {method.name: number for number, method in enumerate(entry.methods)}
    content = {method.name for method in entry.methods if method.has_content}

    def order(symbol: Symbol) -> tuple[int, int]:
        return rank[symbol[1]], SENDERS.index(symbol[0])

    automaton = build_automaton(whole, known, order, content.__contains__, max_states)
    if automaton is None:
        return None
    return replace(automaton, derived=tuple(_written(symbol) for symbol in lacking))


def _widened(expression: Expression, out: set[str], lacking: Sequence[Expression]) -> Expression:
    """Allow the missing exchanges of a class where its grammar refers to other classes."""
    if isinstance(expression, Token):
        return expression
    if isinstance(expression, Reference):
        return Choice((expression, *lacking)) if expression.name in out and lacking else expression
    if isinstance(expression, (GrammarSequence, Choice)):
        items = tuple(_widened(item, out, lacking) for item in expression.items)
        return replace(expression, items=items)
    return replace(expression, item=_widened(expression.item, out, lacking))


def _lacking_exchanges(
    entry: Class, productions: Sequence[Production], senders: Mapping[str, str]
) -> list[Expression]:
    """Return the exchanges of ``chassis`` and ``response`` that no production mentions."""
    known = mentioned(productions)
    replies = {name for method in entry.methods for name in method.responses}
    return [
        _exchange(entry, method, sender)
        for method in entry.methods
        if method.class_name not in replies
        for sender in _senders(method, senders)
        if (sender, method.name) not in known
    ]


def _senders(method: Method, senders: Mapping[str, str]) -> Sequence[str]:
    """Return which peers may send a method: both, if no chassis says it."""
    if method.full_name in senders:
        return (senders[method.full_name],)
    return method.sent_by or SENDERS


def _exchange(entry: Class, method: Method, sender: str) -> Expression:
    request = Token(sender, method.name, method.has_content, method.position)
    answers = tuple(
        Token(OPPOSITE[sender], reply.name, reply.has_content, reply.position)
        for reply in entry.methods
        if reply.class_name in method.responses
    )
    if not answers:
        return request
    return GrammarSequence((request, answers[0] if len(answers) == 1 else Choice(answers)))


def _written(expression: Expression) -> str:
    """Return an exchange as a grammar would write it."""
    if isinstance(expression, Token):
        name = f"{LETTERS[expression.sender]}:{expression.name.upper()}"
        return f"{name} content" if expression.content else name
    if isinstance(expression, GrammarSequence):
        return " ".join(map(_written, expression.items))
    if isinstance(expression, Choice):
        return f"( {' / '.join(map(_written, expression.items))} )"
    raise AssertionError(f"no exchange has {expression!r}")
