"""Draws the states of a class, and the methods that lead from one to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.amqp0.class_grammar import CLIENT, Automaton, State
from ...model.amqp0.spec import Class, Spec
from .boxes import WIDTH
from .state_layout import StateEdge, StateLayout, StateNode, state_layout
from .state_names import state_names
from .svg import Line, Picture, Rect, Shape, Text, picture_id, svg, text_width, wrapped

_ROW_HEIGHT = 27
_LINE_OFFSET = 17  # of an edge, from the top of its row
_NAME_SIZE = 11.5
_PADDING = 10  # beside the name of a state
_MARGIN = 4
_LANE_WIDTH = 14
_LABEL_SIZE = 11.5
_LEGEND = (
    "C: what the client sends. S: what the server sends. Double outline: may end here. "
    "Dashed: not of this class."
)


def state_diagram(spec: Spec, class_: Class) -> str:
    """Draw the automaton of a class of that specification."""
    automaton = class_.automaton
    layout = state_layout(automaton)
    title = f"States of class {class_.name} of AMQP {spec.version}"
    names = state_names(automaton)
    drawing = _Drawing(layout, automaton, names)
    shapes = list(drawing.shapes())
    width = max(WIDTH, drawing.width)
    y = layout.rows * _ROW_HEIGHT + 20.0
    for line in wrapped(_LEGEND, width - 2 * _MARGIN, 10.5):
        shapes.append(Text(_MARGIN, y, line, 10.5, "soft"))
        y += 14
    return svg(
        Picture(
            picture_id("states", class_.name), title, _description(automaton, names), width, y - 6, shapes
        )
    )


class _Drawing:
    """Rows and columns in pixels."""

    def __init__(self, layout: StateLayout, automaton: Automaton, names: Sequence[str]) -> None:
        self._layout = layout
        self._automaton = automaton
        self._names = names
        self._nodes = {node.state: node for node in layout.nodes}
        columns = 1 + max((node.column for node in layout.nodes), default=0)
        widths = [0.0] * columns
        for node in layout.nodes:
            width = text_width(names[node.state], _NAME_SIZE) + 2 * _PADDING
            widths[node.column] = max(widths[node.column], width)
        gaps = [0.0] * columns
        for edge in layout.edges:
            gap = self._nodes[edge.source].column - (edge.way == "left")
            gaps[gap] = max(
                gaps[gap], text_width(edge.label, _LABEL_SIZE) + (12 if edge.way == "down" else 30)
            )
        self._widths = widths
        self._lefts = [_MARGIN + sum(gaps[:column]) + sum(widths[:column]) for column in range(columns)]
        self._around = [edge for edge in layout.edges if edge.way == "around"]
        self._channels = self._lefts[-1] + widths[-1] + gaps[-1]
        self.width = self._channels + _LANE_WIDTH * len(self._around) + _MARGIN

    def shapes(self) -> Iterator[Shape]:
        """Yield lines first, so that states cover the lines that pass behind them."""
        yield from self._start()
        down: set[tuple[int, int]] = set()
        for edge in self._layout.edges:
            if edge.way == "down":
                if (edge.source, edge.target) not in down:
                    down.add((edge.source, edge.target))
                    yield self._down(edge)
            elif edge.way == "loop":
                yield self._loop(edge)
            elif edge.way == "around":
                yield self._way_around(edge)
            else:
                yield self._across(edge)
        for node in self._layout.nodes:
            yield from self._state(node, self._automaton.states[node.state])
        yield from map(self._label, self._layout.edges)

    def _start(self) -> Iterator[Shape]:
        if not self._layout.nodes:
            yield Text(_MARGIN, _LINE_OFFSET, "no method may come", _LABEL_SIZE, "soft")
            return
        middle = self._middle(0)
        yield Rect(middle - 3.5, 4, 7, 7, "text", radius=3.5)
        yield Line(((middle, 11), (middle, self._top(self._nodes[0]))), "text", arrow=True)
        if self._automaton.begins_with_header:
            yield Text(middle + 10, _LINE_OFFSET, "C:protocol-header", _LABEL_SIZE, _colour(CLIENT))

    def _state(self, node: StateNode, state: State) -> Iterator[Shape]:
        left, top, width = self._lefts[node.column], self._top(node), self._widths[node.column]
        height = self._y(node.row + node.rows - 1) + 11 - top
        yield Rect(left, top, width, height, "raised", "text", 11)
        if state.accepting:
            yield Rect(left + 3, top + 3, width - 6, height - 6, "", "text", 8)
        yield Text(
            left + width / 2, top + 16, self._names[node.state], _NAME_SIZE, bold=True, anchor="middle"
        )

    def _down(self, edge: StateEdge) -> Line:
        middle = self._middle(edge.source)
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        bottom = self._y(source.row + source.rows - 1) + 11
        return Line(((middle, bottom), (middle, self._top(target))), _colour(edge.sender), arrow=True)

    def _across(self, edge: StateEdge) -> Line:
        if edge.way == "right":
            ends = (self._right(edge.source), self._left(edge.target))
        else:
            ends = (self._left(edge.source), self._right(edge.target))
        y = self._y(edge.row)
        return Line(((ends[0], y), (ends[1], y)), _colour(edge.sender), arrow=True)

    def _loop(self, edge: StateEdge) -> Line:
        left = self._right(edge.source)
        right, y = left + text_width(edge.label, _LABEL_SIZE) + 20, self._y(edge.row)
        points = ((left, y - 1), (right, y - 1), (right, y + 7), (left, y + 7))
        return Line(points, _colour(edge.sender), arrow=True, dashed=not edge.sender)

    def _way_around(self, edge: StateEdge) -> Line:
        x = self._channels + _LANE_WIDTH * (self._around.index(edge) + 0.5)
        source, target = self._right(edge.source), self._right(edge.target)
        out, back = self._y(edge.row), self._y(edge.arrival)
        return Line(((source, out), (x, out), (x, back), (target, back)), _colour(edge.sender), arrow=True)

    def _label(self, edge: StateEdge) -> Text:
        colour = _colour(edge.sender)
        y = self._y(edge.row)
        if edge.way == "down":
            return Text(self._middle(edge.source) + 10, y, edge.label, _LABEL_SIZE, colour)
        if edge.way == "left":
            return Text(self._left(edge.source) - 10, y - 5, edge.label, _LABEL_SIZE, colour, anchor="end")
        return Text(self._right(edge.source) + 10, y - 5, edge.label, _LABEL_SIZE, colour)

    def _left(self, state: int) -> float:
        return self._lefts[self._nodes[state].column]

    def _right(self, state: int) -> float:
        return self._left(state) + self._widths[self._nodes[state].column]

    def _middle(self, state: int) -> float:
        return (self._left(state) + self._right(state)) / 2

    def _top(self, node: StateNode) -> float:
        return self._y(node.row) - 12

    def _y(self, row: int) -> float:
        return row * _ROW_HEIGHT + _LINE_OFFSET


def _colour(sender: str) -> str:
    """Return the colour of a sender, as in the table of methods: the client has that of links; other classes are grey."""
    if not sender:
        return "soft"
    return "accent" if sender == CLIENT else "grave"


def _description(automaton: Automaton, names: Sequence[str]) -> str:
    """Describe the picture in words."""
    if not automaton.states:
        return "No method may come."
    sentences = [f"It begins in state {names[0]}."]
    if automaton.begins_with_header:
        sentences = [f"The client sends the protocol header; then it begins in state {names[0]}."]
    for number, state in enumerate(automaton.states):
        said = [
            (
                f"{transition} leads to {names[transition.target]}"
                if transition.target != number
                else f"{transition} stays"
            )
            for transition in state.transitions
        ]
        said += [f"open to {name}" for name in state.others]
        said += ["may end here"] if state.accepting else []
        sentences.append(f"State {names[number]}: {'; '.join(said)}.")
    return " ".join(sentences)
