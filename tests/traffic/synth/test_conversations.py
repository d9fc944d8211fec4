"""What is said: the generated packages read it, frame by frame, and their grammars find nothing out of place."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from amqp_codegen.support.resources import load_package
from amqp_traffic.synth.amqp0.conversations import VERSIONS
from amqp_traffic.synth.bodies import CONTENTS, BodyMaker
from amqp_traffic.synth.chance import Chance
from amqp_traffic.synth.mix import KINDS, converse, package_of
from amqp_traffic.synth.setting import Budget, ConversationSetting, make_client
from amqp_traffic.synth.utterance import HangUp, MarkKind, Said, broken_off, together

ONE_OH = ("1.0", "1.0-bare")
SEEDS = range(30)


def conversation(kind: str, seed: int, contents: str = "text", size: int = 40_000) -> Iterator[Any]:
    """What is said until that many octets are."""
    chance, budget = Chance(f"{kind}/{seed}"), Budget(size)
    bodies = BodyMaker(Chance(f"bodies/{seed}"), contents, usual=2_000, largest=20_000)
    for turn in converse(kind, ConversationSetting(make_client(chance, seed), chance, bodies, budget)):
        budget.spend(len(turn.octets) if isinstance(turn, Said) else 0)
        yield turn


def said(kind: str, seed: int) -> list[Said]:
    return [turn for turn in conversation(kind, seed) if isinstance(turn, Said)]


@pytest.mark.parametrize("kind", KINDS)
def test_marks_add_up(kind: str) -> None:
    for seed in SEEDS:
        turns = list(conversation(kind, seed))
        for turn in turns:
            if isinstance(turn, Said):
                assert sum(mark.size for mark in turn.marks) == len(turn.octets) > 0
        hang_ups = [isinstance(turn, HangUp) for turn in turns]
        assert sum(hang_ups[:-1]) == 0  # nothing is said after it


@pytest.mark.parametrize("kind", VERSIONS)
def test_packages_read_what_is_said(kind: str) -> None:
    package = package_of(kind)
    assert package
    amqp = load_package(package)
    seen = set()
    for seed in SEEDS:
        decoders = [amqp.FrameDecoder(max_frame_size=0), amqp.FrameDecoder(max_frame_size=0)]
        for number, item in enumerate(said(kind, seed)):
            if number == 0:
                assert item.octets == VERSIONS[kind].header
                continue
            frames = decoders[item.direction].feed(item.octets)
            marks = [mark for mark in item.marks if mark.kind is MarkKind.FRAME]
            assert [(mark.channel, mark.name) for mark in marks] == [
                (channel, name_of(frame)) for channel, frame in frames
            ]
            seen |= {mark.name for mark in marks}
    expected = {"basic.publish", "basic.deliver", "basic.get-ok", "basic.get-empty", "basic.return"}
    expected |= {"tx.commit-ok", "channel.close", "basic.properties", "body"}
    if kind == "0-9-1-rabbitmq":
        expected |= {"basic.nack", "confirm.select-ok"}
    if "0-9-1" not in kind:
        expected |= {"access.request-ok"}
    assert expected <= seen


def name_of(frame: Any) -> str:
    if hasattr(frame, "properties"):
        return str(frame.properties.NAME)
    return str(
        getattr(frame, "NAME", {"ContentBody": "body", "Heartbeat": "heartbeat"}.get(type(frame).__name__))
    )


@pytest.mark.parametrize("kind", VERSIONS)
def test_grammar_finds_nothing_out_of_place(kind: str) -> None:
    package = package_of(kind)
    assert package
    amqp = load_package(package)
    grammar = import_module(f"{package}.grammar")
    frames = 0
    for seed in SEEDS:
        talks: dict[int, Any] = {}
        decoders = [amqp.FrameDecoder(max_frame_size=0), amqp.FrameDecoder(max_frame_size=0)]
        for item in said(kind, seed)[1:]:
            for channel, frame in decoders[item.direction].feed(item.octets):
                if not isinstance(frame, amqp.Heartbeat):
                    talk = talks.setdefault(channel, grammar.Conversation(channel))
                    assert talk.observe(("client", "server")[item.direction], frame) == ()
                    frames += 1
    assert frames > 1000


@pytest.mark.parametrize("kind", ONE_OH)
def test_package_reads_amqp_1_0(kind: str) -> None:
    amqp = load_package("amqp_1_0")
    seen = set()
    for seed in SEEDS:
        decoders = [amqp.FrameDecoder(max_frame_size=0), amqp.FrameDecoder(max_frame_size=0)]
        assemblers = [amqp.TransferAssembler(), amqp.TransferAssembler()]
        for item in said(kind, seed):
            frames = decoders[item.direction].feed(item.octets)
            marks = [mark for mark in item.marks if mark.kind is not MarkKind.TAIL]
            assert [mark.name for mark in marks] == [
                "heartbeat" if it is None else getattr(it, "NAME", "protocol-header") for _, it, _ in frames
            ]
            seen |= {mark.name for mark in marks}
            for channel, performative, payload in frames:
                if isinstance(performative, amqp.performatives.Transfer):
                    delivery = assemblers[item.direction].add(performative, payload, channel)
                    if delivery:
                        amqp.decode_message(delivery.payload)
    assert {"open", "attach", "flow", "transfer", "disposition", "detach", "end", "close"} <= seen
    assert ("sasl-init" in seen) == (kind == "1.0")


@pytest.mark.parametrize("contents", CONTENTS)
def test_bodies(contents: str) -> None:
    bodies = BodyMaker(Chance("b"), contents, usual=5_000, largest=70_000)
    sizes = [len(bodies.next()) for _ in range(500)]
    assert max(sizes) <= 5_000
    assert min(sizes) < 32
    assert 35_000 <= len(bodies.large()) <= 70_000
    assert len(BodyMaker(Chance("b"), contents, usual=1, largest=0).any()) == 1


def test_broken_off_in_a_frame() -> None:
    whole = together(said("0-9-1", 1)[3:4] * 2)
    size = whole.marks[0].size
    part = broken_off(whole, size + 5)
    assert part.octets == whole.octets[: size + 5]
    assert [(mark.kind, mark.size) for mark in part.marks] == [(MarkKind.FRAME, size), (MarkKind.TAIL, 5)]
    assert [mark.kind for mark in broken_off(whole, size).marks] == [MarkKind.FRAME]


def test_foreign_conversations() -> None:
    assert said("http", 1)[0].octets.startswith(b"GET ")
    hello = said("tls", 1)[0].octets
    assert (hello[0], hello[5], int.from_bytes(hello[3:5], "big")) == (22, 1, len(hello) - 5)
    assert b"broker.example" in hello
    assert said("silent", 1) == []
    assert said("0-10", 1)[0].octets == b"AMQP\x01\x01\x00\x0a"
