"""All charts of the page."""

from __future__ import annotations

from .chart_parts import Chart
from .contents import ReportContents
from .latency_chart import latency
from .size_charts import body_sizes, frame_sizes
from .time_charts import churn, client_activity, client_connections, rates, unsettled
from .topology_chart import topology_chart

WAITS = {
    "reply": "Replies to requests",
    "confirm": "Confirms of publishes",
    "ack": "Acknowledgements of deliveries",
}


def all_charts(contents: ReportContents) -> dict[str, Chart]:
    """The charts of a report by the names of their places in the page; those with nothing to show are left out."""
    found = {
        "rates": rates(contents.activity, contents.span),
        "unsettled": unsettled(contents.activity, contents.span),
        "churn": churn(contents.activity, contents.span),
        "frames": frame_sizes(contents.sizes),
        "bodies": body_sizes(contents.sizes),
        "topology": topology_chart(contents.topology),
        "client-activity": client_activity(contents.span),
        "client-connections": client_connections(contents.span),
    }
    names = {each.key: each.label for each in contents.clients}
    for kind in WAITS:
        waits = ((names[key], of[kind]) for key, of in contents.latencies.items() if kind in of)
        found[f"waits-{kind}"] = latency(waits)
    return {name: chart for name, chart in found.items() if chart is not None}
