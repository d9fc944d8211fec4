"""Messages acquired in a transaction: the credit for them names it. Sections 4.4.2 and 4.4.3."""

from __future__ import annotations

from typing import Any

from amqp_1_0.messaging import Accepted
from amqp_1_0.performatives import Close, Detach, Disposition, End, Role, Transfer
from amqp_1_0.transactions import TransactionalState, TxnCapability
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.frames import Frame
from ...amqp1.links import Receiver
from ...amqp1.transactions import ROLLBACK, Controller, begin_controller
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable, Violation

_BODY = b"a message"
_NOT_IMPLEMENTED = "amqp:not-implemented"


@amqp1_rule("coordination/acquisition-not-supported")
def acquire_or_refuse(broker: Broker) -> None:
    """Give credit in a transaction. The transfer names the transaction, or the link ends with not-implemented."""
    control, receiver = _waiting_message(broker)
    txn_id = control.declare()
    answer = _ask(receiver, txn_id)
    if isinstance(answer, Transfer):
        _expect_transaction(answer, txn_id)
    else:
        error = answer.error
        refused = isinstance(answer, Detach) and error is not None and error.condition == _NOT_IMPLEMENTED
        want(refused, f"detach with {_NOT_IMPLEMENTED}", answer)


@amqp1_rule("coordination/acquire-by-flow")
def acquire_by_flow(broker: Broker) -> None:
    """Give credit in a transaction. The transfer that comes has a transactional-state with its id."""
    control, receiver = _waiting_message(broker)
    txn_id = control.declare()
    _expect_transaction(_acquire(receiver, txn_id), txn_id)


@amqp1_rule("coordination/txn-id-cleared")
def discharge_clears_link(broker: Broker) -> None:
    """Give credit for two messages in a transaction, get one and commit. The second comes without a transaction."""
    control, receiver = _waiting_message(broker)
    txn_id = control.declare()
    transfer = _acquire(receiver, txn_id, credit=2)
    _settle(receiver, transfer, TransactionalState(txn_id, Accepted()))
    with broker.set_up():
        control.discharge(txn_id)
    control.session.sender(receiver.terminus.address, name="second").send_accepted(message(b"second"))
    later = receiver.expect(Transfer)
    want(not isinstance(later.state, TransactionalState), "a transfer in no transaction", later)


@amqp1_rule("coordination/acquisition-undone-by-rollback")
def rollback_returns_message(broker: Broker) -> None:
    """Acquire and accept in a transaction, and roll back. Another link gets the message."""
    control, receiver = _waiting_message(broker)
    txn_id = control.declare()
    transfer = _acquire(receiver, txn_id)
    _settle(receiver, transfer, TransactionalState(txn_id, Accepted()))
    with broker.set_up():
        control.discharge(txn_id, fail=True)
    other = broker.begin().receiver(receiver.terminus.address)
    want(other.fetch().data() == _BODY, "the message", "another")


@amqp1_rule("coordination/one-transaction-per-delivery", "coordination/mixing-ends-control-link")
def outcome_in_another_transaction(broker: Broker) -> None:
    """Acquire in one transaction and accept in a second. The control link ends with transaction-rollback."""
    control, receiver = _waiting_message(broker)
    control.need(TxnCapability.MULTI_TXNS_PER_SSN.value)
    first, second = control.declare(), control.declare()
    transfer = _acquire(receiver, first)
    _settle(receiver, transfer, TransactionalState(second, Accepted()))
    control.expect_detach(ROLLBACK)


def _waiting_message(broker: Broker) -> tuple[Controller, Receiver]:
    """Return a control link, and a receiver on the same session from a queue with one message.

    Raises:
        NotTestable: The peer offers no coordinator.
    """
    control, address = begin_controller(broker), broker.queue()
    control.session.sender(address).send_accepted(message(_BODY))
    return control, control.session.receiver(address)


def _ask(receiver: Receiver, txn_id: bytes, credit: int = 1) -> Transfer | Detach | End | Close:
    """Give credit in a transaction; return the transfer, or what ends the link."""
    receiver.give_credit(credit, properties={Symbol("txn-id"): txn_id})

    def answers(frame: Frame) -> bool:
        return isinstance(frame.performative, (Transfer, Close)) or receiver.is_end(frame)

    answer: Any = receiver.session.connection.wait(answers, "a transfer").performative
    return answer  # type: ignore[no-any-return]


def _acquire(receiver: Receiver, txn_id: bytes, credit: int = 1) -> Transfer:
    """Return a transfer acquired in a transaction.

    Raises:
        NotTestable: The peer does not acquire in transactions.
    """
    answer = _ask(receiver, txn_id, credit)
    if isinstance(answer, Transfer):
        return answer
    if answer.error is not None and answer.error.condition == _NOT_IMPLEMENTED:
        raise NotTestable("the peer does not acquire messages in transactions")
    raise Violation(f"expected a transfer, got {answer.NAME}")


def _expect_transaction(transfer: Transfer, txn_id: bytes) -> None:
    state = transfer.state
    named = isinstance(state, TransactionalState) and state.txn_id == txn_id
    want(named, f"a transfer in the transaction {txn_id!r}", transfer)


def _settle(receiver: Receiver, transfer: Transfer, state: TransactionalState) -> None:
    assert transfer.delivery_id is not None  # the first transfer of a delivery has one
    receiver.session.send(Disposition(Role.RECEIVER, transfer.delivery_id, settled=True, state=state))
