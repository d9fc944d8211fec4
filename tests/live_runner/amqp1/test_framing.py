"""The cases of framing of AMQP 1.0: each tells a peer that may react so from one that may not."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_1_0.messaging import Accepted, Source, Target
from amqp_1_0.performatives import Attach, Begin, Close, Detach, Disposition, End, Error, Flow, Open, Role
from amqp_1_0.sasl import SaslCode, SaslMechanisms, SaslOutcome
from amqp_conformance.amqp1 import framing
from amqp_conformance.amqp1.broker import Broker
from amqp_conformance.amqp1.framing import FramingCase, Stage
from amqp_conformance.amqp1.nodes import AttachedNodes
from amqp_conformance.drivers.amqp1 import framing_frames, framing_performatives, sasl
from amqp_conformance.engine.broker_socket import read_target
from amqp_conformance.engine.broker_view import TrialSetting
from amqp_conformance.engine.framing import NORMAL, read_framing_rules
from amqp_conformance.engine.registry import Driver
from amqp_conformance.engine.run_result import Violation

from ..scripted_peer import (
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

CASES: tuple[FramingCase, ...] = (*framing_frames.CASES, *framing_performatives.CASES)
DRIVERS: tuple[Driver, ...] = (*framing_frames.DRIVERS, *framing_performatives.DRIVERS)
# Long enough for a busy machine; shorter where silence is what comes.
PATIENCE, PATIENCE_FOR_SILENCE = 5.0, 1.0
MOMENT = 0.03
THREADS = 24
END_OF_SOCKET = "end of the socket"


def octets(*performatives: Any) -> bytes:
    return b"".join(amqp.encode_frame(0, performative) for performative in performatives)


_FRAME = take_frame(head=8, size_at=0, overhead=0)
_SASL_HEADER, _AMQP_HEADER = amqp.PROTOCOL_HEADERS["sasl"], amqp.PROTOCOL_HEADERS["amqp"]
_MECHANISMS = octets(SaslMechanisms(["ANONYMOUS"]))
_BEGIN = octets(Begin(0, next_outgoing_id=0, incoming_window=100, outgoing_window=100, handle_max=9))
_OPEN = octets(Open("scripted", max_frame_size=4096, channel_max=9))
_ATTACH = octets(
    Attach("link-0", 0, Role.RECEIVER, source=Source(), target=Target("x")),
    Flow(
        0,
        incoming_window=100,
        next_outgoing_id=0,
        outgoing_window=100,
        handle=0,
        delivery_count=0,
        link_credit=9,
    ),
)
_STEPS: list[tuple[Stage, Step]] = [
    (Stage.SASL, (take(8), _SASL_HEADER + _MECHANISMS)),
    (Stage.HEADER, (_FRAME, octets(SaslOutcome(SaslCode.OK)))),
    (Stage.OPEN, (take(8), _AMQP_HEADER)),
    (Stage.CONNECTION, (_FRAME, _OPEN)),
    (Stage.SESSION, (_FRAME, _BEGIN)),
    (Stage.LINK, (_FRAME, _ATTACH)),
]
STAGES = list(Stage)
ANSWERS = {
    Stage.SOCKET: ("sasl-mechanisms", _SASL_HEADER + _MECHANISMS),
    Stage.SASL: ("sasl-outcome", octets(SaslOutcome(SaslCode.OK))),
    Stage.HEADER: ("open", _AMQP_HEADER + _OPEN),
    Stage.OPEN: ("begin", _OPEN + _BEGIN),
    Stage.CONNECTION: ("begin", _BEGIN),
    Stage.SESSION: ("end", octets(End())),
    Stage.LINK: ("disposition", octets(Disposition(Role.RECEIVER, 0, 1, True, Accepted()))),
}


def steps_to(stage: Stage) -> list[Step]:
    return [step for reached, step in _STEPS if STAGES.index(reached) <= STAGES.index(stage)]


def act_of(case: FramingCase, reaction: str) -> Callable[[socket.socket], None]:
    """What the peer does to show a reaction; a header goes before the first frames."""
    header = _AMQP_HEADER if case.stage in (Stage.SOCKET, Stage.HEADER) else b""
    name, _, condition = reaction.partition(" ")
    kinds = {"close": Close, "end": End}
    if reaction.startswith(NORMAL):
        return say_later(ANSWERS[case.stage][1])
    if reaction == "protocol header":
        return say_and_hang_up(_AMQP_HEADER)
    if reaction == END_OF_SOCKET:
        return hang_up
    if name in kinds:
        return say(header + octets(kinds[name](Error(condition))))
    if name == "detach":
        return say(header + octets(Detach(0, True, Error(condition))))
    if name == "sasl-outcome":
        return say(header + octets(SaslOutcome(SaslCode.AUTH)))
    return keep_silent


def driver_of(case: FramingCase) -> Driver:
    (driver,) = (driver for driver in DRIVERS if driver.paths["1.0"] == (f"framing.{case.path}",))
    return driver


def drive(case: FramingCase, reaction: str) -> str:
    """What the driver of a case says of a peer that reacts so; empty if it may."""
    with scripted_peer(steps_to(case.stage), act_of(case, reaction)) as url:
        patience = PATIENCE_FOR_SILENCE if reaction == framing.SILENCE else PATIENCE
        known = {"nodes": AttachedNodes(deletes=False)}
        broker = Broker(TrialSetting(read_target(url), amqp, patience=patience, findings=known))
        try:
            driver_of(case).function(broker)
        except Violation as violation:
            return str(violation)
        finally:
            broker.close_sockets()
    return ""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "QUIET", MOMENT)
    monkeypatch.setattr("amqp_conformance.engine.framing.FIRST_OCTET_SECONDS", 0.0)


def test_every_rule_has_a_case() -> None:
    assert sorted(path for driver in DRIVERS for path in driver.paths["1.0"]) == sorted(
        read_framing_rules("1.0")
    )


@pytest.mark.parametrize(
    "reaction", [NORMAL, END_OF_SOCKET, framing.SILENCE, "close amqp:internal-error", "sasl-outcome auth"]
)
def test_a_peer_that_reacts_to_everything_alike(reaction: str) -> None:
    """It ignores everything, closes always, falls silent ...: each rule that does not allow that fails, and says so."""

    def shown(case: FramingCase) -> str:
        return f"{NORMAL}{ANSWERS[case.stage][0]}" if reaction == NORMAL else reaction

    def is_possible(case: FramingCase) -> bool:
        return reaction != "sasl-outcome auth" or case.stage is Stage.SASL

    rules = read_framing_rules("1.0")
    cases = [case for case in CASES if is_possible(case)]
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
    assert failed


def test_every_reaction_that_is_allowed() -> None:
    """A peer that does what the text asks for passes, in each way that there is."""
    pairs = [
        (case, reaction.replace("*", "auth" if reaction.startswith("sasl") else "amqp:decode-error"))
        for case in CASES
        for reaction in read_framing_rules("1.0")[f"framing.{case.path}"].allowed
    ]
    with ThreadPoolExecutor(THREADS) as pool:
        said = list(pool.map(lambda pair: drive(*pair), pairs))
    assert [(case.path, text) for (case, _), text in zip(pairs, said, strict=True) if text] == []


def test_every_case_can_fail() -> None:
    for framing_rule in read_framing_rules("1.0").values():
        assert not framing_rule.allows(framing.SILENCE)
        assert not framing_rule.allows("close, without an error")


@pytest.mark.parametrize(("performative", "reaction"), [(Close(), "close"), (End(), "end")])
def test_an_end_without_an_error_reports_nothing(performative: Any, reaction: str) -> None:
    case = next(case for case in CASES if case.path == "performative/unknown-number")
    with scripted_peer(steps_to(case.stage), say(octets(performative))) as url:
        broker = Broker(TrialSetting(read_target(url), amqp, patience=PATIENCE))
        with pytest.raises(Violation, match=f"got {reaction}, without an error"):
            driver_of(case).function(broker)
        broker.close_sockets()


def test_no_password_in_the_evidence() -> None:
    steps = [(take(8), _SASL_HEADER + octets(SaslMechanisms(["PLAIN"])))]
    answer = octets(SaslOutcome(SaslCode.OK))
    wanted = ("sasl/octet-by-octet", "sasl/unknown-frame-type", "sasl/size-seven")
    drivers = [driver_of(case) for case in CASES if case.path in wanted]
    for driver in (*drivers, sasl.ignored_octets, sasl.extended_header):
        with scripted_peer(steps, say_later(answer)) as url:
            broker = Broker(TrialSetting(read_target(url), amqp, patience=PATIENCE))
            with suppress(Violation):
                driver.function(broker)
            broker.close_sockets()
        shown = b"".join(exchange.octets for exchange in broker.transcript.evidence())
        assert b"PLAIN" in shown
        assert b"******" in shown, driver.procedure
        assert broker.target.password.encode() not in shown, driver.procedure
