"""What is known of a finding, before the conversation: rule, source, client, place, how to look at the packet."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from ..audit.finding import client_label, place_in_words
from ..audit.rules.catalogue import RULES
from ..show.line import LABEL, NAME, NOTE, PLAIN, PROBLEM, VALUE, Line, date_and_time, time_of_day
from .spec_words import spec_words
from .subject import Subject

_STYLES = {"error": PROBLEM, "warning": NOTE, "info": PLAIN}
_USUAL_PORT = 5672
ENDS = {"fin": "ends", "rst": "is broken off", "open": "is open when the capture ends"}


def head_lines(subject: Subject, file: Path | None) -> Iterator[Line]:
    """The lines.

    Args:
        subject: The finding.
        file: Where the file is in which it is, if that is known.
    """
    finding = subject.finding
    rule = RULES.get(finding.rule_id)
    yield [
        (f"{finding.severity}", _STYLES.get(finding.severity, PLAIN)),
        (": ", PLAIN),
        (finding.evidence, NAME),
        (f" [{finding.rule_id}]", PLAIN),
    ]
    yield _told("finding", finding.finding_id)
    if rule is not None:
        yield _told("rule", rule.purpose)
    yield _told("source", finding.spec_ref)
    label = "says"
    for element, text in spec_words(finding.spec_ref, finding.spec):
        yield _told(label, text if element == finding.spec_ref else f"{element}: {text}")
        label = ""
    if rule is not None:
        yield _told("example", rule.example)
        if rule.targets:
            yield _told("matters", f"to whoever moves to {' or '.join(rule.targets)}")
    yield from _who(subject)
    yield from _where(subject, file)


def _who(subject: Subject) -> Iterator[Line]:
    row = subject.connection
    yield _told("client", client_label(row))
    more = [
        f"{label} {row[name]}"
        for label, name in (("name", "connection_name"), ("platform", "platform"), ("virtual host", "vhost"))
        if row[name]
    ]
    if more:
        yield _told("", ", ".join(more))
    server = " ".join(filter(None, (row["server_product"], row["server_version"]))) or "unknown server"
    ip = row["server_ip"]
    yield _told("server", f"{server} ({f'[{ip}]' if ip and ':' in ip else ip}:{row['server_port']})")


def _where(subject: Subject, file: Path | None) -> Iterator[Line]:
    finding, row = subject.finding, subject.connection
    spec = f", AMQP {finding.spec}" if finding.spec else ""
    begins = "" if row["start_mode"] == "syn" else ", had begun before the capture"
    frames = (row["client_frames"] or 0) + (row["server_frames"] or 0)
    yield _told("connection", f"{finding.conn_id} of {finding.capture_id}{spec}, {frames:,} frames{begins}")
    yield _told("", f"{date_and_time(row['start_ns'])}; {how_it_ends(subject)}")
    parts = place_in_words(finding)
    if finding.stream_off is not None:
        parts.append(f"stream offset {finding.stream_off}")
    if parts:
        yield _told("place", ", ".join(parts))
    if finding.pkt_no is not None:
        of_file = f" of {file or subject.file_name}" if file or subject.file_name else ""
        yield _told(
            "packet", f"{finding.pkt_no}{of_file} at {finding.pkt_off}, {time_of_day(finding.ns or 0)}"
        )
    if finding.occurrences > 1:
        of_channel = " on this channel" if finding.channel is not None else ""
        yield _told("times", f"{finding.occurrences:,}{of_channel}; this is the first")
    line = tshark_line(subject, file)
    if line:
        yield _told("tshark", line)


def how_it_ends(subject: Subject) -> str:
    """How the connection ends, in a few words."""
    row = subject.connection
    text = f"it {ENDS.get(row['end_mode'], 'ends')}"
    code = row["close_code"] if row["close_code"] is not None else row["close_condition"]
    if code is None:
        return text
    said = f" {row['close_text']!r}" if row["close_text"] else ""
    return f"{text}, closed by the {row['close_by'] or 'peer'} with {code}{said}"


def tshark_line(subject: Subject, file: Path | None) -> str | None:
    """What shows the packet of a finding in tshark; None if it is about none, or not in packets."""
    finding = subject.finding
    name = str(file) if file is not None else subject.file_name
    formats = {each["format"] for each in subject.files}
    if name is None or finding.pkt_no is None or not formats <= {"pcap", "pcapng"}:
        return None
    port = subject.connection["server_port"]
    known = "" if port == _USUAL_PORT else f" -d tcp.port=={port},amqp"
    return f"tshark -r {shlex.quote(name)}{known} -Y frame.number=={finding.pkt_no} -V"


def _told(label: str, value: str) -> Line:
    return [(f"  {label:<11} ", LABEL), (value, VALUE)]
