"""The control link of transactions: declare and discharge, and how they fail. Sections 4.1 to 4.3 and 4.5."""

from __future__ import annotations

import amqp_1_0 as amqp
from amqp_1_0.messaging import AmqpValue, Header, Properties, Rejected, Source
from amqp_1_0.performatives import Detach
from amqp_1_0.transactions import Coordinator, Declare, Declared, Discharge, TxnCapability
from amqp_1_0.types import Symbol

from ...amqp1.broker import Broker
from ...amqp1.checks import message, want
from ...amqp1.transactions import (
    Controller,
    answer_to,
    attach_controller,
    begin_controller,
    expect_failure,
    expect_transaction_error,
)
from ...engine.registry import amqp1_rule
from ...engine.run_result import NotTestable

# The outcomes of a source are named by their descriptors.
_ACCEPTED, _REJECTED = "amqp:accepted:list", "amqp:rejected:list"
_ILLEGAL_STATE = "amqp:illegal-state"
_UNKNOWN_ID = "amqp:transaction:unknown-id"
_NEVER_DECLARED = b"never declared"
_MANY = 10


@amqp1_rule("coordination/no-work-on-control-link")
def message_on_control_link(broker: Broker) -> None:
    """Send an ordinary message over the control link. It is rejected, or the link ends."""
    control = begin_controller(broker)
    expect_failure(control, control.send(message(b"not for a coordinator")), "an ordinary message")


@amqp1_rule("coordinator/not-resumable")
def resumed_control_link(broker: Broker) -> None:
    """Declare, detach the control link without closing it, and attach it with an unsettled delivery. Its map is empty."""
    control = begin_controller(broker)
    control.declare()
    control.detach(closed=False)
    again = attach_controller(control.session, unsettled={b"0": None})
    want(
        again.remote is not None and not again.remote.unsettled,
        "no map of unsettled deliveries",
        again.remote,
    )


# --- declare ---


@amqp1_rule("declare/declared-on-success")
def declare(broker: Broker) -> None:
    """Declare a transaction. The disposition that comes has the state declared, with an id."""
    control = begin_controller(broker)
    answer = answer_to(control, control.ask(Declare()))
    want(isinstance(answer, Declared) and bool(answer.txn_id), "declared with an id", answer)


@amqp1_rule("declare/other-sections-ignored")
def declare_with_other_sections(broker: Broker) -> None:
    """Declare in a message with header, properties and annotations. It succeeds all the same."""
    control = begin_controller(broker)
    body = amqp.Message(
        header=Header(durable=True, priority=9, ttl=60_000),
        message_annotations={Symbol("x-opt-amqp-codegen"): 1},
        properties=Properties(subject="declare"),
        application_properties={"key": "value"},
        body=AmqpValue(Declare()),
    )
    answer = answer_to(control, control.send(body))
    want(isinstance(answer, Declared), "the outcome declared", answer)


@amqp1_rule("declare/settled-is-refused")
def settled_declare(broker: Broker) -> None:
    """Send a declare settled. The control link is detached with illegal-state."""
    control = begin_controller(broker)
    control.ask(Declare(), settled=True)
    control.expect_detach(_ILLEGAL_STATE)


@amqp1_rule("declare/failure-is-conveyed", "transactions/answer-unwanted-behaviour")
def failing_declare(broker: Broker) -> None:
    """Declare for a global transaction where only local ones are offered. An error of transactions comes."""
    control = _local_only(begin_controller(broker))
    expect_transaction_error(expect_failure(control, _declare_global(control), "a global transaction"))


@amqp1_rule("declare/failure-rejects")
def failing_declare_is_rejected(broker: Broker) -> None:
    """Do so on a link whose source has the outcome rejected. The declare is rejected with an error of transactions."""
    control = _local_only(_with_outcomes(broker, _ACCEPTED, _REJECTED))
    answer = answer_to(control, _declare_global(control))
    want(isinstance(answer, Rejected), "rejected", answer)
    expect_transaction_error(answer.error)


@amqp1_rule("declare/failure-detaches")
def failing_declare_detaches(broker: Broker) -> None:
    """Do so on a link whose source has no outcome but accepted. It is detached with an error of transactions."""
    control = _local_only(_with_outcomes(broker, _ACCEPTED))
    answer = answer_to(control, _declare_global(control))
    want(isinstance(answer, Detach), "detach", answer)
    expect_transaction_error(answer.error)


@amqp1_rule("transaction-id/at-most-32-octets")
def length_of_ids(broker: Broker) -> None:
    """Declare ten transactions, one after another. No id is longer than 32 octets."""
    control = begin_controller(broker)
    for _ in range(_MANY):
        txn_id = control.declare()
        want(len(txn_id) <= 32, "an id of at most 32 octets", f"{len(txn_id)} octets")
        with broker.set_up():
            control.discharge(txn_id, fail=True)


# --- discharge ---


@amqp1_rule("discharge/not-settled")
def settled_discharge(broker: Broker) -> None:
    """Send a discharge settled. The control link ends with an error."""
    control = begin_controller(broker)
    control.ask(Discharge(control.declare()), settled=True)
    detach = control.expect_detach()
    want(detach.error is not None, "detach with an error", detach)


@amqp1_rule("discharge/failure-is-conveyed")
def failing_discharge(broker: Broker) -> None:
    """Discharge an id that was never declared. An error of transactions comes."""
    control = begin_controller(broker)
    number = control.ask(Discharge(_NEVER_DECLARED))
    expect_transaction_error(expect_failure(control, number, "the discharge of an unknown id"))


@amqp1_rule("transaction-error.unknown-id/no-such-id")
def unknown_id(broker: Broker) -> None:
    """Discharge an id that was never declared. The condition of the error is unknown-id."""
    control = begin_controller(broker)
    error = expect_failure(control, control.ask(Discharge(_NEVER_DECLARED)), "the discharge of an unknown id")
    want(error is not None and error.condition == _UNKNOWN_ID, _UNKNOWN_ID, error)


@amqp1_rule("discharge/failure-rejects")
def failing_discharge_is_rejected(broker: Broker) -> None:
    """Do so on a link whose source has the outcome rejected. The discharge is rejected with an error of transactions."""
    control = _with_outcomes(broker, _ACCEPTED, _REJECTED)
    answer = answer_to(control, control.ask(Discharge(_NEVER_DECLARED)))
    want(isinstance(answer, Rejected), "rejected", answer)
    expect_transaction_error(answer.error)


@amqp1_rule("discharge/failure-detaches")
def failing_discharge_detaches(broker: Broker) -> None:
    """Do so on a link whose source has no outcome but accepted. It is detached with an error of transactions."""
    control = _with_outcomes(broker, _ACCEPTED)
    answer = answer_to(control, control.ask(Discharge(_NEVER_DECLARED)))
    want(isinstance(answer, Detach), "detach", answer)
    expect_transaction_error(answer.error)


def _local_only(control: Controller) -> Controller:
    """Return the control link if its coordinator does not offer global transactions.

    Raises:
        NotTestable: It does.
    """
    if TxnCapability.DISTRIBUTED_TRANSACTIONS.value in control.capabilities:
        raise NotTestable(
            "the peer's coordinator has global transactions, and no other declare is sure to fail"
        )
    return control


def _declare_global(control: Controller) -> int:
    return control.ask(Declare(global_id=b"amqp-codegen"))


def _with_outcomes(broker: Broker, *outcomes: str) -> Controller:
    """Attach a control link whose source has these outcomes.

    Raises:
        NotTestable: The peer offers no coordinator.
    """
    source = Source(outcomes=[Symbol(outcome) for outcome in outcomes])
    return begin_controller(broker, source=source, target=Coordinator())
