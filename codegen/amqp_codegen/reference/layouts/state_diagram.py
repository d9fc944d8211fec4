"""Draws the states of a class, and the methods that lead from one to another."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.class_grammar import CLIENT, Automaton, State
from ...model.amqp0.spec import Class, Spec
from .boxes import WIDTH
from .state_layout import StateEdge, StateLayout, StateNode, state_layout
from .svg import Line, Picture, Rect, Shape, Text, picture_id, svg, text_width, wrapped

_ROW_HEIGHT = 27
_LINE_OFFSET = 17  # of an edge, from the top of its row
_BAR_WIDTH = 28
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
    drawing = _Drawing(layout, automaton)
    shapes = list(drawing.shapes())
    width = max(WIDTH, drawing.width)
    y = layout.rows * _ROW_HEIGHT + 20.0
    for line in wrapped(_LEGEND, width - 2 * _MARGIN, 10.5):
        shapes.append(Text(_MARGIN, y, line, 10.5, "soft"))
        y += 14
    return svg(
        Picture(picture_id("states", class_.name), title, _description(automaton), width, y - 6, shapes)
    )


class _Drawing:
    """Rows and columns in pixels."""

    def __init__(self, layout: StateLayout, automaton: Automaton) -> None:
        self._layout = layout
        self._automaton = automaton
        self._nodes = {node.state: node for node in layout.nodes}
        columns = 1 + max((node.column for node in layout.nodes), default=0)
        gaps = [0.0] * columns
        for edge in layout.edges:
            gap = self._nodes[edge.source].column - (edge.way == "left")
            gaps[gap] = max(
                gaps[gap], text_width(edge.label, _LABEL_SIZE) + (12 if edge.way == "down" else 30)
            )
        self._gaps = gaps
        self._lefts = [_MARGIN + sum(gaps[:column]) + _BAR_WIDTH * column for column in range(columns)]
        self._around = [edge for edge in layout.edges if edge.way == "around"]
        self._channels = self._lefts[-1] + _BAR_WIDTH + gaps[-1]
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
        left, top = self._lefts[node.column], self._top(node)
        height = self._y(node.row + node.rows - 1) + 11 - top
        yield Rect(left, top, _BAR_WIDTH, height, "raised", "text", 13)
        if state.accepting:
            yield Rect(left + 3, top + 3, _BAR_WIDTH - 6, height - 6, "", "text", 10)
        yield Text(left + _BAR_WIDTH / 2, top + 16, str(node.state), 12, bold=True, anchor="middle")

    def _down(self, edge: StateEdge) -> Line:
        middle = self._middle(edge.source)
        source, target = self._nodes[edge.source], self._nodes[edge.target]
        bottom = self._y(source.row + source.rows - 1) + 11
        return Line(((middle, bottom), (middle, self._top(target))), _colour(edge.sender), arrow=True)

    def _across(self, edge: StateEdge) -> Line:
        source, target = (self._lefts[self._nodes[state].column] for state in (edge.source, edge.target))
        ends = (source + _BAR_WIDTH, target) if edge.way == "right" else (source, target + _BAR_WIDTH)
        y = self._y(edge.row)
        return Line(((ends[0], y), (ends[1], y)), _colour(edge.sender), arrow=True)

    def _loop(self, edge: StateEdge) -> Line:
        left = self._lefts[self._nodes[edge.source].column] + _BAR_WIDTH
        right, y = left + text_width(edge.label, _LABEL_SIZE) + 20, self._y(edge.row)
        points = ((left, y - 1), (right, y - 1), (right, y + 7), (left, y + 7))
        return Line(points, _colour(edge.sender), arrow=True, dashed=not edge.sender)

    def _way_around(self, edge: StateEdge) -> Line:
        x = self._channels + _LANE_WIDTH * (self._around.index(edge) + 0.5)
        source, target = (
            self._lefts[self._nodes[state].column] + _BAR_WIDTH for state in (edge.source, edge.target)
        )
        out, back = self._y(edge.row), self._y(edge.arrival)
        return Line(((source, out), (x, out), (x, back), (target, back)), _colour(edge.sender), arrow=True)

    def _label(self, edge: StateEdge) -> Text:
        colour = _colour(edge.sender)
        left = self._lefts[self._nodes[edge.source].column]
        y = self._y(edge.row)
        if edge.way == "down":
            return Text(left + _BAR_WIDTH / 2 + 10, y, edge.label, _LABEL_SIZE, colour)
        if edge.way == "left":
            return Text(left - 10, y - 5, edge.label, _LABEL_SIZE, colour, anchor="end")
        return Text(left + _BAR_WIDTH + 10, y - 5, edge.label, _LABEL_SIZE, colour)

    def _middle(self, state: int) -> float:
        return self._lefts[self._nodes[state].column] + _BAR_WIDTH / 2

    def _top(self, node: StateNode) -> float:
        return self._y(node.row) - 12

    def _y(self, row: int) -> float:
        return row * _ROW_HEIGHT + _LINE_OFFSET


def _colour(sender: str) -> str:
    """Return the colour of a sender, as in the table of methods: the client has that of links; other classes are grey."""
    if not sender:
        return "soft"
    return "accent" if sender == CLIENT else "grave"


def _description(automaton: Automaton) -> str:
    """Describe the picture in words."""
    if not automaton.states:
        return "No method may come."
    sentences = ["It begins in state 0."]
    if automaton.begins_with_header:
        sentences = ["The client sends the protocol header; then it begins in state 0."]
    for number, state in enumerate(automaton.states):
        said = [
            f"{each} leads to {each.target}" if each.target != number else f"{each} stays"
            for each in state.transitions
        ]
        said += [f"open to {name}" for name in state.others]
        said += ["may end here"] if state.accepting else []
        sentences.append(f"State {number}: {'; '.join(said)}.")
    return " ".join(sentences)
