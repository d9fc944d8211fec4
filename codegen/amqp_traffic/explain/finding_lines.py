"""What is known about a finding, before the conversation: rule, source, client, place, command that shows the packet.

Where a source names elements of a specification, their text in ``specs/`` is quoted.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ..audit.catalogue import RULES
from ..audit.finding import client_label, place_in_words
from ..lake.specification.built_in import built_in_rows
from ..show.lines import LABEL, NAME, NOTE, PLAIN, PROBLEM, VALUE, Line, date_and_time, time_of_day
from .subject import FindingSubject

_SEPARATOR = re.compile(r"[,;] ")
_ELEMENT_KIND = re.compile(r"^(?:constant|type|1\.0 [\d.-]+) ")
# Where elements are searched: a table, the columns that make up the name, the column with the text.
_TEXT_COLUMNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("spec_rules", ("path",), "text"),
    ("spec_fields", ("owner", "name"), "doc"),
    ("spec_methods", ("name",), "doc"),
    ("spec_constants", ("name",), "doc"),
    ("spec_domains", ("name",), "doc"),
    ("spec_classes", ("name",), "doc"),
)
_MOST_CHARACTERS = 700


def spec_words(reference: str, version: str | None) -> list[tuple[str, str]]:
    """Return the elements that a reference names, with their text in the specification.

    Args:
        reference: Such as ``basic.ack.multiple/exists, 0-9-1 4.2.6``.
        version: The AMQP version of the connection, such as ``0-9-1``.
    """
    quotes = []
    texts = _element_texts()
    for element in _SEPARATOR.split(reference):
        name = _ELEMENT_KIND.sub("", element).replace(".properties.", ".")
        text = next((texts[spec, name] for spec in _versions(version) if (spec, name) in texts), None)
        if text is not None:
            quotes.append(
                (element, text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS - 3]}...")
            )
    return quotes


def _versions(version: str | None) -> tuple[str, ...]:
    """Return the versions to search, in order. RabbitMQ's 0-9-1 includes the published one and says what it changes."""
    own = {"0-9-1": ("0-9-1-rabbitmq", "0-9-1"), "0-8": ("0-8", "0-8-rabbitmq"), None: ()}.get(
        version, (version or "",)
    )
    return tuple(dict.fromkeys((*own, "0-9-1-rabbitmq", "1.0", "0-9", "0-8")))


@cache
def _element_texts() -> Mapping[tuple[str, str], str]:
    """Return the texts by version and element; cached, because reading the specifications takes a while."""
    tables = built_in_rows()
    texts: dict[tuple[str, str], str] = {}
    for table, columns, text in _TEXT_COLUMNS:
        for row in tables[table]:
            if row.get(text):
                name = ".".join(str(row.get(column)) for column in columns)
                texts.setdefault((row["version"], name), " ".join(str(row[text]).split()))
    return texts


_STYLES = {"error": PROBLEM, "warning": NOTE, "info": PLAIN}
_USUAL_PORT = 5672
ENDS = {
    "fin": "ends",
    "rst": "is broken off",
    "open": "is open when the capture ends",
    "not-followed": "was not followed any further",
}


def head_lines(subject: FindingSubject, file: Path | None) -> Iterator[Line]:
    """Yield the lines.

    Args:
        subject: The finding.
        file: The file that has the finding; None if it was not found.
    """
    finding = subject.finding
    rule = RULES.get(finding.rule_id)
    yield [
        (f"{finding.severity}", _STYLES.get(finding.severity, PLAIN)),
        (": ", PLAIN),
        (finding.evidence, NAME),
        (f" [{finding.rule_id}]", PLAIN),
    ]
    yield _labelled("finding", finding.finding_id)
    if rule is not None:
        yield _labelled("rule", rule.purpose)
    yield _labelled("source", finding.spec_ref)
    label = "says"
    for element, text in spec_words(finding.spec_ref, finding.spec):
        yield _labelled(label, text if element == finding.spec_ref else f"{element}: {text}")
        label = ""
    if rule is not None:
        yield _labelled("example", rule.example)
        if rule.targets:
            yield _labelled("matters", f"to those who move to {' or '.join(rule.targets)}")
    yield from _who(subject)
    yield from _where(subject, file)


def _who(subject: FindingSubject) -> Iterator[Line]:
    row = subject.connection
    yield _labelled("client", client_label(row))
    more = [
        f"{label} {row[name]}"
        for label, name in (("name", "connection_name"), ("platform", "platform"), ("virtual host", "vhost"))
        if row[name]
    ]
    if more:
        yield _labelled("", ", ".join(more))
    server = " ".join(filter(None, (row["server_product"], row["server_version"]))) or "unknown server"
    ip = row["server_ip"]
    yield _labelled("server", f"{server} ({f'[{ip}]' if ip and ':' in ip else ip}:{row['server_port']})")


def _where(subject: FindingSubject, file: Path | None) -> Iterator[Line]:
    finding, row = subject.finding, subject.connection
    spec = f", AMQP {finding.spec}" if finding.spec else ""
    begins = "" if row["start_mode"] == "syn" else ", had begun before the capture"
    frames = (row["client_frames"] or 0) + (row["server_frames"] or 0)
    yield _labelled(
        "connection", f"{finding.conn_id} of {finding.capture_id}{spec}, {frames:,} frames{begins}"
    )
    yield _labelled("", f"{date_and_time(row['start_ns'])}; {how_it_ends(subject)}")
    parts = place_in_words(finding)
    if finding.stream_off is not None:
        parts.append(f"stream offset {finding.stream_off}")
    if parts:
        yield _labelled("place", ", ".join(parts))
    if finding.pkt_no is not None:
        of_file = f" of {file or subject.file_name}" if file or subject.file_name else ""
        yield _labelled(
            "packet", f"{finding.pkt_no}{of_file} at {finding.pkt_off}, {time_of_day(finding.ns or 0)}"
        )
    if finding.occurrences > 1:
        of_channel = " on this channel" if finding.channel is not None else ""
        yield _labelled("times", f"{finding.occurrences:,}{of_channel}; this is the first")
    line = packet_command(subject, file)
    if line:
        yield _labelled("tshark", line)


def how_it_ends(subject: FindingSubject) -> str:
    """Return how the connection ends, in a few words."""
    row = subject.connection
    text = f"it {ENDS.get(row['end_mode'], 'ends')}"
    code = row["close_code"] if row["close_code"] is not None else row["close_condition"]
    if code is None:
        return text
    reason = f" {row['close_text']!r}" if row["close_text"] else ""
    return f"{text}, closed by the {row['close_by'] or 'peer'} with {code}{reason}"


def packet_command(subject: FindingSubject, file: Path | None) -> str | None:
    """Return the tshark command that shows the packet of a finding; None if it has no packet."""
    finding = subject.finding
    name = str(file) if file is not None else subject.file_name
    formats = {file["format"] for file in subject.files}
    if name is None or finding.pkt_no is None or not formats <= {"pcap", "pcapng"}:
        return None
    port = subject.connection["server_port"]
    decode_as = "" if port == _USUAL_PORT else f" -d tcp.port=={port},amqp"
    return f"tshark -r {shlex.quote(name)}{decode_as} -Y frame.number=={finding.pkt_no} -V"


def _labelled(label: str, value: str) -> Line:
    return [(f"  {label:<11} ", LABEL), (value, VALUE)]
