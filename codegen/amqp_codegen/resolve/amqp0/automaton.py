"""From expressions to the minimal deterministic automaton, numbered in one way only.

Thompson's construction, but with both ends of a part given, so that an exchange which the grammar repeats
leads straight back to where it began; then subsets, then refinement of the partition by outgoing transitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ...model.amqp0.class_grammar import (
    PROTOCOL_HEADER,
    Automaton,
    Choice,
    Expression,
    Optional,
    Production,
    Reference,
    Repeat,
    State,
    Token,
    Transition,
)

# A symbol is a sender and the name of a method.
Symbol = tuple[str, str]
_States = list[dict[Symbol, int]]


@dataclass(slots=True)
class _Graph:
    """The automaton that is not deterministic yet.

    Attributes:
        moves: By node and symbol, the nodes that follow.
        jumps: By node, the nodes that follow without anything being sent.
        others: By node, the references to what is not of this class.
        headers: The nodes at which the protocol header stands.
    """

    moves: list[dict[Symbol, list[int]]] = field(default_factory=list)
    jumps: list[list[int]] = field(default_factory=list)
    others: list[set[str]] = field(default_factory=list)
    headers: set[int] = field(default_factory=set)

    def node(self) -> int:
        """Add a node and return its number."""
        self.moves.append({})
        self.jumps.append([])
        self.others.append(set())
        return len(self.moves) - 1

    def closure(self, nodes: Iterable[int]) -> frozenset[int]:
        """Return these nodes and all that follow them without anything being sent."""
        found = set(nodes)
        todo = list(found)
        while todo:
            for node in self.jumps[todo.pop()]:
                if node not in found:
                    found.add(node)
                    todo.append(node)
        return frozenset(found)


def build_automaton(
    expression: Expression,
    productions: Mapping[str, Production],
    order: Callable[[Symbol], tuple[int, int]],
    has_content: Callable[[str], bool],
    max_states: int,
) -> Automaton | None:
    """Build the automaton of an expression.

    Args:
        expression: The expression; its references to productions form no circle.
        productions: By name; every other reference leads out of the class.
        order: Where a symbol belongs among others.
        has_content: Tells by its name whether content comes with a method.
        max_states: How many states there may be before they are made as few as possible.

    Returns:
        The automaton, None if it has too many states.
    """
    graph = _Graph()
    start, end = graph.node(), graph.node()
    _add(graph, expression, start, end, productions)
    first = graph.closure([start])
    found = _subsets(graph, first, max_states)
    if found is None:
        return None
    subsets, moves = found
    facts = [
        (end in nodes, tuple(sorted(set().union(*(graph.others[n] for n in nodes))))) for nodes in subsets
    ]
    block, moves = _minimal(facts, moves, order)
    states = tuple(
        State(
            tuple(
                Transition(symbol[0], symbol[1], has_content(symbol[1]), target)
                for symbol, target in sorted(moves[number].items(), key=lambda item: order(item[0]))
            ),
            *facts[representative],
        )
        for number, representative in enumerate(block)
    )
    return Automaton(states, begins_with_header=not graph.headers.isdisjoint(first))


def _add(
    graph: _Graph, expression: Expression, start: int, end: int, productions: Mapping[str, Production]
) -> None:
    """Add what leads from one node to another by an expression."""
    if isinstance(expression, Token):
        if expression.name == PROTOCOL_HEADER:
            graph.headers.add(start)
            graph.jumps[start].append(end)
        else:
            graph.moves[start].setdefault((expression.sender, expression.name), []).append(end)
    elif isinstance(expression, Reference):
        if expression.name in productions:
            _add(graph, productions[expression.name].expression, start, end, productions)
        else:
            graph.others[start].add(expression.name)
            graph.jumps[start].append(end)
    elif isinstance(expression, Choice):
        for item in expression.items:
            _add(graph, item, start, end, productions)
    elif isinstance(expression, Optional):
        _add(graph, expression.item, start, end, productions)
        graph.jumps[start].append(end)
    elif isinstance(expression, Repeat):
        loop = graph.node()
        graph.jumps[start].append(loop)
        _add(graph, expression.item, loop, loop, productions)
        graph.jumps[loop].append(end)
    else:
        *most, last = expression.items
        for item in most:
            following = graph.node()
            _add(graph, item, start, following, productions)
            start = following
        _add(graph, last, start, end, productions)


def _subsets(
    graph: _Graph, first: frozenset[int], max_states: int
) -> tuple[list[frozenset[int]], _States] | None:
    """Return the sets of nodes that something can lead to, and what leads from one to another."""
    numbers = {first: 0}
    subsets = [first]
    moves: _States = []
    for nodes in subsets:
        if len(subsets) > max_states:
            return None
        targets: dict[Symbol, set[int]] = {}
        for node in nodes:
            for symbol, following in graph.moves[node].items():
                targets.setdefault(symbol, set()).update(following)
        moves.append({})
        for symbol, following_nodes in targets.items():
            subset = graph.closure(following_nodes)
            if subset not in numbers:
                numbers[subset] = len(subsets)
                subsets.append(subset)
            moves[-1][symbol] = numbers[subset]
    return subsets, moves


def _minimal(
    facts: list[tuple[bool, tuple[str, ...]]], moves: _States, order: Callable[[Symbol], tuple[int, int]]
) -> tuple[list[int], _States]:
    """Merge states that nothing tells apart, and number them from the first in the order of symbols.

    Returns:
        By new number, one of the old states that are it; and the moves between the new ones.
    """
    blocks = _numbered(facts)
    while True:
        finer = _numbered(
            [
                (blocks[number], frozenset((symbol, blocks[target]) for symbol, target in each.items()))
                for number, each in enumerate(moves)
            ]
        )
        if max(finer) == max(blocks):
            break
        blocks = finer
    representative: dict[int, int] = {}
    for number, block in enumerate(blocks):
        representative.setdefault(block, number)
    numbers = {blocks[0]: 0}
    found = [blocks[0]]
    result: _States = []
    for block in found:
        old = moves[representative[block]]
        result.append({})
        for symbol in sorted(old, key=order):
            target = blocks[old[symbol]]
            if target not in numbers:
                numbers[target] = len(found)
                found.append(target)
            result[-1][symbol] = numbers[target]
    return [representative[block] for block in found], result


def _numbered(keys: Iterable[object]) -> list[int]:
    """Return a number for each key, the same for equal ones."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
