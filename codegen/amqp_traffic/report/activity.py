"""Events over time: messages published, delivered, settled and confirmed; connections opened and closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from .queries import CLIENT, OF_CONNECTION, Ask, TimeSpan

PARTS = 180  # of the time, in charts of all clients
_MOST_CELLS = 50_000  # of the timelines of all clients together, roughly
_MOST_PARTS, _LEAST_PARTS = 60, 10  # of the time, in the timeline of one client

# The events of a message: published or delivered, settled by its receiver, or confirmed to its publisher. In 1.0 the
# direction tells which. An acknowledgement is ``owed`` if the sender waits for one.
_EVENTS = """
SELECT t.capture_id, t.conn_id, inline(array(
  named_struct('event', CASE WHEN t.kind = 'return' THEN 'return'
    WHEN t.dir = 0 THEN 'publish' ELSE 'deliver' END, 'ns', t.first_ns),
  named_struct('event', CASE WHEN t.dir = 0 THEN 'confirm' ELSE 'ack' END, 'ns', coalesce(t.settle_ns, t.confirm_ns)),
  named_struct('event', 'owed', 'ns', CASE WHEN t.dir = 1 AND t.kind <> 'return' AND (t.settle_ns IS NOT NULL OR
    t.kind <> 'transfer' AND NOT coalesce(t.no_ack, false)) THEN t.first_ns END)
)) FROM messages t WHERE t.source = 'wire'
"""
_ALL = """
SELECT event, (ns - {first}) DIV {step} AS part, count(*) AS times FROM (
  SELECT event, ns FROM ({events})
  UNION ALL SELECT 'open', start_ns FROM connections WHERE start_mode = 'syn'
  UNION ALL SELECT 'close', end_ns FROM connections WHERE end_mode <> 'open'
) WHERE ns IS NOT NULL GROUP BY event, part
"""
_BY_CLIENT = """
SELECT key, event, sort_array(collect_list(named_struct('part', part, 'times', times))) AS parts FROM (
  SELECT {client} AS key, t.event, (t.ns - {first}) DIV {step} AS part, count(*) AS times
  FROM ({events}) t {of_connection} WHERE t.ns IS NOT NULL AND t.event <> 'owed' GROUP BY key, event, part
) GROUP BY key, event
"""


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts of events for each part of the time.

    Attributes:
        step: The length of a part, in nanoseconds.
        times: By event (``publish``, ``deliver``, ``return``, ``ack``, ``confirm``, ``owed``, ``open``, ``close``) and part.
    """

    step: int
    times: Mapping[str, Mapping[int, int]]

    def total(self, event: str) -> int:
        """Return the number of events in all parts."""
        return sum(self.times.get(event, {}).values())


def activity(ask: Ask, span: TimeSpan) -> Activity:
    """Query the activity of all clients together."""
    step = span.step(PARTS)
    times: dict[str, dict[int, int]] = defaultdict(dict)
    for row in ask(_ALL.format(first=span.first_ns, step=step, events=_EVENTS)):
        times[row["event"]][row["part"]] = row["times"]
    return Activity(step, times)


def activity_by_client(ask: Ask, span: TimeSpan, clients: int) -> Mapping[int, Activity]:
    """Query the activity of each client, by its key.

    Args:
        ask: Queries the lake.
        span: The time.
        clients: The number of clients; the more there are, the fewer parts the time has.
    """
    step = span.step(max(_LEAST_PARTS, min(_MOST_PARTS, _MOST_CELLS // max(clients, 1))))
    by_client: dict[int, dict[str, dict[int, int]]] = defaultdict(dict)
    query = _BY_CLIENT.format(
        client=CLIENT, first=span.first_ns, step=step, events=_EVENTS, of_connection=OF_CONNECTION
    )
    for row in ask(query):
        by_client[row["key"]][row["event"]] = {part["part"]: part["times"] for part in row["parts"]}
    return {key: Activity(step, times) for key, times in by_client.items()}
