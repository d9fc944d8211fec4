"""Work in transactions: posting and settling, commit and rollback. Sections 4.1 and 4.4."""

from __future__ import annotations

from typing import Any

from amqp_1_0.messaging import Accepted, Released, Source
from amqp_1_0.performatives import Disposition
from amqp_1_0.transactions import Discharge, TransactionalState, TxnCapability

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.links import LiveSession, Sender
from ...amqp1.transactions import (
    ROLLBACK,
    answer_to,
    begin_controller,
    expect_failure,
)
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable

_BODY = b"a message"


# --- posting ---


@amqp1_rule("coordination/posted-after-discharge")
def posted_message_shows_after_commit(broker: Broker) -> None:
    """Post in a transaction while a receiver waits. It gets the message after the commit, and not before."""
    control, address = begin_controller(broker), broker.queue()
    receiver = broker.begin().receiver(address)
    receiver.give_credit(1)
    txn_id = control.declare()
    _post(control.session.sender(address), txn_id)
    receiver.expect_none()
    with broker.set_up():
        control.discharge(txn_id)
    want(receiver.receive().data() == _BODY, "the message that was posted", "another")


@amqp1_rule("discharge.fail/rollback")
def rollback_and_commit(broker: Broker) -> None:
    """Post in a transaction and roll it back, post in a second and commit. Only the second message arrives."""
    control, address = begin_controller(broker), broker.queue()
    sender = control.session.sender(address)
    for body, fail in ((b"rolled back", True), (b"committed", False)):
        txn_id = control.declare()
        _post(sender, txn_id, body)
        with broker.set_up():
            control.discharge(txn_id, fail)
    receiver = broker.begin().receiver(address)
    octets = receiver.fetch().data()
    want(octets == b"committed", "the message that was committed", octets)
    receiver.expect_empty()


@amqp1_rule("discharge/rollback-always-works")
def rollback_of_all_kinds(broker: Broker) -> None:
    """Roll back transactions with nothing in them, with a message posted, and with one posted settled. All succeed."""
    control = begin_controller(broker)
    sender = control.session.sender(broker.queue())
    for settled in (None, False, True):
        txn_id = control.declare()
        if settled is not None:
            sender.send(message(_BODY), state=TransactionalState(txn_id), settled=settled)
        control.discharge(txn_id, fail=True)


@amqp1_rule("coordination/rollback-on-close")
def closed_control_link(broker: Broker) -> None:
    """Post in a transaction and close the control link. The message does not come to its queue."""
    control, address = begin_controller(broker), broker.queue()
    _post(control.session.sender(address), control.declare())
    control.detach()
    receiver = broker.begin().receiver(address)
    receiver.expect_empty()


@amqp1_rule("coordination/work-after-close-fails")
def work_after_close(broker: Broker) -> None:
    """Declare, close the control link, and post with the id. The message is rejected, or its link ends."""
    control, address = begin_controller(broker), broker.queue()
    txn_id = control.declare()
    control.detach()
    sender = control.session.sender(address, name="late")
    expect_failure(sender, sender.send(message(_BODY), state=TransactionalState(txn_id)), "late work")


@amqp1_rule("coordination/no-discharge-of-partial")
def discharge_amid_delivery(broker: Broker) -> None:
    """Post the first part of a message in a transaction and commit. The commit does not succeed."""
    control, txn_id = _post_part(broker)
    expect_failure(control, control.ask(Discharge(txn_id)), "a commit amid a delivery")


@amqp1_rule("coordination/partial-ends-control-link")
def partial_delivery_ends_control_link(broker: Broker) -> None:
    """Post the first part of a message in a transaction and commit. The control link ends with transaction-rollback."""
    control, txn_id = _post_part(broker)
    control.ask(Discharge(txn_id))
    control.expect_detach(ROLLBACK)


@amqp1_rule(
    "coordination/presumptive-outcome",
    "coordination/outcome-before-commit",
    "coordination/outcome-communicated",
)
def outcome_before_commit(broker: Broker) -> None:
    """Post in a transaction and commit at once. The outcome of the message comes before that of the commit."""
    control = begin_controller(broker)
    sender = control.session.sender(broker.queue())
    txn_id = control.declare()
    sender.wait_for_credit()
    control.wait_for_credit()
    posted = sender.send(message(_BODY), state=TransactionalState(txn_id))
    committed = control.ask(Discharge(txn_id))
    answer = answer_to(control, committed)
    want(isinstance(answer, Accepted), "a commit to be accepted", answer)
    control.session.connection.listen()
    order = [_covered(disposition, (posted, committed)) for disposition in control.session.dispositions]
    numbers = [number for number in order if number is not None]
    want(posted in numbers, "a disposition of the message", "none")
    want(
        numbers.index(posted) <= numbers.index(committed), "the outcome of the message first", "the commit's"
    )


@amqp1_rule("coordination/presumptive-disposition", "coordination/outcome-same-transaction")
def outcome_names_transaction(broker: Broker) -> None:
    """Post in a transaction. The state that comes back names this transaction, and an outcome."""
    control = begin_controller(broker)
    txn_id = control.declare()
    _post(control.session.sender(broker.queue()), txn_id, in_trial=True)


@amqp1_rule("coordination/truthful-txn-ids")
def outcomes_of_two_transactions(broker: Broker) -> None:
    """Post by turns in two transactions, each on a session of its own. Each state names its own transaction."""
    work = []
    for _ in range(2):
        control = begin_controller(broker)
        work.append((control.session.sender(broker.queue()), control.declare()))
    want(work[0][1] != work[1][1], "two ids", work[0][1])
    for _ in range(2):
        for sender, txn_id in work:
            _post(sender, txn_id, in_trial=True)


@amqp1_rule("txn-capability.multi-txns-per-ssn/several-at-once")
def several_transactions(broker: Broker) -> None:
    """Declare two transactions on one session, post in each by turns and commit both. All messages arrive."""
    control, address = begin_controller(broker), broker.queue()
    control.need(TxnCapability.MULTI_TXNS_PER_SSN.value)
    sender = control.session.sender(address)
    with broker.trial():
        ids = [control.declare() for _ in range(2)]
        for number in range(4):
            _post(sender, ids[number % 2], b"%d" % number)
    for txn_id in ids:
        control.discharge(txn_id)
    receiver = broker.begin().receiver(address)
    bodies = {receiver.fetch().data() for _ in range(4)}
    want(len(bodies) == 4, "four messages", bodies)


@amqp1_rule("txn-capability.multi-ssns-per-txn/across-sessions")
def several_sessions(broker: Broker) -> None:
    """Declare on one session, post on two and commit. Both messages arrive, and none before."""
    control, address = begin_controller(broker), broker.queue()
    control.need(TxnCapability.MULTI_SSNS_PER_TXN.value)
    other = LiveSession(control.session.connection, 1)
    other.begin()
    txn_id = control.declare()
    for session in (control.session, other):
        _post(session.sender(address, name=f"on {session.channel}"), txn_id, b"%d" % session.channel, True)
    receiver = broker.begin().receiver(address)
    receiver.give_credit(2)
    receiver.expect_none()
    control.discharge(txn_id)
    bodies = {receiver.receive().data() for _ in range(2)}
    want(bodies == {b"0", b"1"}, "both messages", bodies)


# --- settling ---


@amqp1_rule("transactional-state.outcome/applied-on-commit")
def accepted_on_commit(broker: Broker) -> None:
    """Accept in a transaction and cut the connection: the message comes again. Do so and commit: it is gone."""
    address = broker.queue()
    begin_controller(broker).session.sender(address).send_accepted(message(_BODY))
    for commits in (False, True):
        control = begin_controller(broker)
        receiver = control.session.receiver(address)
        txn_id = control.declare()
        delivery = receiver.fetch()
        want(delivery.data() == _BODY, "the message", "another")
        receiver.settle(delivery, TransactionalState(txn_id, Accepted()), settled=False)
        if commits:
            with broker.set_up():
                control.discharge(txn_id)
        control.session.connection.close()
    last = broker.begin().receiver(address)
    last.expect_empty()


@amqp1_rule("coordination/outcome-undone-by-rollback", "coordination/unsettled-then-failed")
def unsettled_then_rolled_back(broker: Broker) -> None:
    """Accept in a transaction without settling and roll back. No other link gets the message until it is released."""
    control, address = begin_controller(broker), broker.queue()
    control.session.sender(address).send_accepted(message(_BODY))
    receiver = control.session.receiver(address, name="holder")
    txn_id, delivery = control.declare(), receiver.fetch()
    receiver.settle(delivery, TransactionalState(txn_id, Accepted()), settled=False)
    with broker.set_up():
        control.discharge(txn_id, fail=True)
    other = broker.begin().receiver(address)
    other.expect_empty()
    receiver.settle(delivery, Released())
    want(other.receive().data() == _BODY, "the message that was released", "another")


@amqp1_rule("coordination/settled-then-failed")
def settled_then_rolled_back(broker: Broker) -> None:
    """Accept settled in a transaction, on a link with released as default-outcome, and roll back. It comes again."""
    control, address = begin_controller(broker), broker.queue()
    control.session.sender(address).send_accepted(message(_BODY))
    source = Source(address, default_outcome=Released())
    receiver = control.session.receiver(None, source=source, name="holder")
    answer: Any = receiver.remote and receiver.remote.source
    if not isinstance(getattr(answer, "default_outcome", None), Released):
        raise NotTestable("the peer does not take released as default-outcome")
    txn_id, delivery = control.declare(), receiver.fetch()
    receiver.settle(delivery, TransactionalState(txn_id, Accepted()))
    with broker.set_up():
        control.discharge(txn_id, fail=True)
    other = broker.begin().receiver(address)
    want(other.fetch().data() == _BODY, "the message", "another")


# --- what several drivers do ---


def _post(sender: Sender, txn_id: bytes, body: bytes = _BODY, in_trial: bool = False) -> None:
    """Post a message in a transaction, and check that the peer would accept it there; set-up, unless told otherwise."""
    broker = sender.session.broker
    with broker.trial() if in_trial else broker.set_up():
        answer = answer_to(sender, sender.send(message(body), state=TransactionalState(txn_id)))
        want(isinstance(answer, TransactionalState), "a transactional-state", answer)
        want(answer.txn_id == txn_id, f"the transaction {txn_id!r}", answer)
        want(answer.outcome is not None, "an outcome in the state", answer)


def _post_part(broker: Broker) -> tuple[Any, bytes]:
    """Post the first part of a message; return the control link and the transaction.

    Raises:
        NotTestable: The peer offers no coordinator.
    """
    control = begin_controller(broker)
    txn_id = control.declare()
    sender = control.session.sender(broker.queue())
    sender.wait_for_credit()
    control.wait_for_credit()
    part = sender.next_transfer(more=True, state=TransactionalState(txn_id))
    control.session.send(part, message(_BODY).encode()[:4])
    return control, txn_id


def _covered(disposition: Disposition, numbers: tuple[int, ...]) -> int | None:
    """Return the first of the deliveries that a disposition covers."""
    last = disposition.first if disposition.last is None else disposition.last
    return next((number for number in numbers if disposition.first <= number <= last), None)
