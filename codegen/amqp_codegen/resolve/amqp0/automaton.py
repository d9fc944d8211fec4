"""The minimal deterministic automaton of an expression, with a canonical numbering of its states.

Thompson's construction, but with both ends of each part given, so that a repeated exchange leads directly back
to its first state; then the subset construction, then partition refinement by outgoing transitions.
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
    """The nondeterministic automaton.

    Attributes:
        moves: By node and symbol, the nodes that follow.
        jumps: By node, the nodes that follow without a method (epsilon transitions).
        others: By node, the references to other classes.
        headers: The nodes at which the protocol header may be sent.
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
        """Return these nodes and all that follow them without a method."""
        reached = set(nodes)
        todo = list(reached)
        while todo:
            for node in self.jumps[todo.pop()]:
                if node not in reached:
                    reached.add(node)
                    todo.append(node)
        return frozenset(reached)


def build_automaton(
    expression: Expression,
    productions: Mapping[str, Production],
    order: Callable[[Symbol], tuple[int, int]],
    has_content: Callable[[str], bool],
    max_states: int,
) -> Automaton | None:
    """Build the automaton of an expression.

    Args:
        expression: The expression; its references to productions have no cycle.
        productions: By name; every other reference leads out of the class.
        order: The sort key of a symbol.
        has_content: Whether the method of that name has content.
        max_states: The largest number of states before minimisation.

    Returns:
        The automaton, or None if it has too many states.
    """
    graph = _Graph()
    start, end = graph.node(), graph.node()
    _add(graph, expression, start, end, productions)
    first = graph.closure([start])
    subsets_and_moves = _subsets(graph, first, max_states)
    if subsets_and_moves is None:
        return None
    subsets, moves = subsets_and_moves
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
    """Add an expression as a path from one node to another."""
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
    """Return the reachable sets of nodes and the moves between them; None if there are too many."""
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
    """Merge equivalent states, and number them by a walk from the first in the order of symbols.

    Returns:
        New number to one of its old states; and the moves between the new states.
    """
    blocks = _numbered(facts)
    while True:
        finer = _numbered(
            [
                (blocks[number], frozenset((symbol, blocks[target]) for symbol, target in targets.items()))
                for number, targets in enumerate(moves)
            ]
        )
        if max(finer) == max(blocks):
            break
        blocks = finer
    representative: dict[int, int] = {}
    for number, block in enumerate(blocks):
        representative.setdefault(block, number)
    numbers = {blocks[0]: 0}
    block_order = [blocks[0]]
    result: _States = []
    for block in block_order:
        old = moves[representative[block]]
        result.append({})
        for symbol in sorted(old, key=order):
            target = blocks[old[symbol]]
            if target not in numbers:
                numbers[target] = len(block_order)
                block_order.append(target)
            result[-1][symbol] = numbers[target]
    return [representative[block] for block in block_order], result


def _numbered(keys: Iterable[object]) -> list[int]:
    """Return a number for each key; equal keys have the same number."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
