"""The productions of a class: do their references lead anywhere, and to an end?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ...model.grammar import (
    FUNCTIONAL_CLASS,
    PROTOCOL_HEADER,
    Choice,
    Expression,
    Production,
    Reference,
    Token,
)
from ...model.grammar import Sequence as GrammarSequence
from ...model.problem import Problem, Severity
from ...spec.wording import quote
from ..names import suggest

# More than any protocol needs, and little enough to be compiled in no time.
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
    """Return from whom which methods may come by any production."""
    return {
        (leaf.sender, leaf.name)
        for production in productions
        for leaf in leaves(production.expression)
        if isinstance(leaf, Token)
    }


def start_of(name: str, productions: Sequence[Production]) -> Production:
    """Return the production that stands for a class: the one of its name, else the first."""
    return next((each for each in productions if each.name == name), productions[0])


def check_references(
    name: str, productions: Sequence[Production], methods: Collection[str], classes: Collection[str]
) -> list[Problem]:
    """Check the productions of a class.

    Args:
        name: The name of the class.
        productions: Its productions.
        methods: The names of its methods.
        classes: The names of all classes.

    Returns:
        What makes them useless: methods and names that are not there, circles, sheer size.
    """
    problems = []
    names = {each.name for each in productions}
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
    """Look for a circle; without one, count what becomes of the productions once references are resolved."""
    known = {each.name: each for each in productions}
    sizes: dict[str, tuple[int, int]] = {}
    path: dict[str, Reference | Production] = {}
    todo: list[tuple[Production, Reference | Production, bool]] = [
        (each, each, False) for each in reversed(productions)
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
    """Return how many parts an expression has, and how deep they nest."""
    if isinstance(expression, Token):
        return 1, 1
    if isinstance(expression, Reference):
        nodes, nesting = sizes.get(expression.name, (1, 0))
        return nodes, nesting + 1
    items = expression.items if isinstance(expression, (GrammarSequence, Choice)) else (expression.item,)
    found = [_size(item, sizes) for item in items]
    return 1 + sum(nodes for nodes, _ in found), 1 + max(nesting for _, nesting in found)


def _wrong(rule_id: str, message: str, place: Token | Reference | Production, hint: str) -> Problem:
    return Problem(rule_id, message, place.position, hint, Severity.WARNING)
