"""The rules of framing: the catalogue is whole, and each of its cases tells a broker that may react so from one that may not."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import amqp_0_9_1 as amqp
import pytest
from amqp_conformance.amqp0 import framing
from amqp_conformance.amqp0.broker import Broker
from amqp_conformance.amqp0.framing import BODY, FramingCase, Stage
from amqp_conformance.drivers.amqp0 import (
    framing_contents,
    framing_frames,
    framing_handshake,
    framing_methods,
)
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.framing import NORMAL, read_framing_rules
from amqp_conformance.engine.registry import SPECS, Driver
from amqp_conformance.engine.run_result import Violation

from .scripted_peer import (
    Step,
    hang_up,
    keep_silent,
    say,
    say_and_hang_up,
    say_later,
    scripted_peer,
    take,
    take_frame,
)

methods = amqp.methods
CASES: tuple[FramingCase, ...] = (*framing_frames.CASES, *framing_methods.CASES, *framing_contents.CASES)
DRIVERS: tuple[Driver, ...] = (*framing_frames.DRIVERS, *framing_methods.DRIVERS, *framing_contents.DRIVERS)
# Long enough for a busy machine; shorter where silence is what comes.
PATIENCE, PATIENCE_FOR_SILENCE = 5.0, 1.0
MOMENT = 0.03
THREADS = 24

# --- the catalogue ---

REACTION = re.compile(
    r"(connection|channel)\.close (\d{3}|\*)|normal answer: [a-z.-]+|protocol header|end of the socket"
    r"|(close|end|detach) (\*|amqp:[a-z:-]+)|sasl-outcome (\*|[a-z-]+)"
    r"|the version of the header|names of mechanisms|4096 or more|0 for no limit"
)
AT_LEAST = {
    "0-8": 60,
    "0-8-rabbitmq": 60,
    "0-9": 60,
    "0-9-1": 60,
    "0-9-1-rabbitmq": 60,
    "1.0": 40,
    "1.0-rabbitmq": 40,
}


@pytest.mark.parametrize("spec", SPECS)
def test_the_catalogue(spec: str) -> None:
    rules = read_framing_rules(spec)
    assert len(rules) >= AT_LEAST[spec]
    for path, framing_rule in rules.items():
        rule = framing_rule.rule
        assert re.fullmatch(r"framing\.[a-z-]+/[a-z0-9-]+", path)
        assert rule.levels[0] in ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"), path
        assert rule.text.endswith("."), path
        assert re.fullmatch(
            r"[1-5](\.\d+)+", getattr(rule, "section", "") or rule.text.split()[1].rstrip(":")
        ), path
        assert framing_rule.allowed, path
        assert all(REACTION.fullmatch(item) for item in framing_rule.allowed), path
        assert rule.position.line > 1
    assert len({rule.rule.text for rule in rules.values()}) == len(rules)


def test_0_8_has_no_code_for_unexpected_frames() -> None:
    path = "framing.content/body-without-header"
    assert read_framing_rules("0-9-1")[path].allowed == ("connection.close 505",)
    assert read_framing_rules("0-8")[path].allows("connection.close 503")
    assert "framing.frame-type/four" not in read_framing_rules("0-8")


def test_every_rule_has_a_case() -> None:
    for version in ("0-8", "0-9", "0-9-1"):
        drivers = (*DRIVERS, *framing_handshake.DRIVERS)
        tried = [path for driver in drivers for path in driver.paths.get(version, ())]
        assert sorted(tried) == sorted(read_framing_rules(version))


# --- the cases, each on a broker that does one thing ---


def octets(*frames: Any, channel: int = 0) -> bytes:
    return b"".join(amqp.encode_frame(channel, frame) for frame in frames)


_START = octets(methods.ConnectionStart(0, 9, {}, b"PLAIN", b"en_US"))
_TUNE = octets(methods.ConnectionTune(100, 1 << 17, 0))
_FRAME = take_frame(head=7, size_at=3, overhead=8)
_UP_TO_OPEN: list[Step] = [(take(8), _START), (_FRAME, _TUNE), (_FRAME, b"")]
_UP_TO_CONNECTION = [*_UP_TO_OPEN, (_FRAME, octets(methods.ConnectionOpenOk()))]
_UP_TO_CHANNEL = [*_UP_TO_CONNECTION, (_FRAME, octets(methods.ChannelOpenOk(), channel=1))]
STEPS: dict[Stage, list[Step]] = {
    Stage.SOCKET: [],
    Stage.START: _UP_TO_OPEN[:1],
    Stage.TUNE: _UP_TO_OPEN[:2],
    Stage.OPEN: _UP_TO_OPEN,
    Stage.CONNECTION: _UP_TO_CONNECTION,
    Stage.CHANNEL: _UP_TO_CHANNEL,
    Stage.QUEUE: [*_UP_TO_CHANNEL, (_FRAME, octets(methods.QueueDeclareOk("queue", 0, 0), channel=1))],
    Stage.CLOSED: [*_UP_TO_CHANNEL, (_FRAME, octets(methods.ChannelCloseOk(), channel=1))],
}


def normal_answer(case: FramingCase) -> tuple[str, bytes]:
    """The name and the octets of the answer to the probe, or to the octets themselves."""
    if case.answer:
        return case.answer, octets(methods.ChannelOpenOk(), channel=1)
    message = amqp.encode_message(
        1, methods.BasicGetOk(1), amqp.content.BasicProperties(), case.body, max_frame_size=4096
    )
    answers = {
        Stage.SOCKET: ("connection.start", _START),
        Stage.START: ("connection.tune", _TUNE),
        Stage.TUNE: ("connection.open-ok", octets(methods.ConnectionOpenOk())),
        Stage.OPEN: ("connection.open-ok", octets(methods.ConnectionOpenOk())),
        Stage.CHANNEL: ("channel.close-ok", octets(methods.ChannelCloseOk(), channel=1)),
        Stage.QUEUE: ("basic.get-ok", message),
    }
    return answers.get(case.stage, ("connection.close-ok", octets(methods.ConnectionCloseOk())))


def act_of(case: FramingCase, reaction: str) -> Callable[[socket.socket], None]:
    """What the broker does to show a reaction."""
    name, _, code = reaction.partition(" ")
    if reaction.startswith(NORMAL):
        return say_later(normal_answer(case)[1])
    if name == "connection.close":
        return say(octets(methods.ConnectionClose(int(code), "")))
    if name == "channel.close":
        return say(octets(methods.ChannelClose(int(code), ""), channel=1))
    if reaction == "protocol header":
        return say_and_hang_up(amqp.PROTOCOL_HEADER)
    return hang_up if reaction == framing.END else keep_silent


def drive(case: FramingCase, reaction: str) -> str:
    """What the driver of a case says of a broker that reacts so; empty if it may."""
    with scripted_peer(STEPS[case.stage], act_of(case, reaction), waits=not case.quiet) as url:
        patience = PATIENCE_FOR_SILENCE if reaction == framing.SILENCE else PATIENCE
        broker = Broker(TrialSetting(read_target(url), amqp, patience=patience))
        try:
            driver_of(case.path).function(broker)
        except Violation as violation:
            return str(violation)
        finally:
            broker.close_sockets()
    return ""


def driver_of(path: str) -> Driver:
    (driver,) = (driver for driver in DRIVERS if driver.paths.get("0-9-1") == (f"framing.{path}",))
    return driver


REACTIONS = (
    NORMAL,
    framing.END,
    framing.SILENCE,
    "protocol header",
    "connection.close 541",
    "channel.close 541",
)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "QUIET", MOMENT)
    monkeypatch.setattr(framing, "SILENT_INTERVALS", 1)
    monkeypatch.setattr("amqp_conformance.engine.framing.FIRST_OCTET_SECONDS", 0.0)


@pytest.mark.parametrize("reaction", REACTIONS)
def test_a_broker_that_reacts_to_everything_alike(reaction: str) -> None:
    """It ignores everything, closes always, falls silent ...: each rule that does not allow that fails, and says so."""

    def shown(case: FramingCase) -> str:
        return f"{NORMAL}{normal_answer(case)[0]}" if reaction == NORMAL else reaction

    rules = read_framing_rules("0-9-1")
    cases = [case for case in CASES if not (case.quiet and reaction == NORMAL)]  # it asks for nothing
    with ThreadPoolExecutor(THREADS) as pool:
        said = list(pool.map(lambda case: drive(case, reaction), cases))
    failed = 0
    for case, text in zip(cases, said, strict=True):
        framing_rule = rules[f"framing.{case.path}"]
        expected = (
            "" if framing_rule.allows(shown(case)) else f"expected {framing_rule.expected}, got {shown(case)}"
        )
        assert text == expected, case.path
        failed += bool(text)
    assert failed > len(cases) // 3


def test_every_reaction_that_is_allowed() -> None:
    """A broker that does what the text asks for passes, in each way that there is."""
    pairs = [
        (case, reaction.replace("*", "541"))
        for case in CASES
        for reaction in read_framing_rules("0-9-1")[f"framing.{case.path}"].allowed
    ]
    with ThreadPoolExecutor(THREADS) as pool:
        said = list(pool.map(lambda pair: drive(*pair), pairs))
    assert [(case.path, text) for (case, _), text in zip(pairs, said, strict=True) if text] == []


def test_every_case_can_fail() -> None:
    rules = read_framing_rules("0-9-1")
    for framing_rule in rules.values():
        assert not framing_rule.allows("connection.close 541")
        assert not framing_rule.allows(framing.SILENCE)


def test_another_body_is_not_the_message() -> None:
    case = next(case for case in CASES if case.path == "content/one-octet-frames")
    other = amqp.encode_message(
        1, methods.BasicGetOk(1), amqp.content.BasicProperties(), BODY[1:], max_frame_size=4096
    )
    with scripted_peer(STEPS[case.stage], say_later(other)) as url:
        broker = Broker(TrialSetting(read_target(url), amqp, patience=PATIENCE))
        with pytest.raises(Violation, match="got a body of 9 octets that are not those sent"):
            driver_of(case.path).function(broker)
        broker.close_sockets()
    with scripted_peer(STEPS[case.stage], say_later(octets(methods.BasicGetEmpty(), channel=1))) as url:
        broker = Broker(TrialSetting(read_target(url), amqp, patience=PATIENCE))
        with pytest.raises(Violation, match=r"got basic\.get-empty"):
            driver_of(case.path).function(broker)
        broker.close_sockets()


def test_the_report_says_what_is_sent_and_what_is_allowed() -> None:
    driver = driver_of("heartbeat/with-payload")
    assert driver.procedure == (
        "On an open connection without channels: send a heartbeat with a payload of four octets. "
        "Allowed: connection.close 501."
    )
