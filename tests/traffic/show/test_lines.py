"""Lines of frames: what is in them, in which order they come, and which are left out."""

from __future__ import annotations

import gzip
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import amqp_0_9_1_rabbitmq as amqp0
import amqp_1_0 as amqp1
import pytest
from amqp_traffic.show.lines import date_and_time, time_of_day
from amqp_traffic.synth.damage import Damage
from amqp_traffic.synth.order import FileShape

from .lines import method, raw, shown, synthetic

HEADER = b"AMQP\x00\x00\x09\x01"
HEADER1 = b"AMQP\x00\x01\x00\x00"
LINE = re.compile(
    r"(?P<time>\S+) +(?P<connection>\d+) +(?P<frame>\d+) (?P<arrow>->|<-) (?P<channel>\d+) +(?P<name>\S+)"
)


def frames(lines: list[str]) -> list[re.Match[str]]:
    found = [LINE.match(line) for line in lines if not line.startswith(("--", "!!", "      "))]
    assert all(found)
    return [item for item in found if item]


@pytest.mark.parametrize("shape", [FileShape(), FileShape(form="pcapng")], ids=["pcap", "pcapng"])
def test_every_frame_has_a_line(tmp_path: Path, shape: FileShape) -> None:
    path = synthetic(tmp_path / "a", file=shape)
    lines, whole = shown(path)
    assert whole
    labels = [json.loads(line) for line in Path(f"{path}.labels.jsonl").read_text().splitlines()]
    wanted = [label for label in labels if label["label"] in ("frame", "header")]
    found = frames(lines)
    assert len(found) == len(wanted)
    for arrow, direction in (("->", 0), ("<-", 1)):
        names = sorted(item["name"] for item in found if item["arrow"] == arrow)
        spoken = {"basic.properties": "content-header", "body": "content-body"}
        sent = [label["name"] for label in wanted if label["direction"] == direction]
        assert sorted(names) == sorted(spoken.get(name, name) for name in sent)


def test_numbers_of_frames_go_up(tmp_path: Path) -> None:
    lines, _ = shown(synthetic(tmp_path / "a"))
    numbers: dict[str, list[int]] = {}
    for frame in frames(lines):
        numbers.setdefault(frame["connection"], []).append(int(frame["frame"]))
    assert all(found == list(range(len(found))) for found in numbers.values())
    ends = [line for line in lines if re.match(r"-- connection \d+ (ends|is)", line)]
    assert len(ends) == 16


def test_frames_of_all_connections_come_in_the_order_of_packets(tmp_path: Path) -> None:
    """Here no frame is in two packets, so each is complete when it begins."""
    lines, _ = shown(synthetic(tmp_path / "a", mss=60_000, cut=0.0, body_size=1000))
    found = frames(lines)
    times = [item["time"] for item in found]
    assert times == sorted(times)
    turns = sum(one["connection"] != other["connection"] for one, other in pairwise(found))
    assert turns > 100  # connections take turns


def test_one_connection_and_one_frame(tmp_path: Path) -> None:
    path = synthetic(tmp_path / "a")
    every, _ = shown(path)
    one, _ = shown(path, connection=7)
    assert frames(one)
    assert {frame["connection"] for frame in frames(one)} == {"7"}
    assert [line for line in every if LINE.match(line) and LINE.match(line)["connection"] == "7"] == [  # type: ignore[index]
        line for line in one if LINE.match(line)
    ]
    assert one[0].startswith("-- connection 7: 10.")
    lines, _ = shown(path, connection=7, frame=3)
    assert lines == [frames(one)[3].string]
    assert len(shown(path, frame=3)[0]) > 5  # of all connections
    assert shown(path, connection=77)[0] == ["!! there is no connection 77"]


@pytest.mark.parametrize(
    "damage",
    [
        Damage(),
        Damage(drop=0.05, reorder=0.05, duplicate=0.05),
        Damage(skip=300),
        Damage(garbage=3, flip=0.05),
    ],
    ids=["whole", "lost", "from the middle", "damaged"],
)
def test_each_connection_is_shown_as_among_all(tmp_path: Path, damage: Damage) -> None:
    path = synthetic(tmp_path / "a", damage=damage)
    every, _ = shown(path)
    for number in range(1, 18):
        about = re.compile(
            rf"-- connection {number}[: ]|!! .*, connection {number}\b|\S+ +{number} +\d+ [<-]"
        )
        expected = [line for line in every if about.match(line)] or [f"!! there is no connection {number}"]
        assert shown(path, connection=number)[0] == expected


def test_a_compressed_capture(tmp_path: Path) -> None:
    path = synthetic(tmp_path / "a")
    (tmp_path / "a.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert shown(tmp_path / "a.gz") == shown(path)


def test_arguments_of_methods(tmp_path: Path) -> None:
    said = [
        HEADER,
        method("queue.declare", queue="", durable=True, arguments={"x-max": 5}),
        method("basic.publish", 7, exchange="", routing_key="key", mandatory=True),
        amqp0.encode_frame(7, amqp0.ContentHeader(amqp0.BasicProperties(priority=0, type="t"), 2)),
        amqp0.encode_frame(7, amqp0.ContentBody(b"hi")),
        amqp0.encode_frame(0, amqp0.Heartbeat()),
    ]
    path = raw(tmp_path, b"".join(said))
    lines, whole = shown(path)
    assert whole
    wanted = [
        "-> 0   protocol-header AMQP 0 0 9 1 (",
        "-> 1   queue.declare queue='' durable arguments={'x-max': 5} (",
        "-> 7   basic.publish exchange='' routing_key='key' mandatory (",
        "-> 7   content-header priority=0 type='t' (body 2 octets, ",
        "-> 7   content-body (2 octets, ",
        "-> 0   heartbeat (",
    ]
    assert [line.split(maxsplit=3)[-1] for line in lines[1:-1]] == [
        f"{line}{len(octets)})" for line, octets in zip(wanted, said, strict=True)
    ]
    assert lines[0].endswith("at an unknown time, AMQP 0-9-1, by header")
    assert "content-body b'hi' (2 octets, 10)" in shown(path, bodies=True)[0][5]


def test_arguments_of_performatives(tmp_path: Path) -> None:
    p, m = amqp1.performatives, amqp1.messaging
    message = amqp1.Message(body=m.Data(b"secret-body")).encode()
    performatives: list[Any] = [
        p.Open("c", hostname="h", channel_max=5),
        p.Attach("l", 0, p.Role.SENDER, source=m.Source(address="a"), target=m.Target(dynamic=True)),
        p.Disposition(p.Role.RECEIVER, 0, settled=True, state=m.Accepted()),
        p.Disposition(p.Role.RECEIVER, 1, state=m.Rejected(error=p.Error("amqp:not-found", "gone"))),
        p.Close(),
    ]
    said = [
        HEADER1,
        *(amqp1.encode_frame(3, performative) for performative in performatives),
        amqp1.encode_frame(3, p.Transfer(0, 0, b"t", more=True), message),
        amqp1.encode_frame(0, None),
    ]
    path = raw(tmp_path, b"".join(said))
    lines, whole = shown(path)
    assert whole
    wanted = [
        "protocol-header AMQP 0 1 0 0 (",
        "open container-id='c' hostname='h' channel-max=5 (",
        "attach name='l' handle=0 role=sender source=source(address='a') target=target(dynamic=true) (",
        "disposition role=receiver first=0 settled state=accepted (",
        "disposition role=receiver first=1 state=rejected(error=error(condition='amqp:not-found', "
        "description='gone')) (",
        "close (",
        "transfer handle=0 delivery-id=0 delivery-tag=b't' more (payload 16 octets, ",
        "empty (",
    ]
    assert [re.sub(r"^.{33}", "", line) for line in lines[1:-1]] == [
        f"{line}{len(octets)})" for line, octets in zip(wanted, said, strict=True)
    ]
    assert "secret-body" not in str(lines)
    assert "secret-body" in shown(path, bodies=True)[0][7]


def test_both_directions_of_a_raw_stream(tmp_path: Path) -> None:
    raw(tmp_path, HEADER + method("channel.open"), method("channel.open-ok"))
    one, other = (shown(tmp_path / f"x.{name}.raw")[0] for name in ("client", "server"))
    assert one == other
    assert [frame["arrow"] for frame in frames(one)] == ["->", "->", "<-"]
    (tmp_path / "x.client.raw").unlink()
    assert len(frames(shown(tmp_path / "x.server.raw")[0])) == 1


def test_damage_is_told_where_it_is(tmp_path: Path) -> None:
    parts = [
        HEADER,
        method("channel.open"),
        b"garbage" * 9,
        method("channel.open", 2),
        method("tx.select", 2),
    ]
    lines, whole = shown(raw(tmp_path, b"".join(parts)))
    assert not whole
    (note,) = [line for line in lines if line.startswith("!!")]
    # What garbage swallows of the frame after it, as there is no end octet before that.
    swallowed = len(parts[3])
    assert f"{63 + swallowed} octets, connection 1 ->, stream offset 21" in note
    assert [frame["name"] for frame in frames(lines)] == ["protocol-header", "channel.open", "tx.select"]
    assert lines.index(note) < 4


def test_a_frame_that_cannot_be_decoded(tmp_path: Path) -> None:
    bad = amqp0.encode_frame(3, amqp0.ContentBody(b"\x00\x3c\x00\x28\x00\x00\xff"))
    client = HEADER + method("channel.open") + b"\x01" + bad[1:] + method("tx.select")
    lines, whole = shown(raw(tmp_path, client))
    assert not whole
    assert "method (7 octets, 15) cannot be decoded: " in lines[3]
    assert "tx.select" in lines[4]


@pytest.mark.parametrize("seed", range(3))
def test_damaged_captures(tmp_path: Path, seed: int) -> None:
    damage = Damage(skip=50, drop=0.02, flip=0.05, garbage=2, truncate=True)
    for details in (False, True):
        lines, whole = shown(synthetic(tmp_path / "a", seed, damage), details=details)
        assert not whole
        assert any(line.startswith("!!") for line in lines)


def test_times() -> None:
    assert time_of_day(1_700_000_000_123_456_789) == "22:13:20.123456"
    assert time_of_day(0) == "-"
    assert date_and_time(1_700_000_000_000_000_000) == "2023-11-14 22:13:20 UTC"
    assert time_of_day(1 << 62).count(":") == 2
    assert time_of_day((1 << 64) * 100) == "1844674407370.955161"
    assert date_and_time((1 << 64) * 100) == "1844674407370 s after 1970"


def frame0(kind: int, payload: bytes) -> bytes:
    return bytes([kind]) + b"\0\1" + len(payload).to_bytes(4, "big") + payload + b"\xce"


def test_what_brokers_send_is_shown(tmp_path: Path) -> None:
    """Texts that are not UTF-8 have their octets, other than texts with the same letters."""
    close = b"\0\x14\0\x28\1\x96\4ab\xe2\x82\0\x32\0\x0a"
    header = b"\0\x3c\0\0" + bytes(7) + b"\3\4\2\4\x9c\xe1\0\xff"
    publish = amqp0.methods.BasicPublish(exchange="e", routing_key=r"\udc9c").encode()
    client = HEADER + b"".join(map(frame0, (1, 2, 1), (close, header, publish)))
    lines, whole = shown(raw(tmp_path, client))
    assert whole
    assert r"channel.close reply_code=406 reply_text='ab\xe2\x82' class_id=50 method_id=10" in lines[2]
    assert r"content-header correlation_id='\x9c\xe1\x00\xff' (body 3 octets" in lines[3]
    assert r"routing_key='\\udc9c'" in lines[4]


def test_what_is_known_of_frames_that_cannot_be_read(tmp_path: Path) -> None:
    deliver = b"\0\x3c\0\x3c\1t\0"
    unknown = b"\0\x3c\3\xe7"
    header = b"\0\x3c\0\0" + bytes(7) + b"\3\x80\0"
    client = HEADER + b"".join(map(frame0, (1, 1, 2), (deliver, unknown, header)))
    lines, whole = shown(raw(tmp_path, client))
    assert not whole
    assert "basic.deliver method (7 octets, 15) cannot be decoded: basic.deliver.delivery_tag" in lines[2]
    assert "method class=60 method=999 (4 octets, 12) cannot be decoded" in lines[3]
    assert "content-header (body 3 octets, 22) cannot be decoded: " in lines[4]


def test_a_header_with_a_secret_that_cannot_be_read_keeps_its_size(tmp_path: Path) -> None:
    table = b"\x08passwordS\0\0\0\5horse\1kZ"
    header = b"\0\x3c\0\0" + bytes(7) + b"\3\x20\0" + len(table).to_bytes(4, "big") + table
    lines, whole = shown(raw(tmp_path, HEADER + frame0(2, header)), details=True)
    assert not whole
    text = "\n".join(lines)
    assert "content-header (body 3 octets" in text and "horse" not in text
