"""AMQP 1.0 with RabbitMQ: from the broker's open on, its filters are read as what they are; with other brokers they are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_1_0
import amqp_1_0_rabbitmq as amqp
from amqp_1_0_rabbitmq.filter_expressions import SqlFilter
from amqp_1_0_rabbitmq.messaging import Accepted, AmqpValue, Source, Target
from amqp_1_0_rabbitmq.performatives import (
    Attach,
    Begin,
    Close,
    Detach,
    Disposition,
    End,
    Flow,
    Open,
    Role,
    Transfer,
)
from amqp_1_0_rabbitmq.rabbitmq import StreamOffsetSpec
from amqp_1_0_rabbitmq.types import Described, Symbol, UInt, ULong
from amqp_traffic.schemas import PACKAGES1
from amqp_traffic.variant_values import variant_value

from ..audit.audited_methods import FIN, audit_capture, capture_of
from ..explain.explained_lakes import explained, findings_of, lake_of
from ..show.lines import shown
from .lake_tables import Ingested, assert_same, ingested

CLIENT, SERVER = 0, 1
STANDARD, EXTENDED = PACKAGES1
RABBITMQ = {"product": "RabbitMQ", "version": "4.3.6"}
SQL, OFFSET = Symbol("sql-filter"), Symbol("rabbitmq:stream-offset-spec")
FILTER = {SQL: SqlFilter("colour = 'red'"), OFFSET: StreamOffsetSpec("first")}
TYPED = {
    "sql-filter": {"$type": "sql-filter", "value": "colour = 'red'"},
    "rabbitmq:stream-offset-spec": {"$type": "stream-offset-spec", "value": "first"},
}
UNTYPED = {
    "sql-filter": {"$described": 0x120, "value": "colour = 'red'"},
    "rabbitmq:stream-offset-spec": {
        "$described": {"$symbol": "rabbitmq:stream-offset-spec"},
        "value": "first",
    },
}
# What a broker may say of itself, and the package of what it says afterwards.
PROPERTIES: dict[str, tuple[Any, str]] = {
    "rabbitmq": (RABBITMQ, EXTENDED),
    "a symbol": ({"product": Symbol("RabbitMQ")}, EXTENDED),
    "another broker": ({"product": "ActiveMQ", "version": "6.1"}, STANDARD),
    "no product": ({"version": "4.3.6"}, STANDARD),
    "none": (None, STANDARD),
    "a number": ({"product": UInt(4)}, STANDARD),
    "a list": ({"product": ["RabbitMQ"]}, STANDARD),
    "null": ({"product": None}, STANDARD),
    "nested": ({"RabbitMQ": {"product": "RabbitMQ"}}, STANDARD),
}


def frame(direction: int, performative: Any, payload: bytes = b"", channel: int = 0) -> tuple[int, bytes]:
    return direction, amqp.encode_frame(channel, performative, payload)


def attach(direction: int, filters: Any = FILTER, name: str = "in") -> tuple[int, bytes]:
    role = Role.RECEIVER if direction == CLIENT else Role.SENDER
    count: dict[str, Any] = {} if direction == CLIENT else {"initial_delivery_count": 0}
    source = Source(address="/queues/stream", filter=filters)
    return frame(direction, Attach(name=name, handle=0, role=role, source=source, target=Target(), **count))


def opened(server: Any) -> list[Any]:
    """Up to the open of the broker."""
    headers = [(side, amqp.PROTOCOL_HEADERS["amqp"]) for side in (CLIENT, SERVER)]
    product = {"product": "RabbitMQ AMQP 1.0 client"}  # of a client, which says nothing of the broker
    client = Open(container_id="c", hostname="vhost:/", properties=product)
    return [*headers, frame(CLIENT, client), frame(SERVER, Open(container_id="rabbit", properties=server))]


BEGIN: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 100, "outgoing_window": 100}


def conversation(server: Any = RABBITMQ, filters: Any = FILTER) -> list[Any]:
    """A message of a stream that an SQL filter selects; nothing of it is wrong."""
    message = amqp.Message(body=AmqpValue("x")).encode()
    return [
        *opened(server),
        frame(CLIENT, Begin(**BEGIN)),
        frame(SERVER, Begin(remote_channel=0, **BEGIN)),
        attach(CLIENT, filters),
        attach(SERVER, filters),
        frame(CLIENT, Flow(handle=0, delivery_count=0, link_credit=1, next_incoming_id=0, **BEGIN)),
        frame(SERVER, Transfer(handle=0, delivery_id=0, delivery_tag=b"1", message_format=0), message),
        frame(CLIENT, Disposition(role=Role.RECEIVER, first=0, settled=True, state=Accepted())),
        *(frame(side, Detach(handle=0, closed=True)) for side in (CLIENT, SERVER)),
        *(frame(side, End()) for side in (CLIENT, SERVER)),
        *(frame(side, Close()) for side in (CLIENT, SERVER)),
        FIN,
    ]


def tables(steps: list[Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ingested:
    """The tables, which are the same with and without the core in C."""
    path = folder / "cap.pcap"
    path.write_bytes(capture_of(steps))
    found = []
    for pure in ("", "1"):
        monkeypatch.setenv("AMQP_PURE", pure)
        found.append(ingested([path], folder / "lake"))
    assert_same(found[0], found[1])
    return found[0]


def filters_in(found: Ingested) -> list[tuple[int, Any]]:
    """Of each attach: who sent it, and the filters of its source."""
    attaches = [row for row in found["performatives"] if row["performative"] == "attach"]
    read = ((row["dir"], row["source"]) for row in sorted(attaches, key=lambda row: row["frame_no"]))
    return [(side, variant_value((source["value"], source["metadata"]))["filter"]) for side, source in read]


@pytest.mark.parametrize(("server", "package"), PROPERTIES.values(), ids=PROPERTIES)
def test_the_open_of_the_broker_chooses_the_package(
    server: Any, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tables(conversation(server), tmp_path, monkeypatch)
    [row] = found["connections"]
    assert (row["protocol"], row["package"], row["dialect_by"]) == ("1.0", package, "header")
    assert row["client_bad_frames"] == row["server_bad_frames"] == 0
    expected = TYPED if package == EXTENDED else UNTYPED
    assert filters_in(found) == [(CLIENT, expected), (SERVER, expected)]
    [message] = found["messages"]
    assert (message["address"], message["settle"], message["complete"]) == ("/queues/stream", "ack", True)
    assert not found["quarantine"]


def test_it_holds_from_the_open_on_for_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a client sends without waiting for the open is read before."""
    *before, answer = opened(RABBITMQ)
    early = [frame(CLIENT, Begin(**BEGIN)), attach(CLIENT, name="early")]
    late = [frame(SERVER, Begin(remote_channel=0, **BEGIN)), attach(SERVER, name="early"), attach(CLIENT)]
    found = tables([*before, *early, answer, *late], tmp_path, monkeypatch)
    assert filters_in(found) == [(CLIENT, UNTYPED), (SERVER, TYPED), (CLIENT, TYPED)]


def test_what_the_broker_sends_together_with_its_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *before, (_, answer) = opened(RABBITMQ)
    _, echo = attach(SERVER)
    begin = frame(SERVER, Begin(remote_channel=0, **BEGIN))[1]
    found = tables([*before, (SERVER, answer + begin + echo)], tmp_path, monkeypatch)
    assert filters_in(found) == [(SERVER, TYPED)]


def test_a_filter_of_another_type_costs_no_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard knows no filters, so none of them is wrong; the whole frame is read as without the extension."""
    odd = {SQL: Described(ULong(0x120), ["a", "list"])}
    found = tables(conversation(filters=odd), tmp_path, monkeypatch)
    [row] = found["connections"]
    assert (row["package"], row["client_bad_frames"], row["server_bad_frames"]) == (EXTENDED, 0, 0)
    expected = {"sql-filter": {"$described": 0x120, "value": ["a", "list"]}}
    assert filters_in(found) == [(CLIENT, expected), (SERVER, expected)]
    lines, _ = shown(tmp_path / "cap.pcap")
    assert not any("cannot be decoded" in line for line in lines)


def test_what_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "cap.pcap"
    for server, expected in ((RABBITMQ, "SqlFilter(value="), ({"product": "ActiveMQ"}, "Described(")):
        path.write_bytes(capture_of(conversation(server)))
        lines, whole = shown(path)
        assert whole
        attaches = [line for line in lines if " attach " in line]
        assert len(attaches) == 2 and all(expected in line for line in attaches), attaches
    path.write_bytes(capture_of(conversation()))
    lines, _ = shown(path, details=True)
    assert any("sql-filter" in line for line in lines) and any("stream-offset-spec" in line for line in lines)


def test_the_audit_finds_nothing_wrong_and_judges_by_the_rules_of_1_0() -> None:
    steps = conversation()
    assert [item.rule_id for item in audit_capture(capture_of(steps)) if item.severity != "info"] == []
    wrong = [*steps[:-1], frame(CLIENT, Begin(**BEGIN)), FIN]  # after its close
    standard = [item.rule_id for item in audit_capture(capture_of([*conversation({})[:-1], *wrong[-2:]]))]
    found = [item.rule_id for item in audit_capture(capture_of(wrong))]
    assert "after-close" in found and set(found) == set(standard)


def test_a_finding_is_explained_with_the_filters(tmp_path: Path) -> None:
    path = tmp_path / "cap.pcap"
    steps = conversation()
    path.write_bytes(capture_of([*steps[:8], attach(CLIENT, name="in"), *steps[8:]]))  # attached twice
    lake = lake_of(tmp_path, path)
    finding = next(item for item in findings_of(lake) if item.rule_id == "handle-in-use")
    read = explained(lake, finding)
    assert any("SqlFilter(value=" in line for line in read), read
    assert any("  stream-offset-spec, " in line for line in read), "the octets of the frame have types, too"
    path.unlink()
    stored = explained(lake, finding)
    assert any("'$type': 'sql-filter'" in line for line in stored), stored


def test_both_packages_make_the_same_columns() -> None:
    from amqp_1_0 import columns
    from amqp_1_0_rabbitmq import columns as extended

    assert extended.PERFORMATIVE_SCHEMA == columns.PERFORMATIVE_SCHEMA
    assert extended.MESSAGE_SCHEMA == columns.MESSAGE_SCHEMA
    assert amqp.PROTOCOL_HEADERS == amqp_1_0.PROTOCOL_HEADERS
