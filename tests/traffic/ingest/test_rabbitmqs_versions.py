"""What RabbitMQ speaks after the protocol headers of the early versions: 0-8 with methods of its own, and 0-9-1 after that of 0-9.

The conversations are those of RabbitMQ 3.10, octet by octet what the generated packages write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow: the extra traffic")

import amqp_0_8
import amqp_0_8_rabbitmq
import amqp_0_9
import amqp_0_9_1_rabbitmq

from ..audit.audited_methods import FIN, audit_capture, capture_of
from ..show.lines import shown
from .lake_tables import Ingested, assert_same, ingested

CLIENT, SERVER = 0, 1
RABBITMQ = {"product": "RabbitMQ", "version": "3.10.8"}
EARLY = b"AMQP\x01\x01\x08\x00"
EARLY_AS_9_1 = b"AMQP\x01\x01\x09\x01"
DRAFT = b"AMQP\x01\x01\x00\x09"
# Of each header: the version that connection.start has, and the package in which RabbitMQ goes on.
SPOKEN: dict[bytes, tuple[str, tuple[int, int], Any]] = {
    EARLY: ("0-8", (8, 0), amqp_0_8_rabbitmq),
    EARLY_AS_9_1: ("0-8", (8, 0), amqp_0_8_rabbitmq),
    DRAFT: ("0-9", (0, 9), amqp_0_9_1_rabbitmq),
}


def conversation(header: bytes, amqp: Any, number: tuple[int, int], server: dict[str, Any]) -> list[Any]:
    """A queue is bound, unbound and recovered from; nothing of it is wrong."""
    m = amqp.methods

    def said() -> Iterator[tuple[int, int, Any]]:
        limits = {"channel_max": 2047, "frame_max": 131_072, "heartbeat": 60}
        yield SERVER, 0, m.ConnectionStart(*number, server, b"PLAIN AMQPLAIN", b"en_US")
        yield CLIENT, 0, m.ConnectionStartOk({"product": "php-amqplib"}, "PLAIN", b"\0guest\0guest", "en_US")
        yield SERVER, 0, m.ConnectionTune(**limits)
        yield CLIENT, 0, m.ConnectionTuneOk(**limits)
        yield CLIENT, 0, m.ConnectionOpen(virtual_host="/")
        yield SERVER, 0, m.ConnectionOpenOk()
        yield CLIENT, 1, m.ChannelOpen()
        yield SERVER, 1, m.ChannelOpenOk()
        yield CLIENT, 1, m.QueueDeclare(queue="q", exclusive=True)
        yield SERVER, 1, m.QueueDeclareOk(queue="q", message_count=0, consumer_count=0)
        binding = {"queue": "q", "exchange": "amq.direct", "routing_key": "k"}
        yield CLIENT, 1, m.QueueBind(**binding)
        yield SERVER, 1, m.QueueBindOk()
        if hasattr(m, "QueueUnbind"):
            yield CLIENT, 1, m.QueueUnbind(**binding)
            yield SERVER, 1, m.QueueUnbindOk()
        if hasattr(m, "BasicRecoverOk"):
            yield CLIENT, 1, m.BasicRecover(requeue=True)
            yield SERVER, 1, m.BasicRecoverOk()
        yield CLIENT, 1, m.ChannelClose(200, "", 0, 0)
        yield SERVER, 1, m.ChannelCloseOk()
        yield CLIENT, 0, m.ConnectionClose(200, "bye", 0, 0)
        yield SERVER, 0, m.ConnectionCloseOk()

    frames = [
        (direction, amqp.encode_frame(channel, method, dialect="rabbitmq"))
        for direction, channel, method in said()
    ]
    return [(CLIENT, header), *frames, FIN]


def of_rabbitmq(header: bytes) -> bytes:
    """A capture of that conversation with RabbitMQ."""
    _, number, amqp = SPOKEN[header]
    return capture_of(conversation(header, amqp, number, RABBITMQ))


def tables(capture: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ingested:
    """The tables, which are the same with and without the core in C."""
    path = folder / "cap.pcap"
    path.write_bytes(capture)
    found = []
    for pure in ("", "1"):
        monkeypatch.setenv("AMQP_PURE", pure)
        found.append(ingested([path], folder / "lake"))
    assert_same(found[0], found[1])
    return found[0]


@pytest.mark.parametrize("header", SPOKEN, ids=["0-8", "0-8-as-9-1", "0-9"])
def test_rabbitmq_is_read_as_it_speaks(
    header: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tables(of_rabbitmq(header), tmp_path, monkeypatch)
    protocol, _, amqp = SPOKEN[header]
    [row] = found["connections"]
    assert (row["protocol"], row["package"]) == (protocol, amqp.__name__)
    assert (row["dialect_by"], row["header_bytes"]) == ("header", header)
    assert row["client_bad_frames"] == row["server_bad_frames"] == 0
    exchanges = {row["name"]: row["outcome"] for row in found["exchanges"]}
    assert exchanges["queue.unbind"] == exchanges["basic.recover"] == "ok"
    [unbind] = [row for row in found["methods"] if row["method"] == "queue.unbind"]
    assert (unbind["queue"], unbind["exchange"], unbind["routing_key"]) == ("q", "amq.direct", "k")


@pytest.mark.parametrize("header", SPOKEN, ids=["0-8", "0-8-as-9-1", "0-9"])
def test_the_audit_finds_nothing_wrong(header: bytes) -> None:
    found = audit_capture(of_rabbitmq(header))
    assert [(item.rule_id, item.evidence) for item in found if item.severity != "info"] == []
    usual = header != EARLY_AS_9_1
    assert ("header-of-old-spelling" in {item.rule_id for item in found}) == (not usual)
    assert "reserved-not-zero" not in {item.rule_id for item in found}


def test_the_audit_follows_the_grammar_of_what_rabbitmq_speaks() -> None:
    """unbind has a reply, so a connection that ends otherwise is wrong."""
    steps = conversation(EARLY, amqp_0_8_rabbitmq, (8, 0), RABBITMQ)
    reply = amqp_0_8_rabbitmq.encode_frame(1, amqp_0_8_rabbitmq.methods.QueueUnbindOk())
    place = steps.index((SERVER, reply))
    found = audit_capture(capture_of([*steps[:place], (SERVER, reply), *steps[place:]]))
    assert [item.rule_id for item in found if item.severity == "error"]


def test_tickets_are_no_reserved_fields_where_0_9_is_asked_for() -> None:
    amqp = amqp_0_9_1_rabbitmq
    steps = conversation(DRAFT, amqp, (0, 9), RABBITMQ)
    passive = amqp_0_9.methods.QueueDeclare(ticket=1, queue="q", passive=True)
    reply = amqp.methods.QueueDeclareOk(queue="q", message_count=0, consumer_count=0)
    place = steps.index((CLIENT, amqp.encode_frame(1, amqp.methods.ChannelClose(200, "", 0, 0))))
    steps[place:place] = [(CLIENT, amqp_0_9.encode_frame(1, passive)), (SERVER, amqp.encode_frame(1, reply))]
    assert "reserved-not-zero" not in {item.rule_id for item in audit_capture(capture_of(steps))}


@pytest.mark.parametrize(
    ("header", "amqp", "number"), [(EARLY, amqp_0_8, (8, 0)), (DRAFT, amqp_0_9, (0, 9))], ids=["0-8", "0-9"]
)
def test_other_brokers_speak_what_the_documents_say(
    header: bytes, amqp: Any, number: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = capture_of(conversation(header, amqp, number, {"product": "qpid-cpp", "version": "0.5"}))
    [row] = tables(capture, tmp_path, monkeypatch)["connections"]
    assert row["package"] == amqp.__name__
    assert row["client_bad_frames"] == row["server_bad_frames"] == 0


@pytest.mark.parametrize("header", SPOKEN, ids=["0-8", "0-8-as-9-1", "0-9"])
def test_what_is_shown(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cap.pcap"
    path.write_bytes(of_rabbitmq(header))
    lines, whole = shown(path)
    assert whole
    assert sum("queue.unbind" in line for line in lines) == 2
    assert sum("basic.recover" in line for line in lines) == 2
