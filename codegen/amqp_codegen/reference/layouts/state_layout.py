"""Places the states of a class in rows and columns, without pixels.

The main path goes down in one column; an exchange that returns goes to the right and back to the left. A state is as
tall as it has edges, so that each edge is a straight line in a row of its own and no two cross. Only edges that lead
sideways to a distant state go around, at the far right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ...model.amqp0.class_grammar import Automaton


@dataclass(frozen=True, slots=True)
class StateNode:
    """A state in its place: its column, its first row and how many rows it is tall."""

    state: int
    column: int
    row: int
    rows: int


@dataclass(frozen=True, slots=True)
class StateEdge:
    """A transition in its place.

    Attributes:
        way: ``down`` (in the column), ``right`` (begins an exchange), ``left`` (comes back), ``loop`` (stays)
            or ``around``.
        row: The row where it leaves.
        arrival: The row where it arrives; differs from ``row`` only for ``around`` and ``down``.
        label: What is sent, or another class.
        sender: ``client`` or ``server``; empty for other classes.
    """

    way: str
    source: int
    target: int
    row: int
    arrival: int
    label: str
    sender: str


@dataclass(frozen=True, slots=True)
class StateLayout:
    """All states and edges; ``rows`` is the number of rows."""

    nodes: tuple[StateNode, ...]
    edges: tuple[StateEdge, ...]
    rows: int


def state_layout(automaton: Automaton) -> StateLayout:
    """Place all states that can be reached; state 0 is in row 1, below the mark of the start."""
    if not automaton.states:
        return StateLayout((), (), 1)
    placer = _Placer(automaton)
    rows = placer.place(0, 0, 1, 0)
    arrivals = iter(placer.arrivals())
    edges = [edge if edge.way != "around" else next(arrivals) for edge in placer.edges]
    return StateLayout(tuple(placer.nodes), tuple(edges), rows)


class _Placer:
    """Places the states along a tree of shortest paths from state 0."""

    def __init__(self, automaton: Automaton) -> None:
        self.nodes: list[StateNode] = []
        self.edges: list[StateEdge] = []
        self._states = automaton.states
        self._next = [
            tuple(dict.fromkeys(transition.target for transition in state.transitions))
            for state in automaton.states
        ]
        self._parents = self._tree()
        self._incoming: dict[int, list[int]] = {}
        self._heights = self._tree_heights()
        self._around = self._sideways()

    def place(self, state: int, column: int, row: int, entries: int) -> int:
        """Place a state and all below it in the tree; ``entries`` edges come to it from the left.

        Returns:
            The first row that is free.
        """
        while True:
            bottom = self._place_one(state, column, row, entries)
            spine = self._spine(state)
            if spine is None:
                return bottom
            labels = [
                transition for transition in self._states[state].transitions if transition.target == spine
            ]
            for number, transition in enumerate(labels):
                self.edges.append(
                    StateEdge(
                        "down",
                        state,
                        spine,
                        bottom + number,
                        bottom + len(labels),
                        str(transition),
                        transition.sender,
                    )
                )
            state, row, entries = spine, bottom + len(labels), 0

    def arrivals(self) -> Iterator[StateEdge]:
        """Yield the edges that go around, now that their arrival is known."""
        rows = {state: list(rows) for state, rows in self._incoming.items()}
        for edge in self.edges:
            if edge.way == "around":
                arrival = rows[edge.target].pop(0)
                yield StateEdge(
                    edge.way, edge.source, edge.target, edge.row, arrival, edge.label, edge.sender
                )

    def _place_one(self, state: int, column: int, row: int, entries: int) -> int:
        spine, ancestors = self._spine(state), set(self._ancestors(state))
        left, right = row + entries, row
        for name in self._states[state].others:
            self.edges.append(StateEdge("loop", state, state, right, right, name, ""))
            right += 1
        placed: set[int] = set()
        for transition in self._states[state].transitions:
            label, target = str(transition), transition.target
            if target == spine or target in placed:
                continue
            if target == state:
                self.edges.append(StateEdge("loop", state, state, right, right, label, transition.sender))
                right += 1
            elif target in ancestors:
                self.edges.append(StateEdge("left", state, target, left, left, label, transition.sender))
                left += 1
            elif self._parents[target] == state:
                placed.add(target)
                right = self._lane(state, target, column + 1, right)
            else:
                self.edges.append(StateEdge("around", state, target, right, right, label, transition.sender))
                right += 1
        arriving = self._around.count(state)
        self._incoming[state] = list(range(right, right + arriving))
        bottom = max(left, right + arriving, row + 1)
        self.nodes.append(StateNode(state, column, row, bottom - row))
        return bottom

    def _lane(self, state: int, target: int, column: int, row: int) -> int:
        """Place an exchange to the right, with all edges that begin it."""
        entering = [
            transition for transition in self._states[state].transitions if transition.target == target
        ]
        for number, transition in enumerate(entering):
            self.edges.append(
                StateEdge(
                    "right", state, target, row + number, row + number, str(transition), transition.sender
                )
            )
        return self.place(target, column, row, len(entering))

    def _spine(self, state: int) -> int | None:
        """Return the child that continues downwards, or None.

        It is the one with the deepest tree, of those from which paths lead back only over states above.
        """
        above = set(self._ancestors(state))
        candidates = [child for child in self._children(state) if not self._reaches(child, state, above)]
        return max(candidates, key=lambda child: self._heights[child], default=None)

    def _children(self, state: int) -> Iterator[int]:
        return (child for child in self._next[state] if child != state and self._parents[child] == state)

    def _ancestors(self, state: int) -> Iterator[int]:
        while (parent := self._parents[state]) != state:
            yield parent
            state = parent

    def _reaches(self, start: int, goal: int, without: set[int]) -> bool:
        seen, waiting = {start}, [start]
        while waiting:
            for target in self._next[waiting.pop()]:
                if target == goal:
                    return True
                if target not in seen and target not in without:
                    seen.add(target)
                    waiting.append(target)
        return False

    def _tree(self) -> dict[int, int]:
        """Return each state with its predecessor on a shortest path; state 0 with itself."""
        parents, waiting = {0: 0}, deque([0])
        while waiting:
            state = waiting.popleft()
            for target in self._next[state]:
                if target not in parents:
                    parents[target] = state
                    waiting.append(target)
        return parents

    def _tree_heights(self) -> dict[int, int]:
        heights = dict.fromkeys(self._parents, 1)
        for state in reversed(self._parents):  # farthest first
            parent = self._parents[state]
            if parent != state:
                heights[parent] = max(heights[parent], heights[state] + 1)
        return heights

    def _sideways(self) -> list[int]:
        """Return the targets of edges that go around, one for each edge."""
        targets = []
        for state in self._parents:
            near = {state, *self._ancestors(state), *self._children(state)}
            targets += [
                transition.target
                for transition in self._states[state].transitions
                if transition.target not in near
            ]
        return targets
