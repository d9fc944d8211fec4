"""tshark counts the same frames in undamaged captures: by type in each connection, and by method in all."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest
from amqp_codegen.support.resources import load_package
from amqp_traffic.synth.capture_writer import LINK_TYPES
from amqp_traffic.synth.mix import KINDS, package_of

from .. import tshark
from .made_captures import Made, make

pytestmark = tshark.needs_tshark

_ORDERED = ("-o", "tcp.reassemble_out_of_order:TRUE")
_FIELDS = (
    "tcp.stream",
    "tcp.seq_raw",
    "amqp.type",
    "amqp.method.class",
    "amqp.method.method",
    "amqp.performative",
)
_SASL = 1


def made_for_tshark(**fields) -> Made:
    """It does not see that a connection is AMQP if the protocol header or the first method is cut."""
    return make(size=200_000, cut=0, **fields)


class Reading:
    """What tshark reads.

    Attributes:
        types: How many frames of each type, by connection.
        names: How many methods of each class and number; performatives by their number.
    """

    def __init__(self, made: Made, folder: Path) -> None:
        file = folder / "capture"
        file.write_bytes(made.capture)
        numbers = {label["sequences"][0]: label["connection"] for label in made.connections}
        fields = [it for name in _FIELDS for it in ("-e", name)]
        self.types: dict[int, Counter[int]] = defaultdict(Counter)
        self.methods: Counter[tuple[int, int]] = Counter()
        self.performatives = 0
        streams: dict[str, int] = {}
        for line in tshark.run(file, *_ORDERED, "-T", "fields", *fields).splitlines():
            stream, sequence, types, classes, methods, performatives = line.split("\t")
            streams.setdefault(stream, numbers.get(int(sequence), -1))  # the first packet is the SYN
            self.types[streams[stream]].update(map(int, filter(None, types.split(","))))
            pairs = zip(filter(None, classes.split(",")), filter(None, methods.split(",")), strict=True)
            self.methods.update((int(one), int(other)) for one, other in pairs)
            self.performatives += len(performatives.split(",")) if performatives else 0


def check(made: Made, folder: Path) -> None:
    reading = Reading(made, folder)
    assert {number: types for number, types in reading.types.items() if types} == made.types()


def test_every_kind(tmp_path: Path) -> None:
    kinds = {kind: 1 for kind in KINDS if package_of(kind)}
    made = made_for_tshark(mix=kinds, connections=4 * len(kinds))
    assert {it["kind"] for it in made.connections} == kinds.keys()
    check(made, tmp_path)


def test_what_is_no_amqp(tmp_path: Path) -> None:
    made = made_for_tshark(mix={kind: 1 for kind in KINDS if not package_of(kind)}, connections=8)
    assert made.frames == []
    check(made, tmp_path)


@pytest.mark.parametrize("link_type", LINK_TYPES)
def test_every_link_type(link_type: str, tmp_path: Path) -> None:
    ip = {"ipv4": "4", "ipv6": "6"}.get(link_type, "both")
    check(made_for_tshark(link_type=link_type, ip=ip), tmp_path)


@pytest.mark.parametrize(
    "fields",
    [
        {"form": "pcapng"},
        {"form": "pcapng", "byte_order": "big", "time_unit": "ns", "packet_block": "obsolete"},
        {"form": "pcapng", "packet_block": "simple"},
        {"byte_order": "big", "time_unit": "ns"},
        {"mss": 400},
        {"mss": 65_483},
        {"connections": 60},
        {"duplicate": 0.1},
    ],
    ids=str,
)
def test_every_file_format(fields: dict, tmp_path: Path) -> None:
    check(made_for_tshark(**fields), tmp_path)


def test_methods_of_0_9_1(tmp_path: Path) -> None:
    made = made_for_tshark(mix={"0-9-1-rabbitmq": 1})
    methods = load_package("amqp_0_9_1_rabbitmq").methods.METHODS.values()
    names = {(method.CLASS_ID, method.METHOD_ID): method.NAME for method in methods}
    found = Counter(names[pair] for pair in Reading(made, tmp_path).methods.elements())
    assert found == Counter(frame["name"] for frame in made.frames if frame["type"] == 1)


def test_performatives_of_1_0(tmp_path: Path) -> None:
    made = made_for_tshark(mix={"1.0": 1})
    frames = [it for it in made.frames if it["type"] != _SASL and it["name"] != "heartbeat"]
    assert Reading(made, tmp_path).performatives == len(frames)
