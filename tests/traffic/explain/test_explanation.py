"""What is shown of a finding: the frames around it, as they were captured or as the tables have them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_traffic.audit.finding import AuditFinding
from amqp_traffic.explain.subject import CannotExplain
from amqp_traffic.lake.folder import Lake

from ..audit.audited_methods import RST, frame, handshake, ready
from ..messages.method_script import client, deliver, heartbeat, publish, server
from ..pcap_records import records, with_records
from ..wrapped_captures import Wrap, proxied, websocket, wrapped
from .conftest import CASES
from .explained_lakes import capture, explained, findings_of, frames_in, lake_of, octets_in

CONSUMED = [
    client("basic.consume", queue="q", consumer_tag="c"),
    server("basic.consume-ok", consumer_tag="c"),
]
ACK = client("basic.ack", delivery_tag=1)
ACK_TWICE = ready(CONSUMED, deliver(1), ACK, heartbeat(0), ACK)
TX_COMMIT = client("tx.commit")


def only(found: list[AuditFinding], rule: str) -> AuditFinding:
    (finding,) = (item for item in found if item.rule_id == rule)
    return finding


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_known_of_a_finding(place: Path) -> None:
    lake = lake_of(place, capture(place, ACK_TWICE))
    finding = only(findings_of(lake), "ack-settled-tag")
    lines = explained(lake, finding)
    told = {line[2:13].strip(): line[14:] for line in lines if line.startswith("  ") and line[2:3].isalpha()}
    assert lines[0] == f"error: {finding.evidence} [ack-settled-tag]"
    assert told["finding"] == finding.finding_id
    assert told["rule"].startswith("An acknowledgement of a message that has already been acknowledged")
    assert told["source"] == "basic.ack.multiple/exists"
    assert told["client"] == "tests 1 (guest@10.0.0.1:40000)"
    assert (
        told["place"]
        == f"channel 1, frame {finding.frame_no}, from the client, stream offset {finding.stream_off}"
    )
    assert told["packet"].startswith(f"{finding.pkt_no} of shop.pcap at {finding.pkt_off}, ")
    assert told["tshark"] == f"tshark -r shop.pcap -Y frame.number=={finding.pkt_no} -V"
    # The specification, in our own words.
    assert told["says"].startswith("The same message MUST NOT be acknowledged twice")


def test_the_octets_are_those_of_the_file(place: Path) -> None:
    path = capture(place, ACK_TWICE)
    lake = lake_of(place, path)
    finding = only(findings_of(lake), "ack-settled-tag")
    lines = explained(lake, finding)
    octets = amqp.encode_frame(1, amqp.methods.BasicAck(1))
    shown = octets_in(lines)
    assert b"".join(item for _, item in shown) == octets
    assert [at for at, _ in shown] == [0, 7, 11, 19, 20]
    assert finding.pkt_off is not None
    whole = path.read_bytes()
    assert whole.index(octets, finding.pkt_off) < finding.pkt_off + 100
    # And not those of the acknowledgement before.
    assert whole.index(octets) < finding.pkt_off


def test_frames_around_it(place: Path) -> None:
    """Heartbeats tell nothing, and other channels have nothing to do with it, unless they are asked for."""
    other = [client("channel.open", 2), server("channel.open-ok", 2)]
    lake = lake_of(place, capture(place, ready(CONSUMED, deliver(1), ACK, other, heartbeat(0), ACK)))
    finding = only(findings_of(lake), "ack-settled-tag")
    shown = frames_in(explained(lake, finding, context=2))
    assert [item[4] for item in shown] == [
        "content-body", "basic.ack", "basic.ack", "connection.close", "connection.close-ok",
    ]  # fmt: skip
    assert [marked for marked, *_ in shown] == [False, False, True, False, False]
    every = frames_in(explained(lake, finding, context=3, all_channels=True))
    assert [item[4] for item in every] == [
        "channel.open", "channel.open-ok", "heartbeat", "basic.ack", "connection.close", "connection.close-ok",
    ]  # fmt: skip
    assert [item[0] for item in frames_in(explained(lake, finding, context=0))] == [True]


def test_every_finding_from_the_capture_and_from_the_tables(
    wrong: tuple[Lake, Path], findings: list[AuditFinding], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same frames, and no password in either."""
    lake, path = wrong
    assert {finding.rule_id for finding in findings} >= {
        "frame-end",
        "ack-settled-tag",
        "unclean-close",
        "handle-in-use",
    }
    monkeypatch.chdir(path.parent)
    asked: dict[str, Any] = {"details": True, "all_channels": True}
    # One finding of each rule is enough.
    some = {finding.rule_id: finding for finding in reversed(findings)}
    read = {rule: explained(lake, item, bodies=True, **asked) for rule, item in some.items()}
    away = path.rename(tmp_path / path.name)
    monkeypatch.chdir(tmp_path / "..")
    try:
        stored = {rule: explained(lake, item, **asked) for rule, item in some.items()}
    finally:
        away.rename(path)
    for rule, finding in some.items():
        frames = frames_in(read[rule])
        # The tables name methods that cannot be decoded, too.
        assert [it[:4] for it in frames] == [it[:4] for it in frames_in(stored[rule])], rule
        assert [it[1] for it in frames if it[0]] == ([] if finding.frame_no is None else [finding.frame_no])
        assert any("read from shop.pcap" in line for line in read[rule])
        assert any("--captures says where it is" in line for line in stored[rule])
        for lines in (read[rule], stored[rule]):
            text = "\n".join(lines)
            octets = b"".join(item for _, item in octets_in(lines))
            assert "00secret" not in text and b"\0secret" not in octets, rule


def test_octets_that_are_no_frame(place: Path) -> None:
    """They are shown as the frame that they should be; what may hold a secret is not."""
    declare = amqp.methods.QueueDeclare(queue="q").encode()
    start_ok = amqp.methods.ConnectionStartOk({}, "PLAIN", b"\0guest\0secret", "en_US").encode()
    lake = lake_of(
        place,
        capture(
            place,
            ready(frame(1, 1, declare, end=0xCD), heartbeat(0)),
            [*handshake()[:2], frame(1, 0, start_ok, end=0xCD), heartbeat(0)],
        ),
    )
    found = [item for item in findings_of(lake) if item.rule_id == "frame-end"]
    found.sort(key=lambda item: item.client)  # by port
    lines = explained(lake, found[0])
    mark = next(number for number, line in enumerate(lines) if line.startswith(">> !! no frame-end octet"))
    shown = octets_in(lines[mark:])
    whole = bytes([1, 0, 1, 0, 0, 0, len(declare)]) + declare + b"\xcd"
    assert b"".join(octets for _, octets in shown) == whole
    assert any(re.search(r'queue +shortstr +"q"$', line) for line in lines)
    assert any("error: the frame must end with 0xce, not 0xcd" in line for line in lines)
    hidden = explained(lake, found[1], bodies=True)
    assert any("octets, not shown" in line for line in hidden)
    assert "secret" not in "\n".join(hidden) and start_ok[-12:].hex(" ") not in "\n".join(hidden)


@pytest.mark.parametrize("wrap", [websocket, lambda: proxied(b"PROXY UNKNOWN\r\n")])
def test_octets_that_are_no_frame_in_a_wrapper(wrap: Callable[[], Wrap], place: Path) -> None:
    declare = amqp.methods.QueueDeclare(queue="q").encode()
    path = capture(place, ready(frame(1, 1, declare, end=0xCD), heartbeat(0)))
    path.write_bytes(wrapped(path.read_bytes(), wrap))
    lake = lake_of(place, path)
    (finding,) = (item for item in findings_of(lake) if item.rule_id == "frame-end")
    lines = explained(lake, finding)
    mark = next(number for number, line in enumerate(lines) if line.startswith(">> !! no frame-end octet"))
    whole = bytes([1, 0, 1, 0, 0, 0, len(declare)]) + declare + b"\xcd"
    assert b"".join(octets for _, octets in octets_in(lines[mark:])) == whole


def test_beginning_and_end(place: Path) -> None:
    talks = [CASES["version-refused"].wrong, [*ready(publish())[:-3], RST]]
    lake = lake_of(place, capture(place, *talks))
    found = findings_of(lake)
    lines = explained(lake, only(found, "version-refused"))
    assert [item[1:] for item in frames_in(lines)] == [
        (0, "->", 0, "protocol-header"), (1, "<-", 0, "protocol-header"),
    ]  # fmt: skip
    lines = explained(lake, only(found, "unclean-close"), context=1)
    assert [item[4] for item in frames_in(lines)] == ["content-header", "content-body"]
    assert lines[-1] == ">> -- it is broken off"


def test_a_ring_of_files(place: Path) -> None:
    """Packets are counted in their file, and the conversation goes on in the next one."""
    whole = capture(place, ACK_TWICE)
    alone = only(findings_of(lake_of(place, whole)), "ack-settled-tag")
    assert alone.pkt_no is not None
    octets = whole.read_bytes()
    parts = [
        list(records(octets))[slice(*item)]
        for item in ((0, alone.pkt_no - 1), (alone.pkt_no - 1, alone.pkt_no), (alone.pkt_no, None))
    ]
    folder = place / "ring"
    folder.mkdir()
    for number, part in enumerate(parts, 1):
        (folder / f"cap_{number:05}_2026112118{number:02}00.pcap").write_bytes(with_records(octets, part))
    lake = lake_of(folder, *sorted(folder.iterdir()))
    finding = only(findings_of(lake), "ack-settled-tag")
    assert (finding.file_no, finding.pkt_no, finding.frame_no) == (1, 1, alone.frame_no)
    lines = explained(lake, finding, [folder])
    assert any(f"packet 1 at {finding.pkt_off}" in line for line in lines)
    shown = frames_in(lines)
    whole_lines = explained(lake_of(place, whole), alone)
    assert shown == frames_in(whole_lines) and octets_in(lines) == octets_in(whole_lines)
    assert not shown[-1][0]
    # Without the first one nothing can be said about where frames are.
    next(folder.glob("cap_00001*")).unlink()
    with pytest.raises(CannotExplain, match="there is no cap_00001"):
        explained(lake, finding, [folder])


def test_compressed_and_raw(place: Path) -> None:
    octets = capture(place, ACK_TWICE).read_bytes()
    (place / "shop.pcap").unlink()
    packed = place / "packed.pcap.gz"
    packed.write_bytes(gzip.compress(octets))
    sent = [b"".join(octets for side, octets in _spoken() if side == direction) for direction in (0, 1)]
    for name, stream in zip(("client", "server"), sent, strict=True):
        (place / f"x.{name}.raw").write_bytes(stream)
    lake = lake_of(place, packed, place / "x.client.raw", place / "x.server.raw")
    found = findings_of(lake)
    finding = only(found, "ack-settled-tag")
    lines = explained(lake, finding)
    assert b"".join(item for _, item in octets_in(lines)) == amqp.encode_frame(1, amqp.methods.BasicAck(1))
    assert any("tshark -r packed.pcap.gz" in line for line in lines)
    # Raw streams are read one after the other, so not much is certain.
    finding = next(item for item in found if item.capture_id.startswith("x-") and item.frame_no is not None)
    lines = explained(lake, finding)
    assert any("read from x.client.raw" in line for line in lines)
    assert octets_in(lines) and not any("tshark" in line for line in lines)


def _spoken() -> list[tuple[int, bytes]]:
    return [step for step in ACK_TWICE if isinstance(step, tuple)]


def test_another_capture_of_that_name(place: Path) -> None:
    lake = lake_of(place, capture(place, ready(TX_COMMIT), ACK_TWICE))
    finding = only(findings_of(lake), "ack-settled-tag")
    capture(place, ready(TX_COMMIT))
    lines = explained(lake, finding)
    (line,) = (line for line in lines if line.startswith("-- around"))
    assert (
        f"from the tables: shop.pcap is another capture: there is no connection {finding.conn_id} in it"
        in line
    )
    assert any(item[0] for item in frames_in(lines))
    capture(place, ready(TX_COMMIT), ready(CONSUMED, deliver(1), deliver(2), ACK, heartbeat(0), ACK))
    assert any("is another one in it" in line for line in explained(lake, finding))
    # The same, but a day later: the seconds of a record of pcap are its first four octets.
    octets = capture(place, ready(TX_COMMIT), ACK_TWICE).read_bytes()
    later = [
        ((int.from_bytes(head[:4], "little") + 86_400).to_bytes(4, "little") + head[4:], packet)
        for head, packet in records(octets)
    ]
    (place / "shop.pcap").write_bytes(with_records(octets, later))
    assert any("begins at another time in it" in line for line in explained(lake, finding))
    (place / "shop.pcap").write_bytes(b"no capture")
    assert any(
        "shop.pcap is another capture: neither pcap nor pcapng" in line for line in explained(lake, finding)
    )


def test_findings_of_elsewhere(place: Path) -> None:
    lake = lake_of(place, capture(place, ACK_TWICE))
    finding = only(findings_of(lake), "ack-settled-tag")
    for other in (replace(finding, conn_id="0" * 16), replace(finding, capture_id="other")):
        with pytest.raises(CannotExplain, match=r"is about connection .* which is not in "):
            explained(lake, other)


@pytest.mark.parametrize("rule", ["reconnect-storm", "client-versions-differ"])
def test_what_findings_about_clients_rest_on(place: Path, rule: str) -> None:
    versions = [{"product": "tests", "version": version} for version in "122"]
    talks = [[*handshake(start_ok={"client_properties": version}), RST] for version in versions]
    lake = lake_of(place, capture(place, *talks))
    first = only([item for item in findings_of(lake) if ":40002" in item.client], "unclean-close")
    lines = explained(lake, replace(first, rule_id=rule, occurrences=3))
    text = "\n".join(lines)
    if rule == "reconnect-storm":
        assert "-- the 2 connections of this client in the capture" in lines
        assert "port 40001, " in text and "port 40002, " in text and "port 40000" not in text
    else:
        assert "tests 1: 1 connections" in text and "tests 2: 2 connections" in text
    assert "times       3; this is the first" in text
