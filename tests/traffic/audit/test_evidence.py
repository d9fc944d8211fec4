"""A finding names all fields and values that it is about, with counts, on one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.audit.finding import AuditFinding, Evidences
from amqp_traffic.audit.report import REPORTS, AuditOutcome

from ..messages.method_script import Step, client, content, publish, server
from .audited_methods import (
    BYE,
    FIN,
    OPEN,
    READY,
    RST,
    Steps,
    audit,
    capture_of,
    ended,
    frame,
    handshake,
    method,
    ready,
)
from .damaged_captures import fleet_rows

_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)


def _finding(rule: str, steps: Steps) -> AuditFinding:
    (finding,) = [item for item in audit(steps) if item.rule_id == rule]
    return finding


def _declare(ticket: int) -> Step:
    return method(50, 10, ticket.to_bytes(2, "big") + b"\1q\2\0\0\0\0")


def _header(weight: int) -> list[Step]:
    payload = b"\0\x3c" + weight.to_bytes(2, "big") + bytes(8) + b"\0\0"
    return [client("basic.publish", exchange="", routing_key="k"), frame(2, 1, payload)]


def test_several_reserved_fields() -> None:
    steps = [_declare(7), _DECLARED, _declare(8), _DECLARED, _declare(7), _DECLARED]
    bind = method(50, 20, b"\0\x09\1q\1e\1k\0\0\0\0\0")
    finding = _finding("reserved-not-zero", ready(steps, bind, server("queue.bind-ok")))
    assert (finding.occurrences, finding.severity) == (4, "info")
    assert finding.evidence == (
        "queue.declare: reserved_1 is 7 (2 times); queue.declare: reserved_1 is 8; queue.bind: reserved_1 is 9"
    )


def test_several_weights() -> None:
    finding = _finding("header-weight", ready(_header(1), _header(0), _header(2), _header(2)))
    assert (finding.occurrences, finding.severity) == (3, "error")
    assert finding.evidence == "a content header with weight 1; a content header with weight 2 (2 times)"


def test_one_value_has_no_count() -> None:
    finding = _finding("header-weight", ready(_header(1), _header(1)))
    assert (finding.occurrences, finding.evidence) == (2, "a content header with weight 1")


def test_names_that_are_there_twice() -> None:
    table = b"\1kt\1\1jt\1\1kt\0\1jt\0\1kt\0"
    steps = ready(method(50, 10, b"\0\0\1q\2" + len(table).to_bytes(4, "big") + table), _DECLARED)
    said = "queue.declare with the field name"
    assert _finding("table-key-twice", steps).evidence == f"{said} 'k' 3 times; {said} 'j' 2 times"


def test_evidences_are_bounded() -> None:
    evidences = Evidences()
    for number in range(20):
        evidences.add(f"tag {number}")
        evidences.add("tag 0")
    assert evidences.occurrences == 40
    assert (
        str(evidences) == f"tag 0 (21 times); {'; '.join(f'tag {n}' for n in range(1, 8))}; others (12 times)"
    )


def _rows(steps: Steps) -> dict[str, tuple[int, str]]:
    return {row["rule_id"]: (row["occurrences"], row["evidence"]) for row in fleet_rows(capture_of(steps))}


def test_values_across_messages() -> None:
    back: dict[str, Any] = {"reply_code": 312, "reply_text": "NO_ROUTE", "exchange": "e"}
    returned = [content(1, "basic.return", routing_key=key, **back) for key in "aba"]
    sent = [publish(mandatory=True)] * 3
    assert _rows(ready(sent, *returned))["unroutable-publish"] == (
        3,
        "basic.return 312 of exchange 'e' and routing key 'a' (2 times);"
        " basic.return 312 of exchange 'e' and routing key 'b'",
    )


def test_requests_that_are_not_answered() -> None:
    asked = [
        client("queue.declare", queue="q"),
        client("queue.bind", queue="q", exchange="e", routing_key=""),
    ]
    assert _rows(ended(*asked, 6, RST))["request-unanswered"] == (
        2,
        "queue.declare without a reply; queue.bind without a reply",
    )


_HELLO = bytes.fromhex("16030100a5010000a1") + bytes(160)


@pytest.mark.parametrize(
    ("octets", "named"),
    [
        (b"GET / HTTP/1.1\r\nHost: broker\r\n\r\n", "HTTP"),
        (_HELLO, "TLS"),
        (b"AMQP\1\1\0\x0a", "AMQP 1 1 0 10"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "no protocol header"),
    ],
)
def test_what_came_instead_of_a_protocol_header(octets: bytes, named: str) -> None:
    finding = _finding("version-refused", [(0, octets), (1, b"AMQP\0\0\x09\1"), FIN])
    assert finding.evidence == f"the client sent {named}, the server answered AMQP 0 0 9 1"


def test_messages_published_after_the_server_has_closed() -> None:
    closed = server("channel.close", reply_code=404, reply_text="NOT_FOUND", class_id=60, method_id=40)
    steps = [*READY, *publish(), closed, 0.15, *publish() * 3, client("channel.close-ok"), *BYE]
    finding = _finding("publish-into-close", steps)
    assert (finding.severity, finding.occurrences) == ("warning", 3)
    assert finding.evidence == "basic.publish after the channel.close of the server"


# --- Text from the wire

_WILD = "a\nerror: b\r\x1b[31m\x85\u2028\u202ec\u2066"
_SHOWN = r"a\nerror: b\r\x1b[31m\x85\u2028\u202ec\u2066"


@pytest.fixture(scope="module")
def wild_outcome() -> AuditOutcome:
    """The findings about a client whose names are full of control characters."""
    start_ok = {
        "client_properties": {"product": _WILD, "version": "1"},
        "response": b"\0" + _WILD.encode() + b"\0x",
    }
    refused = server("channel.close", reply_code=404, reply_text=_WILD, class_id=50, method_id=10)
    declared = [client("queue.declare", queue=_WILD), refused, client("channel.close-ok")]
    findings = audit([*handshake(start_ok=start_ok), *OPEN, *declared, *BYE])
    return AuditOutcome(findings, {("c", 0): f"{_WILD}.pcap"})


def test_text_from_the_wire_is_on_one_line(wild_outcome: AuditOutcome, tmp_path: Path) -> None:
    assert {"transient-queue", "channel-closed-with-error"} <= {
        finding.rule_id for finding in wild_outcome.findings
    }
    text = REPORTS["text"](wild_outcome)
    lines = text.split("\n")
    assert len(lines) == 1 + 2 * len(wild_outcome.findings) + 2
    assert all(line.isprintable() for line in lines)
    assert lines[0].startswith(f"{_SHOWN} 1 ({_SHOWN}@10.0.0.1:40000): connection ")
    assert f"{_SHOWN}.pcap" in text


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_text_from_the_wire_in_documents(wild_outcome: AuditOutcome, form: str) -> None:
    document = json.loads(REPORTS[form](wild_outcome))
    findings = document["findings"] if form == "json" else document["runs"][0]["results"]
    for finding in findings:
        texts = [finding["client"], finding["evidence"]] if form == "json" else [finding["message"]["text"]]
        assert all(text.isprintable() and _SHOWN in texts[0] for text in texts)
