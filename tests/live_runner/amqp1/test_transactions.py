"""Drivers about transactions on a coordinator that keeps the rules, and on one that breaks just the one they are about."""

from __future__ import annotations

import pytest
from amqp_1_0.performatives import AmqpError, Detach, End, Error
from amqp_conformance.engine.run_result import NotTestable

from .fake_coordinator import FakeCoordinator
from .fake_peer import running, say
from .test_misbehaving_peer import drive, drivers, violation

# The rule, what the coordinator does wrong, and what the driver says of it.
FAULTS = [
    ("coordination/no-work-on-control-link", "takes messages", "an ordinary message to fail"),
    ("coordinator/not-resumable", "resumes control links", "no map of unsettled deliveries"),
    ("declare/declared-on-success", "accepts declare", "expected declared with an id"),
    ("declare/other-sections-ignored", "no sections but the body", "expected the outcome declared"),
    ("declare/settled-is-refused", "takes settled commands", "expected detach"),
    ("declare/failure-is-conveyed", "never fails", "expected a global transaction to fail"),
    ("declare/failure-is-conveyed", "fails with another condition", "got amqp:internal-error"),
    ("transactions/answer-unwanted-behaviour", "fails with another condition", "got amqp:internal-error"),
    ("declare/failure-rejects", "fails the other way", "expected rejected"),
    ("declare/failure-rejects", "fails with another condition", "got amqp:internal-error"),
    ("declare/failure-detaches", "fails the other way", "expected detach"),
    ("transaction-id/at-most-32-octets", "long ids", "expected an id of at most 32 octets, got 33 octets"),
    ("discharge/not-settled", "takes settled commands", "expected detach"),
    ("discharge/failure-is-conveyed", "never fails", "expected the discharge of an unknown id to fail"),
    ("discharge/failure-is-conveyed", "fails with another condition", "got amqp:internal-error"),
    (
        "transaction-error.unknown-id/no-such-id",
        "fails with another condition",
        "amqp:transaction:unknown-id",
    ),
    ("discharge/failure-rejects", "fails the other way", "expected rejected"),
    ("discharge/failure-detaches", "fails the other way", "expected detach"),
    ("coordination/posted-after-discharge", "posts at once", "expected no message"),
    ("coordination/posted-after-discharge", "commits nothing", "nothing comes"),
    ("discharge.fail/rollback", "commits always", "expected the message that was committed"),
    ("discharge/rollback-always-works", "cannot roll back", "expected a rollback to be accepted"),
    ("coordination/rollback-on-close", "commits on close", "expected no message"),
    ("coordination/work-after-close-fails", "keeps transactions", "expected late work to fail"),
    ("coordination/no-discharge-of-partial", "commits part of a message", "amid a delivery to fail"),
    ("coordination/partial-ends-control-link", "commits part of a message", "expected detach"),
    ("coordination/presumptive-outcome", "outcome after commit", "the outcome of the message first"),
    ("coordination/outcome-before-commit", "outcome after commit", "the outcome of the message first"),
    ("coordination/outcome-communicated", "outcome after commit", "the outcome of the message first"),
    ("coordination/presumptive-disposition", "outcome in no transaction", "expected a transactional-state"),
    ("coordination/presumptive-disposition", "no outcome", "expected an outcome in the state"),
    ("coordination/outcome-same-transaction", "outcome in another transaction", "the transaction b'txn-1'"),
    ("coordination/truthful-txn-ids", "outcome in the first transaction", "the transaction b'txn-2'"),
    (
        "txn-capability.multi-txns-per-ssn/several-at-once",
        "outcome in the first transaction",
        "the transaction b'txn-2'",
    ),
    ("txn-capability.multi-txns-per-ssn/several-at-once", "commits nothing", "nothing comes"),
    ("txn-capability.multi-ssns-per-txn/across-sessions", "posts at once", "expected no message"),
    ("txn-capability.multi-ssns-per-txn/across-sessions", "commits nothing", "nothing comes"),
    ("transactional-state.outcome/applied-on-commit", "applies outcomes at once", "nothing comes"),
    ("transactional-state.outcome/applied-on-commit", "forgets outcomes", "expected no message"),
    ("coordination/outcome-undone-by-rollback", "keeps outcomes after rollback", "nothing comes"),
    ("coordination/outcome-undone-by-rollback", "releases on rollback", "expected no message"),
    ("coordination/unsettled-then-failed", "keeps outcomes after rollback", "nothing comes"),
    ("coordination/settled-then-failed", "keeps outcomes after rollback", "nothing comes"),
    ("coordination/acquisition-not-supported", "acquires without a word", "a transfer in the transaction"),
    ("coordination/acquisition-not-supported", "refuses acquisition otherwise", "amqp:not-implemented"),
    ("coordination/acquire-by-flow", "acquires without a word", "a transfer in the transaction"),
    ("coordination/txn-id-cleared", "keeps the transaction of a link", "a transfer in no transaction"),
    ("coordination/acquisition-undone-by-rollback", "keeps outcomes after rollback", "nothing comes"),
    ("coordination/one-transaction-per-delivery", "mixes transactions", "expected detach"),
    ("coordination/mixing-ends-control-link", "mixes transactions", "expected detach"),
]
RULES = sorted({path for path, _, _ in FAULTS})
_MODULES = ("acquisition", "control_link", "transactional_work")


def test_every_driver_is_tried() -> None:
    of_transactions = {
        path
        for path, driver in drivers().items()
        if driver.function.__module__.rpartition(".")[2] in _MODULES
    }
    assert of_transactions == set(RULES)


@pytest.mark.parametrize("path", RULES)
def test_a_rule_that_is_kept(path: str) -> None:
    with running(**FakeCoordinator().answers) as peer:
        drive(path, peer.url)


@pytest.mark.parametrize(("path", "fault", "says"), FAULTS)
def test_a_rule_that_is_broken(path: str, fault: str, says: str) -> None:
    def trial(patience: float) -> None:
        with running(**FakeCoordinator(fault).answers) as peer:
            drive(path, peer.url, patience)

    assert says in violation(says, trial)


def test_a_peer_may_refuse_to_acquire() -> None:
    with running(**FakeCoordinator("refuses acquisition").answers) as peer:
        drive("coordination/acquisition-not-supported", peer.url)
        with pytest.raises(NotTestable, match="does not acquire messages in transactions"):
            drive("coordination/acquire-by-flow", peer.url)


@pytest.mark.parametrize("path", RULES)
def test_without_a_coordinator_nothing_is_tried(path: str) -> None:
    refusal = Error(AmqpError.NOT_IMPLEMENTED, "no transactions here")
    for answer in (Detach(0, True, refusal), End(refusal)):
        with running(attach=say(answer)) as peer, pytest.raises(NotTestable) as reason:
            drive(path, peer.url)
        assert "the peer offers no coordinator: " + answer.NAME in str(reason.value)
