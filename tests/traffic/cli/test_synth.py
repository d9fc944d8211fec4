"""``amqp-codegen traffic synth``: files and labels, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from amqp_traffic.synth.setting import password_of

from tests.cli.command_calls import call, everything, place, process, refused, refused_with_one_line

__all__ = ["place"]

SYNTH = ("traffic", "synth", "--seed", "1", "--out", "a.pcap", "--size", "60KB", "--connections", "3")


def test_capture_and_labels(place: Path) -> None:
    result = call(*SYNTH)
    assert (result.code, result.err) == (0, [])
    labels = [json.loads(line) for line in Path("a.pcap.labels.jsonl").read_text().splitlines()]
    frames = [label for label in labels if label["label"] == "frame"]
    size = Path("a.pcap").stat().st_size
    assert size >= 60_000
    packets = result.out[0].split()[1]
    assert result.out == [
        f"a.pcap: {packets} packets, {size:,} octets",
        f"a.pcap.labels.jsonl: {len(frames):,} frames, {len(frames):,} of them intact",
    ]
    assert set(everything(place)) - {"spec.xml"} >= {"a.pcap", "a.pcap.labels.jsonl"}
    assert not [name for name in everything(place) if name.startswith(".")]


def test_the_same_in_another_process(place: Path) -> None:
    call(*SYNTH, "--drop", "0.1")
    before = everything(place)["a.pcap"]
    result = process(*SYNTH, "--drop", "0.1", cwd=place, PYTHONHASHSEED="77")
    assert (result.returncode, result.stderr) == (0, "")
    after = everything(place)["a.pcap"]
    assert before and after and before[0] == after[0]
    assert before[1] != after[1]


def test_every_option(place: Path) -> None:
    options = {
        "mix": "0-9-1-rabbitmq=2, 1.0",
        "bodies": "frames",
        "body-size": "1.5KiB",
        "server-port": "5673",
        "ip": "6",
        "mss": "500",
        "cut": "0.2",
        "format": "pcapng",
        "byte-order": "big",
        "time-unit": "ns",
        "link-type": "sll2",
        "packet-block": "obsolete",
        "snaplen": "400",
        "skip": "20",
        "drop": "0.01",
        "duplicate": "0.02",
        "reorder": "0.03",
        "reorder-within": "5",
        "overlap": "0.04",
        "flip": "0.05",
        "conflict": "0.06",
        "garbage": "1",
    }
    result = call(
        *SYNTH, *(word for name, value in options.items() for word in (f"--{name}", value)), "--truncate"
    )
    assert (result.code, result.err) == (0, [])
    told = json.loads(Path("a.pcap.labels.jsonl").read_text().splitlines()[0])
    assert told == {
        "label": "capture",
        "seed": 1,
        "size": 60_000,
        "connections": 3,
        "mix": {"0-9-1-rabbitmq": 2, "1.0": 1},
        "contents": "frames",
        "body_size": 1536,
        "server_port": 5673,
        "ip": "6",
        "mss": 500,
        "cut": 0.2,
        "file": {
            "form": "pcapng",
            "byte_order": "big",
            "time_unit": "ns",
            "link_type": "sll2",
            "snaplen": 400,
            "packet_block": "obsolete",
        },
        "damage": {
            "skip": 20,
            "drop": 0.01,
            "duplicate": 0.02,
            "reorder": 0.03,
            "reorder_within": 5,
            "overlap": 0.04,
            "flip": 0.05,
            "conflict": 0.06,
            "garbage": 1,
            "truncate": True,
        },
    }


def test_passwords_are_in_the_capture_and_not_in_the_labels(place: Path) -> None:
    call(*SYNTH)
    labels = Path("a.pcap.labels.jsonl").read_text()
    users = [
        json.loads(line)["user"]
        for line in labels.splitlines()
        if '"connection"' in line and '"user"' in line
    ]
    assert len(users) == 3
    assert any(password_of(user).encode() in Path("a.pcap").read_bytes() for user in users)
    assert not any(password_of(user) in labels for user in users)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "x"], "'x' is not a size; write for example 64KB or 200MB"),
        (["--size", "0MB"], "'0MB' is not a size"),
        (["--body-size", "-1"], "'-1' is not a size"),
        (["--mix", "0-9-2"], "there is no kind of connection '0-9-2'; there are 0-9-1-rabbitmq,"),
        (["--mix", "0-9-1=0"], "'0' is not a number of connections of kind 0-9-1"),
        (["--mix", "1.0=x"], "'x' is not a number of connections of kind 1.0"),
        (["--drop", "2"], "0<=x<=1"),
        (["--link-type", "token-ring"], "is not one of"),
    ],
)
def test_wrong_options(place: Path, options: list[str], message: str) -> None:
    assert message in refused(*SYNTH, *options)[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--link-type", "ipv6"], "error: the link type ipv6 carries only IPv6: give --ip 6 [synth-order]"),
        (
            ["--mss", "65500"],
            "error: a segment over IP has at most 65,483 octets, not 65,500: give a smaller --mss",
        ),
        (["--packet-block", "simple"], "error: simple packet blocks are of pcapng: give --format pcapng"),
        (["--out", "no/such.pcap"], "error: there is no folder 'no'; --out is to be a file [no-such-folder]"),
        (["--out", "tiny"], "error: 'tiny' is a folder; --out is to be a file [no-such-folder]"),
    ],
)
def test_wrong_calls(place: Path, options: list[str], message: str) -> None:
    assert refused_with_one_line(*SYNTH, *options).startswith(message)


def test_commands_of_the_group(place: Path) -> None:
    told = call("traffic", "--help").out
    assert any(line.split()[:1] == ["synth"] for line in told)
    assert call("traffic", "sniff").code == 2
