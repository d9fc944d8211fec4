"""Transactions: the coordinator, declare and discharge as messages, states of deliveries within a transaction."""

from __future__ import annotations

from typing import Any

import pytest

from .packages import amqp

Accepted, Rejected, Source = amqp.messaging.Accepted, amqp.messaging.Rejected, amqp.messaging.Source
AmqpValue, Message = amqp.messaging.AmqpValue, amqp.Message
performatives, transactions = amqp.performatives, amqp.transactions
Coordinator, Declare, Declared, Discharge, TransactionalState = (
    getattr(transactions, name)
    for name in ("Coordinator", "Declare", "Declared", "Discharge", "TransactionalState")
)
TxnCapability, TransactionError = transactions.TxnCapability, transactions.TransactionError
TXN = b"\x00txn-1"


def over_the_wire(performative: Any, payload: bytes = b"") -> Any:
    """What the other side gets."""
    octets = amqp.encode_frame(1, performative, payload)
    ((channel, found, rest),), end = amqp.decode_frames(octets)
    assert (channel, rest, end) == (1, payload, len(octets))
    assert found == performative
    return found


def test_octets() -> None:
    """Worked out by hand."""
    for value, expected in [
        (Coordinator(), "005330" + "45"),
        (Coordinator("x"), "005330" + "c00401" + "a30178"),
        (Declare(), "005331" + "45"),
        (Discharge(b"t"), "005332" + "c00401" + "a00174"),
        (Discharge(b"t", True), "005332" + "c00502" + "a00174" + "41"),
        (Discharge(b"t", False), "005332" + "c00502" + "a00174" + "42"),
        (Declared(b"t"), "005333" + "c00401" + "a00174"),
        (TransactionalState(b"t"), "005334" + "c00401" + "a00174"),
        (TransactionalState(b"t", Accepted()), "005334" + "c00802" + "a00174" + "00532445"),
    ]:
        assert value.encode().hex() == expected
        assert amqp.decode(bytes.fromhex(expected)) == (value, len(expected) // 2)


def test_attach_to_the_coordinator() -> None:
    capabilities = [TxnCapability.LOCAL_TRANSACTIONS, TxnCapability.MULTI_TXNS_PER_SSN, "x:other"]
    attach = performatives.Attach(
        "controller",
        0,
        performatives.Role.SENDER,
        source=Source(outcomes=["amqp:accepted:list", "amqp:declared:list"]),
        target=Coordinator(capabilities),
        initial_delivery_count=0,
    )
    found = over_the_wire(attach)
    assert type(found.target) is Coordinator
    assert found.target.capabilities[0] is TxnCapability.LOCAL_TRANSACTIONS
    assert type(found.target.capabilities[2]) is amqp.Symbol
    with pytest.raises(amqp.EncodeError, match="does not provide source"):
        performatives.Attach("x", 0, performatives.Role.SENDER, source=Coordinator()).encode()


@pytest.mark.parametrize("value", [Declare(), Discharge(TXN, True), Discharge(TXN, False), Discharge(TXN)])
def test_messages_to_the_coordinator(value: Any) -> None:
    message = Message(body=AmqpValue(value))
    transfer = performatives.Transfer(0, 0, b"tag", 0)
    found = amqp.decode_message(message.encode())
    assert found == message
    assert type(found.body.value) is type(value)
    over_the_wire(transfer, message.encode())


def test_declared() -> None:
    disposition = performatives.Disposition(performatives.Role.RECEIVER, 0, settled=True, state=Declared(TXN))
    assert over_the_wire(disposition).state.txn_id == TXN
    declared = Declared(TXN)
    del declared.txn_id
    with pytest.raises(TypeError, match="txn_id"):
        Declared()
    with pytest.raises(amqp.EncodeError) as caught:
        performatives.Disposition(performatives.Role.RECEIVER, 0, state=declared).encode()
    assert caught.value.path == "disposition.state.txn-id"


@pytest.mark.parametrize("outcome", [None, Accepted(), Rejected(), amqp.messaging.Modified(True)], ids=repr)
def test_states_within_a_transaction(outcome: Any) -> None:
    state = TransactionalState(TXN, outcome)
    found = over_the_wire(performatives.Transfer(0, 0, b"tag", 0, state=state), b"payload")
    assert type(found.state) is TransactionalState
    assert type(found.state.outcome) is type(outcome)
    disposition = performatives.Disposition(performatives.Role.RECEIVER, 0, 5, state=state)
    assert over_the_wire(disposition).state == state


def test_a_state_is_no_outcome_of_another() -> None:
    for wrong in (TransactionalState(TXN), amqp.messaging.Received(0, 0)):
        with pytest.raises(amqp.EncodeError, match="does not provide outcome"):
            TransactionalState(TXN, wrong).encode()


@pytest.mark.parametrize("condition", TransactionError)
def test_errors(condition: Any) -> None:
    rejected = Rejected(performatives.Error(condition, "why"))
    found = over_the_wire(performatives.Disposition(performatives.Role.RECEIVER, 0, state=rejected))
    assert found.state.error.condition is condition


def test_the_id_of_a_transaction_may_be_of_an_extension() -> None:
    unknown = amqp.Described(amqp.Symbol("x:id"), b"id")
    for value in (Declared(unknown), Discharge(unknown), TransactionalState(unknown)):
        assert amqp.decode(value.encode())[0] == value
    for wrong in ("text", 7, amqp.Symbol("x")):
        with pytest.raises(amqp.EncodeError, match="txn-id"):
            Declared(wrong).encode()


def test_a_global_id_may_be_anything() -> None:
    """No type provides what the field requires, so that nothing can be said against any."""
    for value in (b"id", "text", amqp.Described(amqp.Symbol("x:id"), 1)):
        assert amqp.decode(Declare(value).encode())[0].global_id == value
