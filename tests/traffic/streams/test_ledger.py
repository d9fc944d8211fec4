"""The ledger says what is wrong with it, and the quarantine stays small."""

from __future__ import annotations

import pytest
from amqp_traffic.capture.ledgers import FileLedger, LedgerError, StreamLedger
from amqp_traffic.capture.quarantine import Quarantine, Quarantined, Reason
from amqp_traffic.streams.connections import ConnectionTracker

from .. import capture_builder


def test_file() -> None:
    FileLedger(1000, headers=24, records=900, skipped=76).check()
    with pytest.raises(LedgerError) as caught:
        FileLedger(1000, headers=24, records=900, skipped=77).check()
    assert str(caught.value) == (
        "capture file: size 1,000 octets, but headers 24 + records 900 + skipped 77 = 1,001 octets"
    )


def test_stream() -> None:
    StreamLedger(wire=1000, delivered=900, gap=100, duplicate=7, discarded=9).check("c")
    with pytest.raises(LedgerError) as caught:
        StreamLedger(wire=1000, delivered=900, gap=99).check("connection 1, client_to_server")
    assert str(caught.value) == (
        "connection 1, client_to_server: wire 1,000 octets, but delivered 900 + gap 99 = 999 octets"
    )


def test_a_fault_of_the_program_is_found() -> None:
    """Octets that were counted and not delivered: the sequence numbers know better."""
    connections = ConnectionTracker(lambda *_: None)
    for segment in _segments():
        connections.add(segment)
    stream = next(iter(connections._streams.values()))
    stream.offset += 1
    with pytest.raises(LedgerError, match="connection 1 "):
        connections.flush()


def _segments() -> list:
    from amqp_traffic.capture.formats import recognise_capture
    from amqp_traffic.capture.segments import read_segments

    packets = capture_builder.Conversation().open().send(0, capture_builder.octets(500)).packets
    return list(read_segments(recognise_capture(capture_builder.pcap(capture_builder.captured(packets)))))


def test_streams_longer_than_sequence_numbers_count() -> None:
    reading = capture_builder.read_packets(
        capture_builder.Conversation().open().send(0, capture_builder.octets(500)).packets
    )
    stream = reading.ended[0].streams[0]
    stream.offset += 3 << 32
    stream.gap += 3 << 32
    ledger = stream.ledger()
    assert ledger.wire == 500 + (3 << 32)
    ledger.check("")


def test_reasons_are_called_what_they_are_called_in_the_tables() -> None:
    assert all(it.value == it.name.lower().replace("_", "-") for it in Reason)


def test_quarantine_keeps_some_and_counts_all() -> None:
    quarantine = Quarantine(most=3)
    for length in range(5):
        quarantine.add(Quarantined(Reason.SEQ_GAP, length))
    quarantine.add(Quarantined(Reason.TLS, 9))
    quarantine.count(Reason.NON_TCP, 60)
    assert [(it.reason, it.length) for it in quarantine.rows] == [
        (Reason.SEQ_GAP, 0),
        (Reason.SEQ_GAP, 1),
        (Reason.SEQ_GAP, 2),
        (Reason.TLS, 9),
    ]
    assert {reason: (it.count, it.octets) for reason, it in quarantine.totals.items()} == {
        Reason.SEQ_GAP: (5, 10),
        Reason.TLS: (1, 9),
        Reason.NON_TCP: (1, 60),
    }
