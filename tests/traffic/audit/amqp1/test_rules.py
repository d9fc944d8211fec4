"""The audit of AMQP 1.0: each rule finds what it is for, and not what is nearly the same."""

from __future__ import annotations

import pytest
from amqp_1_0.performatives import Attach
from amqp_traffic.audit.catalogue import RULES
from amqp_traffic.audit.fleet.queries import FLEET_RULES
from amqp_traffic.audit.rule import AuditSeverity

from ...messages.performative_script import CLIENT, RECEIVER, SERVER
from ..audited_methods import audit, rules_in
from ..audited_performatives import Spoken
from .cases import CASES
from .wrong_octets import CREDIT_MAY_BE_LATE, NO_CREDIT_YET, WRONG

# Those across messages have theirs in ``cases_fleet``.
RULES_1_0 = [rule for rule in RULES.values() if rule.category == "1.0" and rule.id not in FLEET_RULES]
# Near misses in which something else is wrong.
_OTHERWISE_WRONG = {
    "performative-undecodable",
    "mandatory-missing",
    "field-type",
    "too-many-fields",
}


@pytest.mark.parametrize("rule", CASES)
def test_rule_finds_what_it_is_for(rule: str) -> None:
    find, _ = CASES[rule]
    assert rule in find().rules()


@pytest.mark.parametrize("rule", CASES)
def test_rule_does_not_find_what_is_nearly_the_same(rule: str) -> None:
    _, miss = CASES[rule]
    found = miss().findings()
    assert rule not in {finding.rule_id for finding in found}
    if rule not in _OTHERWISE_WRONG:
        assert [finding for finding in found if finding.severity == "error"] == []


def test_every_rule_has_a_case() -> None:
    assert len(RULES_1_0) > 25
    assert {rule.id for rule in RULES_1_0} - CASES.keys() == set()
    assert CASES.keys() - RULES.keys() == set()


@pytest.mark.parametrize("rule", CASES)
def test_nothing_is_invented_in_the_middle_of_a_connection(rule: str) -> None:
    """What depends on what came before is not told where that was not captured."""
    find, _ = CASES[rule]
    spoken = find()
    spoken.facts["start_mode"] = "mid-stream"
    spoken.facts["end_mode"] = "open"
    for finding in spoken.findings():
        if finding.severity == AuditSeverity.ERROR.value:
            assert finding.rule_id not in {"open-missing", "session-unknown", "sasl-out-of-order"}


def _long() -> Spoken:
    """A conversation in which both sides send, settle, and give credit."""
    spoken = Spoken().started().linked(credit=4).linked(RECEIVER, credit=4)
    for number in range(4):
        spoken.send(number, settled=False).deliver_on(1, number)
        spoken.settle(number)
        spoken.settled(number)
    return spoken.closed()


def test_a_whole_conversation_is_clean() -> None:
    assert {finding.rule_id for finding in _long().findings()} == {"message-not-durable"}


@pytest.mark.parametrize("side", [CLIENT, SERVER])
@pytest.mark.parametrize("place", range(24))
def test_nothing_is_invented_where_a_frame_is_missing(side: int, place: int) -> None:
    spoken = _long()
    if spoken.lose(side, place):
        assert [finding for finding in spoken.findings() if finding.severity == "error"] == []


@pytest.mark.parametrize("place", range(30))
def test_nothing_is_invented_after_a_late_beginning(place: int) -> None:
    spoken = _long()
    spoken.begin_at(place)
    assert [finding for finding in spoken.findings() if finding.severity == "error"] == []


def test_sessions_are_followed_again_after_frames_are_missing() -> None:
    spoken = Spoken().started()
    spoken.offsets[CLIENT] += 100
    spoken.quarantined.append(
        {"dir": CLIENT, "stage": "stream", "reason": "seq-gap", "stream_off": 40, "length": 100}
    )
    spoken.facts["client_bytes_gap"] = 100
    assert "handle-unknown" in spoken.started().linked().send(handle=77).rules()


def test_who_waits_for_an_attach_is_named() -> None:
    spoken = Spoken().started()
    spoken.say(CLIENT, Attach("link", 0, RECEIVER))
    spoken.now += 6_000_000_000
    (finding,) = (
        finding for finding in spoken.closed().findings() if finding.rule_id == "request-unanswered"
    )
    assert (finding.evidence, finding.dir) == ("attach of the client without an answer", CLIENT)
    assert "request-unanswered" not in Spoken().started().linked().rules()


def test_numbers_that_begin_again_make_no_disposition_wrong() -> None:
    """That they do is told; which deliveries there are is not certain any more."""
    talk = Spoken().started().linked(RECEIVER).deliver(14, 15, 0, 1, 2)
    found = talk.settled(1).settled(14).settled(0, 2).closed().rules()
    assert found == {"delivery-id-not-next"}


def test_one_finding_for_each_rule_and_channel() -> None:
    spoken = Spoken().started().send(0, handle=77).send(1, handle=77).send(2, handle=78)
    (finding,) = (finding for finding in spoken.findings() if finding.rule_id == "handle-unknown")
    assert (finding.occurrences, finding.frame_no, finding.channel) == (3, 4, None)
    said = "transfer of the client with handle"
    assert finding.evidence == f"{said} 77 (2 times); {said} 78"


def test_credit_that_cannot_have_come_yet() -> None:
    """Nobody has answered an attach that is in the same packet; in the next one, packets may have changed places."""
    assert "credit-exceeded" in rules_in(NO_CREDIT_YET)
    assert "credit-exceeded" not in rules_in(CREDIT_MAY_BE_LATE)


@pytest.mark.parametrize("rule", WRONG)
def test_wrong_octets_are_called_what_they_are(rule: str) -> None:
    found = {item.rule_id for item in audit(WRONG[rule]) if item.severity == AuditSeverity.ERROR.value}
    assert rule in found and ("frame-type" not in found or rule == "frame-type")
