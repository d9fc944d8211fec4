"""A chart of which clients publish to which exchanges, and which queues they consume from."""

from __future__ import annotations

from .chart_parts import Chart, chart
from .topology import Topology


def topology_chart(found: Topology) -> Chart | None:
    """Boxes in four columns, with lines between them as thick as there are messages."""
    if not found.nodes:
        return None
    most = max([edge.messages for edge in found.edges] + [1])
    edges = [
        {
            "x": edge.start.column + 0.03,
            "x2": edge.end.column - 0.03,
            "y": edge.start.place,
            "y2": edge.end.place,
            "share": edge.messages / most,
            "messages": edge.messages,
            "from": edge.start.name,
            "to": edge.end.name,
            "kind": "messages" if edge.messages else "binding",
        }
        for edge in found.edges
    ]
    nodes = [
        {"x": node.column, "y": node.place, "name": node.name, "messages": node.messages}
        for node in found.nodes
    ]
    rows = max([sum(node.column == column for node in found.nodes) for column in range(4)])
    x = {
        "field": "x",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-0.35, 3.35], "nice": False},
    }
    y = {
        "field": "y",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [0, 1], "reverse": True, "nice": False},
    }
    width = {
        "field": "share",
        "type": "quantitative",
        "legend": None,
        "scale": {"type": "sqrt", "range": [1, 9]},
    }
    dash = {"domain": ["messages", "binding"], "range": [[1, 0], [3, 3]]}
    text = {"type": "text", "color": "var(--text)", "fontSize": 11, "limit": 190, "tooltip": True}
    tooltip = [{"field": "name"}, {"field": "messages", "format": ","}]
    return chart(
        height=max(180, 26 * rows),
        layer=[
            {
                "data": {"values": edges},
                "mark": {"type": "rule", "color": "var(--accent)", "opacity": 0.35, "tooltip": True},
                "encoding": {
                    "x": x,
                    "x2": {"field": "x2"},
                    "y": y,
                    "y2": {"field": "y2"},
                    "strokeWidth": width,
                    "strokeDash": {"field": "kind", "type": "nominal", "legend": None, "scale": dash},
                    "tooltip": [
                        {"field": "from"},
                        {"field": "to"},
                        {"field": "messages", "format": ","},
                    ],
                },
            },
            {
                "data": {"values": nodes},
                "mark": {"type": "point", "filled": True, "size": 45, "color": "var(--accent)", "opacity": 1},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "data": {"values": nodes},
                "mark": {**text, "dy": -9},
                "encoding": {"x": x, "y": y, "text": {"field": "name"}, "tooltip": tooltip},
            },
        ],
    )
